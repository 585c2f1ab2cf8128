"""What waits while its platform cannot be reached: nothing is lost, nothing is sent twice, nobody else waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.domain.delivery_failures import DAY_MS
from bot.domain.health import AdapterState
from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome
from bot.domain.turn import OutboxState
from bot.errors import DeliveryError
from tests.bot.messaging.house import House, house
from tests.fakes import values as v
from tests.fakes.clock import FakeClock
from tests.fakes.platform import FakePlatform, away, lost, refused

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
