### Why the bot knows nothing of before: somebody started a fresh chat.

verdict = { $place }: a fresh chat was started
started = { $who ->
    [none] Somebody
   *[other] { $who }
} started a fresh chat at { $time }.
nothing-before = The model is told nothing that was said before.
said-before = What was asked for was said before, in { $handle }.
record = the fresh start, in the audit
before-it = what was said before it
undo = `/new undo` brings the old chat back within 24 hours.
