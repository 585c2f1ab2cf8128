"""How the model said that it will not answer."""

from __future__ import annotations

from bot.diagnostics.evidence.skip_reason import SkipReason, read_skip, turn_ref
from bot.domain.ledger import Outcome
from bot.domain.turn import TurnStatus
from tests.fakes.evidence import call, evidence, skipped, stored, trail, turn


def test_the_call_is_read_with_its_reason_and_category() -> None:
    about = skipped(arguments='{"reason":"m27d4 says so","category":"instructed","more":1}')
    assert read_skip(about) == SkipReason(True, "m27d4 says so", "instructed")
    assert turn_ref(about)[0].what == "chose silence (instructed) · 1 round · 2.1 s"


def test_broken_arguments_leave_the_call() -> None:
    assert read_skip(skipped(arguments="{broken")) == SkipReason(True, "", "")


def test_a_category_that_a_model_made_up_is_not_shown() -> None:
    about = skipped(arguments='{"category":"see https://evil.example"}')
    assert turn_ref(about)[0].what == "chose silence · 1 round · 2.1 s"


def test_without_a_successful_call_the_outcome_speaks() -> None:
    about = skipped()
    refused = about.replace(turn=turn(TurnStatus.SKIPPED, calls=(call(success=False),)))
    assert read_skip(refused) == SkipReason(False, "told so", "")
    reacted = about.replace(target=about.target.replace(about=trail(stored(Outcome.SKIPPED, "reacted: with 👍"))))
    assert read_skip(reacted.replace(turn=None)) == SkipReason(False, "with 👍", "reacted")
    assert read_skip(evidence(None)) == SkipReason(False, "", "")
    assert turn_ref(evidence(None)) == ()
