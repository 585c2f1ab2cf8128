### Looking into a prompt with a model: how it goes, and its one report.

price = up to { $tokens } tokens
price-dollars = up to { $tokens } tokens, { $dollars }
up-to = up to { $dollars }
price-first = price first
no-conclusion = no conclusion within { $seconds } s
resumed = Resumed after a restart; { $calls ->
    [one] the { $calls } look-up made before was kept, and was not repeated.
   *[other] the { $calls } look-ups made before were kept, and none was repeated.
}
resumed-changed = Resumed after a restart; { $calls ->
    [one] the { $calls } look-up made before was kept, and was not repeated.
   *[other] the { $calls } look-ups made before were kept, and none was repeated.
} The channel has changed since; I read its newer state.
where-in-section = { $section ->
    [memory_bulletin] the memory list
   *[other] section { $section }
}, line { $line } of { $lines }
in-no-section = in no section
other-version = That was stored in version { $stored }, and I read version { $mine }. Ask again instead.
damaged = What was stored of it is damaged. Ask again instead.
go-on = Go on
withheld = The inspection has ended, but you may no longer inspect that channel, so I can't show its report.
timed-out = The inspection ran out of time: { $why }
failed = The inspection failed: { $why }
rules-stand = What the rules found above stands; it needs no model.
no-findings = The model gave no findings that I could check. Its own words, checked against nothing:
nothing-further = Reading the prompt added nothing.
running-for-you = I'm still looking into this channel for you. The report comes here; ask again after it.
too-many-running = { $limit ->
    [one] { $limit } inspection is running, as many as the config allows. Ask again in a minute.
   *[other] { $limit } inspections are running, as many as the config allows. Ask again in a minute.
}

## Claims that did not hold

claims-dropped = { $count ->
    [one] { $count } claim dropped: { $why }
   *[other] { $count } claims dropped: { $why }
}
fix-dropped = { $count ->
    [one] { $count } fix dropped: { $why }
   *[other] { $count } fixes dropped: { $why }
}
claims-not-looked-at = { $count ->
    [one] { $count } more claim not checked: too many in one report
   *[other] { $count } more claims not checked: too many in one report
}
summary-left-out = Summary left out: it rests on claims that were dropped.
not-in-prompt = { $handle } is not in the prompt that was read
no-quote-names = no quote names { $handle }
all-is-well = “all is well” is not a finding
no-evidence = it names no evidence
no-such-record = there is no record { $handle } here
quote-not-found = the quote is not in { $handle }
quotes-nothing = it quotes nothing
quote-too-short = its quote is too short to prove anything
empty-handle = (empty)

## What the last one was given to read

context-row = inspection context
context-missing = inspection context, missing
context-room = inspection context, room
context-cut = inspection context, cut
context-used = { $used } of { $budget } tokens in use ({ $share }), { $included } of { $all } pieces, { $shortened } of them shortened
no-room = no room for { $count ->
    [one] { $count } piece that matters: { $names }
   *[other] { $count } pieces that matter: { $names }
}
shortened = shortened: { $names }
slow-fix = If its answers are slow, it reads too much: lower cortex.tokens, or ask about one thing at a time.
missing-fix = The missing pieces could not be read: look at what failed, then ask again; name a part to have it read.
misunderstood-fix = If its answers miss the point, it had too little to read: raise cortex.tokens, or set cortex.model to one with a larger window (cortex.context_window says how large).
shortened-fix = If the deciding part was cut, name it in your question: what you name comes first.
