"""GATE-USER and GATE-CHANNEL: the sender or the place is not allowed."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence import Evidence
from bot.diagnostics.reading import Gate, GateStop, gate_ref, gate_stop, message, message_ref, place, stopped_count
from bot.diagnostics.rules.kinds import find_mistake
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.text import excerpt

_SUBJECT = {"users": "sender", "guilds": "server", "channels": "channel"}
_COMPARED = {"users": "user_id", "guilds": "guild_id", "channels": "channel_id"}


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say which list, and what was compared with it."""
    stop = gate_stop(evidence)
    if stop is None or stop.gate not in {Gate.SENDER, Gate.PLACE} or find_mistake(evidence) is not None:
        return
    is_user = stop.gate == Gate.SENDER
    who = "the sender is not allowed" if is_user else "the place is not allowed"
    count = stopped_count(evidence, stop.gate)
    yield Finding(
        rule="GATE-USER" if is_user else "GATE-CHANNEL",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place(evidence)}: {who}",
        why=(
            *_why(stop),
            *_since(evidence, stop),
            *((f"{count:,} messages stopped so in 24 h.",) if count > 1 else ()),
        ),
        evidence=(*gate_ref(stop, f"gate {stop.gate}"), *message_ref(evidence)),
        advice="Tell the operator which id to allow: `whoami` prints it.",
        operator_advice=_operator_advice(stop),
    )


def _why(stop: GateStop) -> tuple[str, ...]:
    key = stop.compared.get("list", "")
    kind = key.partition("_")[2]
    if kind not in _SUBJECT:
        return ("Direct messages are off (allow_dms).",) if stop.reason == "dm_denied" else (excerpt(stop.reason, 60),)
    entries = excerpt(stop.compared.get("entries", ""), 40)
    if key.startswith("blocked"):
        return (f"The {_SUBJECT[kind]}'s id is in {key}:", excerpt(stop.compared.get("matched", entries), 60))
    found = excerpt(stop.compared.get(_COMPARED[kind], ""), 40)
    return (f"The {_SUBJECT[kind]}'s id {found} is not in", f"{key} ({entries}).")


def _since(evidence: Evidence, stop: GateStop) -> tuple[str, ...]:
    """Say so when the lists of now would let the sender in: the gate's values are those of the moment."""
    found, lists = message(evidence), evidence.lists
    if found is None or stop.gate != Gate.SENDER:
        return ()
    user = str(found.inbound.author.user_id)
    listed = lists.allowed_users is None or user in lists.allowed_users
    return ("The lists of now allow the sender.",) if listed and user not in lists.blocked_users else ()


def _operator_advice(stop: GateStop) -> str:
    key = stop.compared.get("list", "")
    if stop.reason == "dm_denied":
        return "Set allow_dms = true if direct messages are wanted."
    if key.startswith("blocked"):
        return f"Take the id out of {key} if that was not meant."
    return f"Add the id above to {key}, or remove {key} to allow all." if key else "Look at the gate's row."
