### Why a message got no answer: the bot read its own earlier silence or refusal, and did the same again.

verdict = { $place }: it repeats its own { $what ->
    [silence] silence
   *[refusal] refusal
}
did-so-in = It { $what ->
    [silence] kept silent
   *[refusal] refused
} in { $handle }, for the same reason.
still-there = Its prompt still has that, and it did it again.
first-turn = the turn in which it first did that
refused-then = what it refused then
request = request as sent: message { $number }
start-over = Start over (`new`), or say that the earlier refusal was wrong; then ask again.
start-over-fix = Start over (`new`): its own example weighs more than the prompt.
settle = ask the same in a fresh chat.
