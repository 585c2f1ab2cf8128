"""What the rest of the bot hands to the cortex."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.agent.compactor import Compactor
from bot.agent.turn import Turns
from bot.config import LoadedConfig
from bot.context.inspector import ChannelContextInspector
from bot.cortex.alerts import AdminAlerts
from bot.cortex.doctor import Check
from bot.cortex.fixes import StopsWork
from bot.cortex.private_work import SendsOut
from bot.cortex.reload import RunningConfig
from bot.cortex.requeue import Hear
from bot.cortex.resend import Resends
from bot.domain.health import Vitals
from bot.domain.ids import ChannelId, ChannelKey, Person
from bot.domain.redaction import Redactor
from bot.messaging.access import Access
from bot.messaging.judge import Judge
from bot.messaging.settings import SettingsBook
from bot.ports.channels import ChannelDirectory
from bot.ports.delivery import Delivery
from bot.ports.edges import Edges
from bot.skills import Skills
from bot.tasks import Tasks
from bot.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from bot.tools.mcp.source import ForeignTools


@dataclass(frozen=True)
class CortexParts:
    """Everything the cortex is made of; `app` builds it. `tasks` are its own; `hear` hands messages to messaging."""

    edges: Edges
    loaded: LoadedConfig
    redactor: Redactor
    access: Access
    registry: ChannelDirectory
    book: SettingsBook
    judge: Judge
    sender: Delivery
    alerts: AdminAlerts
    running: RunningConfig
    resends: Resends
    turns: Turns
    toolbox: Toolbox
    inspector: ChannelContextInspector
    tasks: Tasks
    hear: Hear
    compactor: Compactor
    skills: Skills
    foreign: ForeignTools | None
    worker_tools: Check
    vitals: Callable[[ChannelId], Vitals]
    stop_work: StopsWork
    send_out: SendsOut
    put_away: Callable[[ChannelKey], None]
    forgotten: Callable[[Person], None] = lambda _: None
