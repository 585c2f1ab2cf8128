### Bringing an admin what they asked, in private.

dm-closed = I answer that only in private, and your direct messages are closed to me. Open them (or start me there) and ask again.
dm-closed-link = I answer that only in private, and your direct messages are closed to me. This link opens them and brings you the answer; it is for you alone, once, for 10 minutes: { $link }
dm-closed-button = I answer that only in private, and your direct messages are closed to me. The button shows it here, only to the person who asked, once, for 10 minutes.
show-me = Show me (only you)
looking = Looking. The answer comes to your direct messages, or here if those are closed to me.
not-attached = I could not attach the file: the platform does not take it.
sent-in-private = An admin is looking into this channel with my help. They get what I find in private.
link-not-yours = I did not make this link for you. Nothing was done.
link-expired = This link has expired. Nothing was done; ask again where you asked.
link-used = This link was used at { $time } UTC. Nothing was done; ask again where you asked.
question-gone = I no longer have what you asked. Ask again.
keep-check = Keep as a check…

## Presses

not-two-any-more = Those are no longer two memories that could be one.
alike-reason = they say nearly the same
proof-stops = Stopping. What is known so far comes here.
proof-is-over = That proof is over already.
goes-on = Picking up where it stopped.
trouble-gone = That trouble is long over, and I no longer have its details.
nobody-waits = Nobody is waiting for an answer any more where you may look.
answer-in-thread = The answer is in the thread.

## Titles of threads

a-record = a record
inspection = inspection
trouble = trouble
could-not-look = could not look at everything
all-passed = all checks passed
is-a-question = No, it's a question
too-many-wait = { $count ->
    [one] { $count } question is waiting here already. I did not take this one; ask it again later.
   *[other] { $count } questions are waiting here already. I did not take this one; ask it again later.
}
no-answer-within = no answer within { $seconds } s
