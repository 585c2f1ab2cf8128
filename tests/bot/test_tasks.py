"""Every task has an owner, and its failure is heard once."""

from __future__ import annotations

import asyncio

import pytest

from bot.tasks import Tasks


class Heard:
    def __init__(self) -> None:
        self.failures: list[tuple[str, str]] = []

    async def __call__(self, name: str, error: BaseException) -> None:
        self.failures.append((name, str(error)))


async def fails(words: str) -> None:
    raise ValueError(words)


async def test_a_failure_is_heard_and_takes_nobody_with_it():
    heard = Heard()
    tasks, other = Tasks(heard), asyncio.Event()
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
    await Tasks(heard).report("hearing", ValueError("a bug"))
    await Tasks().report("hearing", ValueError("nobody listens"))
    assert heard.failures == [("hearing", "a bug")]


async def test_being_stopped_is_no_failure():
    heard = Heard()
    tasks = Tasks(heard)
    tasks.spawn("one", asyncio.Event().wait())
    await tasks.close()
    assert heard.failures == []
    with pytest.raises(RuntimeError, match="has closed"):
        tasks.spawn("late", asyncio.Event().wait())
