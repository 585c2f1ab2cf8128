"""Hold an answer against what its request told the model: what it denies, what is gone, what excludes each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from bot.diagnostics.evidence.evidence import DroppedMessages, Evidence
from bot.diagnostics.evidence.evidence_reader import is_own_work, message, outcome
from bot.domain.finding import EvidenceQuote, EvidenceRef
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.domain.turn import StoredOutbox, StoredRequest
from bot.inspect.diff.find_words import SourcedLine, SourceKind, WordSource
from bot.mind.contradictions import Contradiction, Difference, contradiction
from bot.mind.denied_facts import DeniedFact, denials, denied_fact
from bot.mind.fact_search import HeldFact, ToldLine, alike
from bot.mind.lost_facts import asks_for_everything, lost_fact
from bot.mind.source_ranking import content
from bot.mind.told_lines import told_lines
from bot.sentences import say
from bot.text.terms import is_figure, terms

_ANSWER_KIND = "reply"
_MAX_COMPARED = 60
_MAX_QUOTE_CHARS = 200
_NOT_COMPARED = frozenset({SourceKind.CONFIG})
_COMPARED = frozenset({SourceKind.MEMORY, SourceKind.CONFIG, SourceKind.SUMMARY})
_SOURCE_WORDS = {
    SourceKind.MEMORY: "told_facts.memory",
    SourceKind.CONFIG: "told_facts.persona",
    SourceKind.SUMMARY: "told_facts.summary",
    SourceKind.MESSAGE: "told_facts.message",
    SourceKind.FILE: "told_facts.file",
    SourceKind.RESULT: "told_facts.tool",
    SourceKind.ANSWER: "told_facts.answer",
}


class ToldAnswer(NamedTuple):
    """An answer that was given, what it answers, and the request that it came back for."""

    text: str
    asked: str
    asker: str
    request: StoredRequest
    rows: tuple[StoredOutbox, ...]


class LostFact(NamedTuple):
    """What is not told any more: what took it away, and the line that held it (None: everything was asked about)."""

    dropped: DroppedMessages
    held: HeldFact | None


class ToldContradiction(NamedTuple):
    """Two lines of one request that exclude each other."""

    one: ToldLine
    other: ToldLine
    found: Contradiction


def told_answer(evidence: Evidence) -> ToldAnswer | None:
    """Return the answer that is asked about; None where none was given, or its words were not kept."""
    turn, asked = evidence.turn, message(evidence)
    if outcome(evidence) is not Outcome.REPLIED or turn is None or asked is None or is_own_work(evidence):
        return None
    rows = tuple(row for row in turn.outbox if row.body.kind == _ANSWER_KIND)
    sent = [one for one in turn.requests if one.mark is None and one.record.words]
    if not rows or not sent:
        return None
    said = "\n".join(row.body.text for row in rows)
    return ToldAnswer(said, asked.inbound.text, asked.inbound.author.name, sent[-1], rows)


def find_denied(evidence: Evidence) -> DeniedFact | None:
    """Return the fact that the answer denies although its request holds it."""
    answer = told_answer(evidence)
    if answer is None or not denials(answer.text):
        return None
    told = _told(evidence, answer)
    return denied_fact(answer.text, answer.asked, answer.asker, told, _people(told))


def find_lost(evidence: Evidence) -> LostFact | None:
    """Return what the answer lacks, because the message that said it is not part of the conversation any more."""
    answer = told_answer(evidence) if evidence.dropped else None
    if answer is None:
        return None
    if asks_for_everything(evidence.question):
        return LostFact(max(evidence.dropped, key=lambda one: one.at), None)
    if not evidence.question and not denials(answer.text):
        return None
    gone = [(line, one) for one in evidence.dropped for line in _said_in(one)]
    told = _told(evidence, answer)
    lines = [line for line, _ in gone]
    held = lost_fact(
        answer.text, answer.asked, answer.asker, evidence.question, (lines, told), _people([*lines, *told])
    )
    whose = next((one for line, one in gone if held is not None and line is held.told), None)
    return LostFact(whose, held) if whose is not None else None


def find_contradiction(evidence: Evidence) -> ToldContradiction | None:
    """Return two lines of the request that exclude each other, one of which the answer used."""
    answer = told_answer(evidence)
    if answer is None:
        return None
    said, asked = terms(answer.text), terms(answer.asked)
    about = {term for term in (*said, *asked) if not is_figure(term)}
    lines = [one for one in told_lines(answer.request.record) if one.line.source.kind in _COMPARED]
    near = [one for one in lines if any(alike(term, own) for term in terms(content(one.line)) for own in about)]
    for at, one in enumerate(near[:_MAX_COMPARED]):
        for other in near[at + 1 : _MAX_COMPARED]:
            if not _may_exclude(one, other):
                continue
            found = contradiction(content(one.line), content(other.line))
            if found is not None and _is_used(found, said, asked):
                return ToldContradiction(one, other, found)
    return None


def source_words(line: SourcedLine) -> str:
    """Name what a line is in our own words, with its handle where it has one."""
    source = line.source
    said = say(_SOURCE_WORDS.get(source.kind, "told_facts.line"))
    if source.kind is SourceKind.RESULT and source.handle:
        said = say(_SOURCE_WORDS[SourceKind.MEMORY])
    return say("told_facts.with-handle", what=said, handle=source.handle) if source.handle else said


def line_ref(line: SourcedLine, what: str) -> tuple[EvidenceRef, ...]:
    """Point at the record of a line; a line of the configuration has none."""
    return (EvidenceRef(handle=line.source.handle, what=what),) if line.source.handle else ()


def quote_of(line: SourcedLine, request: StoredRequest) -> EvidenceQuote:
    """Quote a line; where it has no record of its own, as what stands in the request."""
    name = line.source.handle or handle(HandleKind.REQUEST, request.id)
    return EvidenceQuote(handle=name, text=content(line)[:_MAX_QUOTE_CHARS])


def _told(evidence: Evidence, answer: ToldAnswer) -> list[ToldLine]:
    """Return what the model was told, without the message that it answers."""
    asked = message(evidence)
    own = handle(HandleKind.INBOUND, asked.id) if asked else ""
    return [one for one in told_lines(answer.request.record) if one.line.source.handle != own]


def _said_in(dropped: DroppedMessages) -> list[ToldLine]:
    not_told = say("told_facts.not-told")
    return [
        ToldLine(
            SourcedLine(not_told, line, WordSource(SourceKind.MESSAGE, say("told_facts.message"), one.handle)),
            one.author,
        )
        for one in dropped.messages
        for line in one.text.split("\n")
        if line.strip()
    ]


def _people(told: Sequence[ToldLine]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.author for one in told if one.author))


def _may_exclude(one: ToldLine, other: ToldLine) -> bool:
    """Say whether two lines are worth comparing: not two of the persona, nor one record with itself."""
    kinds = {one.line.source.kind, other.line.source.kind}
    return kinds != _NOT_COMPARED and (not one.line.source.handle or one.line.source.handle != other.line.source.handle)


def _is_used(found: Contradiction, said: Sequence[str], asked: Sequence[str]) -> bool:
    """Say whether an answer says what one of the two says, about what both are about."""
    about = [term for term in found.subject if any(alike(term, own) for own in (*said, *asked))]
    if found.difference is Difference.NEGATION:
        return len(about) >= min(2, len(found.subject))
    return bool(about) and any(alike(term, own) for term in chain(*found.values) for own in said)
