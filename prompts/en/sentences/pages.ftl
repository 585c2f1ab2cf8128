### Pages that an admin opens: a request, the cache, words that are searched, files.

## The request behind an answer

how-to-ask = Reply to a message with `!cortex this`, or name one: `this <link>`, `this <handle>`.
unknown-message = I don't know that message: it never reached me, is not mine, or is older than what I store.
no-model = No model wrote that ({ $kind }, { $handle }), so there is no request behind it.
no-answer = There is no answer here that I can trace: reply to one of mine with `!cortex sources`.
requests-gone = It was said in turn { $handle }, whose requests are no longer stored.
what-happened = What happened to it:
unanswered = That message got no answer. What happened to it:
last-request = The last request of its turn is { $handle }.
request-behind = { $place }: the request behind it
turn = turn { $handle }
turn-round = turn { $handle }, round { $round } of { $rounds }
no-turn = no turn
model = Model { $model }
answered-by = { $model } (answered by { $other })
sent = Sent { $time } UTC, { $outcome }
no-answer-recorded = no answer recorded
failed = failed: { $fault }
answered-in = answered in { $time }
answered-in-counted = answered in { $time } · { $in } in, { $out } out
from-cache = { $line }, { $tokens } from the cache
used = { $used } of { $window } tokens ({ $percent } %), { $counted }
sections = { $count ->
    [one] { $count } section: { $names }
   *[other] { $count } sections: { $names }
}
posted = { $tools ->
    [one] { $tools } tool
   *[other] { $tools } tools
} · { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
} · { $bytes } bytes as posted
answers = Answers { $handle }
sent-as = Sent as { $handle }
answers-sent-as = Answers { $inbound } · sent as { $delivery }

## The provider's cache

all-shared = ✓ { $place }: all of the previous request could come from the cache
most-shared = ✓ { $place }: { $percent } of this request could come from the cache
shared-ends = ✗ { $place }: the cache ends at { $where }
shared = Shared { $tokens } of { $all } tokens ({ $percent })
shared-blocks = in { $blocks ->
    [one] { $blocks } block
   *[other] { $blocks } blocks
}, { $messages } of them messages; { $bytes } bytes of text
same-bytes = The bodies begin with the same { $same } of { $all } bytes
ends-as-expected = It ends where the newest message was before: clock, status and people are there and change
ends-at = It ends at { $where }
ends-at-now = It ends at { $where }; now { $now } is there
nothing = nothing
same-characters = { $count ->
    [one] Its first character is the same
   *[other] Its first { $count } characters are the same
}
cause = cause · { $cause }
no-cache-told = The provider said nothing about its cache
provider-read = The provider read { $cached } of { $all } from its cache ({ $share })
so-far = So far here: { $percent } of { $tokens } tokens read from the cache

## Words that are searched

two-places = { $first } and { $second }
last-one = the last request { $handle }
other-one = the { $which } one
places-hidden = { $count ->
    [one] { $count } place is not shown to you, and was not searched.
   *[other] { $count } places are not shown to you, and were not searched.
}
words-nowhere = Nothing that the model is told in { $place } has those words: { $where }.
places = Found in { $count ->
    [one] { $count } place
   *[other] { $count } places
}. Searched: what the model is told in { $place }, { $where }
more = ({ $count } more)
more-below = … and { $count } more below

## Facts of an answer

was-told = what it was told
contradicts = what contradicts itself
told-no-more = what it is no longer told
said-before = what it said before
not-told-any-more = no longer told
a-message = a message
put-back = Put it back…
remember = Remember it…
forget = Forget { $handle }…
show = Show { $handle }

## The newest messages, what only one side knows

newest = { $place }: the newest { $count } messages (UTC)
no-messages = { $place }: no message on record.
only-last-turns = Only the last { $count } turns are compared, and { $handle } is not one of them. `open { $handle }` shows it.
no-turn-behind = No turn belongs to { $name }. `gap` alone compares the newest ones.
only-model-reads = only the model reads, in every turn: { $sections } (in tokens; counter: { $counted })

## Contexts compared

no-request-answered = No stored request of that channel has led to an answer.
nothing-before = Nothing was sent from there before that request, so no cache could hold any of it.
the-same = = { $place }: the same
differences = ≠ { $place }: { $count ->
    [one] { $count } difference
   *[other] { $count } differences
}
tokens-grew = { $before } → { $after } tokens ({ $change })
tokens-otherwise = { $before } → { $after } tokens (counted in different ways)
hidden-compared = { $count ->
    [one] { $count } place is not shown to you: it is compared by name
   *[other] { $count } places are not shown to you: they are compared by name
}
export-writes = `export sent { $handle }` saves that request to a file; `open <handle>` shows any record
same-parts = Unchanged: { $parts }
more-differences = and { $count } more differences

## Files that go along

no-file-here = I can't attach a file here; it is only at that path.
too-large-packed = It is { $size } and at most { $most } can be attached here, so it is packed (gzip).
too-large = It is { $size } and at most { $most } can be attached here, so it is only at that path.
too-large-even-packed = It is { $size } and at most { $most } can be attached here, so it is only at that path ({ $packed } even when packed).
stays = It stays there until you remove it.
stays-message-goes = It stays there until you remove it. I delete this message after { $hours } h.
redactions = redactions: { $redactions }, withheld: { $withheld }, exact: false
not-written = I could not write the export: { $what }. Nothing was left behind. { $advice }
disk-full = the disk of { $folder } is full
disk-full-fix = Free some room and ask again.
read-only = { $folder } is read-only
read-only-fix = Make it writable (`doctor` checks it too).
no-right = the bot may not write to { $folder }
no-right-fix = Give the folder to the user that the bot runs as; `doctor` says more.
folder-gone = { $folder } is gone and I cannot create it
folder-gone-fix = Bring it back and ask again.
write-failed-fix = `doctor` checks the data directory.
is-link = { $path } is a link, and I don't follow links
is-link-fix = Somebody may have planted it: check where it leads, remove it, and ask again.
not-a-folder = { $path } is not a folder
not-a-folder-fix = Move it away and ask again.
not-a-folder-look = Check it and ask again.
pictures-off = No picture: they are off in my settings (`picture` under `[cortex]`).
no-pictures = I cannot draw pictures here. To have them, { $how }.
install-charts = install the extra (pip install 'glassmind[charts]')
no-file-for-picture = No picture: I cannot send files here.
no-picture = No picture: { $why }
nothing-shortened = Nothing has been shortened here yet.
compactions = compactions
ago = { $line } · { $age } ago
undo = Undo { $handle }

## Where the bot is

servers = Where I am active:
server-is = { $name }: { $state }, for { $age }
server-starting = starting
server-up = connected
server-degraded = connected, with trouble
server-conflict = connected somewhere else
server-down = not connected
server-disabled = switched off
server-with-one = { $name }, used { $age } ago ({ $id })
server-with-channels = { $name } and others, { $count } channels, used { $age } ago ({ $id })
servers-more = … and { $count } more
servers-left = { $count } channels not used for a long time are not listed.
tool-servers = { $count ->
    [0] MCP servers: none
   *[other] MCP servers: { $count }
}
parts-counted = { $what ->
    [section] { $count ->
        [one] { $count } section
       *[other] { $count } sections
    }
    [tool] { $count ->
        [one] { $count } tool
       *[other] { $count } tools
    }
   *[message] { $count ->
        [one] { $count } message
       *[other] { $count } messages
    }
}
