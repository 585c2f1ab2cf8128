"""Read when somebody means: `2h`, `yesterday 18:00`, `18:00`, `2025-10-09 18:00`; all times are UTC milliseconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from bot.text.times import TIME

_AGO = re.compile(r"(?:last\s+)?(\d{1,5})\s*(s|m|h|d|w)[a-z]*(?:\s+ago)?", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_CLOCK = r"(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
_WHEN = re.compile(
    rf"(?:(?P<day>today|yesterday|\d{{4}}-\d{{2}}-\d{{2}})(?:[ t]+(?:at\s+)?(?={_CLOCK.replace('?P<', '?P<_')}))?)?"
    rf"(?:{_CLOCK})?\s*(?:z|utc)?",
    re.IGNORECASE,
)
_LAST_SECOND = 253_402_300_799
"""Of the year 9999."""


def read_time(words: str, now: int) -> int | None:
    """Return which time is meant; None for what is no time, or lies ahead."""
    words = " ".join(words.split())
    found = _ago(words, now) or _marked(words) or _written(words, now)
    return found if found is not None and found <= now else None


def is_written_as_time(words: str) -> bool:
    """Say whether words are written like a time, whichever it is."""
    words = " ".join(words.split())
    written = _WHEN.fullmatch(words)
    return bool(_AGO.fullmatch(words) or TIME.fullmatch(words) or (written and (written["day"] or written["hour"])))


def _ago(words: str, now: int) -> int | None:
    found = _AGO.fullmatch(words)
    if found is None:
        return None
    return max(0, now - int(found[1]) * _SECONDS[found[2].lower()] * 1000)


def _marked(words: str) -> int | None:
    """Read a time as we write it ourselves, for a platform to draw it."""
    found = TIME.fullmatch(words)
    return int(found[1]) * 1000 if found else None


def _written(words: str, now: int) -> int | None:
    found = _WHEN.fullmatch(words)
    if found is None or not words:
        return None
    day, hour = found["day"], found["hour"]
    if day is None and hour is None:
        return None
    today = datetime.fromtimestamp(min(now // 1000, _LAST_SECOND), UTC).replace(hour=0, minute=0, second=0)
    at = timedelta(hours=int(hour or 0), minutes=int(found["minute"] or 0), seconds=int(found["second"] or 0))
    try:
        when = _day(day, today) + at
    except ValueError:
        return None
    if day is None and when.timestamp() * 1000 > now:
        # a time of day alone is the last that there was
        when -= timedelta(days=1)
    return int(when.timestamp()) * 1000


def _day(day: str | None, today: datetime) -> datetime:
    match (day or "today").lower():
        case "today":
            return today
        case "yesterday":
            return today - timedelta(days=1)
        case written:
            return datetime.strptime(written, "%Y-%m-%d").replace(tzinfo=UTC)
