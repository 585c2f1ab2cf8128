"""Check what the inspection branch claims against the records; what does not hold is dropped, and that is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bot.cortex.inspection.claim_words import handles_in, says_all_is_well, sentences, tells_of
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
from bot.sentences import say
from bot.text.text import quote_line

MIN_QUOTE_CHARS = 4
"""Characters that a quote has at least, spaces apart: what is shorter stands everywhere."""


class CitableRecords(NamedTuple):
    """What may be named: each handle with the text that it opens, and the memories that the snapshot shows.

    `memories` maps a memory's handle to its row and version, `contents` to its own words; `facts` says what a record
    is, in our words. `bulletin` is what the prompt says of memories, each beside its handle.
    """

    texts: Mapping[str, str]
    memories: Mapping[str, tuple[int, int]]
    facts: Mapping[str, str] = MappingProxyType({})
    contents: Mapping[str, str] = MappingProxyType({})
    bulletin: str = ""


class VerifiedFindings(NamedTuple):
    """What held, and one line for every kind of claim that did not."""

    findings: tuple[Finding, ...]
    dropped: tuple[str, ...]
    summary: str


def verify(draft: DraftReport, records: CitableRecords, diagnosis: Diagnosis) -> VerifiedFindings:
    """Keep the claims whose every handle exists, and whose every quote occurs byte for byte in what it opens.

    A claim without a quote is none, nor is one that all is well; of a fix a quote has to name the target.
    """
    kept: list[Finding] = []
    lost: list[str] = []
    faults: Counter[str] = Counter()
    unfit: Counter[str] = Counter()
    for claim in draft.findings:
        fault = _fault(claim, records)
        if fault:
            faults[fault] += 1
            lost.append(claim.claim)
            continue
        if why := _unfit_fix(claim, records):
            unfit[why] += 1
        kept.append(_finding(claim if not why else claim.model_copy(update={"fix": None}), records, diagnosis))
    lines = [say("inspection.claims-dropped", count=count, why=why) for why, count in faults.items()]
    lines += [say("inspection.fix-dropped", count=count, why=why) for why, count in unfit.items()]
    if draft.beyond:
        lines.append(say("inspection.claims-not-looked-at", count=draft.beyond))
    told = _summary(draft.summary, [finding.verdict for finding in kept], lost, records)
    if kept and draft.summary.strip() and not told:
        lines.append(say("inspection.summary-left-out"))
    return VerifiedFindings(tuple(kept), tuple(lines), told)


def _summary(summary: str, kept: Sequence[str], lost: Sequence[str], records: CitableRecords) -> str:
    """Leave out of a summary what tells of dropped claims, or names what is no record; all of it where none held."""
    if lost and not kept:
        return ""
    held = [
        sentence
        for sentence in sentences(summary)
        if not tells_of(sentence, lost, kept) and handles_in(sentence) <= records.texts.keys()
    ]
    return "".join(held).strip()


def _unfit_fix(claim: DraftFinding, records: CitableRecords) -> str:
    """Say why a fix is not offered, empty where it may be.

    Text that the model read may have told it to name any memory: a quote of that memory's own words has to be there.
    """
    if claim.fix is None:
        return ""
    name = claim.fix.memory
    if name not in records.memories:
        return say("inspection.not-in-prompt", handle=_name(name))
    words = records.contents.get(name, records.texts.get(name, ""))
    if any(quote.handle == name and quote.text in words for quote in claim.quotes):
        return ""
    if any(name in quote.text and quote.text in records.bulletin for quote in claim.quotes):
        return ""
    return say("inspection.no-quote-names", handle=name)


def _fault(claim: DraftFinding, records: CitableRecords) -> str:
    if says_all_is_well(claim.claim):
        return say("inspection.all-is-well")
    if not claim.evidence and not claim.quotes:
        return say("inspection.no-evidence")
    for handle in (*claim.evidence, *(quote.handle for quote in claim.quotes)):
        if handle not in records.texts:
            return say("inspection.no-such-record", handle=_name(handle))
    for quote in claim.quotes:
        if not quote.text or quote.text not in records.texts[quote.handle]:
            return say("inspection.quote-not-found", handle=_name(quote.handle))
    if not any(len("".join(quote.text.split())) >= MIN_QUOTE_CHARS for quote in claim.quotes):
        return say("inspection.quote-too-short" if claim.quotes else "inspection.quotes-nothing")
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
    return quote_line(handle[:12], 32) or say("inspection.empty-handle")
