"""Read how long a service wants to be left alone: from its headers, from its JSON, or from its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from adapters.model_http.refusal_words import RefusalText

MAX_WAIT_SECONDS = 24 * 3600.0
"""Whatever a service says, nothing waits longer without looking again."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_UNIT = r"(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)"
_PIECE = re.compile(rf"(?<!\d)(\d{{1,12}}+(?:\.\d{{1,12}}+)?+)\s{{0,2}}+{_UNIT}(?![a-z])", re.IGNORECASE)
_DURATION = (
    rf"\d{{1,12}}(?:\.\d{{1,12}})?\s{{0,2}}{_UNIT}(?:[\s,]{{0,2}}(?:and\s)?\d{{1,12}}(?:\.\d{{1,12}})?\s{{0,2}}{_UNIT})"
    r"{0,4}(?![a-z])"
)
_IN_WORDS = re.compile(
    r"(?:try|trying|retry|retrying|again|wait|waiting|available|back|resets?|reset)\b[^.\d]{0,40}?\b(?:in|after|for|wait|of)"
    rf"\s+(?:about\s+|approximately\s+|another\s+|at\s+least\s+)?(?P<one>{_DURATION})"
    rf"|(?:please\s+)?wait\s+(?P<two>{_DURATION})"
    rf"|retry[-_ ]?(?:after|delay|in)[\"']?\s*[:=]\s*[\"']?(?P<three>{_DURATION})"
    r"|retry[-_ ]?after(?:[-_ ]seconds)?[\"']?\s*[:=]?\s*[\"']?(?P<bare>\d{1,7}(?:\.\d{1,9})?)(?![\d.]*\s*[a-z%])"
    r"|estimated_time[\"']?\s*[:=]?\s*(?P<estimated>\d{1,6}(?:\.\d{1,9})?)",
    re.IGNORECASE,
)
_AT_TIME = re.compile(
    r"\b(?:at|on|until|after|resets?|reset at)\s*:?\s*"
    r"(\d{4}-\d\d-\d\d(?:[T ]|\s+at\s+)\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)
_RESETS = (
    ("x-ratelimit-reset-requests", "x-ratelimit-remaining-requests"),
    ("x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens"),
    ("anthropic-ratelimit-requests-reset", "anthropic-ratelimit-requests-remaining"),
    ("anthropic-ratelimit-tokens-reset", "anthropic-ratelimit-tokens-remaining"),
    ("anthropic-ratelimit-input-tokens-reset", "anthropic-ratelimit-input-tokens-remaining"),
    ("anthropic-ratelimit-output-tokens-reset", "anthropic-ratelimit-output-tokens-remaining"),
    ("x-ratelimit-reset", "x-ratelimit-remaining"),
    ("ratelimit-reset", "ratelimit-remaining"),
)
_A_DATE = 1e9
"""A number of seconds that is larger is a moment since 1970, and beyond a thousand times that in milliseconds."""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read what the headers ask for, in seconds or as a date; a date is compared with the server's own clock."""
    for name in ("retry-after-ms", "x-ms-retry-after-ms"):
        milliseconds = _number(headers.get(name, ""))
        if milliseconds is not None:
            return milliseconds / 1000
    text = headers.get("Retry-After", "").strip()
    seconds = _number(text)
    if seconds is None:
        seconds = _until(_http_date(text), _clock(headers))
    return seconds if seconds is not None else duration(text)


def wait_of(headers: Mapping[str, str], told: RefusalText) -> float | None:
    """Say for how long a service limits, by the first that says it: a header, its JSON, its words, its counters."""
    asked = retry_after(headers)
    if asked is None:
        asked = _in_json(told.value, _clock(headers))
    if asked is None:
        asked = wait_in_words(told.all or told.words, _clock(headers))
    return asked if asked is not None else _by_counters(headers)


def wait_in_words(words: str, now: datetime | None = None) -> float | None:
    """Read `try again in 7m12s`, `Please retry after 24 seconds`, `at 2026-12-01 00:00 UTC`."""
    for found in _IN_WORDS.finditer(words):
        bare = found["bare"] or found["estimated"]
        seconds = _number(bare) if bare else duration(found["one"] or found["two"] or found["three"] or "")
        if seconds is not None:
            return seconds
    at = _AT_TIME.search(words)
    return _until(_moment(f"{at[1]}{at[2] or 'Z'}"), now) if at else None


def duration(text: str) -> float | None:
    """Read `7m12.5s`, `20ms`, `1 hour 5 minutes`; None for anything else."""
    pieces = _PIECE.findall(text)
    if not pieces or _PIECE.sub("", text).replace("and", "").strip(" ,"):
        return None
    return min(sum(float(number) * _UNITS[_unit(unit)] for number, unit in pieces), MAX_WAIT_SECONDS)


def _unit(word: str) -> str:
    word = word.lower()
    return "ms" if word == "ms" or word.startswith("milli") else word[0]


def _in_json(value: object, now: datetime | None) -> float | None:
    for key, found in _pairs(value, 0):
        name = key.lower().replace("_", "").replace("-", "")
        if name in {"retrydelay", "retryafter", "retryafterseconds"}:
            seconds = _number(str(found)) if isinstance(found, int | float) else _in_text(str(found))
        elif name == "xratelimitreset":
            seconds = _of_reset(str(found), now)
        else:
            continue
        if seconds is not None:
            return seconds
    return None


def _in_text(text: str) -> float | None:
    seconds = _number(text)
    return seconds if seconds is not None else duration(text)


def _pairs(value: object, depth: int) -> Iterator[tuple[str, object]]:
    if depth > 6:
        return
    if isinstance(value, dict):
        for key, found in list(value.items())[:50]:
            yield str(key), found
            yield from _pairs(found, depth + 1)
    elif isinstance(value, list):
        for item in value[:20]:
            yield from _pairs(item, depth + 1)


def _by_counters(headers: Mapping[str, str]) -> float | None:
    """Read when what is used up comes back; of several that are used up, the last."""
    now = _clock(headers)
    spent = [
        seconds
        for reset, remaining in _RESETS
        if (left := _number(headers.get(remaining, ""))) is not None
        and left <= 0
        and (seconds := _of_reset(headers.get(reset, ""), now)) is not None
    ]
    if spent:
        return max(spent)
    # counters that leave something over say nothing of the limit that was met; one without its rest does
    alone = [
        seconds
        for reset, remaining in _RESETS
        if remaining not in headers and (seconds := _of_reset(headers.get(reset, ""), now)) is not None
    ]
    return max(alone) if alone else None


def _of_reset(text: str, now: datetime | None) -> float | None:
    text = text.strip()
    try:
        number = float(text)
    except ValueError:
        seconds = duration(text)
        return seconds if seconds is not None else _until(_moment(text) or _http_date(text), now)
    if number < _A_DATE:
        return _number(text)
    number = number / 1000 if number > _A_DATE * 1000 / 2 else number
    try:
        return _until(datetime.fromtimestamp(number, UTC), now)
    except (OverflowError, ValueError, OSError):
        return None


def _clock(headers: Mapping[str, str]) -> datetime | None:
    return _http_date(headers.get("Date", ""))


def _until(moment: datetime | None, now: datetime | None) -> float | None:
    if moment is None or now is None:
        return None
    return min(max(0.0, (moment - now).total_seconds()), MAX_WAIT_SECONDS)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return min(value, MAX_WAIT_SECONDS) if value >= 0 else None


def _http_date(text: str) -> datetime | None:
    try:
        value = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return value if value.tzinfo else None


def _moment(text: str) -> datetime | None:
    text = re.sub(r"(?<!\s)\s+at\s+", " ", text.strip(), flags=re.IGNORECASE)
    text = re.sub(r"(?<!\s)\s*(?:Z|UTC|GMT)$", "+00:00", text, flags=re.IGNORECASE)
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)
