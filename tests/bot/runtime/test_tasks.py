"""Every task has an owner, and its failure is heard once."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import suppress

import pytest
from structlog.testing import capture_logs

from bot.runtime.tasks import TaskSupervisor, Turnstile


class Heard:
    def __init__(self) -> None:
        self.failures: list[tuple[str, str]] = []

    async def __call__(self, name: str, error: BaseException) -> None:
        self.failures.append((name, str(error)))


async def fails(words: str) -> None:
    raise ValueError(words)


async def test_a_failure_is_heard_and_takes_nobody_with_it():
    heard = Heard()
    tasks, other = TaskSupervisor(heard), asyncio.Event()
    tasks.spawn("one", fails("a bug"))
    tasks.spawn("two", other.wait())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert heard.failures == [("one", "a bug")]
    assert tasks.busy
    other.set()
    await tasks.idle()


async def test_what_somebody_else_saw_is_heard_too():
    heard = Heard()
    await TaskSupervisor(heard).report("hearing", ValueError("a bug"))
    await TaskSupervisor().report("hearing", ValueError("nobody listens"))
    assert heard.failures == [("hearing", "a bug")]


async def test_being_stopped_is_no_failure():
    heard = Heard()
    tasks = TaskSupervisor(heard)
    tasks.spawn("one", asyncio.Event().wait())
    await tasks.close()
    assert heard.failures == []
    with pytest.raises(RuntimeError, match="has closed"):
        tasks.spawn("late", asyncio.Event().wait())


async def test_what_somebody_waits_for_is_theirs_and_ends_with_its_owner():
    heard = Heard()
    tasks = TaskSupervisor(heard)
    with pytest.raises(ValueError, match="a bug"):
        await tasks.start("one", fails("a bug"))
    waiting = tasks.start("two", asyncio.Event().wait())
    await tasks.close()
    assert waiting.cancelled() and heard.failures == []
    with pytest.raises(RuntimeError, match="has closed"):
        tasks.start("late", asyncio.Event().wait())


async def test_closing_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr("bot.runtime.tasks.MAX_GOODBYE_SECONDS", 0.01)
    end = asyncio.Event()

    async def stubborn() -> None:
        while not end.is_set():
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    tasks = TaskSupervisor()
    task = tasks.spawn("stubborn", stubborn())
    await asyncio.sleep(0)
    with capture_logs() as logs:
        await tasks.close()
    assert [(log["event"], log["task"]) for log in logs] == [("task_does_not_end", "stubborn")]
    end.set()
    task.cancel()
    await task


async def test_those_who_come_together_go_on_a_few_at_a_time_in_their_order():
    turnstile, gone = Turnstile(at_once=2), []

    async def comes(number):
        await turnstile.wait()
        gone.append(number)

    async with asyncio.TaskGroup() as group:
        for number in range(7):
            group.create_task(comes(number))
        seen = []
        while len(gone) < 7:
            seen.append(len(gone))
            await asyncio.sleep(0)

    assert gone == [*range(7)]
    assert max(late - soon for soon, late in itertools.pairwise([*seen, 7])) <= 2


async def test_who_is_alone_does_not_wait():
    turnstile, gone = Turnstile(), []
    turnstile.through(lambda: gone.append("at once"))
    assert gone == ["at once"]


async def test_who_leaves_the_line_keeps_nobody_waiting():
    turnstile = Turnstile(at_once=1)
    async with asyncio.TaskGroup() as group:
        waiting = [group.create_task(turnstile.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[1].cancel()
    assert [task.cancelled() for task in waiting] == [False, True, False]
