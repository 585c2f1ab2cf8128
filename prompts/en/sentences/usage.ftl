### What the models have used for a channel, and how full its context is: lines of at most 40 columns.

## What was used

nothing-yet = Used so far: nothing recorded
used = Used so far
no-price = { "  " }cost not known: no price is set
cache-hits = Cache hits { $share }
title = { $name } · usage
nothing = Nothing recorded.
cache-hits-of-all = { "  " }cache hits { $share }
in-total = in total
by-process = By process
by-model = By model
by-day = By day (UTC), last { $shown } of { $days } days
requests = { "  " }{ $name } · { $count ->
    [one] 1 request
   *[other] { $count } requests
}
requests-cost = { "  " }{ $name } · { $count ->
    [one] 1 request
   *[other] { $count } requests
} · { $cost }
in-and-out = { "    " }{ $input } tokens in, { $output } out

## How full it is

head = { $name } · { $which ->
    [sent] sent
    [in_flight] in flight
   *[next] next request
}
of-window = { $tokens } of { $window } tokens · { $percent } %
free = Free { $tokens } plus { $answer } for the answer
counted-by = Counter: { $counter }
no-count = The service has reported no count yet
this-request = Model service: { $tokens } tokens this time
last-request = Model service: { $tokens } tokens last time
ratio = Estimate corrected by ×{ $ratio }
unread = ○ could not read { $line }

## What it is made of

system = █ System { $tokens }
in-newest = { "  " }↓ in the newest message, counted there
section-left-out = { "  " }left out { $name }: { $reason }
not-there = { "  " }not in it: { $names }
tools = ▓ Tools { $count } · { $tokens }
tool = { "  " }{ $name } { $tokens }
tool-opened = { "  " }{ $name } { $tokens } opened
on-demand = { "  " }on demand: { $names }
history = ▒ History { $tokens }
messages = { "  " }{ $messages ->
    [one] 1 message
   *[other] { $messages } messages
}, { $turns ->
    [one] 1 turn
   *[other] { $turns } turns
}
raw = { "  " }word for word { $pile }
summarised = { "  " }summarised { $pile }
goal-batches = { "  " }goal batches { $pile }
compressed = { "  " }compressed { $share }
pile = { $messages } msgs · { $tokens }
pile-was = { $messages } msgs · { $tokens } (was { $before })
overhead = ▒ Overhead ≈{ $tokens }
growth = Last { $count } turns: { $first } to { $last }
a-compaction = { "  " }{ $mark } a compaction

## What comes next

left-out = Already left out: the oldest { $count ->
    [one] turn
   *[other] { $count } turns
}
no-compaction = No compaction configured: past { $tokens }, the oldest turns are left out
nothing-old-enough = No compaction due: nothing old enough
next-compaction-due = Next compaction: { $strategy }, due now
next-compaction = Next compaction: { $strategy }, at { $tokens } ({ $percent } %)
would-take = { "  " }would cover { $count ->
    [one] 1 turn
   *[other] { $count } turns
}, ≈{ $tokens } tokens
strategy = { $strategy ->
    [tool_calls] tool calls
    [half] the older half
    [goal_batch] a goal batch
   *[emergency] emergency, without a model
}

## In the picture

chart-which = { $which ->
    [sent] sent
    [in_flight] in flight
   *[next] next request
} · { $model }
chart-used = { $tokens } of { $window } tokens
chart-free = { $tokens } free plus { $answer } for the answer
chart-tools = { $count ->
    [one] 1 tool
   *[other] { $count } tools
}
chart-messages = messages as said
chart-moving = status, people, time
chart-summaries = { $count ->
    [one] 1 summary
   *[other] { $count } summaries
}
chart-goals = { $count ->
    [one] 1 goal batch
   *[other] { $count } goal batches
}
chart-overhead = overhead
chart-more-sections = { $count } more sections
chart-between = between them
chart-left-out = left out already: the oldest { $count ->
    [one] turn
   *[other] { $count } turns
}
chart-compaction-due = next compaction: { $strategy }, due now
chart-compaction = next compaction: { $strategy }, at { $tokens }
chart-cache = cache hits { $share }
chart-cache-cost = cache hits { $share } · { $cost } so far
made-of = What it is made of
last-turns = The last { $count } turns
key-system = system, tools
key-conversation = conversation
key-compaction = compaction
