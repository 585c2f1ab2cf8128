"""Bars stand at the end of their places, and all of a kind are one path."""

from __future__ import annotations

from bot.text.bar_paths import bar_paths


def test_bars_stand_in_the_last_places_by_kind():
    paths = bar_paths(["good", "quiet", "good"], 4, ["quiet"])
    assert paths == (("good", "M5 1h4v14h-4zM15 1h4v14h-4z"), ("quiet", "M10 11h4v4h-4z"))
    assert bar_paths([], 4, ()) == ()
