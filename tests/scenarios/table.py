"""Every scenario, by what fails."""

from __future__ import annotations

from tests.scenarios import decisions, delivery, gates, healthy, model, pauses, process, queues
from tests.scenarios.scenario import Scenario

FAMILIES: dict[str, tuple[Scenario, ...]] = {
    "process": process.SCENARIOS,
    "gates": gates.SCENARIOS,
    "pauses": pauses.SCENARIOS,
    "queues": queues.SCENARIOS,
    "model": model.SCENARIOS,
    "decisions": decisions.SCENARIOS,
    "delivery": delivery.SCENARIOS,
    "healthy": healthy.SCENARIOS,
}
