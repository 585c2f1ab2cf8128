"""What the tool calls of every turn share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.runtime.stall_detector import StallDetector
from bot.tools.runtime.background import Background
from bot.tools.runtime.grants import NOTHING, Grants
from bot.tools.runtime.lag_sampler import LagSampler


@dataclass(frozen=True, slots=True)
class Calling:
    """Grants, the tasks that go on, who watches the event loop, and the configuration as tools may see it."""

    lag: LagSampler = field(default_factory=LagSampler)
    stalls: StallDetector = field(default_factory=lambda: StallDetector(lambda: 0))
    background: Background = field(default_factory=Background)
    grants: Grants = NOTHING
    config: Mapping[str, str] = field(default_factory=dict)
