### Doing what was offered: what came of it.

done = Done.
done-already = Done already.
done-already-at = Done at { $time } UTC already.
undone = Undone.
posted = Posted.
stopped = Stopped.
sent = Sent.
kept = Kept. Nothing was changed.
nothing-changed = Nothing was changed: { $why }
may-not-change = You may not change that channel now. Nothing was changed.
offer-expired = This offer has expired. Nothing was changed; ask again for a new one.
offer-stale = What this would have changed has changed since. Nothing was done; ask again.
declined = Declined. Nothing was changed.
declined-at = Declined at { $time } UTC. Nothing was changed.
nothing-to-undo = There is nothing of yours to undo there.
undone-already = That was undone already.
cannot-undo = that cannot be undone.
was-undone-already = that was undone already.
too-old-to-undo = that is more than { $hours } h ago.
being-asked = Asking now; the result comes here.
being-done = Working on it; the result comes here.
undo = Undo
undo-row = Undo { $handle }
tell = Tell { $place }…

## What is said in the thread

was-undone = ↩ { $handle } is undone ({ $undo }): { $what } is back as it was.
spread-undone-partly = ↩ { $handle } is undone ({ $undo }): the memories count again. { $left ->
    [one] { $left } compaction cannot be restored and stays undone.
   *[other] { $left } compactions cannot be restored and stay undone.
}
channel-unreachable = { $place } cannot be reached now. I'll post it as soon as I can.
not-posted = I could not post it in { $place }: { $why }.
posted-in = ✓ posted in { $place } · { $handle }
posted-in-more = ✓ posted in { $place } and { $more } more · { $handle }
stopped-by-admin = stopped by an admin
not-stopped-yet = { $handle } has not stopped yet. `work` shows its progress.
work-is = ✓ { $work } is { $state } · { $handle }
offer-used-up = { $why } This offer is used up: ask again for a new one.
at-work = ✓ { $work } is at work; one report follows · { $handle }
setting = ✓ { $line } · { $handle }
forgotten = ✓ { $what } is forgotten · { $handle }
counts-again = ✓ { $what } is remembered again · { $handle }
not-in-prompts = The model is no longer told about it.
remembered = ✓ Remembered in { $place } · { $handle }
resumed = ✓ { $place } is no longer paused · { $handle }
compaction-stands = ✓ { $what } is back in force · { $handle }
compaction-undone = ✓ { $what } is undone · { $handle }
history-is-back = The messages it summarised are in the history again.
shown-again = ✓ { $what } is shown to models again · { $handle }
imported = ✓ { $what } imported · { $handle }
recorded = ✓ { $place } is recorded again · { $handle }
not-recorded = ✓ { $place } is no longer recorded · { $handle }
separated = ✓ { $names } count separately again · { $handle }
merged = ✓ { $kept } now also stands for { $names } · { $handle }
merged-line = The model reads one line in their place.
several-forgotten = ✓ { $what } forgotten · { $handle }
several-not-in-prompts = The model is no longer told about them.
several-count-again = ✓ { $count ->
    [one] { $count } memory counts again
   *[other] { $count } memories count again
} · { $handle }
restored = ✓ { $what } restored · { $handle }
taken-back = ✓ { $what } taken back · { $handle }
memories-not-in-prompts = The model is no longer told about the memories.
shortened-is-back = The history that was summarised is back word for word.

## What the running bot does

starts-over = ✓ { $place } starts over · { $handle }
can-undo-day = This can be undone for 24 h.
shortening = ✓ Shortening { $place }; the result comes here · { $handle }
not-left-alone = { $model } is no longer on a break. Nothing was changed.
asked-again = ✓ { $model } is asked again from now on · { $handle }
reloading = ✓ Looking at tools, skills and MCP servers again; the result comes here · { $handle }
reloaded = ✓ { $time } UTC: looked again · { $handle }
reload-same = Nothing has changed: { $tools } tools, { $skills } skills.
reload-tools-came = { $count ->
    [one] 1 new tool: { $names }
   *[other] { $count } new tools: { $names }
}
reload-tools-went = { $count ->
    [one] 1 tool is gone: { $names }
   *[other] { $count } tools are gone: { $names }
}
reload-tools-changed = { $count ->
    [one] 1 tool is described differently: { $names }
   *[other] { $count } tools are described differently: { $names }
}
reload-skills-came = { $count ->
    [one] 1 new skill: { $names }
   *[other] { $count } new skills: { $names }
}
reload-skills-went = { $count ->
    [one] 1 skill is gone: { $names }
   *[other] { $count } skills are gone: { $names }
}
reload-skills-changed = { $count ->
    [one] 1 skill has changed: { $names }
   *[other] { $count } skills have changed: { $names }
}
reload-failed = ✗ { $what }: { $why }
none-can-be-answered = None of them can be answered any more, or the bot is answering them already.
answering = ✓ Answering { $count ->
    [one] { $count } message
   *[other] { $count } messages
} now; I'll report here · { $handle }
answering-some = ✓ Answering { $count ->
    [one] { $count } message
   *[other] { $count } messages
} now; I'll report here · { $handle }. { $left ->
    [one] { $left } could not be taken.
   *[other] { $left } could not be taken.
}
answered-of = { $mark } { $time } answered { $answered } of { $all } · { $handle }
read-together = { $count ->
    [one] { $count } message was read together with the next one.
   *[other] { $count } messages were read together with the next one.
}
and-more = … and { $count } more
not-shortened = ✗ { $place } was not shortened · { $handle }
nothing-older = There is nothing older to summarise, or it failed: see `compactions`.
undo-what = Undo { $what }…
shortened = ✓ { $time } { $place } is shorter by { $tokens } tokens · { $what } · { $handle }

## The next answer after a change

next-answered = { $mark } { $time } answered a member in { $took } · { $handle }
next-silent = { $mark } { $time } the bot chose not to answer, after { $took } · { $handle }
next-silent-why = { $mark } { $time } the bot chose not to answer: { $why }, after { $took } · { $handle }
next-failed = { $mark } { $time } no answer came, after { $took } · { $handle }
next-failed-why = { $mark } { $time } no answer came: { $why }, after { $took } · { $handle }

## Messages that wait

went-unanswered = { $count ->
    [one] 1 message got no answer: { $handle }, { $time } UTC. Answer it now?
   *[other] { $count } messages got no answer, the newest at { $time } UTC ({ $handle }). Answer the newest message now?
}
answer = Answer { $handle }
answered-member = ✓ { $time } answered a member in { $took }
ended-as = ✗ { $handle } ended as { $outcome }, { $took }
ended-as-why = ✗ { $handle } ended as { $outcome } ({ $why }), { $took }
no-outcome-yet = ○ { $handle } has no outcome after { $time }. `why` says where it is.
nobody-waits = Nobody on that list is waiting any more. Nothing was done.
answer-picked = Answer { $count ->
    [one] { $count } message
   *[other] { $count } messages
}…

## Sending again what may not have arrived

button-expired = That button has expired. Ask me again.
sending-again = Sending it again.
on-its-way = It is on its way already.
not-delivered = I could not deliver it. Ask me again.
uncertain-again = I sent it again already, and again it may not have arrived. There is a newer button.
sent-already = I sent it at { $time } UTC already.
