from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.domain.base import digest
from bot.domain.channel import ResponseMode
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import LedgerStage, Outcome, StreamCursor
from bot.domain.messages import Attachment, AttachmentKind, AuthorKind, ButtonPress, ChannelPlace, Message
from bot.domain.revisions import BY_ITSELF
from bot.errors import DamagedRow, StoreError, UserError
from bot.messaging.channels import ambient
from bot.ports.channels import ChannelStore
from tests.bot.messaging.house import ADMIN, ANN, DM, MODERATOR, OWNER, SECRET, House, config, house, person
from tests.fakes import values as v
from tests.fakes.clock import FakeClock
from tests.inside.store import writer_of

PRIVATE = {"channel": DM, "place": ChannelPlace(is_dm=True), "mentions_bot": False}


async def test_a_question_is_answered_and_its_trail_is_whole(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears("are you there?")
        assert here.platform.texts == ["echo: are you there?"]
        trail = await here.trail(asked)
        assert trail.inbound.outcome is Outcome.REPLIED
        stages = [row.stage for row in trail.stages]
        assert stages == [
            LedgerStage.ARRIVED,
            LedgerStage.GATES,
            LedgerStage.QUEUED,
            LedgerStage.TURN,
            LedgerStage.DELIVERED,
        ]
        assert here.failures == []


async def test_hearing_waits_for_no_channel(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        for n in range(3):
            await asyncio.wait_for(here.arrives(f"question {n}"), 2)
        await here.breathe()
        assert here.taken == [["question 0"]]
        assert here.registry.queue(v.KEY).waiting == 2
        assert here.registry.queue(v.KEY).running_what == "answering 1 message"
        assert here.registry.queue(v.KEY).running_turn == 1


async def test_what_people_chose_in_another_process_is_known_here_too(tmp_path: Path):
    async with house(tmp_path) as here:
        who, manager = person(ANN), here.manager
        await here.store.languages.choose(who, "de")
        await here.store.zones.choose(who, "Europe/Vienna")
        await manager.refresh()
        assert (manager.languages.own(who), manager.times.own(who)) == ("de", "Europe/Vienna")


async def test_an_idle_bot_has_no_tasks(tmp_path: Path):
    async with house(tmp_path) as here:
        before = len(asyncio.all_tasks())
        for n in range(30):
            await here.arrives("hello", channel=ChannelId(f"console:#c{n}"))
        await here.manager.settled()
        assert len(here.taken) == 30 == len(here.registry.keys())
        assert len(asyncio.all_tasks()) == before
        assert len(here.queues) == 0


async def test_a_repeated_message_is_answered_once(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears("once")
        await here.manager.receive([asked], None)
        await here.manager.settled()
        assert here.platform.texts == ["echo: once"]


async def test_the_cursor_moves_with_the_batch(tmp_path: Path):
    async with house(tmp_path) as here:
        cursor = StreamCursor(adapter="console", stream="updates", value="7")
        await here.manager.receive([here.inbound("hello")], cursor)
        assert await here.store.ledger.cursor("console", "updates") == "7"


async def test_a_full_disk_takes_nothing_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with house(tmp_path) as here:
        monkeypatch.setattr(here.store, "has_room", lambda: False)
        with pytest.raises(StoreError, match="almost full"):
            await here.arrives("hello")
        assert await here.store.ledger.unsettled() == []
        monkeypatch.setattr(here.store, "has_room", lambda: True)
        await here.hears("hello again")
        assert here.platform.texts[-1] == "echo: hello again"
        assert here.failures == []


async def test_on_a_full_disk_those_who_can_mend_it_are_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with house(tmp_path) as here:
        monkeypatch.setattr(here.store, "has_room", lambda: False)
        await here.hears("/status", by=OWNER)
        assert "The disk has been almost full since 08:53 UTC" in here.platform.texts[-1]
        with pytest.raises(StoreError, match="almost full"):
            await here.arrives("/status")
        await here.manager.settled()
        assert here.platform.texts[1].startswith("My storage is full")
        talk, order = here.inbound("hello"), here.inbound("/whoami", OWNER)
        cursor = StreamCursor(adapter="console", stream="updates", value="7")
        for _ in range(2):  # the adapter comes back with the whole batch until it is stored
            with pytest.raises(StoreError, match="almost full"):
                await here.manager.receive([talk, order], cursor)
            await here.manager.settled()
        assert [text.split(",")[0] for text in here.platform.texts[2:]] == ["You are user1"]
        assert await here.store.ledger.cursor("console", "updates") is None
        monkeypatch.setattr(here.store, "has_room", lambda: True)
        await here.manager.receive([talk, order], cursor)
        await here.manager.settled()
        assert here.platform.texts[3:] == ["echo: hello"]
        await here.hears("/status", by=OWNER)
        assert "disk" not in here.platform.texts[-1]


async def test_a_batch_that_the_store_does_not_take_is_reported(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.store.close()
        with pytest.raises(StoreError, match="closed"):
            await here.arrives("hello")
        assert "closed" in here.failures[0]


async def test_a_press_that_the_store_does_not_take_is_reported(tmp_path: Path):
    async with house(tmp_path) as here:
        here.door.error = StoreError("the disk is gone")
        press = ButtonPress(person=person(OWNER), name="root", channel=v.GENERAL, data="x")
        assert "nothing was done" in await here.manager.pressed(press)
        assert "the disk is gone" in here.failures[0]


async def test_a_burst_becomes_one_turn(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        asked = [await here.arrives(f"part {n}") for n in range(4)]
        here.held.set()
        await here.manager.settled()
        assert here.taken == [["part 0"], ["part 1", "part 2", "part 3"]]
        outcomes = [(await here.outcome(one))[0] for one in asked]
        assert outcomes == [Outcome.REPLIED, Outcome.SUPERSEDED, Outcome.SUPERSEDED, Outcome.REPLIED]
        assert here.clock.slept == [1.5]


async def test_private_messages_are_answered_one_by_one_and_at_once(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        for n in range(3):
            await here.arrives(f"part {n}", **PRIVATE)
        here.held.set()
        await here.manager.settled()
        assert here.taken == [["part 0"], ["part 1"], ["part 2"]]
        assert here.clock.slept == []


async def test_the_second_message_of_a_burst_waits_for_more(tmp_path: Path):
    clock = FakeClock(auto=False)
    async with house(tmp_path, clock=clock) as here:
        await here.arrives("one")
        await here.breathe()
        assert here.taken == [["one"]]
        clock.advance(0.5)
        await here.arrives("two")
        await here.breathe()
        clock.advance(1.0)
        await here.arrives("three")
        await here.breathe()
        clock.advance(0.6)
        await here.breathe()
        assert here.taken == [["one"]]
        clock.advance(1.0)
        await here.manager.settled()
        assert here.taken == [["one"], ["two", "three"]]


async def test_a_burst_waits_five_seconds_at_most(tmp_path: Path):
    clock = FakeClock(auto=False)
    async with house(tmp_path, clock=clock) as here:
        await here.arrives("start")
        await here.breathe()
        for n in range(5):
            clock.advance(1.0)
            await here.arrives(f"more {n}")
            await here.breathe()
        assert here.taken == [["start"]]
        clock.advance(1.0)
        await here.manager.settled()
        assert here.taken[1] == [f"more {n}" for n in range(5)]


async def test_order_holds_in_every_channel_under_load(tmp_path: Path):
    async with house(tmp_path) as here:
        channels = [ChannelId(f"console:#c{n}") for n in range(20)]

        async def talk(channel: ChannelId) -> None:
            for n in range(10):
                await here.arrives(f"{channel} {n}", channel=channel)

        async with asyncio.TaskGroup() as group:
            for channel in channels:
                group.create_task(talk(channel))
        await here.manager.settled()
        for channel in channels:
            said = [text for turn in here.taken for text in turn if text.startswith(f"{channel} ")]
            assert said == [f"{channel} {n}" for n in range(10)]
        assert await here.store.ledger.unsettled() == []


async def test_ten_thousand_known_channels_cost_no_task_and_no_entry(tmp_path: Path):
    settings = config(conversation={"resident_channels": 5})
    async with house(tmp_path, settings) as here:
        for n in range(40):
            await here.arrives("hello", channel=ChannelId(f"console:#c{n}"))
            await here.manager.settled()
        assert len(here.registry.keys()) == 5


async def test_an_evicted_channel_comes_back_identical(tmp_path: Path):
    settings = config(conversation={"resident_channels": 1})
    async with house(tmp_path, settings) as here:
        await here.hears("remember this")
        before = here.registry.get(v.KEY)
        await here.hears("somewhere else", channel=ChannelId("console:#other"))
        assert here.registry.get(v.KEY) is None
        assert before is not None
        assert digest(await here.state()) == digest(before)


async def test_talk_that_is_not_addressed_becomes_history(tmp_path: Path):
    async with house(tmp_path) as here:
        heard = await here.hears("the meeting is at nine", mentions_bot=False)
        assert (await here.outcome(heard)) == (Outcome.STORED_ONLY, "addressing")
        assert here.taken == []
        assert "at nine" in (await here.state()).ambient[0].text
        await here.hears("when is it?")
        live = here.registry.get(v.KEY)
        assert live is not None
        assert digest(live) == digest(await here.state())
        assert "at nine" in live.history[0].text


async def test_what_many_channels_say_at_once_becomes_history_in_each(tmp_path: Path):
    rooms = [ChannelId(f"console:#room{n}") for n in range(5)]
    async with house(tmp_path) as here:
        await here.hears("glass, are you there?", channel=rooms[0])
        for word in ("one", "two"):
            batch = [here.inbound(word, mentions_bot=False, channel=room) for room in rooms]
            await here.manager.receive(batch, None)
        await asyncio.gather(*(here.arrives("three", mentions_bot=False, channel=room) for room in rooms))
        await here.arrives("so?", channel=rooms[1])
        await here.manager.settled()
        heard = {room: [m.text.splitlines()[-1] for m in (await here.state(room)).ambient] for room in rooms}
        assert heard.pop(rooms[1]) == []
        assert list(heard.values()) == [["one", "two", "three"]] * 4
        for room in rooms[:2]:
            assert digest(here.registry.get(ChannelKey(MAIN, room))) == digest(await here.state(room))
        taken = here.registry.get(ChannelKey(MAIN, rooms[1]))
        assert taken is not None and len(taken.history) == 4  # what was said before, and the question


def noted_rounds(here: House, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note of how many channels is stored at once what was overheard, from now on."""
    rounds: list[int] = []
    channels = here.store.channels
    hear = type(channels).hear

    async def noted(store: ChannelStore, talk: Sequence[tuple[ChannelKey, Message]], keep: int) -> None:
        rounds.append(len({key for key, _ in talk}))
        await hear(channels, talk, keep)

    monkeypatch.setattr(type(channels), "hear", noted)
    return rounds


async def test_more_channels_than_are_stored_at_once_take_turns_at_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ambient, "CHANNELS_A_BATCH", 2)
    rooms = [ChannelId(f"console:#room{n}") for n in range(5)]
    async with house(tmp_path) as here:
        await here.manager.receive([here.inbound("one", mentions_bot=False, channel=room) for room in rooms], None)
        await here.manager.settled()
        rounds = noted_rounds(here, monkeypatch)
        words = ("two", "three")
        said = [here.inbound(word, mentions_bot=False, channel=room) for word in words for room in rooms]
        await here.manager.receive(said, None)
        await here.manager.settled()
        assert rounds == [2, 2, 1]
        for room in rooms:
            heard = [m.text.splitlines()[-1] for m in (await here.state(room)).ambient]
            assert heard == ["one", "two", "three"]
        assert len(here.registry.queues) == 0


async def test_what_was_said_during_turns_is_stored_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rooms = [ChannelId(f"console:#room{n}") for n in range(4)]
    async with house(tmp_path) as here:
        rounds = noted_rounds(here, monkeypatch)
        here.held = asyncio.Event()
        for room in rooms:
            await here.arrives("are you there?", channel=room)
        await here.breathe()
        for word in ("one", "two"):
            for room in rooms:
                await here.arrives(word, mentions_bot=False, channel=room)
        here.held.set()
        await here.manager.settled()
        assert len(rounds) < 8  # as many as there are messages
        for room in rooms:
            assert [m.text.splitlines()[-1] for m in (await here.state(room)).ambient] == ["one", "two"]


async def test_a_damaged_channel_costs_no_other_what_it_heard(tmp_path: Path):
    rooms = [ChannelId(f"console:#room{n}") for n in range(3)]
    async with house(tmp_path) as here:
        await here.manager.receive([here.inbound("one", mentions_bot=False, channel=room) for room in rooms], None)
        await here.manager.settled()
        with closing(sqlite3.connect(tmp_path / "data" / "glassmind.db")) as raw, raw:
            raw.execute("UPDATE channel SET settings = '{}' WHERE channel = ?", (rooms[1],))
        await here.manager.receive([here.inbound("two", mentions_bot=False, channel=room) for room in rooms], None)
        await here.manager.settled()
        for room in (rooms[0], rooms[2]):
            assert [m.text.splitlines()[-1] for m in (await here.state(room)).ambient] == ["one", "two"]
        assert here.failures == []
        with pytest.raises(DamagedRow, match="table channel"):
            await here.state(rooms[1])


async def test_a_store_that_fails_is_reported_and_nothing_waits_behind_it(tmp_path: Path):
    rooms = [ChannelId(f"console:#room{n}") for n in range(3)]
    async with house(tmp_path) as here:
        await here.manager.receive([here.inbound("one", mentions_bot=False, channel=room) for room in rooms], None)
        await here.manager.settled()
        await writer_of(here.store).run_alone(lambda raw: raw.execute("ALTER TABLE history RENAME TO gone"))
        await here.manager.receive([here.inbound("two", mentions_bot=False, channel=room) for room in rooms], None)
        await here.manager.settled()
        assert len(here.failures) == 3 and all("no such table" in failure for failure in here.failures)
        assert len(here.registry.queues) == 0


async def test_what_an_access_gate_stops_is_not_kept(tmp_path: Path):
    async with house(tmp_path, config(console={"blocked_users": [ANN]})) as here:
        heard = await here.hears("a secret")
        trail = await here.trail(heard)
        assert (trail.inbound.outcome, trail.inbound.outcome_reason) == (Outcome.GATED, "sender")
        assert not trail.inbound.text_kept
        assert trail.inbound.inbound.text == ""
        assert "blocked_users" in trail.stages[1].detail[-1][1]
        named = Attachment(
            kind=AttachmentKind.TEXT, name="a secret.txt", mimetype="text/plain", reference="secret", size=9
        )
        (file,) = (await here.trail(await here.hears("", attachments=(named,)))).inbound.inbound.attachments
        assert file == named.replace(name="", reference=""), "of a file, too, only of what kind and how large it was"


async def test_an_edit_before_the_turn_replaces_the_text(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        await here.arrives("first")
        asked = await here.arrives("what is 2+2?")
        await here.edits(asked, "what is 3+3?")
        here.held.set()
        await here.manager.settled()
        assert here.taken == [["first"], ["what is 3+3?"]]
        assert await here.outcome(asked) == (Outcome.SUPERSEDED, "edited")
        edit = asked.replace(kind="edit", edit=1)
        assert (await here.outcome(edit))[0] is Outcome.REPLIED


async def test_an_edit_in_the_batch_of_its_original_replaces_it(tmp_path: Path):
    async with house(tmp_path) as here:
        one = here.inbound("teh question")
        await here.manager.receive([one, one.replace(kind="edit", edit=1, text="the question")], None)
        await here.manager.settled()
        assert here.taken == [["the question"]]
        assert await here.store.ledger.unsettled() == []


async def test_an_edit_after_the_turn_changes_history_and_starts_nothing(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears("what is 2+2?")
        await here.edits(asked, "what is 3+3?")
        await here.manager.settled()
        assert here.taken == [["what is 2+2?"]]
        state = await here.state()
        assert "3+3" in state.turns[0].messages[0].text
        assert '"edited":true' in state.turns[0].messages[0].text
        assert digest(here.registry.get(v.KEY)) == digest(state)
        edit = asked.replace(kind="edit", edit=1)
        assert (await here.outcome(edit))[0] is Outcome.STORED_ONLY


async def test_an_edit_during_the_turn_is_noted_behind_it(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        asked = await here.arrives("what is 2+2?")
        await here.breathe()
        await here.edits(asked, "what is 3+3?")
        here.held.set()
        await here.manager.settled()
        assert here.taken == [["what is 2+2?"]]
        assert "3+3" in (await here.state()).turns[0].messages[0].text


async def test_a_deletion_before_the_turn_takes_the_message_out(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        await here.arrives("first")
        asked = await here.arrives("never mind")
        await here.deletes(asked)
        here.held.set()
        await here.manager.settled()
        assert here.taken == [["first"]]
        assert await here.outcome(asked) == (Outcome.SUPERSEDED, "deleted")


async def test_a_deletion_after_the_turn_leaves_a_tombstone(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears("my address is Elm Street")
        await here.deletes(asked)
        await here.manager.settled()
        message = (await here.state()).turns[0].messages[0]
        assert "Elm Street" not in message.text
        assert "deleted" in message.text


async def test_an_edit_of_ambient_talk_is_followed(tmp_path: Path):
    async with house(tmp_path) as here:
        heard = await here.hears("at nine", mentions_bot=False)
        await here.edits(heard, "at ten")
        await here.manager.settled()
        assert "at ten" in (await here.state()).ambient[0].text


async def test_a_message_that_its_edit_overtook_is_answered_as_edited(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = here.inbound("teh question")
        await here.edits(asked, "the question")
        await here.manager.receive([asked], None)
        await here.manager.settled()
        assert here.taken == [["the question"]]


async def test_a_message_that_its_deletion_overtook_is_not_answered(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = here.inbound("never mind")
        await here.deletes(asked)
        await here.manager.receive([asked], None)
        await here.manager.settled()
        assert here.taken == []
        assert await here.outcome(asked) == (Outcome.SUPERSEDED, "deleted")


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
async def test_create_edit_edit_delete_in_any_order_come_to_rest(tmp_path: Path, order: tuple[int, ...]):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        await here.arrives("busy")
        await here.breathe()
        asked = here.inbound("first")
        forms = [
            asked,
            asked.replace(kind="edit", edit=1, text="second"),
            asked.replace(kind="edit", edit=2, text="third"),
            asked.replace(kind="delete", edit=3, text=""),
        ]
        for n in order:
            await here.manager.receive([forms[n]], None)
        here.held.set()
        await here.manager.settled()
        assert here.taken == [["busy"]]
        assert await here.store.ledger.unsettled() == []


async def test_an_older_edit_does_not_undo_a_newer_one(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears("one")
        await here.edits(asked, "three", at=3)
        await here.edits(asked, "two", at=2)
        await here.manager.settled()
        assert "three" in (await here.state()).turns[0].messages[0].text


async def test_what_is_delivered_twice_counts_once(tmp_path: Path):
    async with house(tmp_path, config(limits={"user_per_minute": 3})) as here:
        asked = await here.hears("once")
        for _ in range(5):
            await here.manager.receive([asked], None)
        other = await here.hears("another")
        assert (await here.outcome(other))[0] is Outcome.REPLIED


async def test_an_edit_never_becomes_a_command(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears("hello", by=OWNER)
        await here.edits(asked, "!cortex why")
        await here.manager.settled()
        assert here.door.commands == []


@pytest.mark.parametrize("kind", [kind for kind in AuthorKind if kind is not AuthorKind.PERSON])
async def test_only_people_give_commands(tmp_path: Path, kind: AuthorKind):
    async with house(tmp_path, config(console={"allow_bots": True})) as here:
        await here.hears("!cortex why", author=v.author(OWNER, "root", kind))
        await here.hears("!cortex why", by=OWNER, forwarded=True)
        assert here.door.commands == []


async def test_commands_do_not_wait_for_the_turn(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        asked = await here.arrives("a long story, please")
        await here.breathe()
        await here.arrives("/stop")
        await here.manager.settled()
        assert here.platform.texts == ["Stopped."]
        assert await here.outcome(asked) == (Outcome.CANCELLED, "")


async def test_a_fresh_start_cancels_and_forgets(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.hears("my name is Ann")
        here.held = asyncio.Event()
        asked = await here.arrives("what is my name?")
        await here.breathe()
        await here.hears("/new", by=MODERATOR)
        assert (await here.outcome(asked))[0] is Outcome.CANCELLED
        live = here.registry.get(v.KEY)
        assert live is not None
        assert live.turns == ()
        assert live.epoch == 1
        assert digest(live) == digest(await here.state())


async def test_an_admins_private_words_may_belong_to_the_cortex(tmp_path: Path):
    async with house(tmp_path) as here:
        here.door.takes = lambda stored: "memory" in stored.inbound.text
        private = {
            "channel": ChannelId(f"console:dm:{ADMIN}"),
            "place": ChannelPlace(is_dm=True),
            "mentions_bot": False,
        }
        taken = await here.hears("show me that memory", by=ADMIN, **private)
        await here.hears("hello persona", by=ADMIN, **private)
        assert here.taken == [["hello persona"]]
        assert await here.outcome(taken) == (Outcome.COMMAND, "cortex")


async def test_strangers_never_reach_the_cortex_in_private(tmp_path: Path):
    async with house(tmp_path) as here:
        here.door.takes = lambda stored: True
        await here.hears("show me that memory", **PRIVATE)
        assert here.taken == [["show me that memory"]]


async def test_what_breaks_is_said_and_settled(tmp_path: Path):
    async with house(tmp_path) as here:
        here.breaks = RuntimeError("a bug")
        asked = await here.hears("hello")
        assert await here.outcome(asked) == (Outcome.FAILED, "internal: RuntimeError")
        assert "Something went wrong" in here.platform.texts[0]
        here.breaks = None
        await here.hears("hello again")
        assert here.platform.texts[-1] == "echo: hello again"


async def test_a_broken_store_ends_the_task_and_leaves_the_message_open(tmp_path: Path):
    async with house(tmp_path) as here:
        here.breaks = StoreError("the disk is gone")
        asked = await here.hears("hello")
        assert (await here.outcome(asked))[0] is None
        assert "the disk is gone" in here.failures[0]


async def test_presses_go_to_the_cortex_and_never_raise(tmp_path: Path):
    async with house(tmp_path) as here:
        press = ButtonPress(person=person(OWNER), name="root", channel=v.GENERAL, data="x")
        assert await here.manager.pressed(press) == "done"
        here.door.error = UserError("Only the person")
        assert await here.manager.pressed(press) == "Only the person"
        here.door.error = RuntimeError("a bug")
        assert "nothing was done" in await here.manager.pressed(press)


async def test_a_secret_is_blacked_out_on_the_way_and_the_outcome_says_so(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears(f"repeat {SECRET}")
        assert SECRET not in here.platform.texts[0]
        stored = (await here.trail(asked)).inbound
        assert (stored.outcome, stored.redacted) == (Outcome.REPLIED, True)


async def test_settings_survive_a_restart_and_follow_the_configuration_otherwise(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.hears("/quiet", by=OWNER)
        await here.hears("hello", channel=ChannelId("console:#other"))
    async with house(tmp_path, config(console={"default_mode": "active"})) as here:
        assert here.book.of(v.KEY).mode is ResponseMode.OBSERVE
        other = ChannelKey(v.KEY.agent, ChannelId("console:#other"))
        assert here.book.of(other).mode is ResponseMode.ACTIVE
        heard = await here.hears("hello?")
        assert await here.outcome(heard) == (Outcome.STORED_ONLY, "mode")
        await here.hears("and here?", channel=other.channel, mentions_bot=False)
        assert here.platform.texts == ["echo: and here?"]


async def test_settings_changed_in_the_store_are_read_again(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.hears("hello")
        await here.hears("/pause lunch", by=OWNER)
        settings = here.book.of(v.KEY)
        await here.store.channels.set_settings(v.KEY, settings.replace(pause=None), BY_ITSELF)
        await here.book.reload(v.KEY)
        await here.hears("back?")
        assert here.platform.texts[-1] == "echo: back?"
        live = here.registry.get(v.KEY)
        assert live is not None
        assert live.settings.pause is None


async def test_every_outcome_can_be_reached(tmp_path: Path):
    """The ledger walk: whatever arrives ends in exactly one named outcome, and each name is in use."""
    async with house(tmp_path, config(console={"blocked_users": ["666"]})) as here:
        await _walk(here)
        seen = {s.outcome for s in await here.store.ledger.recent(v.KEY, 100)}
        assert None not in seen
    async with house(tmp_path) as here:
        seen |= {s.outcome for s in await here.store.ledger.recent(v.KEY, 100)}
        # a skip is the channel's own decision: its tests settle it
        assert seen == set(Outcome) - {Outcome.SKIPPED}


async def _walk(here: House) -> None:
    from tests.fakes.platform import lost, refused

    await here.hears("replied")
    await here.hears("gated", by="666")
    await here.hears("stored only", mentions_bot=False)
    await here.hears("/help")
    here.platform.fails([lost()])
    await here.hears("uncertain")
    here.platform.fails([refused()])
    await here.hears("failed")
    here.held = asyncio.Event()
    await here.arrives("cancelled")
    old = await here.arrives("superseded")
    await here.edits(old, "edited")
    await here.breathe()
    await here.arrives("/stop")
    await here.breathe()
    here.held.set()
    await here.manager.settled()
    # interrupted: a command that a dead process left open
    await here.store.ledger.arrive([here.judge.arrival(here.inbound("/status"), here.clock.now())], None)
    await here.manager.start()
    await here.manager.settled()
