"""What is listed where nothing decides a question: free steps first, then a model with its price."""

from __future__ import annotations

import pytest

from bot.cortex.inspection.next_steps import after_inspection, after_rules, steps_text
from bot.cortex.inspection.verify_findings import VerifiedFindings
from bot.domain.finding import Confidence, Diagnosis, EvidenceRef, Finding, FunnelStage
from bot.domain.ids import ChannelId


def found(confidence: Confidence, **changes: object) -> Finding:
    about = {"rule": "x", "stage": FunnelStage.DECISION, "confidence": confidence, "verdict": "v", **changes}
    return Finding.model_validate(about)


def diagnosed(*findings: Finding) -> Diagnosis:
    return Diagnosis(channel=ChannelId("console:#general"), channel_name="#general", at=1, findings=findings)


OPEN = found(
    Confidence.CANNOT_TELL, settle="write to it again", evidence=(EvidenceRef(handle="r3x7b", what="the request"),)
)


def test_the_decisive_step_comes_first_and_the_priced_one_last():
    text = steps_text(after_rules(diagnosed(OPEN), 60_000), lambda tokens: tokens / 1_000_000)
    lines = text.splitlines()
    assert lines[0] == "What can be tried next:" and lines[1] == "1. write to it again · free"
    assert lines[2] == "2. `read r3x7b`: the words that it was told · free"
    assert lines[-2] == "4. `prove r3x7b`: which part did it · price first"
    assert lines[-1] == "5. [Ask]: a model reads the context · up to $0.06"


def test_without_a_price_the_tokens_are_said():
    assert steps_text(after_rules(diagnosed(OPEN), 60_000), lambda _: None).endswith("up to 60.0K tokens")


@pytest.mark.parametrize("sure", [Confidence.CONFIRMED, Confidence.LIKELY])
def test_nothing_is_listed_where_the_question_is_decided(sure):
    assert after_rules(diagnosed(found(sure)), 1) == after_rules(diagnosed(), 1) == ()
    assert after_inspection(VerifiedFindings((found(sure),), ("1 claim dropped",), ""), 1) == ()
    assert after_inspection(VerifiedFindings((), (), "fine"), 1) == ()
    assert steps_text((), lambda _: None) == ""


def test_a_report_of_which_nothing_held_is_followed_by_what_can_be_tried():
    for verified in (
        None,
        VerifiedFindings((), ("1 claim dropped: it quotes nothing",), ""),
        VerifiedFindings((OPEN,), (), ""),
    ):
        assert (
            steps_text(after_inspection(verified, 5_000), lambda _: None).splitlines()[-1].startswith("5. `ask` again")
        )
