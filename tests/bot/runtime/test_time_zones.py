"""Time zones by their names."""

from __future__ import annotations

import pytest

from bot.runtime import time_zones

NOON = 1_764_072_000_000  # 2025-11-25 12:00 UTC


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        ("nowhere", ""),
        ("", ""),
    ],
)
def test_people_name_a_zone_by_its_name_or_its_place(words, zone):
    assert time_zones.find_zone(words) == zone


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "Asia/Kolkata", "Etc/GMT+5"])
def test_a_zone_is_no_problem(name):
    assert time_zones.zone_problem(name) == ""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Europe/Berln", "Near: Europe/Berlin"),
        ("berlin", "Near: Europe/Berlin"),
        ("UTC+2", "a place and not an offset"),
        ("+01:00", "a place and not an offset"),
        ("../etc/passwd", "is no time zone"),
        ("", "is no time zone"),
    ],
)
def test_what_is_none_is_refused_with_what_is_near(name, told):
    assert told in time_zones.zone_problem(name)


def test_summer_time_moves():
    assert time_zones.local_time(NOON, "Europe/Berlin") == "Tuesday 2025-11-25 13:00, UTC+01:00"
    assert time_zones.local_time(NOON - 150 * 86_400_000, "Europe/Berlin").endswith("14:00, UTC+02:00")
    assert time_zones.local_time(NOON, "Asia/Kathmandu").endswith("17:45, UTC+05:45")
    assert time_zones.local_time(NOON, "America/St_Johns").endswith("08:30, UTC-03:30")


@pytest.mark.parametrize("at", [-(10**18), 10**18])
def test_absurd_times_are_told_by_utc_alone(at):
    assert time_zones.local_time(at, "Europe/Berlin") == ""


def test_without_a_database_any_name_may_be_right(monkeypatch):
    monkeypatch.setattr(time_zones, "known_zones", frozenset)
    assert not time_zones.has_database()
    assert time_zones.zone_problem("Europe/Berlin") == ""
