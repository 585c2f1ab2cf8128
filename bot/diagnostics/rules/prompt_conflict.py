"""PROMPT-CONFLICT: the prompt says the same twice or again and again, or one block asks for what another forbids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from bot.diagnostics.evidence.contradiction import RepeatedParagraph, demands_address, repeated_paragraph
from bot.diagnostics.evidence.culprit import find_culprit
from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    last_request,
    message_ref,
    outcome,
    place_name,
    quote_service_words,
    ref,
)
from bot.diagnostics.evidence.skip_reason import turn_ref
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.messages import Message, Role, TextPart
from bot.sentences import say

_MAX_MESSAGES, _MAX_CHARS = 24, 1_000
"""How many messages are looked at, and how much of each: a question must not wait for this."""
_RUN_WORDS = 12
"""So many words in a row are not written again and again by chance."""
_MIN_MESSAGES = 4
"""Messages that hold them."""
_MIN_SHARE = 0.3


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look for a persona that forbids what the mode asks for, after a silence; for repetitions, after an answer."""
    if outcome(evidence) is Outcome.SKIPPED and find_culprit(evidence) is None and demands_address(evidence):
        if not edited_since(evidence):
            yield _contradiction(evidence)
    elif outcome(evidence) is Outcome.REPLIED and (twice := repeated_paragraph(evidence)) is not None:
        yield _repetition(evidence, twice)
    elif outcome(evidence) is Outcome.REPLIED and (found := repeated_words(evidence)) is not None:
        yield _growth(evidence, found)


def _contradiction(evidence: Evidence) -> Finding:
    where = "dm" if evidence.target.place.is_dm else "channel"
    return Finding(
        rule="PROMPT-CONFLICT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=say("prompt_conflict.contradicts", place=place_name(evidence)),
        why=(
            say("prompt_conflict.persona-tells"),
            say("prompt_conflict.persona-tells-more"),
            say("prompt_conflict.rules-ask-more", where=where),
        ),
        evidence=(*_request(evidence), *turn_ref(evidence), *message_ref(evidence)),
        advice=say("prompt_conflict.mention-it"),
        operator_advice=say("prompt_conflict.out-of-persona"),
        settle=say("prompt_conflict.settle-persona"),
    )


def _repetition(evidence: Evidence, twice: RepeatedParagraph) -> Finding:
    if twice.first == twice.second:
        where = say("prompt_conflict.twice-in", section=twice.first)
    else:
        where = say("prompt_conflict.in-two", one=twice.first, other=twice.second)
    return Finding(
        rule="PROMPT-CONFLICT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.CONFIRMED,
        verdict=say("prompt_conflict.repeats", place=place_name(evidence)),
        why=(
            where,
            say("prompt_conflict.beginning", count=len(twice.text)),
            *quote_service_words(twice.text, 40, 1),
        ),
        evidence=(*_request(evidence), *message_ref(evidence)),
        advice=say("prompt_conflict.told-twice"),
        operator_advice=say("prompt_conflict.reword-persona"),
    )


def _growth(evidence: Evidence, found: RepeatedWords) -> Finding:
    return Finding(
        rule="PROMPT-CONFLICT",
        stage=FunnelStage.DECISION,
        confidence=Confidence.LIKELY,
        verdict=say("prompt_conflict.grows", place=place_name(evidence)),
        why=(
            say("prompt_conflict.repeat-it", count=found.messages, of=found.of),
            say("prompt_conflict.share", percent=round(found.share * 100)),
            say("prompt_conflict.begins"),
            *quote_service_words(found.text, 40, 1),
        ),
        evidence=(*_request(evidence), *message_ref(evidence)),
        advice=say("prompt_conflict.look-for-it"),
        operator_advice=say("prompt_conflict.persona-once"),
        settle=say("prompt_conflict.settle-new"),
    )


def _request(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    request = last_request(evidence)
    return ref(HandleKind.REQUEST, request.id, say("prompt_conflict.request")) if request else ()


class RepeatedWords(NamedTuple):
    """Words that come with every message: in how many of those looked at, and which part of their words it is."""

    text: str
    messages: int
    of: int
    share: float


def repeated_words(evidence: Evidence) -> RepeatedWords | None:
    """Return what most of the newest messages of people repeat, the newest of them included; None: nothing."""
    request = last_request(evidence)
    messages = reversed(request.record.request.messages) if request else ()
    said = [words for words in islice((_words(m) for m in messages if m.role is Role.USER), _MAX_MESSAGES) if words]
    runs = [_runs(words) for words in said]
    counts = Counter(run for found in runs for run in set(found))
    usual = {run for run, count in counts.items() if count >= _MIN_MESSAGES}
    if not said or usual.isdisjoint(runs[0]):
        return None
    first = next(place for place, run in enumerate(runs[0]) if run in usual)
    covered = [_covered(found, usual) for found in runs]
    share = sum(covered) / sum(map(len, said))
    if share < _MIN_SHARE:
        return None
    text = " ".join(said[0][first : first + _RUN_WORDS])
    return RepeatedWords(text, sum(map(bool, covered)), len(said), share)


def _words(message: Message) -> list[str]:
    """Return what somebody wrote: the last part, without the line that we put before it."""
    last = message.parts[-1] if message.parts else None
    if message.summary is not None or not isinstance(last, TextPart):
        return []
    first, newline, rest = last.text.partition("\n")
    written = rest if newline and first.startswith('{"at":') else last.text
    return written[:_MAX_CHARS].split()


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(words[start:] for start in range(_RUN_WORDS)), strict=False))


def _covered(runs: list[tuple[str, ...]], usual: set[tuple[str, ...]]) -> int:
    places = {place + step for place, run in enumerate(runs) if run in usual for step in range(_RUN_WORDS)}
    return len(places)
