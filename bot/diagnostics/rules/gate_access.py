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
from bot.sentences import say
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
        verdict=_verdict(place_name(evidence), stop, over="yes" if over else "no"),
        why=(
            *_why(stop, over="yes" if over else "no"),
            *((say("gate_access.lists-changed"),) if over else ()),
            *((say("gate_access.count", count=count),) if count > 1 else ()),
        ),
        evidence=(*gate_ref(stop, say("gate_access.record", gate=stop.gate)), *message_ref(evidence)),
        advice=say("gate_access.ask-again") if over else _advice(stop),
        operator_advice="" if over else _operator_advice(stop),
    )


def _verdict(place: str, stop: GateStop, *, over: str) -> str:
    if stop.reason == "dm_denied":
        return say("gate_access.verdict-dms-off", place=place)
    if stop.reason == _OPTED_OUT:
        return say("gate_access.verdict-opted-out", place=place)
    what = _SUBJECT_WORDS.get(stop.compared.get("list", "").partition("_")[2])
    what = what or ("sender" if stop.gate == GateName.SENDER else "channel")
    told = "gate_access.verdict-blocked" if _is_blocked(stop) else "gate_access.verdict-not-allowed"
    return say(told, place=place, what=what, over=over)


def _is_blocked(stop: GateStop) -> bool:
    return stop.compared.get("list", "").startswith("blocked")


def _why(stop: GateStop, *, over: str) -> tuple[str, ...]:
    key = stop.compared.get("list", "")
    kind = key.partition("_")[2]
    if stop.reason == "dm_denied":
        return (say("gate_access.dms-off"),)
    if stop.reason == _OPTED_OUT:
        return (say("gate_access.opted-out"), say("gate_access.opted-out-more"))
    if kind not in _SUBJECT_WORDS:
        return (quote_line(stop.reason, 60),)
    entries = quote_line(stop.compared.get("entries", ""), 40)
    what = _SUBJECT_WORDS[kind]
    if _is_blocked(stop):
        matched = quote_line(stop.compared.get("matched", entries), 60)
        return (say("gate_access.on-list", what=what, list=key, over=over), matched)
    found = quote_line(stop.compared.get(_COMPARED_KEYS[kind], ""), 40)
    return (
        say("gate_access.not-on-list", what=what, id=found, over=over),
        say("gate_access.not-on-list-more", list=key, entries=entries),
    )


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
        return say("gate_access.only-they-can")
    if stop.reason == "dm_denied" or _is_blocked(stop):
        return say("gate_access.tell-operator-wrong")
    return say("gate_access.tell-operator-allow")


def _operator_advice(stop: GateStop) -> str:
    key = stop.compared.get("list", "")
    if stop.reason == _OPTED_OUT:
        return say("gate_access.only-they-can")
    if stop.reason == "dm_denied":
        return say("gate_access.allow-dms")
    if _is_blocked(stop):
        return say("gate_access.take-off", list=key)
    return say("gate_access.add-to", list=key) if key else say("gate_access.look-at-record")
