### Pages about what is remembered: lists, versions, what came of it, files.

## Lists

the-server-of = The server of { $place }
someone = someone
words-deleted = (its words are deleted)
propose-merging = Propose merging { $names }
merge = Merge { $names }…
newer = ‹ Newer
older = Older ›
forgotten = forgotten
not-forgotten = not forgotten
said-times = said { $times ->
    [one] { $times } time
   *[other] { $times } times
}
said-times-last = said { $times ->
    [one] { $times } time
   *[other] { $times } times
}, last { $age } ago
with-those-words = with those words
by = by { $name }
older-than = older than { $age }
of-the-last = of the last { $age }
flagged = flagged
disputed = contradicting each other
alike = nearly the same
scope-channel = known in the channel
scope-user = known with one person
scope-guild = known on the server
scope-global = known everywhere

## What would be found

recalls = { $place }: for these words I would find { $count ->
    [one] 1 memory
   *[other] { $count } memories, best first
}
recalls-nothing = { $place }: for these words I would find nothing.
recalls-hidden = { $count ->
    [one] 1 more was
   *[other] { $count } more were
} learnt where you cannot read: withheld.
recalls-how = A higher rank in any list gives more points; their sum is the order.
recalled-score = { $score } points
recalled-by-words = + { $points }  shared words, place { $place }
recalled-by-meaning = + { $points }  meaning, place { $place }
recalled-by-time = + { $points }  time asked for, place { $place }
recalled-by-recency = + { $points }  how new, place { $place }
recalled-by-importance = + { $points }  importance, place { $place }
recalled-by-relation = + { $points }  relations, place { $place }

## Versions

withheld = [withheld: you cannot read that channel]
ago = { $line }, { $age } ago
became-of = History · { $handle }
changed-since = { $place }: changed since { $time } UTC ({ $count })
nothing-changed = { $place }: nothing changed since { $time } UTC.
more = { $count } more.
and-more = … and { $count } more
rollback-undoes = `memory rollback <time>` undoes it.
remembered-at = { $place }: remembered at { $time } UTC, { $age } ago ({ $count })
nothing-remembered-at = { $place }: nothing was remembered at { $time } UTC, { $age } ago.
erased = erased along with its person
deleted-since = [deleted since]
forgotten-since = forgotten since
id = id { $user }
settings = settings
settings-same = settings: unchanged
summary-stands = a summary is in force
summary-undone = a summary is undone
several-have-name = Several people have that name: write the numeric id or a mention.
nobody-has-name = Nobody there has that name: write the numeric id or a mention.

## What came of a memory

by-since = { $memories ->
    [one] { $memories } memory
   *[other] { $memories } memories
} by { $name }, since { $time } UTC
saved-since = { $memories ->
    [one] { $memories } memory
   *[other] { $memories } memories
} saved since { $time } UTC
requests = Requests ({ $count })
answers = Answers ({ $count })
memories = Memories ({ $count })
summaries = Summaries ({ $count })
compactions = Compactions ({ $count })
branches = Branches ({ $count })
workers = Workers ({ $count })
draw = Draw it
forget-all = Forget all that came of it…
nothing-saved = Nothing was saved there in that time.
nothing-left = Nothing is left to take back: all of it is forgotten or undone already.
type-by = a { $type } by { $name }
all-by = all that { $name } had me remember since then
all-saved = all that was saved since then
what-came-of = What came of { $what }
elsewhere-too = also in channels that you do not moderate
more-hidden = { $count } more not shown to you
names-and-more = { $names } and { $count } more

## Files

nothing-to-import = There is nothing to import.
one-file = One file at a time, please: attach it to the command.
too-large = That file is too large here; the limit is { $size }. On the host there is `glassmind memory import`.
not-fetched = I could not fetch the file: { $why }. Send it again.
that-file = That file

## Skills

skills-on = { $place }: { $on } of { $all } skills on
skill = { $name } · { $file } · { $size ->
    [one] { $size } character
   *[other] { $size } characters
} · { $digest }
not-for-agent = not for this agent
switched-here = set here
off-by-config = off by skills.enabled
more-left-out = … and { $count } more that are left out
what-a-skill-is = A skill is a folder with a SKILL.md, in `skills` of the data directory or in `skills.folders`.
skill-fix = Correct the file; I read it again automatically.
skill-row = skill { $name }
skills-missing = skills.enabled names skills that are not there: { $names }
skills-missing-fix = Correct the list, or add the skill.
skills-found = { $count } can be looked up: { $names }
