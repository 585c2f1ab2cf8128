### How exact a captured context is, and why there is none.

sent = sent: request { $handle } as it went out
in-flight = in flight: the request of the round that runs now
next = next: exact up to the unknown message and the clock; tools as an ordinary member gets them
with-note = { $what }; { $note }
no-bytes = its bytes cannot be shown: { $why }
redacted = redacted: words in it were erased on request, { $time } UTC; digests are those of what was sent
other-encoder = { $before } wrote the bytes that were sent; { $now } writes the same request differently
never-heard = The bot has never heard anything in { $channel }. Name a channel that it knows.
none-in-flight = No request is in flight there now. Ask for the last one sent, or the next.
none-sent = The bot has sent no request from there yet. Ask for the next one.
of-another-channel = That request belongs to another channel.
queue = - Queue: { $count } waiting
queue-oldest = - Queue: { $count } waiting, the oldest for { $age }
now = - Now: { $what ->
    [none] a turn
   *[other] { $what }
} for { $age }
