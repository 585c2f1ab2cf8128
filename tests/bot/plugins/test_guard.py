"""Whatever a part of a plugin does, it has a name and a number, and the bot goes on."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.errors import UserError
from bot.plugins import guard as guarding
from bot.plugins.fault import FaultKind, PluginFault
from bot.plugins.guard import MAX_FAULTS, MAX_IN_A_ROW, PartGuard


@pytest.fixture
def off() -> list[str]:
    return []


@pytest.fixture
def guard(tmp_path: Path, off: list[str], monkeypatch: pytest.MonkeyPatch) -> PartGuard:
    monkeypatch.setattr(guarding, "STEP_SECONDS", 0.05)
    return PartGuard("rude 1.0", "tool x", __name__.partition(".")[0], tmp_path.resolve(), lambda g: off.append(g.part))


async def broken() -> None:
    raise ValueError("no dice")


async def hung() -> None:
    await asyncio.Event().wait()


async def deaf() -> None:
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            continue


async def blocking() -> None:
    while True:
        pass


async def asleep() -> None:
    time.sleep(5)  # noqa: ASYNC251 - that is what it does wrong


async def leaking() -> None:
    asyncio.get_running_loop().create_task(hung())


async def leaving() -> None:
    raise SystemExit(1)


OUTSIDE = Path("/tmp/outside")


async def writing() -> None:
    OUTSIDE.write_text("x")  # noqa: ASYNC240 - blocking is the least that is wrong with it


async def renaming() -> None:
    OUTSIDE.rename("/tmp/elsewhere")  # noqa: ASYNC240


async def starting() -> None:
    os.system("true")  # noqa: ASYNC221


@pytest.mark.parametrize(
    ("work", "kind", "words"),
    [
        (broken, FaultKind.RAISED, "it broke (ValueError: no dice)"),
        (leaving, FaultKind.RAISED, "it broke (SystemExit: 1)"),
        (hung, FaultKind.TIMEOUT, "it gave no answer in 0.01 s"),
        (deaf, FaultKind.TIMEOUT, "it gave no answer in 0.01 s"),
        (blocking, FaultKind.BLOCKED, "everybody waited 0.05 s for it"),
        (asleep, FaultKind.BLOCKED, "everybody waited 0.05 s for it"),
        (leaking, FaultKind.LEFT_TASK, "it left tasks running (1)"),
        (writing, FaultKind.WROTE_OUTSIDE, "it tried to write outside its folder (/tmp/outside)"),
        (renaming, FaultKind.WROTE_OUTSIDE, "it tried to write outside its folder (/tmp/outside)"),
        (starting, FaultKind.WROTE_OUTSIDE, "it tried to write outside its folder (os.system)"),
    ],
)
async def test_each_fault_has_a_name(
    guard: PartGuard, work: Callable[[], Any], kind: FaultKind, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarding, "GOODBYE_SECONDS", 0.01)
    with pytest.raises(PluginFault) as found:
        await guard.wait(work(), 0.01 if kind is FaultKind.TIMEOUT else 5)
    assert (found.value.kind, found.value.words) == (kind, words)
    assert guard.faults == 1 and guard.last is found.value
    # nobody who waited for it was cancelled, and nothing goes on
    assert asyncio.current_task().cancelling() == 0  # type: ignore[union-attr]
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_what_is_said_on_purpose_is_no_fault(guard: PartGuard) -> None:
    async def refusing() -> None:
        raise UserError("Say how many dice.")

    with pytest.raises(UserError):
        await guard.wait(refusing(), 1)
    assert guard.faults == 0


async def test_faults_in_a_row_switch_it_off_and_it_is_told_once(guard: PartGuard, off: list[str]) -> None:
    for _ in range(MAX_IN_A_ROW):
        with pytest.raises(PluginFault):
            await guard.wait(broken(), 1)
    assert guard.is_off and off == ["tool x"]
    with pytest.raises(PluginFault) as found:
        await guard.wait(broken(), 1)
    assert found.value.kind is FaultKind.OFF and off == ["tool x"]


async def test_faults_now_and_then_switch_it_off_later(guard: PartGuard, off: list[str]) -> None:
    async def well() -> int:
        return 1

    for _ in range(MAX_FAULTS):
        assert await guard.wait(well(), 1) == 1
        with pytest.raises(PluginFault):
            await guard.wait(broken(), 1)
    assert off == ["tool x"]


async def test_it_may_write_in_its_folder_and_wait_for_things(guard: PartGuard) -> None:
    async def working() -> str:
        guard.folder.mkdir(exist_ok=True)
        place = guard.folder / "notes"
        await asyncio.to_thread(place.write_text, "x")
        async with asyncio.timeout(1):
            found = await asyncio.gather(asyncio.sleep(0, "a"), asyncio.sleep(0, "b"))
        return "".join(found)

    assert await guard.wait(working(), 5) == "ab"
    assert guard.faults == 0 and (guard.folder / "notes").read_text() == "x"


def test_in_a_thread_it_is_ended_too(guard: PartGuard) -> None:
    def spinning() -> None:
        while True:
            pass

    async def in_a_thread() -> None:
        await asyncio.to_thread(guard.call, spinning)

    with pytest.raises(PluginFault) as found:
        asyncio.run(in_a_thread())
    assert found.value.kind is FaultKind.BLOCKED
