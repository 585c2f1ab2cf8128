from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cortex.inspection.model_findings import MAX_CLAIMS, read_draft
from bot.domain.finding import Confidence

GOOD = (
    '{"findings":[{"claim":"c","confidence":"likely","evidence":["m27d4"],'
    '"quotes":[{"handle":"m27d4","text":"t"}]}],"summary":"s"}'
)


@pytest.mark.parametrize(
    "text", [GOOD, f"```json\n{GOOD}\n```", f"Here it is:\n```\n{GOOD}\n```\nBye.", f"So: {GOOD} there."]
)
def test_findings_are_found_bare_or_fenced(text):
    draft = read_draft(text)
    assert draft.findings[0].claim == "c"
    assert draft.handles == ("m27d4",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "{}",
        "[]",
        "null",
        '{"findings":3}',
        '{"findings":[{"claim":""}]}',
        '{"findings":[{"claim":"\\ud800"}]}',
        "{" * 100_000,
    ],
)
def test_anything_else_is_not_a_draft(text):
    assert read_draft(text) is None


def test_of_a_hundred_findings_the_first_are_taken_and_the_others_counted():
    one = GOOD[len('{"findings":[') : GOOD.index('],"summary"')]
    draft = read_draft('{"findings":[' + ",".join([one] * 100) + "]}")
    assert len(draft.findings) == MAX_CLAIMS and draft.beyond == 100 - MAX_CLAIMS


def test_an_unknown_certainty_counts_as_none():
    assert read_draft(GOOD.replace("likely", "absolutely sure")).findings[0].confidence is Confidence.CANNOT_TELL


def test_a_fix_of_another_kind_is_refused():
    assert read_draft(GOOD.replace('"evidence"', '"fix":{"kind":"run_shell","memory":"x"},"evidence"')) is None


@given(st.text())
def test_no_text_raises(text):
    read_draft(text)
    read_draft("{" + text + "}")
