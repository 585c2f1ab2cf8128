"""When somebody means, in words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.text.time_words import read_time

NOW = datetime(2025, 10, 9, 8, 53, 20, tzinfo=UTC)


def milliseconds(text: str) -> int:
    return round(datetime.fromisoformat(f"{text}+00:00").timestamp() * 1000)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("2h", "2025-10-09 06:53:20"),
        ("90 min", "2025-10-09 07:23:20"),
        ("last 2 hours", "2025-10-09 06:53:20"),
        ("3d ago", "2025-10-06 08:53:20"),
        ("1 week ago", "2025-10-02 08:53:20"),
        ("today", "2025-10-09 00:00"),
        ("yesterday", "2025-10-08 00:00"),
        ("yesterday 18:00", "2025-10-08 18:00"),
        ("Yesterday at 18:00 UTC", "2025-10-08 18:00"),
        ("8:00", "2025-10-09 08:00"),
        ("18:00", "2025-10-08 18:00"),
        ("18.30", "2025-10-08 18:30"),
        ("2025-10-08", "2025-10-08 00:00"),
        ("2025-10-08 12:30", "2025-10-08 12:30"),
        ("2025-10-08T12:30:05Z", "2025-10-08 12:30:05"),
        ("<t:1759990000:t>", "2025-10-09 06:06:40"),
        ("<t:1759990000:t> UTC", "2025-10-09 06:06:40"),
    ],
)
def test_times_as_people_write_them(words: str, meant: str) -> None:
    assert read_time(words, round(NOW.timestamp() * 1000)) == milliseconds(meant)


@pytest.mark.parametrize(
    "words", ["", "utc", "18", "25:00", "tomorrow", "2025-13-01", "2025-10-10", "today 23:00", "99999w", "h", "tea"]
)
def test_what_is_no_time_or_lies_ahead(words: str) -> None:
    assert read_time(words, round(NOW.timestamp() * 1000)) is None
