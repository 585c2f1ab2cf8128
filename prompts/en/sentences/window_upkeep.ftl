### What runs and what it costs, how every part is, and what was done by whom, on the web page.

## Work

work-of = Work of { $channel }
no-work = No branch and no worker
no-work-why = Nothing was handed out here yet.
at-work = *{ $count }* at work now
newest-below = the newest { $count } below
for-whom = For
took = Took
calls = Calls
begun = Begun
stop = Stop
stop-it = Stop…
kind = { $kind }
state = { $state }
in-private = in private
result-not-said = its result was not said yet

## Cost

cost-of = Cost of { $channel }
nothing-spent = Nothing was spent
nothing-spent-why = No model has been asked for this channel.
spent = *{ $spent }* in { $count ->
    [one] { $count } request
   *[other] { $count } requests
}
no-price = What that cost is not known: no price is set.
by-day = By day (UTC)
day = Day
newest-days = { $days ->
   *[other] The newest { $shown } of { $days } days.
}
by-process = By process
process = Process
process-kind = { $kind }
by-model = By model
model = Model
requests = Requests
tokens-in = Tokens in
from-cache = From the cache
tokens-out = Tokens out

## The doctor

probed = *{ $summary }* · probed { $time }
nothing-to-look-at = Nothing to look at

## The audit

by-everybody = { $count ->
   *[other] The newest { $count } entries by everybody: what was changed, and what was looked at.
}
by-you = { $count ->
   *[other] The newest { $count } entries by you: what was changed, and what was looked at.
}
no-entry = No entry
no-entry-why = Nothing was changed and nothing looked at.
who = Who
undo = Undo
undo-it = Undo…
undone-by = undone by `{ $handle }`
