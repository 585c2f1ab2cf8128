"""A sandbox in which nothing runs: programs end as a script says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bot.domain.health import ProbeResult
from bot.errors import ToolError
from bot.ports.sandbox import ProgramOutput, ProgramResult, SandboxCommand

NOTHING = ProgramOutput("", 0)
Play = Callable[[SandboxCommand], ProgramResult]


def wrote(text: str = "", status: int = 0, errors: str = "", stopped: str = "") -> ProgramResult:
    """How a program ends that writes something."""
    return ProgramResult(status, ProgramOutput(text, len(text)), ProgramOutput(errors, len(errors)), 0.1, stopped)


class FakeSandbox:
    """Implements `bot.ports.sandbox.Sandbox`. `play` answers commands; one called `sleep` never ends by itself."""

    def __init__(self, play: Play | None = None, missing: str = "") -> None:
        self.ran: list[SandboxCommand] = []
        self.ended: list[SandboxCommand] = []
        self.why_missing = missing
        self.started = asyncio.Event()
        self._play = play or (lambda command: wrote(f"ran {command.argv[-1]}\n"))

    def missing(self) -> str:
        return self.why_missing

    async def probe(self) -> Sequence[ProbeResult]:
        if self.why_missing:
            return [
                ProbeResult(name="sandbox", state="failed", evidence=f"programs are not offered: {self.why_missing}")
            ]
        return [ProbeResult(name="sandbox", state="ok", evidence="programs run in nothing at all")]

    async def run(self, command: SandboxCommand) -> ProgramResult:
        if not command.argv or any("\0" in word for word in command.argv):
            raise ToolError("There is no program to run.")
        if self.why_missing:
            raise ToolError(f"Programs cannot be run here: {self.why_missing}.")
        self.ran.append(command)
        self.started.set()
        try:
            if "sleep" in command.argv[-1]:
                async with asyncio.timeout(command.seconds or None):
                    await asyncio.Event().wait()
            return self._play(command)
        except TimeoutError:
            return ProgramResult(137, NOTHING, NOTHING, command.seconds, "time")
        finally:
            self.ended.append(command)

    async def close(self) -> None:
        """Nothing is held."""
