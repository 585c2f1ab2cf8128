### A channel and its messages on the web page, and what can be changed there.

outcomes-alone = You see how messages ended and not their words: you cannot read that channel yourself.
no-message = No message
no-message-why = Nothing that was said here is on record.
to-newest = To the newest

## A message

message-in = { $handle } in { $channel }
kind = { $kind }
more-characters = { $count ->
   *[other] and { $count } more characters
}
not-kept = its words were not kept
withheld = words withheld
withheld-why = words withheld: you cannot read that channel yourself
answer-withheld = { $kind }, words withheld
delivery = { $state }
outcome = { $outcome ->
    [replied] answered
    [skipped] chose not to answer
    [gated] stopped
    [stored_only] read only
    [superseded] replaced
    [interrupted] cut off
    [uncertain] may have arrived
   *[other] { $known }
}
waits = waiting
after = after { $time }

## Its way

why-so = Why did it end so?
prove = Prove what made it decide so…
its-way = Its way
stage = { $stage }
verdict = { $verdict }
no-stage = no stage is on record
what-was-sent = What was sent to the model
no-request = No request stands behind it.
round = round { $round }
whole-turn = The whole turn `{ $handle }`

## Changing something

change = Change something
as-in-private = The same as in your private chat with the bot: nothing changes before you confirm it, and what comes of it is said there.
back-to = Back to { $channel }
