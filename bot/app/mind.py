"""What answers: made when the first message wants an answer, or as soon as nobody waits for the start any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.agent.channel import ChannelFactory
from bot.agent.compaction.compactor import Compactor
from bot.agent.processes.dispatcher import ProcessSupervisor
from bot.agent.turn.memory_meaning import MemoryMeaning
from bot.agent.turn.turn import TurnRunner
from bot.domain.health import ProbeResult, ProcessVitals
from bot.domain.ids import ChannelId, ChannelKey, PersonKey
from bot.inspect.capture.inspector import ChannelContextInspector
from bot.ports.workspaces import Workspaces
from bot.tools.runtime.toolbox import Toolbox


class AgentMind(Protocol):
    """The parts that think, and those that look at how they do."""

    @property
    def turns(self) -> TurnRunner: ...

    @property
    def toolbox(self) -> Toolbox:
        """Every tool of the configuration, with what it needs."""

    @property
    def meaning(self) -> MemoryMeaning | None:
        """What finds memories by what they mean; None where no model is configured for it."""

    @property
    def work(self) -> ProcessSupervisor:
        """What hands work out to branches and workers."""

    @property
    def inspector(self) -> ChannelContextInspector: ...

    @property
    def compactor(self) -> Compactor: ...

    @property
    def channels(self) -> ChannelFactory:
        """What brings conversations to life."""

    @property
    def workspaces(self) -> Workspaces:
        """Where workers keep files."""

    async def worker_tools(self) -> Sequence[ProbeResult]:
        """Say what workers are offered."""

    def vitals(self, channel: ChannelId) -> ProcessVitals:
        """Return what the running process knows of itself and of one of its channels."""

    async def stop_work(self, key: ChannelKey, why: str, whose: PersonKey | None) -> int:
        """Stop what goes on for a conversation, or what one person wants of it; return how many that was."""
