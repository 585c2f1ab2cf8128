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
from bot.text.text import quote_line

_RIGHT_KINDS = {"allowed_users": {"sender"}, "allowed_guilds": {"guild"}, "allowed_channels": {"channel", "parent"}}
_COMPARED_KEYS = {
    "allowed_users": "the sender's id",
    "allowed_guilds": "the server's id",
    "allowed_channels": "the channel's id",
}
_WORDS = {"guild": "server's id", "sender": "sender's id", "channel": "channel's id", "parent": "parent's id"}


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
    compares = _COMPARED_KEYS[mistake.key]
    yield Finding(
        rule="AUTH-KIND",
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: wrong kind of id in a list",
        why=(
            f"{mistake.key} holds the {_WORDS.get(mistake.what, mistake.what)}",
            f"({quote_line(mistake.entry, 24)}), but is compared with",
            f"{compares}.",
        ),
        evidence=(*gate_ref(stop, f"gate {stop.gate}"), *message_ref(evidence)),
        advice="Tell the operator; `whoami` in the channel prints the ids to copy.",
        operator_advice=f"Put {_right_id(evidence, mistake)} into {mistake.key}, and restart.",
    )


def _right_id(evidence: Evidence, mistake: IdMistake) -> str:
    found, compares = message(evidence), _COMPARED_KEYS[mistake.key]
    if found is None:
        return compares
    inbound = found.inbound
    ids = {"allowed_users": inbound.author.user_id, "allowed_guilds": inbound.place.guild_id}
    own = ids.get(mistake.key, inbound.channel)
    return f"{compares} ({quote_line(own, 40)})" if own else compares


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
    own = (("sender", str(author.user_id)), ("sender's name", author.name))
    return (*own, *((what, str(value)) for what, value in evidence.other_ids if value))


def _same(entry: str, value: str) -> bool:
    return entry.strip().lstrip("@").casefold() == value.strip().lstrip("@").casefold() != ""
