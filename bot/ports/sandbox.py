"""Where programs run that a model asked for: walled in, within limits, and gone when their time is over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from bot.domain.health import ProbeResult


class SandboxCommand(NamedTuple):
    """A program with its arguments. `workspace` is all of the host that it may write to, seen as `/workspace`.

    `folder` is where in the workspace it starts. `seconds` 0 means as many as there may be.
    """

    argv: tuple[str, ...]
    workspace: Path
    folder: str = ""
    seconds: float = 0.0


class ProgramOutput(NamedTuple):
    """What came out of one stream, and how many bytes it was: of a long one the beginning and the end are kept."""

    text: str
    size: int


class ProgramResult(NamedTuple):
    """How a program ended. `status` is its exit status, 128 and the signal's number when one ended it.

    `stopped` says which limit ended it (`time`, `output`, `memory`, `disk`); empty when it ended by itself.
    """

    status: int
    out: ProgramOutput
    err: ProgramOutput
    seconds: float
    stopped: str = ""


class Sandbox(Protocol):
    """Runs programs. They see a read-only system, one workspace and themselves; nothing else, and no network."""

    def missing(self) -> str:
        """Return why nothing can be run and what to do, empty when something can; cheap."""

    async def probe(self) -> Sequence[ProbeResult]:
        """Try it, and say what was found, for the doctor."""

    async def run(self, command: SandboxCommand) -> ProgramResult:
        """Run a program until it ends or a limit ends it; raise ToolError when it cannot be begun.

        Whoever stops waiting ends it with everything that it has begun.
        """

    async def close(self) -> None:
        """End everything that still runs."""
