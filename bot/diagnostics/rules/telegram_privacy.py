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

_WELL_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.COMMAND})
_STILL_WORKS = "Slash commands, replies to it and DMs arrive."


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
        verdict=f"{place_name(evidence)}: {name} is not delivering",
        why=(
            "Group privacy is on" + (", and the bot is no admin." if asked else " for this bot."),
            _arrived(evidence),
            _STILL_WORKS,
        ),
        evidence=_newest(evidence),
        advice="Make the bot an admin of the group, or use slash commands and replies to it.",
        operator_advice="@BotFather: /setprivacy, Disable; then remove the bot from the group and add it again.",
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
    if not count:
        return "No message has ever come from there."
    return (
        f"Of the last {count:,} that came, none was plain talk." if count > 1 else "What came last was no plain talk."
    )


def _newest(evidence: Evidence) -> tuple[EvidenceRef, ...]:
    """Point at what came last; a command, which may be the very question, only where there is nothing else."""
    came = sorted((trail.inbound for trail in evidence.recent), key=_is_aside)
    return ref(HandleKind.INBOUND, came[0].id, f"what came last: {_kind(came[0])}") if came else ()


def _is_aside(stored: StoredInbound) -> bool:
    return stored.disposition is ArrivalDisposition.COMMAND or stored.inbound.kind is not InboundKind.MESSAGE


def _kind(stored: StoredInbound) -> str:
    said = stored.inbound
    if said.text.startswith("/"):
        return "a slash command"
    return "a reply to the bot" if said.replies_to_bot else "a mention" if said.mentions_bot else "an event"


def _settle(*, asked: bool) -> str:
    return "mention it there, and look for that in `ledger`." if asked else "`doctor` asks the platform."
