"""AUTH-KIND: the right list holds the wrong kind of id, so it matches nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import ConfiguredLists, Evidence
from bot.diagnostics.evidence.evidence_reader import (
    GateName,
    GateStop,
    gate_ref,
    gate_stop,
    message,
    message_ref,
    place_name,
)
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ledger import StoredInbound
from bot.sentences import say
from bot.text.text import quote_line

_RIGHT_KINDS = {"allowed_users": {"sender"}, "allowed_guilds": {"guild"}, "allowed_channels": {"channel", "parent"}}


class IdMistake(NamedTuple):
    """A list entry that is an id of this message, but of another kind than the list compares."""

    key: str
    entry: str
    what: str


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say which entry is of which other kind."""
    stop = gate_stop(evidence)
    mistake = find_mistake(evidence)
    if stop is None or mistake is None or edited_since(evidence):
        return
    yield Finding(
        rule="AUTH-KIND",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=say("id_kind.verdict", place=place_name(evidence)),
        why=(
            say("id_kind.holds", list=mistake.key, what=mistake.what),
            say("id_kind.but-compared", entry=quote_line(mistake.entry, 24)),
            say("id_kind.compares", **{"with": mistake.key}),
        ),
        evidence=(*gate_ref(stop, say("gate_access.record", gate=stop.gate)), *message_ref(evidence)),
        advice=say("id_kind.tell-operator"),
        operator_advice=say("id_kind.put", id=_right_id(evidence, mistake) or "none", **{"with": mistake.key}),
    )


def _right_id(evidence: Evidence, mistake: IdMistake) -> str:
    found = message(evidence)
    if found is None:
        return ""
    inbound = found.inbound
    ids = {"allowed_users": inbound.author.user_id, "allowed_guilds": inbound.place.guild_id}
    own = ids.get(mistake.key, inbound.channel)
    return quote_line(own, 40) if own else ""


def find_mistake(evidence: Evidence) -> IdMistake | None:
    """Find an entry of another kind in the list that stopped the message."""
    stop, found = gate_stop(evidence), message(evidence)
    if stop is None or found is None:
        return None
    ids = _ids(evidence, found)
    for key, entries in _lists(stop, evidence.lists):
        if entries is None:
            continue
        right = {value for what, value in ids if what in _RIGHT_KINDS[key]}
        for what, value in ids:
            entry = next((e for e in entries if _same(e, value)), None)
            if entry is not None and value not in right:
                return IdMistake(key, entry, what)
    return None


def _lists(stop: GateStop, lists: ConfiguredLists) -> tuple[tuple[str, tuple[str, ...] | None], ...]:
    users = ("allowed_users", lists.allowed_users)
    places = (("allowed_channels", lists.allowed_channels), ("allowed_guilds", lists.allowed_guilds))
    pairs = (users,) if stop.gate == GateName.SENDER else places if stop.gate == GateName.PLACE else ()
    return tuple(pair for pair in pairs if pair[0] == stop.compared.get("list"))


def _ids(evidence: Evidence, found: StoredInbound) -> tuple[tuple[str, str], ...]:
    author = found.inbound.author
    own = (("sender", str(author.user_id)), ("name", author.name))
    return (*own, *((what, str(value)) for what, value in evidence.other_ids if value))


def _same(entry: str, value: str) -> bool:
    return entry.strip().lstrip("@").casefold() == value.strip().lstrip("@").casefold() != ""
