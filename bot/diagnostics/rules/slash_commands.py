"""SLASH and DC-ENDPOINT: native commands are not there, or too late, or the portal hands them to another address."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.adapter_facts import INTERACTIONS, adapter_fault, fact
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import last_seen_ref, message, outcome, place_name
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ledger import Outcome
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
        verdict=f"{place_name(evidence)}: {verdict}",
        why=(*why, "Typed commands and mentions work."),
        evidence=last_seen_ref(evidence),
        advice=advice,
        operator_advice=fix,
        settle="type / there: are its commands listed?",
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
        verdict=f"{place_name(evidence)}: slash commands go elsewhere",
        why=(
            f"The portal hands them to {quote_line(host, 60)}:",
            "an Interactions Endpoint URL is set there.",
            "Buttons do not arrive either. Typed commands and mentions work.",
        ),
        evidence=last_seen_ref(evidence),
        advice="Type the command with its mark, such as !cortex why, and tell the operator.",
        operator_advice="Developer Portal, General Information: empty Interactions Endpoint URL, and save.",
    )


_Said = tuple[str, tuple[str, ...], str, str]


def _unscoped(evidence: Evidence) -> _Said | None:
    if not any(probe.code == COMMANDS_SCOPE for probe in evidence.probes or ()):
        return None
    return (
        "no slash commands here",
        ("The bot was invited to this server without", "the scope applications.commands."),
        "Invite the bot again with its new link; it need not leave. The operator has the link.",
        "`glassmind init` prints the invite link with both scopes; who manages the server opens it once.",
    )


def _unsynced(evidence: Evidence) -> _Said | None:
    state = fact(evidence.adapter.facts, COMMANDS) if evidence.adapter else ""
    _, failed, code = state.partition("failed:")
    if not failed:
        return None
    why = (
        "The day's quota of new commands is used up." if code == _QUOTA else f"It was refused: {quote_line(code, 40)}."
    )
    return (
        "slash commands are old",
        ("They could not be made known at the start.", why),
        "Type the command with its mark, such as !cortex why, and mention the bot.",
        "Nothing is lost: it is tried again at the next start." if code == _QUOTA else "The log has the error.",
    )


def _late(evidence: Evidence) -> _Said | None:
    facts = evidence.adapter.facts if evidence.adapter else ()
    count, at = fact(facts, LATE), fact(facts, LAST_LATE)
    if not (count.isascii() and count.isdigit() and at.isascii() and at.isdigit()):
        return None
    if evidence.now - int(at) > _RECENT_COMMAND_MS:
        return None
    return (
        "commands were heard too late",
        (f"{int(count):,} since the start, last {clock_time(int(at))}:", "the platform waits 3 s for a first word."),
        "Use the command again.",
        "The host or its network is slow: look at the load, and at `doctor`.",
    )
