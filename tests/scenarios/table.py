"""Every scenario."""

from __future__ import annotations

from tests.scenarios import decisions, delivery, gates, healthy, model, pauses, process, queues
from tests.scenarios.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = (
    *process.SCENARIOS,
    *gates.SCENARIOS,
    *pauses.SCENARIOS,
    *queues.SCENARIOS,
    *model.SCENARIOS,
    *decisions.SCENARIOS,
    *delivery.SCENARIOS,
    *healthy.SCENARIOS,
)
