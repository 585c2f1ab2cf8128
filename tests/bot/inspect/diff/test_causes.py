"""Every change is put down to the event that records show, and to none where they show none."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given, settings

from bot.domain.channel import LastTurn, Turn, TurnFinished, TurnsCompacted, apply
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.handles import HandleKind, handle
from bot.domain.health import ProgramStart
from bot.domain.memory import Memory, MemoryProvenance
from bot.domain.messages import Message, Role, TextPart
from bot.inspect.diff.causes import explain
from bot.inspect.diff.change_events import (
    NO_RECORDS,
    AuditedAction,
    ChangeRecords,
    EndedTurn,
    EpochEvent,
    EpochKind,
    OrderedCommand,
)
from bot.inspect.diff.context_diff import ContextDiff, RequestPart, compare
from bot.inspect.diff.diff_side import MAX_OUTPUT, DiffPiece, DiffSide, SentRequest
from tests.bot.context.laid import coming, sent, side
from tests.bot.context.talk import MEMORIES, rounds, states, triggers
from tests.fakes.clock import START
from tests.fakes.contexts import says, talked, trigger
from tests.fakes.values import call, channel, memory, result, said, tool_definition
from tests.fakes.values import settings as set_here

LATER = START + 60_000
WINDOW = ChangeRecords(since=START, until=LATER, ran_on=True)
K = EpochKind


def other(one: DiffSide, **changes) -> DiffSide:
    return DiffSide(**{**vars(one), "digest": "", "at": LATER, **changes})


def told(
    before: DiffSide, after: DiffSide, between: ChangeRecords = WINDOW, *, moving: bool = False
) -> list[tuple[str, ...]]:
    """What is said of each change that is not rendered anew anyway."""
    diff = compare(before, after)
    return [
        tuple(epoch.kind for epoch in explain(change, diff, between))
        for change in diff.changes
        if change.moving is moving
    ]


def section(one: DiffSide, label: str, words: str, *sources: str) -> DiffSide:
    """The same with other words in a section."""
    pieces = [
        piece._replace(text=words, name=words, sources=sources or piece.sources) if piece.label == label else piece
        for piece in one.sections
    ]
    return other(one, sections=tuple(pieces))


@pytest.fixture
async def base() -> DiffSide:
    return side(await sent(talked(channel(), ("hi", "hello")), trigger(says("are you there?", 99))))


@settings(max_examples=25, deadline=None)
@given(states(), states(), triggers(), rounds(), MEMORIES)
def test_every_change_has_a_cause_or_is_said_to_have_none(a, b, asked, more, memories):
    async def check():
        before, after = side(await sent(a, asked)), side(await sent(b, asked, more, memories=memories), LATER)
        for first, second in ((before, after), (after, before)):
            diff = compare(first, second)
            for between in (NO_RECORDS, WINDOW):
                for change in diff.changes:
                    causes = explain(change, diff, between)
                    assert causes and len(set(causes)) == len(causes)
                    assert causes == explain(change, diff, between)

    asyncio.run(check())


async def test_nothing_on_record_means_unknown(base):
    assert told(base, section(base, "operating_contract", "New.")) == [(K.UNKNOWN,)]
    assert told(base, section(base, "silence_rules", "New.")) == [(K.UNKNOWN,)]
    assert told(base, other(base, channel="telegram:1", messages=())) == [(K.UNKNOWN,)]
    assert told(base, other(base, tools=())) == [(K.UNKNOWN,)]


async def test_the_configuration_a_start_and_the_program(base):
    started = replace(WINDOW, started=(START + 5,))
    assert told(base, section(base, "identity", "You are New."), started) == [(K.CONFIG,)]
    diff = compare(base, section(base, "identity", "You are New."))
    (reloaded,) = explain(diff.changes[0], diff, WINDOW)
    assert reloaded.what == "bot.name, bot.persona, read again while the bot ran"
    for silent in (NO_RECORDS, replace(WINDOW, ran_on=False)):
        assert told(base, section(base, "identity", "New."), silent) == [(K.UNKNOWN,)]
    assert told(base, section(base, "operating_contract", "New."), started) == [(K.RESTART,)]
    assert told(base, other(base, tools=(*base.tools, *base.tools[:1])), started) == [(K.RESTART,)]
    turned = other(base, sections=(base.sections[1], base.sections[0], *base.sections[2:]))
    assert told(base, turned, started) == [(K.RESTART,)]
    assert told(base, section(base, "silence_rules", "New."), started) == [(K.CONFIG,)]


async def test_a_mode_and_a_model_that_somebody_set(base):
    ordered = replace(WINDOW, commands=(OrderedCommand("quiet", START + 1, 7), OrderedCommand("model", START + 2, 8)))
    diff = compare(base, section(base, "silence_rules", "New."))
    (mode,) = explain(diff.changes[0], diff, ordered)
    assert (mode.kind, mode.handle) == (K.MODE, handle(HandleKind.INBOUND, 7))
    mode_set = replace(WINDOW, settings=set_here(mode_by="1", mode_at=START + 3))
    assert told(base, section(base, "silence_rules", "New."), mode_set) == [(K.MODE,)]
    model = base.parameters[0]._replace(name="a/b", text="a/b")
    switched = other(base, parameters=(model, *base.parameters[1:]))
    assert told(base, switched, ordered) == [(K.MODEL,)]
    assert told(base, switched) == [(K.UNKNOWN,)]
    assert told(base, switched, replace(WINDOW, started=(LATER,))) == [(K.CONFIG,)]
    assert told(base, other(switched, sent=SentRequest(9, 3, 1, 8))) == [(K.MODEL,)]
    assert told(other(base, sent=SentRequest(9, 3, 1, 8)), switched) == [(K.MODEL,)]
    last = base.parameters[2]._replace(name="none", text="none")
    assert told(base, other(base, parameters=(*base.parameters[:2], last))) == [(K.ROUND,)]


def known(row: int, **changes) -> Memory:
    body = memory(f"note {row}", created_at=changes.pop("created_at", START - 5), **changes.pop("body", {}))
    return Memory(id=row, body=body, **changes)


def noted(one: DiffSide, *rows: int) -> DiffSide:
    sources = tuple(f"memory:{handle(HandleKind.MEMORY, row)}" for row in rows)
    return section(one, "memory_bulletin", f"notes {rows}", *sources)


async def test_memories_that_came_went_and_were_brought_back():
    one = side(await coming(talked(channel(), ("hi", "hello")), memory("note 1"), memory("note 2")))
    caused = known(3, created_at=START + 9, body={"provenance": MemoryProvenance(author="100", inbound=5)})
    diff = compare(one, noted(one, 1, 2, 3))
    (saved,) = explain(diff.changes[0], diff, replace(WINDOW, memories=(known(1), known(2), caused)))
    name = handle(HandleKind.MEMORY, 3)
    assert (saved.kind, saved.handle, saved.at) == (K.MEMORY_SAVED, name, START + 9)
    assert saved.what == f"{name} saved because of {handle(HandleKind.INBOUND, 5)}"
    gone = replace(WINDOW, memories=(known(1), known(2, forgotten_at=START + 4)))
    assert told(one, noted(one, 1), gone) == [(K.MEMORY_FORGOTTEN,)]
    second = handle(HandleKind.MEMORY, 2)
    by_admin = replace(gone, audits=(AuditedAction("forget memory", second, START + 4, 3),))
    diff = compare(one, noted(one, 1))
    (forgotten,) = explain(diff.changes[0], diff, by_admin)
    assert (forgotten.kind, forgotten.handle) == (K.MEMORY_FORGOTTEN, handle(HandleKind.AUDIT, 3))
    undone = replace(WINDOW, audits=(AuditedAction("undo forget memory", second, START + 4, 4),))
    assert told(noted(one, 1), other(noted(one, 1, 2), at=LATER), undone) == [(K.MEMORY_RESTORED,)]
    newer = replace(WINDOW, memories=(known(1), known(2)), replaced=frozenset({2}))
    assert told(one, noted(one, 1), newer) == [(K.MEMORY_REPLACED,)]
    assert told(one, noted(one, 1), replace(WINDOW, memories=(known(1), known(2)))) == [(K.UNKNOWN,)]


async def test_events_run_forward_whichever_way_round_it_is_asked():
    one = side(await coming(channel(), memory("note 1")))
    between = replace(WINDOW, memories=(known(1), known(2, created_at=START + 9)))
    assert told(noted(one, 1, 2), one, between) == told(one, noted(one, 1, 2), between) == [(K.MEMORY_SAVED,)]


async def test_skills_channels_and_what_did_not_fit(base):
    for source, kind in (("skill:tea", K.SKILL), ("store:channel", K.CHANNELS)):
        new = DiffPiece("new", "x", "x", sources=(source,))
        assert told(base, other(base, sections=(*base.sections, new))) == [(kind,)]
    cut = [
        piece._replace(missing="left out to make the request fit (9 tokens)", tokens=0)
        if piece.label == "operating_contract"
        else piece
        for piece in base.sections
    ]
    assert told(base, other(base, sections=tuple(cut))) == [(K.WINDOW,)]


async def test_skills_that_came_went_changed_or_were_switched(base):
    def listing(*sources: str) -> DiffSide:
        return other(base, sections=(*base.sections, DiffPiece("skills", str(sources), "x", sources=sources)))

    one, two = "skill:tea@11 skills/tea/SKILL.md", "skill:tea@22 skills/tea/SKILL.md"
    coffee = "skill:coffee@33 skills/coffee/SKILL.md"
    diff = compare(listing(one, coffee), listing(two))
    what = [epoch.what for epoch in explain(diff.changes[0], diff, WINDOW)]
    assert what == ["coffee gone: skills/coffee/SKILL.md", "tea changed: skills/tea/SKILL.md"]
    switched = replace(WINDOW, commands=(OrderedCommand("skills", START + 1, 7),))
    diff = compare(listing(one), listing(one, coffee))
    first, second = explain(diff.changes[0], diff, switched)
    assert (first.kind, first.handle, second.what) == (
        K.SKILL,
        handle(HandleKind.INBOUND, 7),
        "coffee added: skills/coffee/SKILL.md",
    )
    looks_up = DiffPiece("activate_skill", "x", "{}")
    diff = compare(base, other(base, tools=(*base.tools, looks_up)))
    (cause,) = explain(diff.changes[0], diff, WINDOW)
    assert cause.kind is K.SKILL


async def test_tools_follow_the_rights_of_who_asks(base):
    state = talked(channel(), ("hi", "hello"))
    asked = trigger(says("are you there?", 98, user="1"))
    by_admin = side(await sent(state, asked, tools=(tool_definition("a"), tool_definition("b"))), LATER)
    kinds = told(base, by_admin)
    assert kinds[:3] == [(K.RIGHTS,)] * 3 and kinds[3] == (K.TRIGGER,)


async def test_new_talk_names_its_records(base):
    state = talked(channel(), ("hi", "hello"))
    messages = (says("are you there?", 99), said("yes"))
    state = apply(state, TurnFinished(turn_id=2, messages=messages, last=LastTurn(outcome="replied", at=1)))
    state = state.replace(ambient=(says("psst", 100, ambient=True),))
    after = side(await coming(state), LATER)
    diff = compare(base, after)
    (change,) = (c for c in diff.changes if c.part is RequestPart.MESSAGES)
    epochs = explain(change, diff, WINDOW)
    assert [(epoch.kind, epoch.handle) for epoch in epochs] == [
        (K.TALK, handle(HandleKind.TURN, 2)),
        (K.TALK, handle(HandleKind.INBOUND, 100)),
        (K.TRIGGER, ""),
    ]
    assert epochs[-1].what == "the next message, not written yet"


async def test_rounds_edits_and_lost_turns(base):
    state, asked = talked(channel(), ("hi", "hello")), trigger(says("are you there?", 99))
    first = other(base, sent=SentRequest(1, 9, 1), at=START)
    second = other(side(await sent(state, asked, (call(), result()))), sent=SentRequest(2, 9, 2))
    assert told(first, second) == [(K.ROUND,)]
    old = state.turns[0].messages
    edited = old[0].replace(parts=(TextPart(text="hi there"),))
    changed = state.replace(turns=(Turn(id=1, messages=(edited, old[1])),))
    diff = compare(base, other(side(await sent(changed, asked))))
    (edit,) = explain(diff.changes[0], diff, replace(WINDOW, edited=((old[0].message_id, 55),)))
    assert (edit.kind, edit.handle) == (K.EDIT, handle(HandleKind.INBOUND, 55))
    next_asked = side(await sent(state, trigger(says("hello?", 120))), LATER)
    for status, words in (("failed", "ended as failed"), ("running", "still runs")):
        diff = compare(first, next_asked)
        lost, asks = explain(diff.changes[0], diff, replace(WINDOW, ended=(EndedTurn(9, status),)))
        assert (lost.kind, asks.kind) == (K.LOST, K.TRIGGER) and words in lost.what


async def test_a_fresh_start_and_turns_that_do_not_fit(base):
    asked = trigger(says("are you there?", 99))
    fresh = side(await sent(channel(), asked), LATER)
    assert told(base, fresh, replace(WINDOW, commands=(OrderedCommand("new", START + 1, 4),))) == [(K.RESET,)]
    assert told(base, other(fresh, dropped_turns=(1,))) == [(K.WINDOW,)]
    assert told(other(fresh, at=START, dropped_turns=(1,)), other(base, messages=plain(base))) == [(K.WINDOW,)]
    ambient = talked(channel(), ("hi", "hello")).replace(ambient=(says("psst", 50, ambient=True),))
    assert told(side(await sent(ambient, asked)), other(base)) == [(K.WINDOW,)]


def plain(one: DiffSide) -> tuple[DiffPiece, ...]:
    """Messages of which it is not known whence they came."""
    return tuple(piece._replace(origin=piece.origin._replace(inbound=0, turn=0)) for piece in one.messages)


async def test_a_compaction_and_its_undoing_are_named():
    state, asked = talked(channel(), ("hi", "hello"), ("tea?", "yes"), ("and?", "so")), trigger(says("now?", 99))
    old = [message for turn in state.turns[:2] for message in turn.messages]
    summary = CompactionSummary(
        type=SummaryType.HALF,
        compaction=4,
        count=4,
        method="model",
        created_at=START + 8,
        sources=tuple(message.digest for message in old),
        turns=(1, 2),
    )
    block = Message(role=Role.USER, parts=(TextPart(text="[SUMMARIZED] tea"),), at=START, summary=summary)
    short = apply(state, TurnsCompacted(taken=(1, 2), turns=(Turn(id=1, messages=(block,)),)))
    before, after = side(await sent(state, asked)), side(await sent(short, asked), LATER)
    diff = compare(before, after)
    (change,) = (c for c in diff.changes if c.part is RequestPart.MESSAGES)
    assert (len(change.before), len(change.after)) == (4, 1) and change.tokens < 0
    (done,) = explain(change, diff, WINDOW)
    assert (done.kind, done.at, done.handle) == (K.COMPACTION, START + 8, handle(HandleKind.COMPACTION, 4))
    back = ContextDiff(other(after, at=START), other(before), ())
    (undone,) = explain(compare(back.before, back.after).changes[0], back, WINDOW)
    assert undone.kind is K.COMPACTION and undone.what.endswith("undone")


async def test_a_reload_is_named_for_what_it_took_and_nothing_else(base):
    at, channel_key = START + 7, f"channels.{base.channel}.mode"

    def reloaded(*keys: str) -> ChangeRecords:
        return ChangeRecords(since=START, until=LATER, ran_on=True, reloads=(ProgramStart(at=at, keys=keys),))

    quiet = section(base, "silence_rules", "Be quiet.", "channel:settings.mode")
    (epochs,) = (
        explain(change, diff, reloaded(channel_key)) for diff in [compare(base, quiet)] for change in diff.changes
    )
    assert epochs == (EpochEvent(K.CONFIG, "the usual mode, read again by a reload", at),)
    assert told(base, quiet, reloaded("channels.console:#elsewhere.mode", "limits.user_per_minute")) == [(K.UNKNOWN,)]
    shorter = other(
        base, parameters=tuple(p._replace(text="7", name="7") if p.label == MAX_OUTPUT else p for p in base.parameters)
    )
    assert told(base, shorter, reloaded("model.max_output_tokens")) == [(K.CONFIG,)]
