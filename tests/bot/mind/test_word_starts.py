"""Whatever a list of words matches begins as `word_starts` says; what it says is short, and never nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.mind.claim_forms import CLAIM_FORMS
from bot.mind.word_starts import SIZE, word_starts
from tests.fakes.lengths import whole_or

WORDS = sorted({form.words for form in CLAIM_FORMS})


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(st.data())
def test_every_match_begins_with_one_of_them(data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(WORDS))
    # what stands around is no part of a match
    pattern = re.compile(re.sub(r"\((?:\?<?[=!])(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\b", "", words))
    found = data.draw(st.from_regex(pattern, fullmatch=True))
    assert any(f"{found}  ".startswith(start) for start in word_starts(words)), (found, word_starts(words))


@pytest.mark.parametrize(
    ("pattern", "starts"),
    [
        ("saved|stored", {"sav", "sto"}),
        ("(?:ab)?gespeichert", {"abg", "ges"}),
        ("e-?mailed", {"e-m", "ema"}),
        ("l[oa] (?:apunto|anoto)", {"lo ", "la "}),
        (r"\bi(?:'ll| will)(?: \w+){0,2}? remember", {"i'l", "i w"}),
        (r"ok\S*", {"ok"}),
        (r"(?<=ich )put(?= (?:it|that))", {"put"}),
        ("s(?:a|b)?c", {"sac", "sbc", "sc"}),
        (r"a(?:b\w+|cd)e", {"ab", "acd"}),
    ],
)
def test_what_begins_how(pattern: str, starts: set[str]) -> None:
    assert word_starts(pattern) == starts
    assert all(len(start) <= SIZE for start in starts)


@pytest.mark.parametrize("words", WORDS)
def test_the_words_of_a_claim_are_told_apart_by_whole_beginnings(words: str) -> None:
    assert {len(start) for start in word_starts(words)} == {SIZE}


@pytest.mark.parametrize("pattern", ["", r"\w+ saved", "a?", "(?:a|)b?", "|a"])
def test_what_may_begin_with_anything_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="may begin with anything"):
        word_starts(pattern)
