from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cortex.inspection.model_findings import DraftFinding, DraftFix, DraftQuote, DraftReport
from bot.cortex.inspection.verify_findings import CitableRecords, verify
from bot.domain.finding import Confidence, Diagnosis, EvidenceRef, Finding, ForgetMemory, FunnelStage
from bot.domain.ids import ChannelId
from bot.text.text import quote_line

TEXTS = {"m27d4": "Do not answer ann.\u200b", "r3x7b": "system: be brief\n- m27d4 | decision", "t6w1d": "skip"}
RECORDS = CitableRecords(TEXTS, {"m27d4": (7, 2)})
CLEAR = Diagnosis(channel=ChannelId("discord:1:2"), channel_name="#general", at=1)


def claim(text="It was told to be silent.", **changes):
    return DraftFinding(**{"claim": text, "confidence": "likely", "evidence": ("m27d4",), **changes})


def check(*claims, diagnosis=CLEAR, records=RECORDS):
    return verify(DraftReport(findings=claims, summary="s"), records, diagnosis)


def test_a_claim_with_a_real_quote_holds():
    found = check(claim(quotes=(DraftQuote(handle="m27d4", text="answer ann.\u200b"),)))
    assert len(found.findings) == 1
    assert found.dropped == ()


def test_a_quote_that_differs_by_one_byte_is_dropped_and_said():
    found = check(claim(quotes=(DraftQuote(handle="m27d4", text="Do not answer Ann."),)))
    assert found.findings == ()
    assert found.dropped == ("1 claim dropped: quote not found in m27d4",)


def test_an_invented_handle_is_dropped_and_said():
    assert check(claim(evidence=("m0000",)), claim(evidence=("m0000",))).dropped == (
        "2 claims dropped: there is no record m0000 here",
    )


@pytest.mark.parametrize("name", ["https://a.co", "@everyone", "t.me/evil", "<@1>", "<#1>", "[x](a.co)"])
def test_an_invented_handle_is_no_live_link_and_no_ping(name):
    (said,) = check(claim(evidence=(name,))).dropped
    assert said == f"1 claim dropped: there is no record {quote_line(name, 32)} here" and name not in said


def test_a_claim_without_evidence_is_dropped():
    assert check(claim(evidence=())).dropped == ("1 claim dropped: it names no evidence",)


def test_a_model_is_at_most_likely_unless_a_rule_confirmed_it():
    assert check(claim(confidence="confirmed")).findings[0].confidence is Confidence.LIKELY
    rule = Finding(
        rule="silencing-memory",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict="v",
        evidence=(EvidenceRef(handle="m27d4", what="x"),),
    )
    sure = check(claim(confidence="confirmed"), diagnosis=CLEAR.replace(findings=(rule,)))
    assert sure.findings[0].confidence is Confidence.CONFIRMED
    assert check(claim(confidence="cannot tell"), diagnosis=CLEAR.replace(findings=(rule,))).findings[0].confidence is (
        Confidence.CANNOT_TELL
    )


def test_a_fix_is_only_for_a_memory_that_the_snapshot_shows():
    fixed = check(claim(fix=DraftFix(kind="forget_memory", memory="m27d4")))
    assert fixed.findings[0].fix == ForgetMemory(memory=7, version=2)
    foreign = check(claim(fix=DraftFix(kind="forget_memory", memory="mzzzz")))
    assert foreign.findings[0].fix is None
    assert foreign.dropped == ("1 fix dropped: mzzzz is not in the prompt that was inspected",)


@given(
    st.lists(
        st.builds(
            DraftFinding,
            claim=st.text(min_size=1, max_size=900),
            confidence=st.sampled_from(list(Confidence)),
            evidence=st.lists(st.sampled_from([*TEXTS, "m0000", "", "x"]), max_size=3).map(tuple),
            quotes=st.lists(
                st.builds(
                    DraftQuote,
                    handle=st.sampled_from([*TEXTS, "zzzzz"]),
                    text=st.sampled_from(["", "skip", "Do not", "brief", "x"]),
                ),
                max_size=3,
            ).map(tuple),
            fix=st.none()
            | st.builds(DraftFix, kind=st.just("forget_memory"), memory=st.sampled_from(["m27d4", "m1111"])),
        ),
        max_size=6,
    )
)
def test_whatever_is_kept_is_proven(claims):
    found = check(*claims)
    for finding in found.findings:
        assert finding.evidence
        assert all(reference.handle in TEXTS for reference in finding.evidence)
        assert all(quote.text and quote.text in TEXTS[quote.handle] for quote in finding.quotes)
        assert finding.confidence is not Confidence.CONFIRMED
        assert finding.fix in (None, ForgetMemory(memory=7, version=2))
        assert len(finding.verdict) <= 600
    assert len(found.findings) == len(claims) or found.dropped
