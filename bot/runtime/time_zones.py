"""Time zones by their names: which there are, what was meant, and what time it is there."""

from __future__ import annotations

import re
from datetime import datetime
from difflib import get_close_matches
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

UTC_NAME = "UTC"
NO_DATABASE = "this machine has no time zone database, so that every time is told in UTC"
INSTALL = "Install the package `tzdata` of the system (`apt install tzdata`) or of Python (`pip install tzdata`)."
_MAX_SUGGESTIONS = 3
_OFFSET = re.compile(r"(?:utc|gmt)?\s*[+-]\s*\d{1,2}(?::?\d{2})?", re.IGNORECASE)
_ALSO_UTC = frozenset({"UTC", "Etc/UTC"})


@lru_cache(maxsize=1)
def known_zones() -> frozenset[str]:
    """Return the names of all zones; none at all where the machine has no database."""
    names = available_timezones()
    return frozenset(name for name in names if not name.startswith(("posix", "right")) and name != "localtime")


def has_database() -> bool:
    """Say whether any zone but UTC can be told."""
    return len(known_zones() - _ALSO_UTC) > 0


def is_zone(name: str) -> bool:
    """Say whether there is a zone of exactly this name; without a database nobody can tell, and any may be."""
    return name == UTC_NAME or name in known_zones() or not has_database()


def find_zone(words: str) -> str:
    """Return the zone that somebody names by its name in any case, or by its place alone; empty: none, or several."""
    plain = _plain(words)
    whole = [name for name in known_zones() if _plain(name) == plain]
    ends = [name for name in known_zones() if _plain(name.rpartition("/")[2]) == plain]
    found = whole or sorted(ends, key=lambda name: (name.startswith(("Etc/", "SystemV/")), name))
    return found[0] if whole or len(found) == 1 else ""


def similar_zones(words: str) -> tuple[str, ...]:
    """Return the zones whose names are most like these words, or whose places are."""
    plain = _plain(words)
    by_word: dict[str, list[str]] = {}
    for name in sorted(known_zones()):
        for word in (_plain(name), _plain(name.rpartition("/")[2])):
            by_word.setdefault(word, []).append(name)
    found = [
        name for word in get_close_matches(plain, by_word, n=_MAX_SUGGESTIONS, cutoff=0.6) for name in by_word[word]
    ]
    return tuple(dict.fromkeys(found))[:_MAX_SUGGESTIONS]


def zone_problem(words: str) -> str:
    """Say what is wrong with a name, and which are near; empty where nothing is."""
    if is_zone(words):
        return ""
    if _OFFSET.fullmatch(words.strip()):
        return "must be a place and not an offset, because summer time moves: such as Europe/Berlin"
    names = similar_zones(words)
    if not names:
        return "is no time zone; names look like Europe/Berlin or America/New_York"
    return f"is no time zone. Near: {', '.join(names)}"


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def local_time(at: int, name: str) -> str:
    """Write a time (UTC ms) as people there read it: `Wednesday 2026-11-25 19:02, UTC+01:00`; empty: nobody knows."""
    zone = _zone(name)
    if zone is None:
        return ""
    try:
        local = datetime.fromtimestamp(at / 1000, zone)
    except (OverflowError, ValueError, OSError):
        return ""
    offset = local.strftime("%z")
    return f"{local:%A %Y-%m-%d %H:%M}, UTC{offset[:3]}:{offset[3:5]}"


def _plain(words: str) -> str:
    return re.sub(r"[\s_]+", "_", words.strip().casefold())
