### What a handle opens: a record, in lines.

withheld = [withheld: you cannot read that channel yourself]
step-of = One step of message { $handle }:
called = called { $call }, { $handle }
arguments-of = { $tool } arguments
call-of-turn = call { $number } of turn { $handle }, round { $round }, begun { $time } UTC
what-came-of-it = what came of it
talk-about = A private talk about { $channel }, begun { $time } UTC.
undone-by = undone by { $handle }
person = { $name } (id { $user })
did = { $verb ->
    [forget-memory] forgot { $what }
    [forget-memories] forgot { $what }
    [restore-memory] restored { $what }
    [restore-memories] restored { $what }
    [save-memory] saved { $what }
    [resume-channel] ended the pause
    [set-mode] changed the mode: { $what }
    [set-model] changed the model: { $what }
    [set-recording] changed recording: { $what }
    [new-conversation] started a new conversation
    [fresh-start] started afresh
    [switch-skill] switched a skill: { $what }
    [switch-tool] switched a tool: { $what }
    [look] viewed records
    [export] exported { $what }
    [memory-import] imported memories: { $what }
    [owner-claimed] became an owner
    [invitation-accepted] accepted an invitation
    [send-again] sent again: { $what }
   *[other] { $action } { $what }
}
on-its-way = on its way
outcome = { $outcome ->
    [replied] answered
    [skipped] chose not to answer
    [gated] stopped
    [stored_only] read only
    [superseded] replaced
    [interrupted] cut off
    [uncertain] may have arrived
   *[other] { $outcome }
}
after-time = after { $time }
its-words = the message
stage = { $stage ->
    [arrived] arrived
    [gates] { $verdict ->
        [passed] passed every gate
       *[other] stopped at a gate
    }
    [queued] joined the queue
    [coalesced] taken up with others
    [turn] a turn began
    [assembled] { $verdict ->
        [failed] the request is not as recorded
       *[other] request built
    }
    [requested] model asked
    [tool] { $verdict ->
        [passed] tool called
        [stopped] tools not called
       *[other] tool failed
    }
    [decided] { $verdict ->
        [passed] decided
        [stopped] decided against an answer
       *[other] failed
    }
    [outbox] { $verdict ->
        [passed] ready to send
       *[other] noted while it was sent
    }
    [delivered] { $verdict ->
        [passed] delivered
        [failed] not delivered
        [stopped] delivery stopped
       *[other] noted at delivery
    }
    [compacted] conversation summarised
    [afterwards] later
   *[other] { $stage }, { $verdict }
}
number = { $name ->
    [messages] { $count ->
        [one] { $count } message
       *[other] { $count } messages
    }
    [parts] { $count ->
        [one] { $count } part
       *[other] { $count } parts
    }
    [turns] { $count ->
        [one] { $count } turn
       *[other] { $count } turns
    }
    [round] round { $next }
    [order] call { $next }
    [tokens] { $counted ->
        [estimate] ≈{ $count } of { $window } tokens
        [exact] { $count } of { $window } tokens
       *[other] at most { $count } of { $window } tokens
    }
    [ms] { $count } ms
    [blocked_ms] nothing else ran for { $count } ms
    [dropped] { $count } left out
    [dropped_turns] { $count ->
        [one] { $count } turn left out
       *[other] { $count } turns left out
    }
    [message_id] message { $plain }
   *[other] { $label }: { $plain }
}
value = { $name ->
    [model] { $value }
    [kind] { $value }
    [delivery] { $value }
    [part] part { $value }
    [digest] digest { $value }
    [message_id] message { $value }
    [into] up to { $value }
    [sign] because of { $value }
    [waited] waited { $value }
    [began_again] the turn began again
    [told_by] as { $value } says
    [by] by { $value }
    [needs] needs role { $value }
    [has] sender's role: { $value }
   *[other] { $label }: { $value }
}
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
request = round { $round } · { $model } · { $outcome } · { $handle }
request-searched = round { $round } · { $model } · { $outcome } · sent only to find what the filter refuses · { $handle }
sent = sent { $time } UTC · { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
}, { $tools ->
    [one] { $tools } tool
   *[other] { $tools } tools
} · ≈{ $used } of { $window } tokens
wire = as sent: { $bytes } bytes, sha256 { $hash }, encoder { $encoder }
sections = sections, in tokens: { $sections }
attempt = attempt { $number }: { $fault }, { $error }
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
work = { $kind } “{ $name }” { $state } · { $calls ->
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
