"""TG-PRIVACY: the platform delivers only a part of what is written in a group."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import channel_probe, heard_plain_talk, platform_title, withholds_talk
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import came_late, message, outcome, place_name, ref
from bot.domain.channel import ResponseMode
from bot.domain.finding import Confidence, EvidenceRef, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import ArrivalDisposition, Outcome, StoredInbound
from bot.domain.messages import InboundKind
from bot.sentences import say

_WELL_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.COMMAND})


def check(evidence: Evidence) -> Iterator[Finding]:
    """Compare what the platform says of the group with what arrived from it lately.

    Whether a bare mention is delivered is contested, so nothing is claimed about mentions: what arrived decides.
    """
    if not withholds_talk(evidence) or not _is_unexplained(evidence) or heard_plain_talk(evidence):
        return
    mode = evidence.target.settings.mode
    wants_all = mode is ResponseMode.ACTIVE
    if mode is ResponseMode.OBSERVE or (not wants_all and message(evidence) is not None):
        return  # who spoke to the bot was answered, and others are not to be
    asked, name = channel_probe(evidence) is not None, platform_title(evidence.target.channel)
    yield Finding(
        rule="TG-PRIVACY",
        stage=FunnelStage.ARRIVAL,
        confidence=_confidence(asked=asked, wants_all=wants_all),
        verdict=say("telegram_privacy.verdict", place=place_name(evidence), name=name),
        why=(
            say("telegram_privacy.no-admin" if asked else "telegram_privacy.for-this-bot"),
            _arrived(evidence),
            say("telegram_privacy.still-works"),
        ),
        evidence=_newest(evidence),
        advice=say("telegram_privacy.make-admin"),
        operator_advice=say("telegram_privacy.set-privacy"),
        settle="" if asked and wants_all else _settle(asked=asked),
    )


def _confidence(*, asked: bool, wants_all: bool) -> Confidence:
    if not wants_all:
        return Confidence.CANNOT_TELL  # perhaps nobody spoke to it
    return Confidence.CONFIRMED if asked else Confidence.LIKELY


def _is_unexplained(evidence: Evidence) -> bool:
    """Say whether nothing that did arrive went without an answer: that has a cause of its own."""
    settled = message(evidence) is None or outcome(evidence) in _WELL_OUTCOMES
    return settled and not came_late(evidence) and evidence.target.settings.pause is None


def _arrived(evidence: Evidence) -> str:
    count = sum(trail.inbound.inbound.kind is InboundKind.MESSAGE for trail in evidence.recent)
    return say("telegram_privacy.no-plain-talk", count=count) if count else say("telegram_privacy.never-came")


def _newest(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    """Point at what came last; a command, which may be the very question, only where there is nothing else."""
    came = sorted((trail.inbound for trail in evidence.recent), key=_is_aside)
    return ref(HandleKind.INBOUND, came[0].id, say("telegram_privacy.came-last", kind=_kind(came[0]))) if came else ()


def _is_aside(stored: StoredInbound) -> bool:
    return stored.disposition is ArrivalDisposition.COMMAND or stored.inbound.kind is not InboundKind.MESSAGE


def _kind(stored: StoredInbound) -> str:
    said = stored.inbound
    if said.text.startswith("/"):
        return "command"
    return "reply" if said.replies_to_bot else "mention" if said.mentions_bot else "event"


def _settle(*, asked: bool) -> str:
    return say("telegram_privacy.settle-mention" if asked else "telegram_privacy.settle-doctor")
