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

_LISTS = frozenset({"allowed_channels", "allowed_guilds"})
# supergroups are numbered from -100 and twelve digits on (https://core.telegram.org/api/bots/ids)
_SUPERGROUP = re.compile(r"telegram:-100\d{10,}(?::\d+)?", re.ASCII)
_GROUP = re.compile(r"telegram:-(?!100\d{10})\d+", re.ASCII)


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
        verdict=f"{place_name(evidence)}: the group has a new id",
        why=(
            f"The list holds {_path(old)}, a group of",
            "this name, silent since. It became",
            f"supergroup {new}, unheard.",
        ),
        evidence=(*gate_ref(stop, f"gate {stop.gate}"), *message_ref(evidence)),
        advice="Tell the operator: a list in the configuration names the group's old id.",
        operator_advice=f"Write {new} for {_path(old)} in {key}, and restart.",
        settle="two groups may share a name; ask its admin.",
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
