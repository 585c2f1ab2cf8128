### Offering a change: what it would do, and what stands in the way.

keep = Keep it
leave = Leave it
choose = Choose who…
forgotten-already = { $handle } is forgotten already.
not-forgotten = { $handle } is not forgotten.
kept-stays = { $handle } stays as it is, and counts as said { $times } times. The others are forgotten.
work-is-over = { $handle } is over: { $state }. `{ $handle }` shows what it did.
not-paused = The channel is no longer paused.
cannot-uncompact = { $handle } cannot be undone: it isn't in force, something newer builds on it, or its sources are wiped.
not-left-out = { $handle } is not left out here. `why` names what is.
left-out = Left out since { $time } UTC: the service's filter refused it. { $turn } has what it said.
undo-row = { $handle }: { $did }, { $time } UTC.
stood-in = It was in { $count ->
    [one] { $count } recorded request
   *[other] { $count } recorded requests
}.
stood-in-at-least = It was in at least { $count ->
    [one] { $count } recorded request
   *[other] { $count } recorded requests
}.
words-withheld = [withheld: the memory's words; you cannot read the channel where it was learnt]

## What can be done for a channel

modes-are-for-groups = In a private chat I answer every message; modes are for groups.
holds-already = That is already so: { $what }.
from-then-on = After the change: { $what }.
does-active = it answers every message
does-mention-only = it answers when addressed
does-observe = it only listens
model-asked-already = That model is used there already.
is-on-already = { $name } is on there already.
is-off-already = { $name } is off there already.
no-message-waits = No message is waiting there that could be answered now.
nothing-remembered = Nothing of theirs from that time is remembered there.
the-beginning = the beginning
names-and-more = { $names } and { $more } more
answer = Answer { $handle }…
answer-newest = Answer the newest…
answer-count = Answer the { $count }…
let-them-in = Let them in here…
let-place-in = Let { $place } in…
tell = Tell { $place }…
change-mode = Change the mode…
usual-model = Usual model…
other-model = Use another model…
ask-again = Ask { $model } again…
start-over = New conversation…
shorten = Shorten the history…
resume = Resume { $place }…
nobody-left-alone = No model is on a break there now.
new-already = That conversation is already new.
nothing-to-shorten = There is nothing to shorten yet: the newest messages stay word for word.
only-owner-lets-in = Only an owner can let in somebody a list keeps out: owners decide the lists.
let-in-already = They are let in there already.
no-other-model = No other model is configured: name one with `fix model provider/name`.
no-such-tool = There is no tool { $name } there. The tools: { $names }.
no-such-skill = There is no skill { $name } there. The skills: { $names }.
none = none

## A worker for an admin

begins-with-files = It would begin with these files:
result-comes-here = Its result comes here. The channel is not told.
files-stay = Files that it writes stay with the channel: other workers there can read them.
worker-ended = { $handle } has ended: { $state }.
worker-ended-why = { $handle } has ended: { $state } ({ $why }).
left-no-text = It left no text.
shows-what-it-did = `{ $handle }` shows what it did.
worker-withheld = { $handle } has ended, but you may no longer inspect its channel, so I can't show what it wrote.
works-with-tools = It would work for { $place } with your authority ({ $authority }), with these tools: { $tools }.
works-without-tools = It would work for { $place } with your authority ({ $authority }), without tools: none are open to you there.

## What a model or a moderator proposes

branch-title = The bot proposes to forget something
branch-proposes = While thinking about { $place }, the bot proposes to forget:
because = { $handle }, because { $reason }
forget = Forget { $handle }…
nothing-until = Nothing is forgotten until you have seen it and confirmed it.
moderator-title = A moderator proposes something
approve = Approve
decline = Decline
cortex-talk = a private talk with an admin
