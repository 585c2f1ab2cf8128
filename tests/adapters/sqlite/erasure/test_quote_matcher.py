"""Somebody's words are recognised wherever they are repeated, and nobody else's vocabulary is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.sqlite.erasure.quote_matcher import (
    ERASED,
    QuoteMatcher,
    _portions,
    erased_message,
    is_by,
    says_beginning_of,
    spoken_texts,
    without_program,
)
from bot.domain.base import canonical_json
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.messages import ImagePart, Message, Role, TextPart
from tests.fakes import values as v
from tests.fakes.lengths import whole_or

WORDS = st.lists(st.from_regex(r"[a-z]{5,9}", fullmatch=True), min_size=8, max_size=30)
AROUND = st.text(max_size=80)


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(said=WORDS, before=AROUND, after=AROUND)
def test_seven_words_in_a_row_are_found_in_any_text_and_in_json(said: list[str], before: str, after: str) -> None:
    quotes = QuoteMatcher([" ".join(said)])
    repeated = f"{before} {' '.join(said[:7])} {after}"
    assert quotes.are_in(repeated)
    assert quotes.are_in(canonical_json({"content": repeated}))


@pytest.mark.parametrize("telling", ["canary-7f3a9c", "ann@example.org", "k3y=hunter2", "+49-170-1234567"])
def test_a_word_that_gives_somebody_away_is_found_alone(telling: str) -> None:
    assert QuoteMatcher([f"it is {telling}"]).are_in(f"Ann said: “{telling}”.")


@pytest.mark.parametrize("other", ["hello there", "I like pears, too.", "what did ann say", "", "2026"])
def test_what_everybody_says_is_no_quotation(other: str) -> None:
    assert not QuoteMatcher(["hello there", "I like pears.", "what did ann say?", "it is 2026"]).are_in(other)


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(said=st.text(max_size=200))
def test_nothing_of_a_message_is_left_and_erasing_twice_changes_nothing(said: str) -> None:
    parts = (ImagePart(name=said, mimetype="image/png", data="aGVsbG8="), TextPart(text=f'{{"at":"x"}}\n{said}'))
    once = erased_message(v.message(said, parts=parts, inbound=7))
    assert once.texts == (ERASED,) and once.author is not None and once.author.name == ""
    assert (once.inbound, once.role) == (7, Role.USER)
    assert erased_message(once) == once


def test_calls_and_results_stay_pairs() -> None:
    call, result = (
        erased_message(v.call("memory_save", '{"content":"pears"}', "c7")),
        erased_message(v.result("pears", "c7")),
    )
    assert (call.calls[0].call_id, call.calls[0].name, call.calls[0].arguments) == ("c7", "memory_save", "{}")
    assert (result.results[0].call_id, result.results[0].text) == ("c7", ERASED)


def test_a_summary_stays_a_summary() -> None:
    about = CompactionSummary(type=SummaryType.HALF, compaction=1, count=2, method="model", created_at=1, sources=())
    summary = v.message("[SUMMARIZED] Ann likes pears.", author=None).replace(summary=about)
    assert erased_message(summary).text == f"[SUMMARIZED] {ERASED}" and erased_message(summary).summary == about


def test_of_others_only_what_the_program_put_before_their_words_goes() -> None:
    quotes, words = QuoteMatcher(["my code is canary-7f3a9c"]), '{"at":"x"}\nAnn said canary-7f3a9c, I think'
    message = v.message(
        "", parts=(TextPart(text="## Recap\ncanary-7f3a9c"), TextPart(text="## Status"), TextPart(text=words))
    )
    clean = without_program(message, quotes, "7")
    assert clean is not None
    assert [part.text for part in clean.parts] == [ERASED, "## Status", words]
    assert without_program(clean, quotes, "7") is None
    assert list(spoken_texts(message)) == ["Ann said canary-7f3a9c, I think"]


def test_equal_ids_of_other_platforms_are_other_people() -> None:
    message: Message = v.message(inbound=7)
    assert is_by(message, "100", {7}, set()) and not is_by(message, "100", set(), {7})
    assert is_by(message, "100", set(), set()), "its ledger row is gone, and nobody else has that id"
    assert not is_by(message, "101", {7}, set())


@pytest.mark.parametrize("before", [0, 1995, 1999, 2000, 2001, 3997])
def test_a_quotation_is_found_wherever_it_stands_in_a_long_text(before):
    said = "meet me behind the old town library tonight"
    words = ["plums"] * before + said.split() + ["pears"] * 5000
    assert QuoteMatcher([said]).are_in("\\n".join(words))
    assert not QuoteMatcher([said]).are_in(" ".join(words).replace("library", "market"))


def test_a_long_text_is_read_in_portions_between_which_others_run():
    portions = [len(words) for words in _portions("plums and pears. " * 10_000)]
    assert sum(portions) == 30_000 and max(portions) <= 2000


@pytest.mark.parametrize(
    ("page", "text", "is_quoted"),
    [
        ('1 A message by Ann\n  "my pin is\n   1234"', "my pin is 1234", True),
        ('"＠bot the tea\n is cold"', "@bot the tea is cold now", True),
        ("Newest message was answered at 15:52", "my pin is 1234", False),
        ("the pin", "pin", True),
        ("the spin", "pin", False),
        ("nothing", "", False),
    ],
)
def test_few_words_are_known_by_how_they_begin(page, text, is_quoted):
    assert says_beginning_of(page, text) is is_quoted


def test_a_name_that_is_made_to_call_nobody_is_the_same_name():
    said = QuoteMatcher(["<@1425768080998400000> the meeting is on thursday at 18:30"])
    assert said.are_in('"＜＠1425768080998400000> the meeting\n   is on thursday at 18:30"')
