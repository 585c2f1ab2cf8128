from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.domain.delivery_failures import DAY_MS
from bot.domain.health import AdapterState
from bot.domain.ids import MAIN, ChannelId
from bot.domain.ledger import Outcome
from bot.domain.messages import Inbound
from bot.domain.turn import OutboxState, StoredOutbox, TurnEnd, TurnStatus
from bot.errors import DeliveryError
from bot.messaging.delivery.poster import must_be_private
from tests.bot.messaging.house import SECRET, House, house
from tests.fakes import values as v
from tests.fakes.clock import FakeClock
from tests.fakes.platform import FakePlatform, away, flood, gone, hiccup, lost, refused
from tests.inside.sending import pacing_of


@pytest.mark.parametrize("kind", ["finding", "file"])
def test_the_door_for_private_content(kind: str):
    with pytest.raises(DeliveryError) as caught:
        must_be_private(v.outgoing("x", kind))
    assert (caught.value.code, caught.value.permanent) == ("not_private", True)
    must_be_private(v.outgoing("x", kind, to=v.address(private_to="1")))


@pytest.mark.parametrize("kind", ["reply", "notice", "command"])
def test_what_everybody_may_read(kind: str):
    must_be_private(v.outgoing("x", kind))


async def test_a_redaction_in_any_part_marks_the_reply(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(max_units=100)) as here:

        def answer(inbound: Inbound) -> str:
            return f"{SECRET} " + "word " * 60

        here.answer = answer  # type: ignore[method-assign]
        asked = await here.hears("hello")
        stored = (await here.trail(asked)).inbound
        assert (stored.outcome, stored.redacted) == (Outcome.REPLIED, True)
        assert len(here.platform.sent) > 2


async def test_every_attempt_is_on_record(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([flood(2), flood(2)])
        asked = await here.hears("hello")
        row = (await here.store.outbox.of_inbound((await here.trail(asked)).inbound.id))[0]
        assert (row.attempts, row.state, row.error) == (3, OutboxState.SENT, "")


async def test_what_was_given_up_keeps_its_reason(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([lost()])
        await here.hears("hello")
        row = (await here.store.outbox.in_state(v.KEY, True, 1))[0]
        assert (row.state, row.error) == (OutboxState.UNCERTAIN, "timeout: timed out")
        reasons = dict((await here.store.ledger.trail(row.body.inbound)).stages[-2].detail)  # type: ignore[union-attr]
        assert "part" in reasons or "kind" in reasons


# what departs with the turn that says it


async def says_at_once(here: House) -> StoredOutbox:
    """End a turn whose answer is handed over in the same breath; return it as it stands afterwards."""
    body = v.outgoing("an answer", "reply")
    turn = await here.store.journal.begin_turn(v.turn_start(), [])
    end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=here.clock.now(), status=TurnStatus.REPLIED)
    rows = await here.store.journal.end_turn(end.replace(outbox=(body,), departs=here.sender.departs([body])))
    assert rows[0].state is OutboxState.SENDING
    here.sender.enqueue(rows)
    await here.sender.settled()
    found = await here.store.outbox.get(rows[0].row)
    assert found is not None
    return found


async def test_an_intent_that_is_on_record_is_not_put_there_again(tmp_path: Path):
    async with house(tmp_path) as here:
        row = await says_at_once(here)
        assert (row.state, row.attempts, here.platform.texts) == (OutboxState.SENT, 1, ["an answer"])


async def test_every_further_attempt_has_an_intent_of_its_own(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([flood(2), flood(2)])
        row = await says_at_once(here)
        assert (row.state, row.attempts) == (OutboxState.SENT, 3)


async def test_what_has_to_wait_does_not_depart(tmp_path: Path):
    body = v.outgoing("an answer", "reply")
    async with house(tmp_path) as here:
        assert here.sender.departs([body])
        assert not here.sender.departs([])
        assert not here.sender.departs([v.outgoing("x", "reply", to=v.address(platform="nowhere"))])
        here.sender.enqueue(await here.store.outbox.put([v.outgoing("before", "notice")], [], here.clock.now()))
        assert not here.sender.departs([body]), "something is on its way there"
        await here.sender.settled()
        pacing_of(here.sender).slow_down(body.to.channel, here.clock.monotonic() + 5)
        assert not here.sender.departs([body]), "the platform asked to wait"


# the place of a preview


async def answers(here: House, **changes: Any) -> StoredOutbox:
    """Let an answer take the place of a preview that people see."""
    here.platform.screen["v1"] = "half an ans …"
    asked = here.inbound("hello")
    row = (await here.store.ledger.arrive([here.judge.arrival(asked, here.clock.now())], None))[0]
    body = v.outgoing("a whole answer", "reply", inbound=row, edits="v1", **changes)
    stored = await here.store.outbox.put([body], [], here.clock.now())
    here.sender.enqueue(stored)
    await here.sender.settled()
    return (await here.store.outbox.of_inbound(row or 0))[0]


async def test_an_answer_takes_the_place_of_its_preview(tmp_path: Path):
    async with house(tmp_path) as here:
        row = await answers(here)
        assert here.platform.screen == {"v1": "a whole answer"}
        assert (row.state, row.receipt and row.receipt.message_id) == (OutboxState.SENT, "v1")
        found = await here.store.outbox.by_message(v.KEY, "v1")
        assert found is not None and found.row == row.row


@pytest.mark.parametrize("trouble", [[lost()], [lost(), lost(), lost()], [flood(3), lost()], [hiccup()]])
async def test_an_edit_is_repeated_until_it_is_certain(tmp_path: Path, trouble: list[DeliveryError]):
    async with house(tmp_path) as here:
        here.platform.fails(trouble)
        row = await answers(here)
        assert here.platform.screen == {"v1": "a whole answer"}
        assert row.state is OutboxState.SENT
        assert len(here.platform.tried) == len(trouble) + 1


async def test_an_edit_that_never_becomes_certain_is_told(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([lost()] * 4)
        row = await answers(here)
        assert row.state is OutboxState.UNCERTAIN
        assert "may not have arrived" in here.platform.texts[0]


@pytest.mark.parametrize("trouble", [[gone()], [lost(), gone()], [refused("cannot_edit")]])
async def test_an_answer_is_not_lost_with_its_preview(tmp_path: Path, trouble: list[DeliveryError]):
    async with house(tmp_path) as here:
        here.platform.fails(trouble)
        if trouble[-1].code == "message_gone":
            here.platform.retract_script = [gone()]
        row = await answers(here)
        assert (row.state, row.body.edits) == (OutboxState.SENT, "")
        assert row.receipt is not None and here.platform.screen[row.receipt.message_id] == "a whole answer"
        if trouble[-1].code != "message_gone":
            assert list(here.platform.screen) == [row.receipt.message_id], "the half of it goes"


async def test_what_is_sent_instead_of_an_edit_is_never_sent_twice(tmp_path: Path):
    """Once the edit has become a message of its own, the rules for messages hold, over a restart too."""
    async with house(tmp_path) as here:
        here.platform.fails([gone(), lost()])
        row = await answers(here)
        assert (row.state, row.body.edits) == (OutboxState.UNCERTAIN, "")
        assert here.platform.texts == [text for text in here.platform.texts if "may not have arrived" in text]
        chunk = (await here.store.outbox.put([v.outgoing("again", "reply", edits="v1")], [], here.clock.now()))[0]
        await here.store.outbox.made_new(chunk.row, "message_gone")
        await here.store.outbox.sending(chunk.row)
    async with house(tmp_path, platform=FakePlatform()) as here:
        await here.manager.settled()
        assert not any("again" in text for text in here.platform.texts)


async def test_a_kill_in_the_middle_of_an_edit_repeats_it(tmp_path: Path):
    platform = FakePlatform()
    platform.screen["v1"] = "half"
    async with house(tmp_path, platform=platform) as here:
        chunk = (await here.store.outbox.put([v.outgoing("whole", "reply", edits="v1")], [], here.clock.now()))[0]
        await here.store.outbox.sending(chunk.row)
    async with house(tmp_path, platform=platform) as here:
        await here.manager.settled()
        assert platform.screen == {"v1": "whole"}


async def test_what_says_nothing_is_not_worth_a_message(tmp_path: Path):
    async with house(tmp_path) as here:
        with pytest.raises(DeliveryError):
            await here.sender.say(v.outgoing("…", "notice", edits="v1"))
        assert here.platform.screen == {}


async def test_only_the_first_part_takes_the_place(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(max_units=100)) as here:
        parts = await here.sender.parts(v.outgoing("word " * 60, "reply", edits="v1"))
        assert [part.edits for part in parts] == ["v1"] + [""] * (len(parts) - 1)
        (filed,) = await here.sender.parts(v.outgoing("word " * 600, "reply", edits="v1"))
        assert filed.file is not None and filed.edits == ""


OTHER = ChannelId("console:#other")


async def pass_by(here: House, seconds: float) -> None:
    """Let so many seconds pass, none of them while something is on its way."""
    end = here.clock.monotonic() + seconds
    while here.clock.monotonic() < end:
        here.clock.advance(0.5)
        for _ in range(5):
            await asyncio.sleep(0)
        await here.sender.settled()


@asynccontextmanager
async def at_work(here: House) -> AsyncIterator[None]:
    """Let it keep trying, as a bot does while it runs; time passes by itself."""
    trying = asyncio.get_running_loop().create_task(here.sender.queues.keep_trying())
    try:
        yield
    finally:
        trying.cancel()
        await asyncio.wait([trying])


async def until_sent(here: House) -> None:
    async with asyncio.timeout(10):
        while here.sender.busy or await here.store.outbox.pending():  # noqa: ASYNC110 - it goes out by itself
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("code", ["unreachable", "token"])
async def test_an_answer_outlives_the_time_in_which_its_platform_is_away(tmp_path: Path, code: str):
    async with house(tmp_path) as here:
        here.platform.away = code
        asked = await here.hears("hello")
        assert await here.outcome(asked) == (None, "")
        (row,) = await here.store.outbox.pending()
        assert (row.state, row.error) == (OutboxState.NEW, f"{code}: no connection")
        assert not here.sender.busy and here.alerts == []
        async with at_work(here):
            here.clock.advance(3600)
            here.platform.away = ""
            await until_sent(here)
        assert here.platform.texts == ["echo: hello"]
        assert len({m.nonce for m in here.platform.tried}) == 1
        assert (await here.outcome(asked))[0] is Outcome.REPLIED


async def test_it_is_tried_now_and_then_and_at_once_when_the_adapter_is_well(tmp_path: Path):
    clock = FakeClock()
    async with house(tmp_path, clock=clock) as here:
        here.platform.away, here.platform.state = "unreachable", AdapterState.DEGRADED
        await here.hears("hello")
        clock.auto, tried = False, len(here.platform.tried)
        async with at_work(here):
            await pass_by(here, 600)
            assert 600 / 40 < len(here.platform.tried) - tried < 600 / 20
            here.platform.away, here.platform.state = "", AdapterState.UP
            await pass_by(here, 1)
            assert here.platform.texts == ["echo: hello"]


async def test_of_many_channels_one_finds_out_and_all_follow_in_their_order(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.away = "unreachable"
        for number in range(20):
            for word in ("one", "two"):
                await here.hears(f"{word} {number}", channel=ChannelId(f"console:{number}"))
        before = len(here.platform.tried)
        assert before < 4 + 20, "who comes later does not find out for itself"
        here.clock.auto = False
        async with at_work(here):
            await pass_by(here, 600)
            assert len(here.platform.tried) - before < 40
            here.platform.away = ""
            await pass_by(here, 60)
        for number in range(20):
            told = here.platform.texts_in(ChannelId(f"console:{number}"))
            assert told == [f"echo: one {number}", f"echo: two {number}"]


async def test_an_answer_elsewhere_shows_that_the_platform_is_back(tmp_path: Path):
    clock = FakeClock()
    async with house(tmp_path, clock=clock) as here:
        here.platform.away = "unreachable"
        await here.hears("one")
        clock.auto = False
        async with at_work(here):
            here.platform.away = ""
            await here.hears("two", channel=OTHER)
            assert here.platform.texts == ["echo: two"]
            await pass_by(here, 0.5)
            assert here.platform.texts == ["echo: two", "echo: one"]


async def test_a_restart_sends_what_waited(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.away = "token"
        asked = await here.hears("hello")
    async with house(tmp_path) as here:
        await here.manager.settled()
        assert here.platform.texts == ["echo: hello"]
        assert (await here.outcome(asked))[0] is Outcome.REPLIED


async def test_nobody_waits_for_it_when_the_bot_stops(tmp_path: Path):
    async with house(tmp_path, clock=FakeClock()) as here:
        here.platform.away = "unreachable"
        await here.hears("hello")
        async with asyncio.timeout(1):
            await here.sender_tasks.close(grace=60)
        assert len(await here.store.outbox.pending()) == 1


async def test_who_waits_for_a_delivery_hears_that_it_waits(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.away = "unreachable"
        for _ in range(2):
            with pytest.raises(DeliveryError) as caught:
                await here.sender.say(v.outgoing("a word", "command"))
            assert (caught.value.code, caught.value.waits, caught.value.permanent) == ("unreachable", True, False)
        here.platform.away = ""
        async with at_work(here):
            await until_sent(here)
        assert here.platform.texts == ["a word", "a word"]


async def test_what_waited_for_a_day_is_given_up_and_that_is_told_when_the_line_is_back(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.away = "unreachable"
        old = await here.hears("old")
        here.clock.advance(DAY_MS / 1000 - 60)
        young = await here.hears("young", channel=OTHER)
        here.clock.advance(120)
        here.platform.away = ""
        async with at_work(here):
            await until_sent(here)
        assert await here.outcome(old) == (Outcome.FAILED, "send:unreachable")
        assert (await here.outcome(young))[0] is Outcome.REPLIED
        (told,) = here.platform.texts_in(v.GENERAL)
        assert "could not be delivered (unreachable)" in told
        assert here.platform.texts_in(OTHER) == ["echo: young"]
        (alert,) = here.alerts
        assert "could not be delivered: unreachable" in alert


async def test_what_waited_for_a_day_over_a_restart_is_given_up_too(tmp_path: Path):
    clock = FakeClock()
    async with house(tmp_path, clock=clock) as here:
        here.platform.away = "unreachable"
        await here.hears("hello")
    clock.advance(DAY_MS / 1000 + 1)
    async with house(tmp_path, clock=clock) as here:
        await here.manager.settled()
        assert [text for text in here.platform.texts if "echo" in text] == []
        assert "could not be delivered" in here.platform.texts[0]


@pytest.mark.parametrize("last", [lost(), refused()])
async def test_who_finds_out_may_end_in_another_way_and_the_others_go_on(tmp_path: Path, last: DeliveryError):
    async with house(tmp_path) as here:
        here.platform.away = "unreachable"
        first = await here.hears("one")
        await here.hears("two", channel=OTHER)
        here.platform.away = ""
        here.platform.fails([last])
        async with at_work(here):
            await until_sent(here)
        assert (await here.outcome(first))[0] is (Outcome.UNCERTAIN if last.uncertain else Outcome.FAILED)
        assert here.platform.texts_in(OTHER) == ["echo: two"]
        assert [m.text for m in here.platform.tried if m.text == "echo: one"].count("echo: one") > 1
        assert "echo: one" not in here.platform.texts


async def test_later_parts_wait_behind_an_earlier_one(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(max_units=100)) as here:
        here.platform.fails([None, *[away()] * 6])
        asked = await here.hears("word " * 60)
        assert len(here.platform.sent) == 1
        async with at_work(here):
            await until_sent(here)
        assert (await here.outcome(asked))[0] is Outcome.REPLIED
        assert "".join(here.platform.texts).count("word") == 60
