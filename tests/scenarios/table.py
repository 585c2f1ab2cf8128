"""Every scenario, by what fails."""

from __future__ import annotations

from tests.scenarios import (
    afterwards,
    decisions,
    delivery,
    discord_answers,
    discord_line,
    discord_places,
    edits,
    files,
    gates,
    healthy,
    model,
    others,
    pauses,
    process,
    queues,
    refusals,
    telegram_answers,
    telegram_groups,
    telegram_line,
    telegram_places,
    threads,
    vitals,
)
from tests.scenarios.scenario import Scenario

FAMILIES: dict[str, tuple[Scenario, ...]] = {
    "process": process.SCENARIOS,
    "gates": gates.SCENARIOS,
    "pauses": pauses.SCENARIOS,
    "queues": queues.SCENARIOS,
    "model": model.SCENARIOS,
    "refusals": refusals.SCENARIOS,
    "decisions": decisions.SCENARIOS,
    "delivery": delivery.SCENARIOS,
    "healthy": healthy.SCENARIOS,
    "telegram_line": telegram_line.SCENARIOS,
    "telegram_groups": telegram_groups.SCENARIOS,
    "telegram_answers": telegram_answers.SCENARIOS,
    "discord_line": discord_line.SCENARIOS,
    "discord_answers": discord_answers.SCENARIOS,
    "discord_places": discord_places.SCENARIOS,
    "telegram_places": telegram_places.SCENARIOS,
    "afterwards": afterwards.SCENARIOS,
    "edits": edits.SCENARIOS,
    "files": files.SCENARIOS,
    "threads": threads.SCENARIOS,
    "vitals": vitals.SCENARIOS,
    "others": others.SCENARIOS,
}
