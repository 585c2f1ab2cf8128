### Why a message got no answer, and what somebody asked the cortex, on the web page.

why-in = Why in { $channel }
quote-withheld = its words are withheld: you cannot read that channel yourself
see-it = see it in the request `{ $handle }`
about = About { $message }
not-everything = Not everything could be looked at
not-everything-why = What could be read shows nothing wrong.
nothing-wrong = Nothing is wrong here
nothing-wrong-why = Every check passed.
unread = Could not read { $what }: { $why }
beside = Beside it
every-check = Every check
check = { $state ->
    [not_reached] not reached
    [not_checkable] not checkable
   *[other] { $state }
}
check-stage = { $stage }
as-in-chat = As `!cortex why` shows it: rules only, no model used.

## What somebody asked

what-you-asked = What you have asked, newest first. Nobody else sees it.
nothing-asked = Nothing asked yet
nothing-asked-why = Write `!cortex why` to the bot in private; what it finds is kept here.
what-came = What came of it
asked = Asked
last-word = Last word
a-talk = a talk
more-withheld = { $count ->
    [one] { $count } more is about channels that you may not inspect now.
   *[other] { $count } more are about channels that you may not inspect now.
}

## A talk

talk-about = { $handle } about { $channel }
begun = *{ $title }* · begun { $time }
nothing-said = Nothing was said
nothing-said-why = No answer of this talk is on record any more.
looked-into = What was looked into
turn-kind = { $kind ->
    [inspection] A branch read the context
    [cortex] A question was answered
    [replay] The model was asked again
   *[other] { $kind }
}
turn-status = { $status }
requests = { $count ->
    [one] { $count } request
   *[other] { $count } requests
}
each-time = Each time the model was asked
run = Run
decided = What it decided
decision = { $decision }
tokens = Tokens
no-answer = no answer
