"""What answers: made when the first message wants an answer, or as soon as nobody waits for the start any more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from bot.agent.answering import Answering
from bot.agent.channel import ChannelFactory
from bot.agent.compactor import Compactor
from bot.agent.processes import WorkDesk
from bot.agent.turn import Turns
from bot.context.inspector import ChannelContextInspector
from bot.domain.health import Probe, Vitals
from bot.domain.ids import ChannelId, ChannelKey, Person
from bot.ports.workspaces import Workspaces
from bot.tools.toolbox import Toolbox


class Mind(NamedTuple):
    """The parts that think, and those that look at how they do.

    `stop_work` stops what goes on for a conversation, for a reason, and returns how many that was; `worker_tools` says
    what workers are offered.
    """

    turns: Turns
    toolbox: Toolbox
    answering: Answering
    work: WorkDesk
    inspector: ChannelContextInspector
    compactor: Compactor
    channels: ChannelFactory
    workspaces: Workspaces
    worker_tools: Callable[[], Awaitable[Sequence[Probe]]]
    vitals: Callable[[ChannelId], Vitals]
    stop_work: Callable[[ChannelKey, str, Person | None], Awaitable[int]]
