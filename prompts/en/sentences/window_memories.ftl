### What is remembered, and any record, on the web page.

memories-of = Memories of { $channel }
any-of-words = any of these words
find = Find
as-it-was = As it was
now = now
show = Show
total = { $count ->
    [one] *{ $count }* memory
   *[other] *{ $count }* memories
}
total-with-words = { $count ->
    [one] *{ $count }* memory
   *[other] *{ $count }* memories
} with those words
total-at = { $count ->
    [one] *{ $count }* memory
   *[other] *{ $count }* memories
} remembered { $time }
more-withheld = { $count ->
   *[other] { $count } more were learnt where you cannot read
}
nothing-found = Nothing found
nothing-then = Nothing remembered then
nothing-yet = Nothing remembered yet
nothing-found-why = No memory that you may read has any of these words.
nothing-yet-why = The bot has learnt nothing here that you may read.

## A memory

what = What
who-said-it = Who said it
kind = Kind
weight = Weight
used = Used
since = Since
type = { $type }
words-wiped = (its words are wiped)
forgotten = forgotten { $time }
forgotten-since = since then forgotten { $time }
by-admin = admin

## A record

record-kind = { $kind ->
   *[other] { $label }
}
what-came-of-it = What came of it
forget = Forget it…
its-history = Its history
as-open = As `!cortex open { $handle }` shows it.
as-open-and-history = As `!cortex open { $handle }` and `!cortex memory history { $handle }` show it.

## What came of a memory

came-of = What came of { $handle }
its-story = its story
nowhere-yet = It went nowhere yet
nowhere-yet-why = No request held it where you may look, and nothing came of it.
layer = { $layer }
held-and-came = { $layer }: { $direct } held it, { $derived } came of others
every-record = Every record
how = How
where = Where
when = When
spread-kind = { $kind }
held-it = held it
came-of-others = came of others
first-of = { $total ->
   *[other] The first { $shown } of { $total }.
}
forget-spread = Forget it and what came of it…
