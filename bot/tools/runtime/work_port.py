"""What tools that hand out work ask for; `bot.agent.processes.dispatcher` does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bot.domain.process import StoredProcess
from bot.tools.runtime.tool import ToolContext


class DelegatedTask(NamedTuple):
    """Something to be done. `name` says it in a few words; `needs` are patterns of files that a worker begins with."""

    task: str
    name: str = ""
    needs: tuple[str, ...] = ()


class WorkPort(Protocol):
    """Hands work out and takes it back. What cannot be done now raises ToolError with what to do instead."""

    async def branch(self, ctx: ToolContext, task: DelegatedTask) -> StoredProcess:
        """Let a copy of the conversation think about something."""

    async def worker(self, ctx: ToolContext, task: DelegatedTask) -> StoredProcess:
        """Let a worker do something; it knows nothing but its task and what is put together for it."""

    async def cancel(self, ctx: ToolContext, handle: str) -> StoredProcess:
        """Stop one of the caller's channel; return it as it ended, with what it had so far."""

    async def of(self, ctx: ToolContext) -> Sequence[StoredProcess]:
        """Return what runs for the caller's channel, and what ended and was not said yet."""
