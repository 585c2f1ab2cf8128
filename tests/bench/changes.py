"""Measure how soon a change in a channel's outcomes is seen: `python -m tests.bench.changes` prints JSON.

30 planted regressions, and 90 days of channels in which nothing changes.
"""

from __future__ import annotations

import json

from bot.mind.outcome_changes import OutcomeWatch
from tests.bot.mind.test_outcome_changes import QUIET, hear, planted

DAYS = 90
DAYS_OF_A_MONTH = 30


def main() -> None:
    found = [is_found for _, is_found in planted()]
    alarms = [sum(not one.is_over for one in hear(OutcomeWatch(), one.endings(DAYS))) for one in QUIET.values()]
    figures = {
        "planted": len(found),
        "planted_found": sum(found),
        "quiet_channels": len(alarms),
        "most_false_alarms_a_month": round(max(alarms) / (DAYS / DAYS_OF_A_MONTH), 3),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
