"""Whether a message to admins waits to be edited."""

from __future__ import annotations

from bot.cortex.alerts.admin_alerts import AdminAlerts

EDIT_SECONDS = 10.0
"""How long after it was last touched a message may be edited again."""


def is_edit_due(alerts: AdminAlerts) -> bool:
    """Say whether what an admin reads is not the newest yet."""
    return any(standing.is_due for _, standing in alerts._standing.items())
