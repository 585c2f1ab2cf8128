"""How long things are kept, as it is configured."""

from __future__ import annotations

from bot.config import Config
from bot.ports.store import RetentionPolicy

_HOUR_MS = 3_600_000


def retention_of(config: Config) -> RetentionPolicy:
    """Put the configured times into milliseconds."""
    days, hours = config.retention, config.retention.ambient_hours
    return RetentionPolicy(
        ambient_ms=round(hours * _HOUR_MS),
        messages_ms=round(days.messages_days * 24 * _HOUR_MS),
        requests_ms=round(days.requests_days * 24 * _HOUR_MS),
        records_ms=round(days.records_days * 24 * _HOUR_MS),
        audit_ms=round(days.audit_days * 24 * _HOUR_MS),
        forgotten_ms=24 * _HOUR_MS,
        journal_bytes=days.journal_mb * 1_000_000,
        versions_ms=round(days.versions_days * 24 * _HOUR_MS),
        backups_ms=round(days.backups_hours * _HOUR_MS),
    )
