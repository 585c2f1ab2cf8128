"""SLASH and DC-ENDPOINT: native commands are not there, or too late, or the portal hands them to another address."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import INTERACTIONS, adapter_fault, fact
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_seen_ref, message, outcome, place_name
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ledger import Outcome
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import clock_time

COMMANDS, COMMANDS_SCOPE = "commands", "commands_scope"
"""A fact and the codes of probes: whether the commands are known to the platform, and allowed in this server."""

LATE, LAST_LATE = "late_interactions", "last_late_interaction_at"
_RECENT_COMMAND_MS = 3_600_000
_WELL_OUTCOMES = frozenset({None, Outcome.REPLIED, Outcome.COMMAND})
_QUOTA = "commands_quota"


def check(evidence: Evidence) -> Iterator[Finding]:
    """Look only where no message explains the silence: who taps a command that fails leaves none."""
    if not evidence.running or adapter_fault(evidence) or evidence.adapter is None:
        return
    if message(evidence) is not None and outcome(evidence) not in _WELL_OUTCOMES:
        return
    host = _elsewhere(evidence)
    if host:
        yield _sent_elsewhere(evidence, host)
        return
    said = _unscoped(evidence) or _unsynced(evidence) or _late(evidence)
    if said is None:
        return
    verdict, why, advice, fix = said
    yield Finding(
        rule="SLASH",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.LIKELY,
        verdict=say(verdict, place=place_name(evidence)),
        why=(*why, say("slash_commands.typed-work")),
        evidence=last_seen_ref(evidence),
        advice=say(advice),
        operator_advice=say(fix),
        settle=say("slash_commands.settle"),
    )


def _elsewhere(evidence: Evidence) -> str:
    """Return the host to which the platform hands commands and presses in this bot's place; empty for none."""
    known = [evidence.adapter.facts] if evidence.adapter else []
    known += [probe.facts for probe in evidence.probes or ()]
    return next((host for facts in known if (host := fact(facts, INTERACTIONS))), "")


def _sent_elsewhere(evidence: Evidence, host: str) -> Finding:
    return Finding(
        rule="DC-ENDPOINT",
        stage=FunnelStage.ARRIVAL,
        confidence=Confidence.CONFIRMED,
        verdict=say("slash_commands.elsewhere", place=place_name(evidence)),
        why=(
            say("slash_commands.portal-sends", host=quote_line(host, 60)),
            say("slash_commands.endpoint-set"),
            say("slash_commands.buttons-neither"),
        ),
        evidence=last_seen_ref(evidence),
        advice=say("slash_commands.type-it"),
        operator_advice=say("slash_commands.empty-url"),
    )


_Said = tuple[str, tuple[str, ...], str, str]


def _unscoped(evidence: Evidence) -> _Said | None:
    if not any(probe.code == COMMANDS_SCOPE for probe in evidence.probes or ()):
        return None
    return (
        "slash_commands.unscoped",
        (say("slash_commands.invited-without"), say("slash_commands.the-scope")),
        "slash_commands.invite-again",
        "slash_commands.invite-link",
    )


def _unsynced(evidence: Evidence) -> _Said | None:
    state = fact(evidence.adapter.facts, COMMANDS) if evidence.adapter else ""
    _, failed, code = state.partition("failed:")
    if not failed:
        return None
    used_up = code == _QUOTA
    refused = say("slash_commands.registering-refused", code=quote_line(code, 40))
    return (
        "slash_commands.old",
        (say("slash_commands.not-made-known"), say("slash_commands.quota-used") if used_up else refused),
        "slash_commands.type-and-mention",
        "slash_commands.tries-again" if used_up else "slash_commands.log-has-it",
    )


def _late(evidence: Evidence) -> _Said | None:
    facts = evidence.adapter.facts if evidence.adapter else ()
    count, at = fact(facts, LATE), fact(facts, LAST_LATE)
    if not (count.isascii() and count.isdigit() and at.isascii() and at.isdigit()):
        return None
    if evidence.now - int(at) > _RECENT_COMMAND_MS:
        return None
    return (
        "slash_commands.late",
        (
            say("slash_commands.late-count", count=int(count), time=clock_time(int(at))),
            say("slash_commands.three-seconds"),
        ),
        "slash_commands.use-again",
        "slash_commands.slow-host",
    )
