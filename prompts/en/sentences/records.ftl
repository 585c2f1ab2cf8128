### What a handle opens: a record, in lines.

withheld = [withheld: you cannot read that channel yourself]
step-of = One step in what happened to message { $handle }:
called = called { $call }, { $handle }
arguments-of = { $tool } arguments
call-of-turn = call { $number } of turn { $handle }, round { $round }, begun { $time } UTC
what-came-of-it = what came of it
talk-about = A private talk about { $channel }, begun { $time } UTC.
undone-by = undone by { $handle }
person = { $name } (id { $user })
on-its-way = on its way
outcome = { $outcome }
stage = { $stage } { $verdict }
tool-call = { $tool }: { $ended ->
    [ok] ok
   *[failed] failed
}, { $ms } ms
words-not-kept = Its words were not stored; sha256 { $hash }.
from = from { $who }, message { $message }
author = { $name } (id { $user }, { $kind })
quoted = quoted
quoted-by = quoted, by { $name } (id { $user })
id-unknown = unknown
triggers = answers: { $handles } · rounds: { $rounds }
none = none
turn = { $kind } turn, { $time } UTC, { $status }
no-answer-recorded = no answer recorded
answered-in = answered in { $time }
failed = failed: { $fault }
request = { $handle } round { $round } · { $model } · { $outcome }
request-searched = { $handle } round { $round } · { $model } · { $outcome } · sent only to find what the filter refuses
sent = sent { $time } UTC · { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
}, { $tools ->
    [one] { $tools } tool
   *[other] { $tools } tools
} · ≈{ $used } of { $window } tokens
wire = wire sha256 { $hash } · { $bytes } bytes · encoder { $encoder }
sections = sections: { $sections }
attempt = attempt { $number }: { $fault } { $error }
thought = thought for { $tokens } tokens
stopped-with = stopped with { $words }
words-too-old = Its words are past retention.requests_days and were deleted.
words-for-room = Its words were deleted { $time } UTC to keep the journal small (retention.journal_mb).
words-of-vectors = It asked for vectors of memories, or of a question to them. Their words are not stored here again.
words-unrecorded = Recording was off in its channel: I stored digests and sizes, and no words (`record`).
words-erased = redacted: words in it were erased on request, { $time } UTC; the digests are of what was sent.
delivery = { $kind }, part { $part } of { $parts } · { $state }
platform-message = platform message { $message }
attempts = { $count ->
    [one] { $count } attempt
   *[other] { $count } attempts
}
answers = answers { $handle }
answers-nothing = answers no message
summary-of = It summarises { $count ->
    [one] { $count } message
   *[other] { $count } messages
} ({ $messages })
sources-wiped = { $count ->
    [one] { $count } of its sources is deleted; it cannot be undone
   *[other] { $count } of its sources are deleted; it cannot be undone
}
missing-in-it = names, ids and numbers from its sources that are not in it

## Work: branches and workers

at-work = { $place }: { $running } at work, the newest { $count }
nothing-handed-out = { $place }: no work has been handed out here yet.
work = { $handle } { $kind } “{ $name }” { $state } · { $calls ->
    [one] { $calls } call
   *[other] { $calls } calls
}
after = { $state } after { $time }
at-work-for = at work for { $time }
for-in-private = for { $name } in private
result-not-said = its result was not posted yet
process = { $handle } { $kind }: { $state }, { $calls ->
    [one] { $calls } tool call
   *[other] { $calls } tool calls
}, handed out by turn { $turn } for { $name } (id { $user })
began = began { $time } UTC · still at work: `cancel` stops it
began-ended-said = began { $time } UTC · ended { $ended } UTC · posted { $said } UTC
began-ended-unsaid-private = began { $time } UTC · ended { $ended } UTC · its sender was not told yet
began-ended-unsaid = began { $time } UTC · ended { $ended } UTC · not posted in the channel yet
why-ended = why it ended: { $why }
what-it-did = what it did
what-it-was-shown = what it was shown, and why
what-was-typed = the message it comes from
handed-over = files it handed over, in bytes

## Tools of a channel

tools-of = { $place }: tools
switched-off = turned off here: { $names } · `fix tool on <name>`
tool-unusable = { $group }: { $tool } is not available: { $why }
always = { $kind }, always: { $names }
on-demand = only when needed: { $names }
is-on-demand = { $name } (only when needed)
group = { $group }: { $names } · { $state }
closed = unavailable: { $why }
cannot-be-used = cannot be used: { $why }
open-for = open for { $who }
of-plugin = { $tool } (plugin { $plugin })
