"""A restart at every stage: nothing is lost, nothing is answered twice, everything has an outcome."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from functools import reduce
from pathlib import Path

import pytest

from bot.context.transcript import as_message
from bot.domain.channel import AmbientHeard, ChannelState, MessageEdited, ProcessKind, apply
from bot.domain.finding import NewSession
from bot.domain.ids import MAIN, ChannelId, ChannelKey, UserId
from bot.domain.ledger import LedgerStage, Outcome, Settlement, StageRow, StageVerdict
from bot.domain.messages import Inbound, InboundKind
from bot.domain.recovery_scope import RecoveryScope
from bot.domain.turn import NewOutbox, StoredOutbox, TurnEnd, TurnStatus
from bot.messaging.delivery.previews import LeftPreviews
from bot.messaging.intake.recovery import RecoveredOutcome, UnsettledMessage, judge
from bot.ports.store import RetentionPolicy
from bot.prompts import render
from tests.bot.messaging.house import OWNER, House, config, house
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform

ELSEWHERE = ChannelId("console:elsewhere")


async def arrived(here: House, text: str, by: str = "100") -> tuple[Inbound, int]:
    """Store a message as `heard` does, and stop right there."""
    inbound = here.inbound(text, by)
    rows = await here.store.ledger.arrive([here.judge.arrival(inbound, here.clock.now())], None)
    assert rows[0] is not None
    return inbound, rows[0]


async def taken(here: House, *rows: int) -> int:
    """Let a turn take messages up, and stop right there."""
    stages = [
        StageRow(inbound=row, at=here.clock.now(), stage=LedgerStage.TURN, verdict=StageVerdict.PASSED) for row in rows
    ]
    return await here.store.journal.begin_turn(v.turn_start(inbounds=rows), stages)


def _talk_about(target: ChannelId, private: ChannelId, at: int) -> NewSession:
    return NewSession(
        platform="console",
        actor=UserId(OWNER),
        actor_name="root",
        agent=MAIN,
        target=target,
        dm_channel=private,
        dm_thread="",
        title="a talk",
        created_at=at,
    )


async def test_arrived_and_not_queued(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, _ = await arrived(here, "are you there?")
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.platform.texts == ["echo: are you there?"]
        assert (await here.outcome(asked))[0] is Outcome.REPLIED
    async with house(tmp_path, start=False) as here:
        resumed = await here.start()
        assert (resumed.again, resumed.settled) == ((), ())


async def test_some_channels_are_taken_up_and_the_others_left_alone(tmp_path: Path):
    """Elsewhere another process may be at work: what it has under way is not closed, sent or run again."""
    async with house(tmp_path) as here:
        at = here.clock.now()
        for channel in (v.GENERAL, ELSEWHERE):
            for text in (f"running in {channel}", f"waits in {channel}"):
                inbound = here.inbound(text).replace(channel=channel)
                (row,) = await here.store.ledger.arrive([here.judge.arrival(inbound, at)], None)
                assert row is not None
                if text.startswith("running"):
                    start = v.turn_start(ChannelKey(MAIN, channel), inbounds=(row,))
                    turn = await here.store.journal.begin_turn(start, [])
            await here.store.outbox.put([v.outgoing(f"late in {channel}", "notice", to=v.address(channel))], [], at)
        talk = await here.store.sessions.open(_talk_about(v.GENERAL, ELSEWHERE, at))
        about = v.turn_start(kind=ProcessKind.INSPECTION, session=talk.id)
        inspection = await here.store.journal.begin_turn(about, [])
    async with house(tmp_path, start=False) as here:
        await here.manager.prepare()
        found = await here.manager.take_over(RecoveryScope(frozenset({v.GENERAL})))
        await here.manager.settled()
        assert found.closed_turns == 1
        assert here.taken == [[f"running in {v.GENERAL}", f"waits in {v.GENERAL}"]]
        assert f"late in {ELSEWHERE}" not in here.platform.texts and f"late in {v.GENERAL}" in here.platform.texts
        # the inspection was about that channel, and another one is where it was asked for
        assert [one.id for one in await here.store.journal.running_turns()] == [turn, inspection]
        found = await here.manager.take_over(RecoveryScope(frozenset({ELSEWHERE})))
        await here.manager.settled()
        assert found.closed_turns == 2 and here.taken[1:] == [[f"running in {ELSEWHERE}", f"waits in {ELSEWHERE}"]]
        assert await here.store.ledger.unsettled() == [] and f"late in {ELSEWHERE}" in here.platform.texts


async def test_queued_behind_a_turn(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        asked = [await here.arrives(f"question {n}") for n in range(3)]
        await here.breathe()
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.taken == [["question 0", "question 1", "question 2"]]
        outcomes = [(await here.outcome(one))[0] for one in asked]
        assert outcomes == [Outcome.SUPERSEDED, Outcome.SUPERSEDED, Outcome.REPLIED]


async def test_a_turn_without_outbox_is_run_again(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, row = await arrived(here, "hello")
        turn = await taken(here, row)
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.platform.texts == ["echo: hello"]
        old = await here.store.journal.turn(turn)
        assert old is not None
        assert old.status is TurnStatus.INTERRUPTED
        stored = (await here.trail(asked)).inbound
        assert stored.outcome is Outcome.REPLIED
        assert stored.turn > turn


async def test_a_turn_with_outbox_is_delivered_and_never_run_again(tmp_path: Path):
    async with house(tmp_path) as here:
        here.dies_before_sending = True
        asked = await here.hears("hello")
        assert here.platform.texts == []
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.taken == []
        assert here.platform.texts == ["echo: hello"]
        assert (await here.outcome(asked))[0] is Outcome.REPLIED


@pytest.mark.parametrize("sent", ["new", "sending", "sent", "uncertain", "dead"])
async def test_a_turn_that_had_spoken_already_is_closed(tmp_path: Path, sent: str):
    """A `reply` tool call sends in the middle of a turn; the process dies before the turn's end."""
    async with house(tmp_path) as here:
        first, older = await arrived(here, "one")
        asked, row = await arrived(here, "two")
        turn = await taken(here, older, row)
        body = NewOutbox(kind="reply", to=v.address(), text="said early", inbound=row, turn=turn)
        chunk = (await here.store.outbox.put([body], [], here.clock.now()))[0]
        if sent != "new":
            await here.store.outbox.sending(chunk.row)
        if sent == "sent":
            receipt = await here.sender.post_to_platform(chunk)
            await here.store.outbox.sent(chunk.row, receipt, [], [])
        elif sent in {"uncertain", "dead"}:
            await here.store.outbox.ended(chunk.row, uncertain=sent == "uncertain", error="x", stages=[], done=[])
        here.platform.sent.clear()
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.taken == []
        expected = {
            "new": Outcome.REPLIED,
            "sending": Outcome.UNCERTAIN,
            "sent": Outcome.REPLIED,
            "uncertain": Outcome.UNCERTAIN,
            "dead": Outcome.FAILED,
        }
        assert (await here.outcome(asked))[0] is expected[sent]
        assert (await here.outcome(first))[0] is Outcome.SUPERSEDED
        assert here.platform.texts.count("said early") == (sent == "new")
        assert await here.store.journal.running_turns() == []
        assert await here.store.ledger.unsettled() == []


async def test_a_command_that_was_cut_off_is_interrupted_and_not_run(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, _ = await arrived(here, "/pause", OWNER)
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert (await here.outcome(asked))[0] is Outcome.INTERRUPTED
        assert here.book.of(v.KEY).pause is None
        assert here.platform.texts == [render("cut_off")]
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.platform.texts == [], "it is said once"


@pytest.mark.parametrize(("by", "said"), [(OWNER, 1), ("100", 0)])
async def test_who_asked_the_cortex_is_told_that_it_was_cut_off_and_strangers_are_not(tmp_path: Path, by, said):
    async with house(tmp_path) as here:
        await arrived(here, "!cortex why", by)
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.platform.texts == [render("cut_off")] * said
        assert await here.store.ledger.unsettled() == []


async def test_an_edit_that_had_replaced_its_original_keeps_its_place(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        await here.arrives("busy")
        await here.breathe()
        asked = await here.arrives("teh question")
        await here.edits(asked, "the question")
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.taken == [["busy", "the question"]]


async def test_an_edit_stored_before_its_original_was_retired_replaces_it(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, _ = await arrived(here, "teh question")
        edit = asked.replace(kind=InboundKind.EDIT, edit=1, text="the question")
        arrival = here.judge.arrival(edit, here.clock.now()).replace(disposition="queue")
        await here.store.ledger.arrive([arrival], None)
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.taken == [["the question"]]
        assert await here.outcome(asked) == (Outcome.SUPERSEDED, "edited")


async def test_a_message_that_keeps_ending_the_process_is_given_up(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, row = await arrived(here, "poison")
    for _ in range(3):
        async with house(tmp_path, start=False) as here:
            await taken(here, row)
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.taken == []
        assert (await here.outcome(asked))[0] is Outcome.FAILED
        (told,) = here.platform.texts
        assert told.startswith("I could not answer")
        assert here.platform.sent[-1].replies_to == asked.message_id
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.platform.texts == []


async def test_an_edit_stays_where_its_original_stood(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        await here.arrives("busy")
        await here.breathe()
        asked = await here.arrives("teh first")
        await here.arrives("the second")
        await here.edits(asked, "the first")
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.taken == [["busy", "the first", "the second"]]


async def test_an_inspection_that_was_cut_off_is_closed(tmp_path: Path):
    async with house(tmp_path) as here:
        turn = await here.store.journal.begin_turn(v.turn_start(kind=ProcessKind.INSPECTION), [])
    async with house(tmp_path) as here:
        stored = await here.store.journal.turn(turn)
        assert stored is not None
        assert stored.status is TurnStatus.INTERRUPTED


async def test_an_inspection_that_was_cut_off_is_reported_once(tmp_path: Path):
    async with house(tmp_path) as here:
        start = v.turn_start(kind=ProcessKind.INSPECTION, inbounds=()).replace(session=3)
        await here.store.journal.begin_turn(start, [])
    for told in (["cut off"], []):
        platform = FakePlatform()
        async with house(tmp_path, platform=platform) as here:
            await here.manager.settled()
            assert platform.texts == told


async def spoken(here: House, row: int, turn: int, text: str, state: str) -> StoredOutbox:
    """Send something in the middle of a turn, as far as a state."""
    body = NewOutbox(kind="reply", to=v.address(), text=text, inbound=row, turn=turn)
    chunk = (await here.store.outbox.put([body], [], here.clock.now()))[0]
    if state == "sent":
        await here.store.outbox.sent(chunk.row, await here.sender.post_to_platform(chunk), [], [])
    elif state != "new":
        await here.store.outbox.ended(chunk.row, uncertain=state == "uncertain", error="x", stages=[], done=[])
    return chunk


@pytest.mark.parametrize(
    ("states", "known"),
    [
        (["sent"], ["one", "two", "text 0"]),
        (["dead", "sent", "uncertain"], ["one", "two", "text 1", "text 2"]),
        (["new"], ["one", "two", "text 0"]),
        (["dead"], []),
    ],
)
async def test_what_a_dead_turn_had_said_is_known_to_the_next_one(tmp_path: Path, states: list[str], known: list[str]):
    async with house(tmp_path) as here:
        await here.hears("grass is blue", mentions_bot=False)
        before = await here.state()
        (_, first), (_, second) = await arrived(here, "one"), await arrived(here, "two")
        turn = await taken(here, first, second)
        for n, state in enumerate(states):
            await spoken(here, second, turn, f"text {n}", state)
    for _ in range(2):
        async with house(tmp_path) as here:
            await here.manager.settled()
            assert here.taken == []
            state = await here.state()
            assert [message.text.rpartition("\n")[2] for message in state.history] == ["grass is blue", *known]
            assert [one.id for one in state.turns] == ([turn] if known else [])
            assert state.history[0] == before.history[0]


async def test_a_text_of_which_nothing_is_kept_is_left_out_of_what_was_asked(tmp_path: Path):
    async with house(tmp_path) as here:
        _, row = await arrived(here, "one")
        await spoken(here, row, await taken(here, row), "text", "sent")
        await here.store.sweep(retention(messages_ms=1), here.clock.now() + 2)
    async with house(tmp_path) as here:
        assert (await here.state()).history == ()


@pytest.mark.parametrize(
    ("states", "outcome"),
    [
        (["dead", "sent"], Outcome.REPLIED),
        (["sent", "dead"], Outcome.REPLIED),
        (["sent", "uncertain"], Outcome.UNCERTAIN),
        (["dead", "dead"], Outcome.FAILED),
    ],
)
async def test_a_dead_turn_that_said_more_than_one_thing(tmp_path: Path, states: list[str], outcome: Outcome):
    async with house(tmp_path) as here:
        asked, row = await arrived(here, "one")
        turn = await taken(here, row)
        for n, state in enumerate(states):
            await spoken(here, row, turn, f"text {n}", state)
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert (await here.outcome(asked))[0] is outcome


async def test_a_crash_during_recovery_changes_nothing(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, row = await arrived(here, "hello")
        await taken(here, row)
    for _ in range(3):
        async with house(tmp_path, start=False) as here:
            here.held = asyncio.Event()
            await here.start()
            await here.dies()
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.platform.texts == ["echo: hello"]
        assert (await here.outcome(asked))[0] is Outcome.REPLIED


async def test_a_text_that_is_no_longer_kept_cannot_be_answered(tmp_path: Path):
    async with house(tmp_path) as here:
        _, row = await arrived(here, "hello")
        stored = await here.store.ledger.inbound(row)
        assert stored is not None
        verdict = judge(UnsettledMessage(stored.replace(text_kept=False), None, (), 0))
        assert isinstance(verdict, RecoveredOutcome)
        assert verdict.outcome is Outcome.INTERRUPTED


def retention(**spans: int) -> RetentionPolicy:
    forever = ("ambient_ms", "messages_ms", "requests_ms", "records_ms", "audit_ms", "forgotten_ms")
    return RetentionPolicy(**{**dict.fromkeys(forever, 0), **spans})


async def killed(here: House, image: Path) -> None:
    """Take the files of a running bot as they are: what a process leaves that is killed now."""
    shutil.copytree(here.data_dir, image / "data")


async def held(here: House, *busy: str) -> list[Inbound]:
    """Let turns begin that do not end."""
    here.held = asyncio.Event()
    asked = [await here.arrives(text) for text in busy]
    await here.breathe()
    return asked


def words(state: ChannelState) -> list[str]:
    return [message.text.split("\n", 1)[1] for message in state.history]


async def test_talk_and_changes_that_waited_behind_a_turn_reach_the_history(tmp_path: Path):
    async with house(tmp_path) as here:
        first = await here.hears("the sky is green", mentions_bot=False)
        second = await here.hears("grass is blue", mentions_bot=False)
        await held(here, "busy")
        talk = [await here.arrives(f"talk {n}", mentions_bot=False) for n in range(3)]
        await here.edits(first, "the sky is blue")
        await here.edits(talk[1], "talk, edited")
        await here.deletes(second)
        assert words(await here.state()) == ["the sky is green", "grass is blue"]
        await killed(here, tmp_path / "image")
    async with house(tmp_path / "image", start=False) as here:
        before = await here.state()
        here.held = asyncio.Event()
        await here.start()
        await here.breathe()
        state = await here.state()
        assert words(state) == ["the sky is blue", "", "talk 0", "talk, edited", "talk 2"]
        assert state == here.registry.get(v.KEY) == await as_foretold(here, before, talk, state)
        here.held.set()
        await here.manager.settled()
        after = await here.state()
        assert words(after) == [*words(state), "busy"]
    async with house(tmp_path / "image") as here:
        await here.manager.settled()
        assert await here.state() == after


async def as_foretold(here: House, before: ChannelState, talk: list[Inbound], after: ChannelState) -> ChannelState:
    """Let the events happen to what was there: talk, changes, and the end of the turn that was cut off."""
    rows = [(await here.trail(inbound)).inbound for inbound in talk]
    heard = [AmbientHeard(message=as_message(row.id, row.inbound, ambient=True), keep=50) for row in rows]
    changes = [MessageEdited(message=message) for message in after.ambient]
    assert after.last is not None
    assert after.last.outcome == TurnStatus.INTERRUPTED
    return reduce(apply, [*heard, *changes], before.replace(last=after.last))


OTHER = {"channel": ChannelId("console:#other")}


async def test_a_change_of_what_is_asked_again_comes_first(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = (await held(here, "teh question"))[0]
        gone = await here.arrives("a slip", **OTHER)
        await here.breathe()
        await here.edits(asked, "the question")
        await here.deletes(gone)
        await killed(here, tmp_path / "image")
    async with house(tmp_path / "image") as here:
        await here.manager.settled()
        assert here.taken == [["the question"]]
        assert await here.outcome(gone) == (Outcome.SUPERSEDED, "deleted")
        assert words(await here.state()) == ["the question"]


async def test_an_older_change_that_came_late_stays_undone(tmp_path: Path):
    async with house(tmp_path) as here:
        await held(here, "busy")
        asked = await here.arrives("first form")
        await here.edits(asked, "newest form", at=9)
        await here.edits(asked, "older form", at=3)
        here.held.set()
        await here.manager.settled()
        assert words(await here.state()) == ["busy", "newest form"]
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert words(await here.state()) == ["busy", "newest form"]


async def test_what_is_heard_again_is_bounded(tmp_path: Path):
    async with house(tmp_path) as here:
        await arrives_unheard(here, "too old")
        here.clock.advance(73 * 3600)
        for n in range(4):
            await arrives_unheard(here, f"talk {n}")
        clock = here.clock
    async with house(tmp_path, config(conversation={"ambient_messages": 3}), clock=clock) as here:
        await here.manager.settled()
        assert words(await here.state()) == ["talk 1", "talk 2", "talk 3"]


async def test_talk_that_cannot_be_read_does_not_keep_the_bot_from_starting(tmp_path: Path):
    async with house(tmp_path) as here:
        await arrives_unheard(here, "talk")
    with sqlite3.connect(tmp_path / "data" / "glassmind.db") as other:
        other.execute("UPDATE inbound SET text = 'forged'")
    other.close()
    async with house(tmp_path) as here:
        await here.hears("are you there?")
        assert here.platform.texts == ["echo: are you there?"]


async def arrives_unheard(here: House, text: str) -> None:
    arrival = here.judge.arrival(here.inbound(text, mentions_bot=False), here.clock.now())
    await here.store.ledger.arrive([arrival], None)


# previews


async def previewed(here: House, row: int, turn: int, message_id: str = "v1", asked: str = "") -> StoredOutbox:
    """Show a part of an answer, and stop right there."""
    body = v.outgoing("", "preview", inbound=row, turn=turn, replies_to=asked)
    preview = await here.store.previews.begin(body, [], here.clock.now())
    if message_id:
        here.platform.screen[message_id] = "half …"
        await here.store.previews.shown(preview, message_id)
    return next(one for one in await here.store.previews.left() if one.row == preview)


async def test_a_turn_with_only_a_preview_is_run_again_and_goes_on_in_it(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, row = await arrived(here, "hello")
        left = await previewed(here, row, await taken(here, row), asked=asked.message_id)
    async with house(tmp_path, start=False) as here:
        found = await here.start()
        assert ([one.id for one in found.again], found.previews) == ([row], LeftPreviews((left,), ()))
        await here.manager.settled()
        assert here.taken == [["hello"]]


async def test_an_edited_question_goes_on_in_the_same_message(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, row = await arrived(here, "teh question")
        await previewed(here, row, await taken(here, row), asked=asked.message_id)
        edit = asked.replace(kind=InboundKind.EDIT, edit=1, text="the question")
        arrival = here.judge.arrival(edit, here.clock.now()).replace(disposition="queue")
        await here.store.ledger.arrive([arrival], None)
    async with house(tmp_path, start=False) as here:
        found = await here.start()
        assert len(found.previews.continued) == 1
        assert [one.inbound.text for one in found.again] == ["the question"]


async def test_a_preview_of_which_nobody_knows_whether_it_is_there_is_forgotten(tmp_path: Path):
    async with house(tmp_path) as here:
        asked, row = await arrived(here, "hello")
        await previewed(here, row, await taken(here, row), "", asked.message_id)
    async with house(tmp_path, start=False) as here:
        assert (await here.start()).previews == LeftPreviews()
        await here.manager.settled()
        assert here.platform.texts == ["echo: hello"]
        assert await here.store.previews.left() == []


async def test_a_preview_whose_turn_is_given_up_becomes_the_notice(tmp_path: Path):
    platform = FakePlatform()
    async with house(tmp_path, platform=platform) as here:
        asked, row = await arrived(here, "what kills me")
        turns = [await taken(here, row) for _ in range(3)]
        await previewed(here, row, turns[0], asked=asked.message_id)
    async with house(tmp_path, platform=platform) as here:
        await here.manager.settled()
        assert (await here.outcome(asked))[0] is Outcome.FAILED
        assert list(platform.screen) == ["v1"]
        assert platform.screen["v1"].startswith("I could not answer")
        assert await here.store.previews.left() == []


async def test_a_preview_that_led_to_nothing_is_taken_back(tmp_path: Path):
    platform = FakePlatform()
    async with house(tmp_path, platform=platform) as here:
        asked, row = await arrived(here, "hello")
        turn = await taken(here, row)
        await previewed(here, row, turn, asked=asked.message_id)
        done = (Settlement(inbound=row, at=here.clock.now(), outcome=Outcome.SKIPPED, reason="instructed"),)
        at = here.clock.now()
        end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=at, status=TurnStatus.SKIPPED, settlements=done)
        await here.store.journal.end_turn(end)
    async with house(tmp_path, platform=platform) as here:
        await here.manager.settled()
        assert platform.screen == {}
        assert await here.store.previews.left() == []
