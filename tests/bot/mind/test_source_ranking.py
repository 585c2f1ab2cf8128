"""What an answer was made of: written cases in six languages, found by code alone."""

from __future__ import annotations

import pytest

from bot.inspect.diff.find_words import SourcedLine, SourceKind, WordSource
from bot.mind.source_ranking import MAX_SOURCES, content, rank_sources, shared_words
from tests.bench import sources as bench


def said(text: str, name: str, kind: SourceKind = SourceKind.MESSAGE) -> SourcedLine:
    return SourcedLine("message", text, WordSource(kind, name, name), 1)


def names(found) -> list[str]:
    return [one.source.handle for one in found]


@pytest.mark.parametrize("half", bench.HALVES)
def test_the_planted_source_is_found_as_often_as_is_promised(half):
    found = bench.counted(half)
    assert found[f"{half}_cases"] >= 100
    assert found[f"{half}_first"] >= bench.MIN_FIRST_SHARE * found[f"{half}_cases"]
    assert found[f"{half}_among_three"] >= bench.MIN_AMONG_THREE_SHARE * found[f"{half}_cases"]


def test_a_large_request_is_ranked_fast():
    assert bench.large_cpu_ms() <= bench.MAX_LARGE_CPU_MS


def test_the_line_that_says_the_same_time_otherwise_comes_first():
    lines = [said("the raid is on thursday", "i1"), said("Donnerstag um 20 Uhr, nicht später", "i2")]
    found = rank_sources("On Thursday at 8 pm.", lines)
    assert names(found) == ["i2", "i1"]
    assert shared_words(found[0]) == ("20:00", "thursday")


def test_what_shares_nothing_is_no_source():
    assert rank_sources("Paris.", [said("the raid is on thursday", "i1")]) == ()
    assert rank_sources("", [said("the raid is on thursday", "i1")]) == ()


def test_who_saved_a_memory_and_when_is_no_word_of_it():
    line = said('- m0001 | fact | importance 0.60 | by ann (id 42) | 2026-11-20 | "ann eats no fish"', "m0001")
    assert content(line) == "ann eats no fish"
    assert rank_sources("It is 42.", [line]) == ()


def test_a_word_that_every_line_holds_says_little():
    lines = [said(f"glassmind {word}", word) for word in ("goes", "sings", "rests")]
    found = rank_sources("glassmind rests", lines)
    assert found[0].source.handle == "rests"
    assert len(rank_sources("glassmind " * 3, lines * 20)) <= MAX_SOURCES
