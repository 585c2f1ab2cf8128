"""GATE-USER and GATE-CHANNEL: the sender or the place is not allowed."""

from __future__ import annotations

from collections.abc import Iterator

from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message,
    message_ref,
    place_name,
    stopped_count,
)
from bot.diagnostics.rules.anonymous_admin import nameless_stop
from bot.diagnostics.rules.id_kind import find_mistake
from bot.diagnostics.rules.supergroup_moved import find_former
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ids import platform_of
from bot.text.text import quote_line

_OPTED_OUT = "opted_out"
_SUBJECT_WORDS = {"users": "sender", "guilds": "server", "channels": "channel"}
_COMPARED_KEYS = {"users": "user_id", "guilds": "guild_id", "channels": "channel_id"}


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say which list, and what was compared with it."""
    stop = gate_stop(evidence)
    if stop is None or stop.gate not in {GateName.SENDER, GateName.PLACE}:
        return
    if nameless_stop(evidence) is not None:
        return
    if find_mistake(evidence) is not None or find_former(evidence) is not None or edited_since(evidence):
        return
    count, over = stopped_count(evidence, stop.gate), _lets_in_now(evidence, stop)
    yield Finding(
        rule="GATE-USER" if stop.gate == GateName.SENDER else "GATE-CHANNEL",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: {_verdict(stop, 'was' if over else 'is')}",
        why=(
            *_why(stop, "was" if over else "is"),
            *(("The lists have been changed since.",) if over else ()),
            *((f"{count:,} messages stopped so in 24 h.",) if count > 1 else ()),
        ),
        evidence=(*gate_ref(stop, f"gate {stop.gate}"), *message_ref(evidence)),
        advice="Ask again: it is allowed now." if over else _advice(stop),
        operator_advice="" if over else _operator_advice(stop),
    )


def _verdict(stop: GateStop, word: str) -> str:
    if stop.reason == "dm_denied":
        return "direct messages are off"
    if stop.reason == _OPTED_OUT:
        return "the sender opted out"
    subject = _SUBJECT_WORDS.get(stop.compared.get("list", "").partition("_")[2])
    subject = subject or ("sender" if stop.gate == GateName.SENDER else "channel")
    return f"the {subject} {word} {'blocked' if _is_blocked(stop) else 'not allowed'}"


def _is_blocked(stop: GateStop) -> bool:
    return stop.compared.get("list", "").startswith("blocked")


def _why(stop: GateStop, word: str) -> tuple[str, ...]:
    key = stop.compared.get("list", "")
    kind = key.partition("_")[2]
    if stop.reason == "dm_denied":
        return ("allow_dms is off for this platform.",)
    if stop.reason == _OPTED_OUT:
        return ("They sent optout themselves: what they write is", "neither kept nor answered.")
    if kind not in _SUBJECT_WORDS:
        return (quote_line(stop.reason, 60),)
    entries = quote_line(stop.compared.get("entries", ""), 40)
    if _is_blocked(stop):
        return (
            f"The {_SUBJECT_WORDS[kind]}'s id {word} in {key}:",
            quote_line(stop.compared.get("matched", entries), 60),
        )
    found = quote_line(stop.compared.get(_COMPARED_KEYS[kind], ""), 40)
    return (f"The {_SUBJECT_WORDS[kind]}'s id {found} {word} not in", f"{key} ({entries}).")


def _lets_in_now(evidence: Evidence, stop: GateStop) -> bool:
    """Say whether the lists of now would let the message in: the gate's values are those of the moment."""
    found, lists = message(evidence), evidence.lists
    if found is None or stop.reason in {"dm_denied", _OPTED_OUT}:
        return False
    if stop.gate == GateName.SENDER:
        return _is_in({str(found.inbound.author.user_id)}, lists.allowed_users, lists.blocked_users)
    channel, guild = found.inbound.channel, found.inbound.place.guild_id
    ids = {str(value) for what, value in evidence.other_ids if what in {"channel", "parent"}} | {channel}
    ids |= {f"{platform_of(channel)}:{value}" for value in ids}
    wanted = lists.allowed_guilds is None or not guild or guild in lists.allowed_guilds
    return wanted and _is_in(ids, lists.allowed_channels, lists.blocked_channels)


def _is_in(ids: set[str], allowed: tuple[str, ...] | None, blocked: tuple[str, ...]) -> bool:
    return (allowed is None or not ids.isdisjoint(allowed)) and ids.isdisjoint(blocked)


def _advice(stop: GateStop) -> str:
    if stop.reason == _OPTED_OUT:
        return "Only they can end it: optout off."
    if stop.reason == "dm_denied" or _is_blocked(stop):
        return "Tell the operator if that was not meant: only the configuration can change it."
    return "Tell the operator to allow the id above: only the configuration can."


def _operator_advice(stop: GateStop) -> str:
    key = stop.compared.get("list", "")
    if stop.reason == _OPTED_OUT:
        return "Only they can end it: optout off."
    if stop.reason == "dm_denied":
        return "If direct messages are wanted, set allow_dms = true and restart."
    if _is_blocked(stop):
        return f"If that was not meant, take the id out of {key} and restart."
    return (
        f"Add the id above to {key}, or remove {key} to allow all, and restart." if key else "Look at the gate's row."
    )
