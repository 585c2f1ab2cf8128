"""Run programs under bubblewrap: a read-only system, one workspace, no network, limits, and nothing that stays."""

from __future__ import annotations

import asyncio
import os
import platform
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from adapters.bubblewrap import program_runner, requirements, sandbox_arguments
from adapters.bubblewrap.resource_watcher import ResourceWatcher, SandboxQuota
from adapters.bubblewrap.sandbox_arguments import MB, ProgramLimits, SandboxFds, SandboxMode, SandboxPlan
from adapters.bubblewrap.seccomp import seccomp_filter
from adapters.workspaces.paths import path_parts
from bot.domain.health import ProbeResult
from bot.errors import ToolError
from bot.ports.sandbox import ProgramResult, SandboxCommand
from bot.sentences import say

_TRY_COMMAND = ("/bin/sh", "-c", "echo $((6 * 7))")
_FLOOD = 16 * MB
_LOW_WATER = 64 * MB
_ROW = "sandbox"
_HELPERS = ("bwrap: ", "prlimit: failed to execute", "setpriv: failed to execute")


class Settings(BaseModel):
    """What programs may take. Seconds and megabytes; `memory_mb` and `processes` are for all of a run together.

    `private` are places of the bot itself that must never be where programs can read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float = Field(60, gt=0)
    network: bool = False
    memory_mb: int = Field(1024, ge=16)
    processes: int = Field(64, ge=4)
    at_once: int = Field(2, ge=1)
    tmp_mb: int = Field(64, ge=1)
    output_kb: int = Field(16, ge=1)
    file_mb: float = Field(10, gt=0)
    workspace_mb: float = Field(200, gt=0)
    workspace_files: int = Field(5000, gt=0)
    uid: int = 65521
    readable: tuple[str, ...] = ()
    private: tuple[Path, ...] = ()
    low_water: int = Field(_LOW_WATER, ge=0)


class BubblewrapSandbox:
    """Implements `bot.ports.sandbox.Sandbox`."""

    def __init__(self, settings: Settings, form: SandboxMode, helpers: Mapping[str, str]) -> None:
        self._settings = settings
        self._form = form
        self._helpers = helpers
        self._filter = seccomp_filter(platform.machine(), network=settings.network)
        self._room = asyncio.Semaphore(settings.at_once)
        self._running: set[asyncio.Task[ProgramResult]] = set()
        self._complained: str | None = None
        """What bubblewrap said when it was last tried and nothing ran."""

    @property
    def _lacking(self) -> str:
        settings = self._settings
        missing = requirements.missing_program(self._form, self._helpers, settings.uid)
        return missing or requirements.exposed_places(settings.readable, settings.private)

    def missing(self) -> str:
        """Return why nothing can be run; what was found when it was last tried counts."""
        if lacking := self._lacking:
            return lacking
        return "" if self._complained is None else requirements.complaint_reason(self._form, self._complained)

    async def probe(self) -> Sequence[ProbeResult]:
        """Run something in the sandbox, and say what was found."""
        if not self._lacking:
            await self._try()
        if why := self.missing():
            return [
                ProbeResult(
                    name=_ROW,
                    state="failed",
                    evidence=say("worker_tooling.programs-not-offered", why=why),
                    fix=_fix_of(why),
                )
            ]
        network, fence = "host" if self._settings.network else "none", "yes" if self._filter else "no"
        walls = {"form": self._form.value, "network": network, "filter": fence, "machine": platform.machine()}
        evidence = say("machine.sandboxed", **walls)
        return [ProbeResult(name=_ROW, state="warning" if self._settings.network else "ok", evidence=evidence)]

    async def run(self, command: SandboxCommand) -> ProgramResult:
        """Run a program; raise ToolError when it cannot be begun."""
        _check(command)
        if why := self.missing():
            raise ToolError(f"Programs cannot be run here: {why}.")
        task = asyncio.get_running_loop().create_task(self._in_turn(command), name="sandbox")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await task
        finally:
            await _stop_task(task)

    async def close(self) -> None:
        """End everything that still runs."""
        for task in tuple(self._running):
            await _stop_task(task)

    async def _in_turn(self, command: SandboxCommand) -> ProgramResult:
        async with self._room:
            try:
                ran = await self._run(command)
            except OSError as error:
                raise ToolError(f"The program could not be begun ({error.strerror or type(error).__name__}).") from None
        if ran.status and ran.err.text.startswith(_HELPERS) and not ran.out.size:
            raise ToolError(_complaint(ran.err.text))
        return ran

    async def _run(self, command: SandboxCommand) -> ProgramResult:
        seconds = min(command.seconds or self._settings.seconds, self._settings.seconds)
        plan = self._plan(seconds)
        uid = plan.uid if self._form is SandboxMode.ROOT else os.geteuid()
        with _open_fds(self._filter, *sandbox_arguments.account_files(uid)) as (handles, told):
            folder = "/".join(path_parts(command.folder))
            line = sandbox_arguments.command_line(plan, handles, command.workspace, folder, command.argv)
            inherited = tuple(handle for handle in handles if handle >= 0)
            begin = program_runner.ProgramLaunch(
                line, inherited, told, seconds, self._settings.output_kb * 1024, _FLOOD
            )
            return await program_runner.run_program(
                begin, lambda pid: ResourceWatcher(pid, command.workspace, self._limits())
            )

    def _plan(self, seconds: float) -> SandboxPlan:
        own = self._settings
        limits = ProgramLimits(seconds, own.memory_mb, own.processes, own.file_mb, own.tmp_mb)
        return SandboxPlan(self._form, self._helpers, limits, own.network, own.readable, own.uid)

    def _limits(self) -> SandboxQuota:
        own = self._settings
        return SandboxQuota(own.memory_mb * MB, round(own.workspace_mb * MB), own.workspace_files, own.low_water)

    async def _try(self) -> None:
        with tempfile.TemporaryDirectory(prefix="sandbox-") as folder:
            if self._form is SandboxMode.ROOT:
                os.chown(folder, self._settings.uid, self._settings.uid)
            try:
                ran = await self._run(SandboxCommand(_TRY_COMMAND, Path(folder)))
            except OSError as error:
                self._complained = error.strerror or type(error).__name__
                return
        worked = ran.status == 0 and ran.out.text == "42\n"
        self._complained = None if worked else ran.err.text


@contextmanager
def _open_fds(rules: bytes, passwd: bytes, group: bytes) -> Iterator[tuple[SandboxFds, int]]:
    """Hold what bubblewrap reads as it begins in memory; each run has its own, because reading moves them on.

    The second is where we read what it says.
    """
    opened = list(os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK))
    told, info = opened
    try:
        for content in (rules, passwd, group):
            if content:
                opened.append(os.memfd_create("sandbox"))
                os.write(opened[-1], content)
                os.lseek(opened[-1], 0, os.SEEK_SET)
        yield SandboxFds(info, *([-1] if not rules else []), *opened[2:]), told
    finally:
        for handle in opened:
            os.close(handle)


def _check(command: SandboxCommand) -> None:
    if not command.argv or not command.argv[0]:
        raise ToolError("There is no program to run.")
    if any("\0" in word for word in command.argv):
        raise ToolError("A word of the command has a NUL character, which no program can be given.")
    if max(len(word.encode("utf-8", "replace")) for word in command.argv) > 100_000 or len(command.argv) > 1000:
        raise ToolError("The command is too long. Write it to a file with file_write, and run that.")


def _complaint(said: str) -> str:
    helper, _, text = " ".join(said.split()).partition(": ")
    if helper != "bwrap" or text.startswith(("execvp", "Can't chdir")):
        return f"The program could not be begun: {text[:300]}."
    return f"The sandbox could not be made: {text[:300]}. The doctor says more."


def _fix_of(why: str) -> str:
    return why.partition(". ")[2] or say("machine.sandbox-fix")


async def _stop_task(task: asyncio.Task[ProgramResult]) -> None:
    """Cancel a task that still runs, and wait until it has cleaned up behind itself."""
    if not task.done():
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await asyncio.shield(asyncio.wait([task]))


def create(settings: Mapping[str, object]) -> BubblewrapSandbox:
    """Make a sandbox; raise pydantic's ValidationError. Nothing is tried before somebody asks."""
    form = requirements.sandbox_mode()
    return BubblewrapSandbox(Settings.model_validate(dict(settings)), form, requirements.find_helpers(form))
