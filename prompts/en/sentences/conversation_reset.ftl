### Why the bot knows nothing of before: somebody started a fresh chat.

verdict = { $place }: a fresh chat was started
started = { $who ->
    [none] Somebody
   *[other] { $who }
} started a fresh chat at { $time }.
nothing-before = The model no longer sees what was said before.
said-before = What was asked about was said before that, in { $handle }.
record = the fresh start, in the audit
before-it = what was said before it
undo = `/new undo` brings the old chat back within 24 hours.
