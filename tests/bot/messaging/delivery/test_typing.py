"""The typing mark belongs to its turn."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.errors import DeliveryError
from tests.bot.messaging.writing import ANSWER, Desk
from tests.fakes.platform import FakePlatform


def marks(desk: Desk) -> list[bool]:
    return [on for _, on in desk.platform.typed]


def waiters() -> int:
    return sum(task.get_name() == "typing" for task in asyncio.all_tasks())


def quiet() -> Desk:
    return Desk(FakePlatform(streaming=False))


async def test_a_fast_answer_shows_none():
    desk = quiet()
    async with desk.writing():
        await desk.passes(0.4)
    await desk.passes(10)
    assert marks(desk) == []


async def test_it_is_renewed_before_it_fades_and_ends_with_the_turn():
    desk = quiet()
    async with desk.writing():
        await desk.passes(0.5)
        assert marks(desk) == [True]
        await desk.passes(12)
        assert marks(desk) == [True] * 4  # the mark stays for 5 s; it is renewed every 4
    assert marks(desk)[-1] is False
    before = marks(desk)
    await desk.passes(30)
    assert marks(desk) == before
    assert not desk.tasks.busy


@pytest.mark.parametrize("end", [RuntimeError("a defect"), asyncio.CancelledError(), TimeoutError()])
async def test_it_ends_however_the_turn_ends(end: BaseException):
    desk = quiet()
    with pytest.raises(type(end)):
        async with desk.writing():
            await desk.passes(1)
            raise end
    assert marks(desk) == [True, False]
    assert not desk.tasks.busy


async def test_a_mark_that_is_refused_hurts_nobody():
    desk = quiet()

    async def refused(channel, on):
        desk.platform.typed.append((channel, on))
        raise DeliveryError("no", code="403", permanent=True) if on else ZeroDivisionError

    desk.platform.set_typing = refused  # type: ignore[method-assign]
    async with desk.writing():
        await desk.passes(5)
    assert marks(desk) == [True, True, False]
    assert desk.failures == []


async def test_a_mark_that_hangs_does_not_outlive_the_turn():
    desk = quiet()

    async def hangs(channel, on):
        if on:
            await asyncio.Event().wait()

    desk.platform.set_typing = hangs  # type: ignore[method-assign]
    async with desk.writing():
        await desk.passes(5)
    assert not desk.tasks.busy


async def test_a_mark_that_is_not_let_go_of_holds_up_nobody_and_is_known(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.messaging.delivery.typing._PATIENCE", 0.05)
    desk, goes_on = quiet(), asyncio.Event()

    async def deaf(channel, on):
        while on and not goes_on.is_set():
            with suppress(asyncio.CancelledError):
                await goes_on.wait()
        raise asyncio.CancelledError

    desk.platform.set_typing = deaf  # type: ignore[method-assign]
    async with desk.writing():
        await desk.passes(5)
    since = desk.clock.now()
    await desk.passes(60)
    shown = desk.streams.typing_since(ANSWER.to.channel)
    assert desk.tasks.busy and since - 5_000 <= shown <= since
    goes_on.set()
    await desk.tasks.idle()
    assert desk.streams.typing_since(ANSWER.to.channel) == 0


async def test_many_turns_wait_for_their_marks_in_one_task():
    desk = quiet()
    async with desk.writing(), desk.writing(), desk.writing():
        assert waiters() == 1
        await desk.passes(0.3)
        async with desk.writing():
            assert waiters() == 1
            for shown in (0, 1, 2, 3, 4):  # one after the other, so that answers are not behind them
                await desk.passes(0.1)
                assert marks(desk) == [True] * shown
            assert marks(desk) == [True] * 4
    assert not desk.tasks.busy


async def test_marks_wait_while_answers_wait_for_the_loop():
    desk = quiet()
    pass_takes, sleeps = 0.02, desk.clock.sleep

    async def slept(seconds):
        await sleeps(seconds)
        # somebody else's work comes between this and the next look at the clock
        asyncio.get_running_loop().call_soon(desk.clock.advance, pass_takes)

    desk.clock.sleep = slept  # type: ignore[method-assign]
    async with desk.writing(), desk.writing():
        await desk.passes(3)
        assert marks(desk) == []
        pass_takes = 0.0
        await desk.passes(1.1)
        assert marks(desk) == [True, True]


async def test_where_there_is_no_mark_nothing_runs():
    desk = quiet()
    desk.platform.capabilities = desk.platform.capabilities.replace(typing=False)
    async with desk.writing():
        assert not desk.tasks.busy


async def test_it_gives_way_to_the_answer_itself():
    desk = Desk()
    async with desk.writing() as stream:
        await desk.passes(3)
        assert marks(desk) == [True]
        stream.listen()("the first words of " * 5)
        await desk.passes(2)
        assert desk.platform.screen
        await desk.passes(20)
        assert marks(desk) == [True, False]


async def test_a_bot_that_stops_types_no_more():
    desk = quiet()
    await desk.tasks.close()
    async with desk.writing(ANSWER):
        await desk.passes(2)
    assert marks(desk) == []
