"""Group the channels that are silent by what silences them, for `why --all`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bot.domain.base import FrozenModel
from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome, OutcomeCount
from bot.ports.channels import KnownChannel

_NO_SILENCE = frozenset({Outcome.REPLIED, Outcome.COMMAND, Outcome.SUPERSEDED})


class SilentChannel(FrozenModel):
    """A channel whose newest message went without an answer; `count` messages did so for this cause."""

    channel: ChannelId
    name: str
    guild_id: str
    count: int
    newest: int


class SilentGroup(FrozenModel):
    """The channels that one cause silences, the newest first. `reason` is the gate, or why turns failed."""

    outcome: Outcome
    reason: str
    channels: tuple[SilentChannel, ...]


def group_silent(counts: Sequence[OutcomeCount], known: Sequence[KnownChannel]) -> tuple[SilentGroup, ...]:
    """Group channels by the cause of their newest silence, the largest group first."""
    by_channel: dict[ChannelId, list[OutcomeCount]] = defaultdict(list)
    for count in counts:
        by_channel[count.channel].append(count)
    channels = {channel.id: channel for channel in known}
    groups: dict[tuple[Outcome, str], list[SilentChannel]] = defaultdict(list)
    for channel, rows in by_channel.items():
        if (cause := _cause(rows)) and channel in channels:
            groups[cause.outcome, cause.reason].append(_silent(channels[channel], cause))
    found = [
        SilentGroup(
            outcome=outcome, reason=reason, channels=tuple(sorted(silent, key=lambda c: (-c.newest, c.channel)))
        )
        for (outcome, reason), silent in groups.items()
    ]
    return tuple(sorted(found, key=lambda group: (-len(group.channels), group.outcome, group.reason)))


def _cause(rows: Sequence[OutcomeCount]) -> OutcomeCount | None:
    """Return the newest cause of silence, unless an answer is newer; group talk counts only where nothing was said."""
    answered = max((row.newest for row in rows if row.outcome is Outcome.REPLIED), default=0)
    silent = [row for row in rows if row.outcome not in _NO_SILENCE and row.newest > answered]
    wanted = [row for row in silent if not _is_chatter(row)]
    candidates = wanted or ([] if answered else silent)
    return max(candidates, key=lambda row: (row.newest, row.reason), default=None)


def _is_chatter(row: OutcomeCount) -> bool:
    return row.outcome is Outcome.STORED_ONLY and row.reason == "addressing"


def _silent(channel: KnownChannel, cause: OutcomeCount) -> SilentChannel:
    return SilentChannel(
        channel=channel.id,
        name=channel.name,
        guild_id=channel.place.guild_id,
        count=cause.count,
        newest=cause.newest,
    )
