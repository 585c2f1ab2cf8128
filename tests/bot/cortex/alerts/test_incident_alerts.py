"""What the one message about a service in trouble says."""

from __future__ import annotations

import pytest

from bot.cortex.alerts.incident_alerts import ALERTED_FAULTS, incident_text
from bot.domain.incident import Incident
from bot.text.times import plain_times
from tests.fakes.clock import START


def incident(fault: str, **changes: object) -> Incident:
    base = {"provider": "openai", "fault": fault, "since": START, "last": START + 60_000}
    return Incident.model_validate({**base, "models": ("openai/gpt-5",), "places": ("a", "b"), "failed": 3, **changes})


def told(about: Incident, *, has_fallback: bool) -> str:
    return plain_times(incident_text(about, has_fallback=has_fallback))


@pytest.mark.parametrize("fault", sorted(fault.value for fault in ALERTED_FAULTS))
def test_every_fault_has_words_and_advice(fault: str):
    words = told(incident(fault, unanswered=3), has_fallback=False)
    assert words.startswith("✗ The model service openai ") and "\n→ " in words and "\n\n" not in words
    assert "Seen in 2 channels, 3 times." in words and "Without an answer: 3." in words
    assert "Since 08:53" in words and "Nobody answers in its place: there is no fallback." in words


def test_a_limit_says_when_it_ends():
    words = told(incident("rate", again_at=START + 600_000), has_fallback=True)
    assert "It may be asked again at 09:03" in words and "no fallback" not in words


def test_the_end_needs_no_advice():
    words = told(incident("auth", ended=START + 120_000, instead=2), has_fallback=True)
    assert words.startswith("✓ Over: the model service openai answers again.") and "→" not in words
    assert "From 08:53:20 to 08:55:20 UTC." in words and "Answered by another model instead: 2." in words


def test_who_did_not_answer_in_its_place_is_named():
    words = told(incident("rate"), has_fallback=True)
    assert "Nobody has answered in its place yet." in words
    words = told(incident("rate").left_alone(("openai/gpt-5", "other/spare")), has_fallback=True)
    assert "Nobody answers in its place: other/spare fails too." in words and "Without an answer: 1." in words
