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
    count = stopped_count(evidence, stop.gate)
    yield Finding(
        rule="GATE-USER" if stop.gate == Gate.SENDER else "GATE-CHANNEL",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place(evidence)}: {_verdict(stop)}",
        why=(
            *_why(stop),
            *_since(evidence, stop),
            *((f"{count:,} messages stopped so in 24 h.",) if count > 1 else ()),
        ),
        evidence=(*gate_ref(stop, f"gate {stop.gate}"), *message_ref(evidence)),
        advice=_advice(stop),
        operator_advice=_operator_advice(stop),
    )


def _verdict(stop: GateStop) -> str:
    if stop.reason == "dm_denied":
        return "direct messages are off"
    subject = _SUBJECT.get(stop.compared.get("list", "").partition("_")[2])
    subject = subject or ("sender" if stop.gate == Gate.SENDER else "channel")
    return f"the {subject} is {'blocked' if _is_blocked(stop) else 'not allowed'}"


def _is_blocked(stop: GateStop) -> bool:
    return stop.compared.get("list", "").startswith("blocked")


def _why(stop: GateStop) -> tuple[str, ...]:
    key = stop.compared.get("list", "")
    kind = key.partition("_")[2]
    if stop.reason == "dm_denied":
        return ("allow_dms is off for this platform.",)
    if kind not in _SUBJECT:
        return (excerpt(stop.reason, 60),)
    entries = excerpt(stop.compared.get("entries", ""), 40)
    if _is_blocked(stop):
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


def _advice(stop: GateStop) -> str:
    if stop.reason == "dm_denied" or _is_blocked(stop):
        return "Tell the operator if that was not meant: only the configuration can change it."
    return "Tell the operator to allow the id above: only the configuration can."


def _operator_advice(stop: GateStop) -> str:
    key = stop.compared.get("list", "")
    if stop.reason == "dm_denied":
        return "If direct messages are wanted, set allow_dms = true and restart."
    if _is_blocked(stop):
        return f"If that was not meant, take the id out of {key} and restart."
    return (
        f"Add the id above to {key}, or remove {key} to allow all, and restart." if key else "Look at the gate's row."
    )
