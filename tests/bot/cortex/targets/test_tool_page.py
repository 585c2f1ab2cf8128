"""An admin looks at branches and workers, and stops one."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.process import ProcessState
from tests.bot.cortex.chat import ADMIN, ANN, GENERAL, OWNER, STRANGER, chat
from tests.fakes.provider import calls, says
from tests.fakes.values import KEY


@pytest.fixture
async def busy(tmp_path):
    """A channel that has sent out a branch, which thinks and thinks."""
    async with chat(tmp_path) as bot:
        began, go_on = asyncio.Event(), asyncio.Event()

        async def thinks(request):
            began.set()
            await go_on.wait()
            return says("It is forty-two.")

        def answers(request):
            branch = any("branch" in block.name for block in request.system)
            return thinks(request) if branch else bot.turns.pop(0)

        bot.turns = [calls(("branch", {"task": "What is six times seven?", "name": "sum"})), says("I am thinking.")]
        bot.provider.script[:] = [answers]
        bot.go_on = go_on
        await bot.arrives("what is six times seven?")
        await began.wait()
        await bot.until(lambda: bot.public == ["I am thinking."])
        yield bot
        bot.turns.append(says("Forty-two."))
        go_on.set()


NAME = handle(HandleKind.BRANCH, 1)


async def asks(bot, words, by=OWNER):
    """Ask, and wait for the answer alone: the branch goes on thinking."""
    before = len(bot.private)
    await bot.arrives(f"!cortex {words}", by)
    await bot.until(lambda: len(bot.private) > before)
    return bot.last


async def test_what_runs_is_listed_and_can_be_opened(busy):
    busy.clock.advance(90)
    page = await asks(busy, "work")
    assert page.startswith("#general: 1 at work, the newest 1")
    assert re.search(rf"branch “sum” at work for \d(\.\d)? min · .* · {NAME}", page), page
    record = await asks(busy, f"work {NAME}")
    assert "What is six times seven?" in record and "still at work: `cancel` stops it" in record


async def test_it_is_stopped_behind_a_button_once(busy):
    offer = await asks(busy, f"cancel {NAME}")
    assert f"Stop {NAME}?" in offer and "cannot be undone" in offer
    assert (await busy.store.processes.get(1)).state is ProcessState.RUNNING
    assert "Stopped." in await busy.presses(f"Stop {NAME}")
    assert (await busy.store.processes.get(1)).state is ProcessState.CANCELLED
    assert busy.last.startswith(f"✓ {NAME} is cancelled · a")
    assert "Done" in await busy.presses(f"Stop {NAME}"), "a second press does nothing"
    assert busy.public == ["I am thinking."]
    assert f"{NAME} is over: cancelled" in await asks(busy, f"cancel {NAME}")


async def test_who_may_not_look_may_not_stop(busy):
    busy.platform.admins.discard((ADMIN, GENERAL))
    for by in (ADMIN, STRANGER, ANN):
        await busy.arrives(f"!cortex cancel {NAME}", by)
    await asks(busy, "work")
    assert {sent.to.private_to for sent in busy.private} == {OWNER}
    assert [one.state for one in await busy.store.processes.of_channel(KEY, 9)] == [ProcessState.RUNNING]


async def test_a_record_that_does_not_exist_is_said(busy):
    assert "no such record" in await asks(busy, f"cancel {handle(HandleKind.WORKER, 77)}")
