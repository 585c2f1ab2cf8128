"""What every sandbox promises: a program runs to its end or to the end of its time, and is gone when nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.errors import ToolError
from bot.ports.sandbox import ProgramResult, Sandbox, SandboxCommand
from tests.adapters.bubblewrap.stage import a_stage, forms, why_not
from tests.fakes.sandbox import FakeSandbox, wrote


@dataclass
class House:
    sandbox: Sandbox
    workspace: Path

    async def shell(self, line: str, seconds: float = 0.0) -> ProgramResult:
        return await self.sandbox.run(SandboxCommand(("/bin/sh", "-c", line), self.workspace, seconds=seconds))


def _play(command: SandboxCommand) -> ProgramResult:
    line = command.argv[-1]
    return wrote("hello\n") if line == "echo hello" else wrote(status=7, errors="no\n")


@pytest.fixture(params=["fake", "bubblewrap"])
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    if request.param == "fake":
        yield House(FakeSandbox(_play), Path("/nowhere"))
        return
    if why_not():
        pytest.skip(f"the sandbox is not there: {why_not()}")
    with a_stage(forms()[0]) as stage:
        yield House(stage.sandbox(), stage.workspace)


async def test_what_it_wrote_and_how_it_ended(house: House):
    assert house.sandbox.missing() == ""
    ran = await house.shell("echo hello")
    assert (ran.status, ran.out.text, ran.out.size, ran.err.text, ran.stopped) == (0, "hello\n", 6, "", "")
    ran = await house.shell("echo no >&2; exit 7")
    assert (ran.status, ran.out.text, ran.err.text, ran.stopped) == (7, "", "no\n", "")


async def test_time_is_over(house: House):
    ran = await house.shell("sleep 30", seconds=0.2)
    assert ran.stopped == "time" and ran.status and ran.seconds < 5


async def test_what_is_no_program_is_not_begun(house: House):
    for argv in ((), ("/bin/echo", "a\0b")):
        with pytest.raises(ToolError):
            await house.sandbox.run(SandboxCommand(argv, house.workspace))


async def test_nobody_waits_any_more(house: House):
    waiting = asyncio.ensure_future(house.shell("sleep 30"))  # noqa: TID251 - cancelled below
    await asyncio.sleep(0.1 if not isinstance(house.sandbox, FakeSandbox) else 0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await house.sandbox.close()


async def test_the_doctor_is_told(house: House):
    (row,) = await house.sandbox.probe()
    assert (row.name, row.state) == ("sandbox", "ok") and row.evidence.startswith("programs run in")
