"""SUPERGROUP: a list names a group by the id that it had before it became a supergroup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.diagnostics.evidence.edited_since import edited_since
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import GateName, gate_ref, gate_stop, message, message_ref, place_name
from bot.diagnostics.rules.id_kind import find_mistake
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.ids import ChannelId
from bot.sentences import say

_LISTS = frozenset({"allowed_channels", "allowed_guilds"})
# supergroups are numbered from -100 and twelve digits on (https://core.telegram.org/api/bots/ids)
# by whatever name the platform goes: no other one has such numbers
_SUPERGROUP = re.compile(r"[\w-]+:-100\d{10,}(?::\d+)?", re.ASCII)
_GROUP = re.compile(r"[\w-]+:-(?!100\d{10})\d+", re.ASCII)


def check(evidence: Evidence) -> Iterator[Finding]:
    """Say which entry is the old id. A move that the bot heard of is followed, and needs no rule."""
    stop, old = gate_stop(evidence), find_former(evidence)
    if stop is None or not old or edited_since(evidence):
        return
    key = stop.compared["list"]
    new = str(evidence.target.channel).split(":")[1]
    yield Finding(
        rule="SUPERGROUP",
        stage=FunnelStage.GATE,
        confidence=Confidence.LIKELY,
        verdict=say("supergroup_moved.verdict", place=place_name(evidence)),
        why=(
            say("supergroup_moved.holds-old", id=_path(old)),
            say("supergroup_moved.silent-since"),
            say("supergroup_moved.unheard", id=new),
        ),
        evidence=(*gate_ref(stop, say("gate_access.record", gate=stop.gate)), *message_ref(evidence)),
        advice=say("supergroup_moved.tell-operator"),
        operator_advice=say("supergroup_moved.write-new", new=new, old=_path(old), list=key),
        settle=say("supergroup_moved.settle"),
    )


def find_former(evidence: Evidence) -> ChannelId | None:
    """Find the entry of the list that stopped the message which was this group's id, as far as can be told."""
    stop, found = gate_stop(evidence), message(evidence)
    if stop is None or found is None or stop.gate != GateName.PLACE or stop.compared.get("list") not in _LISTS:
        return None
    if not _SUPERGROUP.fullmatch(evidence.target.channel):
        return None
    entries = getattr(evidence.lists, stop.compared["list"]) or ()
    if find_mistake(evidence) is not None:
        return None  # what is another kind of id of this very message is the surer explanation
    groups = (one for one in evidence.namesakes if _GROUP.fullmatch(one))
    return next((one for one in groups if one in entries or _path(one) in entries), None)


def _path(channel: ChannelId) -> str:
    return channel.partition(":")[2]
