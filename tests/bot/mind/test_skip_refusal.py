"""A silence that was wanted and refused."""

from __future__ import annotations

from bot.mind.skip_refusal import refused_skip
from tests.fakes.evidence import call


def test_the_last_refused_skip_is_meant():
    first, last = call("skip", success=False, record_id=1), call("skip", success=False, record_id=2)
    assert refused_skip((first, call("memory_recall"), last)) == last


def test_a_skip_that_was_taken_is_no_refused_one():
    assert refused_skip((call("skip", success=False), call("skip"))) is None
    assert refused_skip((call("memory_recall", success=False),)) is None
