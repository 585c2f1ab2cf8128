"""What the tool calls of every turn share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.runtime.stall_detector import StallDetector
from bot.tools.runtime.background_tasks import BackgroundTasks
from bot.tools.runtime.lag_sampler import LagSampler
from bot.tools.runtime.tool_grants import NO_GRANTS, ToolGrants


@dataclass(frozen=True, slots=True)
class CallEnvironment:
    """Grants, the tasks that go on, who watches the event loop, and the configuration as tools may see it."""

    lag: LagSampler = field(default_factory=LagSampler)
    stalls: StallDetector = field(default_factory=lambda: StallDetector(lambda: 0))
    background: BackgroundTasks = field(default_factory=BackgroundTasks)
    grants: ToolGrants = NO_GRANTS
    config: Mapping[str, str] = field(default_factory=dict)
