"""A server under supervision, and a model's calls to it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.config.tool_groups import McpConfig, ToolsConfig
from bot.domain.access import Authority
from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.health import AdapterState
from bot.domain.turn import ToolCallRecord
from bot.runtime.tasks import TaskSupervisor
from bot.text.redaction import Redactor
from bot.tools.mcp.approvals import ServerApprovals
from bot.tools.mcp.foreign_server import ForeignServer, ForeignServerContext
from bot.tools.mcp.foreign_tools import ForeignTools
from bot.tools.runtime.call_environment import CallEnvironment
from bot.tools.runtime.effects import RecordedCall, TurnEffects
from bot.tools.runtime.executor import Executor, TurnCalls
from bot.tools.runtime.tool_grants import ToolGrants
from tests.bot.tools.kit import call, context
from tests.fakes.clock import FakeClock
from tests.inside.mcp import servers_of

PROGRAM = Path(__file__).parents[3] / "servers/mcp/program.py"
SECRET, KEY = "s3cret-of-the-house", b"k" * 32


@dataclass
class Desk:
    """A supervised server, and everything that those who run the bot were told."""

    data: Path
    table: McpConfig
    clock: FakeClock = field(default_factory=lambda: FakeClock(auto=False))
    told: list[str] = field(default_factory=list)
    tasks: TaskSupervisor = field(default_factory=TaskSupervisor)
    source: ForeignTools = None  # type: ignore[assignment]

    @property
    def server(self) -> ForeignServer:
        return servers_of(self.source)[0]

    @property
    def names(self) -> list[str]:
        return [tool.name for tool in self.source.tools()]

    @property
    def detail(self) -> str:
        return self.server.health().detail

    async def tell(self, text: str) -> None:
        self.told.append(text)

    async def until(self, good: Callable[[], bool]) -> None:
        """Wait for something that another process does, while time goes by slowly here too."""
        async with asyncio.timeout(20):
            while not good():
                await asyncio.sleep(0.01)
                self.clock.advance(0.01)

    async def is_(self, state: AdapterState) -> None:
        await self.until(lambda: self.server.health().state is state)

    async def call(self, name: str, **arguments: Any) -> ToolCallRecord:
        """Let a model call a tool, by its name or by text that is no JSON; return the record of it."""
        raw = arguments.pop("raw", None)
        offered = {tool.name: tool for tool in self.source.tools()}
        here = replace(await context(ProcessKind.WORKER, Authority.OWNER), effects=(effects := TurnEffects()))
        calling = CallEnvironment(grants=ToolGrants(ToolsConfig(mcp={"demo": self.table})))
        text = raw if raw is not None else canonical_json(arguments)
        await Executor(self.clock, calling=calling).run([call(name, text)], TurnCalls(offered, here), 0)
        (record,) = effects.of(RecordedCall)
        return record.record

    async def echo(self, text: str = "hi") -> ToolCallRecord:
        return await self.call("mcp_demo_echo", text=text)


def program(*manners: str, **keys: Any) -> McpConfig:
    """The table of a server that behaves like this; `-S` because it needs nothing that is installed."""
    wanted = {"command": sys.executable, "args": ("-S", "-E", str(PROGRAM), *manners), "enabled": True, "timeout": 5}
    return McpConfig.model_validate({**wanted, **keys})


@asynccontextmanager
async def desk(data: Path, table: McpConfig, state: AdapterState | None = AdapterState.UP) -> AsyncIterator[Desk]:
    """Start a server, and wait until it is so; at the end nothing of it runs any more."""
    from adapters.mcp import create

    one = Desk(data, table)
    redactor = Redactor.of({"house": SECRET})
    supplies = ForeignServerContext(
        create({}), ServerApprovals(data), one.clock, one.tell, lambda text: redactor.redact(text).text, KEY
    )
    one.source = ForeignTools({"demo": table}, supplies)
    one.source.start(one.tasks)
    try:
        if state is not None:
            await one.is_(state)
        yield one
    finally:
        await one.tasks.close()


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has asked after yet counts."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


def pids_of(marker: str) -> list[int]:
    """The processes whose command line holds a text."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if marker in (entry / "cmdline").read_text() and not is_gone(int(entry.name)):
                    found.append(int(entry.name))
    return found
