"""What every store promises about compactions. Runs on SQLite; another store comes in through `store`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.context.compaction.block import WrittenSummary, block_of
from bot.context.compaction.plan import SummaryPiece, numbers_of, parts_of_calls
from bot.domain.channel import ChannelState, Turn
from bot.domain.compaction import CompactionLevel, SummaryType
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict
from bot.domain.messages import Message
from bot.domain.turn import TurnEnd, TurnStatus
from bot.ports.compactions import CompactionState, NewCompaction, StoredCompaction
from bot.ports.store import RetentionPolicy, Store
from tests.fakes import values as v
from tests.fakes.clock import START

DAY = 86_400_000
FOREVER = RetentionPolicy(ambient_ms=0, messages_ms=0, requests_ms=0, records_ms=0, audit_ms=0, forgotten_ms=0)
HALL = ChannelKey(MAIN, ChannelId("console:#hall"))


async def talks(store: Store, number: int, *between: Message, at: int = START) -> int:
    """One turn: ann asks, tools perhaps, the bot answers."""
    asked = (await store.ledger.arrive([v.arrival(f"question {number}", f"m{number}")], None))[0]
    turn = await store.journal.begin_turn(v.turn_start(inbounds=(asked,)), ())
    question = v.message(f"question {number}", inbound=asked, message_id=f"m{number}")
    messages = (question, *between, v.said(f"answer {number}"))
    end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=at, status=TurnStatus.REPLIED, messages=messages)
    await store.journal.end_turn(end)
    return turn


async def conversation(store: Store, turns: int = 4, **options: int) -> ChannelState:
    for number in range(1, turns + 1):
        await talks(store, number, v.call(call_id=f"c{number}"), v.result(f"found {number}", f"c{number}"), **options)
    return await loaded(store)


async def loaded(store: Store, key: ChannelKey = v.KEY) -> ChannelState:
    state = await store.channels.load(key)
    assert state is not None
    return state


def written(text: str = "what mattered") -> WrittenSummary:
    return WrittenSummary(text, "simulated/echo", START)


def new(state: ChannelState, taken: Sequence[Turn], turns: Sequence[Turn], **changes: object) -> NewCompaction:
    base: dict[str, object] = {
        "agent": state.agent,
        "channel": state.id,
        "epoch": state.epoch,
        "type": SummaryType.HALF,
        "level": CompactionLevel.BACKGROUND,
        "method": "model",
        "model": "simulated/echo",
        "started_at": START,
        "at": START,
        "taken": tuple(turn.id for turn in taken),
        "before": tuple(m.digest for turn in taken for m in turn.messages),
        "turns": tuple(turns),
        "missing": ("4711",),
        "tokens_before": 100,
        "tokens_after": 10,
    }
    return NewCompaction.model_validate({**base, **changes})


def half(taken: Sequence[Turn], text: str = "what mattered") -> Turn:
    messages = tuple(m for turn in taken for m in turn.messages)
    piece = SummaryPiece(tuple(n for turn in taken for n in numbers_of(turn)), messages, messages)
    return Turn(id=taken[0].id, messages=(block_of(SummaryType.HALF, piece, written(text), 100),))


def without_calls(turn: Turn) -> Turn:
    calls = parts_of_calls(turn)
    block = block_of(SummaryType.TOOL_CALLS, SummaryPiece((turn.id,), turn.messages, calls), written(), 100)
    return Turn(id=turn.id, messages=(turn.messages[0], block, turn.messages[-1]))


async def compacts(store: Store, state: ChannelState, begin: int, end: int, text: str = "") -> StoredCompaction:
    taken = state.turns[begin:end]
    stored, _ = await store.compactions.commit(new(state, taken, [half(taken, text or "what mattered")]), None, ())
    assert stored.state is CompactionState.DONE
    return stored


async def test_a_compaction_takes_the_place_of_its_sources(store: Store):
    state = await conversation(store)
    taken = state.turns[:2]
    stored, turns = await store.compactions.commit(new(state, taken, [half(taken)]), None, ())
    assert stored.state is CompactionState.DONE and stored.body.missing == ("4711",)
    after = await loaded(store)
    assert after == state.replace(turns=(*turns, *state.turns[2:]))
    summary = after.turns[0].messages[0].summary
    assert summary is not None and summary.compaction == stored.id and summary.count == 8
    assert summary.source_ids == ("m1", "m2") and summary.turns == (taken[0].id, taken[1].id)
    sides = await store.compactions.sides(stored.id)
    assert sides.before == tuple(m for turn in taken for m in turn.messages) and sides.lost == 0
    assert sides.after == after.turns[0].messages
    found = parse_handle(handle(HandleKind.COMPACTION, stored.id))
    assert found is not None and await store.compactions.by_handle(found) == stored
    assert await store.compactions.get(stored.id) == stored
    assert await store.compactions.recent(v.KEY, 5) == [stored]


async def test_calls_go_and_words_stay_in_their_order(store: Store):
    state = await conversation(store)
    # the middle one of three is as it was
    turns = [without_calls(state.turns[0]), state.turns[1], without_calls(state.turns[2])]
    change = new(state, state.turns[:3], turns, type=SummaryType.TOOL_CALLS)
    stored, kept = await store.compactions.commit(change, None, ())
    after = await loaded(store)
    assert after.turns == (*kept, state.turns[3])
    assert [m.text.splitlines()[-1] for m in after.turns[0].messages] == ["question 1", "what mattered", "answer 1"]
    assert len((await store.compactions.sides(stored.id)).before) == 4


@pytest.mark.parametrize("inner", [(0, 2), (1, 3), (2, 3), (0, 4)])
@pytest.mark.parametrize("outer", [(0, 1), (0, 2), (1, 2)])
async def test_compactions_inside_compactions_keep_the_order(store: Store, inner: tuple[int, int], outer):
    state = await conversation(store, 6)
    turns = [without_calls(turn) for turn in state.turns[:4]]
    change = new(state, state.turns[:4], turns, type=SummaryType.TOOL_CALLS)
    await store.compactions.commit(change, None, ())
    first = await loaded(store)
    await compacts(store, first, *inner)
    second = await loaded(store)
    expected = (*first.turns[: inner[0]], second.turns[inner[0]], *first.turns[inner[1] :])
    assert second.turns == expected
    await compacts(store, second, *outer, "again")
    third = await loaded(store)
    assert third.turns == (*second.turns[: outer[0]], third.turns[outer[0]], *second.turns[outer[1] :])
    assert third.turns[outer[0]].messages[0].text.endswith("again")


async def test_what_arrives_meanwhile_stays(store: Store):
    state = await conversation(store)
    await talks(store, 9)
    await compacts(store, state, 0, 2)
    assert [turn.messages[0].text.splitlines()[-1] for turn in (await loaded(store)).turns] == [
        *("what mattered", "question 3", "question 4", "question 9")
    ]


async def test_a_source_that_was_edited_meanwhile_stops_it(store: Store):
    state = await conversation(store)
    edited = state.turns[0].messages[0].replace(parts=v.message("other words").parts)
    await store.channels.amend(v.KEY, edited)
    before = await loaded(store)
    taken = state.turns[:2]
    noted = StageRow(inbound=1, at=START, stage=LedgerStage.COMPACTED, verdict=StageVerdict.NOTED)
    stored, turns = await store.compactions.commit(new(state, taken, [half(taken)]), None, [noted])
    assert (stored.state, turns) == (CompactionState.ABANDONED, ()) and stored.reason
    assert await loaded(store) == before
    trail = await store.ledger.trail(1)
    assert trail is not None and LedgerStage.COMPACTED not in {row.stage for row in trail.stages}


async def test_a_conversation_that_began_anew_or_is_unknown_is_left_alone(store: Store):
    state = await conversation(store)
    await store.channels.reset(v.KEY, START)
    taken = state.turns[:2]
    stored, _ = await store.compactions.commit(new(state, taken, [half(taken)]), None, ())
    assert stored.state is CompactionState.ABANDONED and (await loaded(store)).turns == ()
    elsewhere = new(state, taken, [half(taken)], channel=HALL.channel)
    assert (await store.compactions.commit(elsewhere, None, ()))[0].state is CompactionState.ABANDONED


async def test_a_failure_is_kept_and_changes_nothing(store: Store):
    state = await conversation(store)
    turn = await store.journal.begin_turn(v.turn_start(), ())
    end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.FAILED, reason="empty: nothing")
    failed = new(state, state.turns[:2], (), reason="empty: nothing", missing=(), turn=turn)
    stored, turns = await store.compactions.commit(failed, end, ())
    assert (stored.state, stored.reason, turns) == (CompactionState.FAILED, "empty: nothing", ())
    assert (await loaded(store)).turns == state.turns
    ended = await store.journal.turn(turn)
    assert ended is not None and ended.status is TurnStatus.FAILED


async def test_recall_finds_the_originals_and_no_summary(store: Store):
    state = await conversation(store)
    await compacts(store, state, 0, 2, "question number one mattered")
    hits = await store.history.search(v.KEY, "question", 10)
    assert sorted(text for _, _, text, _ in hits) == [f"question {n}" for n in range(1, 5)]


async def test_an_edit_of_a_source_undoes_what_stands_on_it(store: Store):
    state = await conversation(store, 6)
    inner = await compacts(store, state, 0, 2)
    outer = await compacts(store, await loaded(store), 0, 2)
    other = await compacts(store, await loaded(store), 1, 3)
    old = await store.compactions.source([outer.id], "m1")
    assert old == state.turns[0].messages[0]
    await store.channels.amend(v.KEY, old.replace(parts=v.message("other words").parts))
    assert await store.compactions.withdraw([outer.id], "m1", deleted=False, at=START + 5) == 2
    after = await loaded(store)
    assert [turn.id for turn in after.turns] == [turn.id for turn in (*state.turns[:4], state.turns[5])]
    assert after.turns[0].messages[0].text == "other words"
    states = [(await store.compactions.get(one.id)).state for one in (inner, outer, other)]
    assert states == [CompactionState.UNDONE, CompactionState.UNDONE, CompactionState.DONE]
    # what was undone has an end: nothing is withdrawn twice
    assert await store.compactions.withdraw([outer.id], "m1", deleted=False, at=START) == 0


@pytest.mark.parametrize("deleted", [False, True])
async def test_where_sources_were_wiped_only_a_deletion_undoes(store: Store, deleted: bool):
    await talks(store, 1, at=START)
    for number in (2, 3, 4):
        await talks(store, number, at=START + 40 * DAY)
    state = await loaded(store)
    stored = await compacts(store, state, 0, 2)
    counts = await store.sweep(FOREVER.replace(messages_ms=30 * DAY), START + 41 * DAY)
    assert counts["history"] == 2 and counts["compactions"] == 1
    kept = await store.compactions.sides(stored.id)
    assert (kept.lost, len(kept.before), len(kept.after)) == (2, 2, 1)
    assert await store.compactions.source([stored.id], "m1") is None
    await store.compactions.withdraw([stored.id], "m1", deleted=deleted, at=START)
    found = await store.compactions.get(stored.id)
    assert found is not None and found.state is (CompactionState.UNDONE if deleted else CompactionState.STALE)
    assert found.body.missing == ()
    first = (await loaded(store)).turns[0]
    assert first.is_shortened is not deleted


async def test_a_summary_lives_as_long_as_the_newest_message_that_it_stands_for(store: Store):
    state = await conversation(store, 3, at=START + DAY)
    await compacts(store, state, 0, 2)
    keep = FOREVER.replace(messages_ms=30 * DAY, records_ms=30 * DAY)
    await store.sweep(keep, START + 30 * DAY)
    assert len((await loaded(store)).turns) == 2
    await store.sweep(keep, START + 32 * DAY)
    assert (await loaded(store)).turns == ()
    # its record goes when no line of it is left
    assert await store.compactions.recent(v.KEY, 5) == []
    assert await store.verify() == []


async def test_it_moves_with_its_channel(store: Store):
    state = await conversation(store, 4)
    stored = await compacts(store, state, 0, 2)
    before = await loaded(store)
    await store.channels.meet(HALL, "#hall", v.GUILD, v.settings())
    await store.channels.hear([(HALL, v.message("met here", inbound=0, ambient=True))], 50)
    assert await store.channels.move(v.GENERAL, HALL.channel, START)
    after = await loaded(store, HALL)
    assert after.turns == before.turns and [m.text for m in after.ambient] == ["met here"]
    (found,) = await store.compactions.recent(v.KEY, 5)
    assert (found.id, found.body.channel) == (stored.id, HALL.channel)
    await store.compactions.withdraw([stored.id], "m1", deleted=False, at=START)
    assert (await loaded(store, HALL)).turns == state.turns
    assert await store.verify() == []


async def test_what_was_compacted_under_the_new_id_already_moves_behind(store: Store):
    for key in (v.KEY, HALL):
        turn = await store.journal.begin_turn(v.turn_start(key), ())
        messages = (v.message(f"said in {key.channel}"), v.said("a"), v.message("b"), v.said("c"))
        end = {"turn": turn, "agent": MAIN, "channel": key.channel, "at": START, "status": TurnStatus.REPLIED}
        await store.journal.end_turn(TurnEnd(**end, messages=messages))
    await store.channels.reset(v.KEY, START)
    state = await loaded(store, HALL)
    await store.compactions.commit(new(state, state.turns, [half(state.turns)]), None, ())
    compacted = (await loaded(store, HALL)).turns
    await store.channels.move(v.GENERAL, HALL.channel, START)
    assert (await loaded(store, HALL)).turns == compacted
