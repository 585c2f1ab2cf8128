"""Check what the inspection branch claims against the records; what does not hold is dropped, and that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bot.cortex.inspection.model_findings import MAX_CLAIM_CHARS, DraftFinding, DraftReport
from bot.domain.finding import (
    Confidence,
    Diagnosis,
    EvidenceQuote,
    EvidenceRef,
    Finding,
    ForgetMemory,
    FunnelStage,
)
from bot.text.text import quote_line


class CitableRecords(NamedTuple):
    """What may be named: each handle with the text that it opens, and the memories that the snapshot shows.

    `memories` maps a memory's handle to its row and version; `facts` says what a record is, in our words.
    """

    texts: Mapping[str, str]
    memories: Mapping[str, tuple[int, int]]
    facts: Mapping[str, str] = MappingProxyType({})


class VerifiedFindings(NamedTuple):
    """What held, and one line for every kind of claim that did not."""

    findings: tuple[Finding, ...]
    dropped: tuple[str, ...]
    summary: str


def verify(draft: DraftReport, records: CitableRecords, diagnosis: Diagnosis) -> VerifiedFindings:
    """Keep the claims whose every handle exists, and whose every quote occurs byte for byte in what it opens."""
    kept: list[Finding] = []
    faults: Counter[str] = Counter()
    for claim in draft.findings:
        fault = _fault(claim, records)
        if fault:
            faults[fault] += 1
        else:
            kept.append(_finding(claim, records, diagnosis))
            if claim.fix is not None and claim.fix.memory not in records.memories:
                faults[f"fix: {_name(claim.fix.memory)} is not in the prompt that was inspected"] += 1
    return VerifiedFindings(tuple(kept), tuple(_line(fault, count) for fault, count in faults.items()), draft.summary)


def _fault(claim: DraftFinding, records: CitableRecords) -> str:
    if not claim.evidence and not claim.quotes:
        return "it names no evidence"
    for handle in (*claim.evidence, *(quote.handle for quote in claim.quotes)):
        if handle not in records.texts:
            return f"there is no record {_name(handle)} here"
    for quote in claim.quotes:
        if not quote.text or quote.text not in records.texts[quote.handle]:
            return f"quote not found in {_name(quote.handle)}"
    return ""


def _finding(claim: DraftFinding, records: CitableRecords, diagnosis: Diagnosis) -> Finding:
    visible = records.memories.get(claim.fix.memory) if claim.fix else None
    named = tuple(dict.fromkeys((*claim.evidence, *(quote.handle for quote in claim.quotes))))
    return Finding(
        rule="branch",
        stage=diagnosis.findings[0].stage if diagnosis.findings else FunnelStage.DECISION,
        confidence=_confidence(claim, named, diagnosis),
        verdict=claim.claim[:MAX_CLAIM_CHARS],
        evidence=tuple(EvidenceRef(handle=handle, what=records.facts.get(handle, "")) for handle in named),
        quotes=tuple(EvidenceQuote(handle=quote.handle, text=quote.text) for quote in claim.quotes),
        fix=ForgetMemory(memory=visible[0], version=visible[1]) if visible else None,
    )


def _confidence(claim: DraftFinding, named: tuple[str, ...], diagnosis: Diagnosis) -> Confidence:
    """A model is never surer than `likely`, unless a rule has confirmed the same records."""
    if claim.confidence is not Confidence.CONFIRMED:
        return claim.confidence
    proven = {
        reference.handle
        for finding in diagnosis.findings
        if finding.confidence is Confidence.CONFIRMED
        for reference in finding.evidence
    }
    return Confidence.CONFIRMED if proven.intersection(named) else Confidence.LIKELY


def _name(handle: str) -> str:
    # it stands among our own words, where a link or a ping of twelve characters would be live
    return quote_line(handle[:12], 32) or "(empty)"


def _line(fault: str, count: int) -> str:
    if fault.startswith("fix: "):
        return f"{count} fix dropped: {fault.removeprefix('fix: ')}"
    return f"{count} claim{'s' * (count > 1)} dropped: {fault}"
