"""Which channels are silent for the same cause."""

from __future__ import annotations

from bot.diagnostics.silent_channels import group_silent
from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome, OutcomeCount
from bot.ports.channels import KnownChannel
from tests.fakes.values import GUILD


def known(*names: str) -> list[KnownChannel]:
    return [
        KnownChannel(agent="main", id=ChannelId(f"console:{name}"), name=f"#{name}", place=GUILD, last_at=0)
        for name in names
    ]


def count(channel: str, outcome: Outcome, reason: str = "", *, count: int = 1, newest: int = 1) -> OutcomeCount:
    return OutcomeCount(
        channel=ChannelId(f"console:{channel}"), outcome=outcome, reason=reason, count=count, newest=newest
    )


def test_channels_are_grouped_by_the_cause_of_their_newest_silence() -> None:
    counts = [
        count("a", Outcome.GATED, "pause", count=3, newest=5),
        count("a", Outcome.FAILED, "provider", newest=2),
        count("b", Outcome.FAILED, "provider", count=4, newest=7),
        count("c", Outcome.FAILED, "provider", newest=9),
        count("c", Outcome.REPLIED, newest=8),
        count("d", Outcome.FAILED, "provider", newest=8),
        count("d", Outcome.REPLIED, newest=9),
    ]
    groups = group_silent(counts, known("a", "b", "c", "d"))
    assert [(g.outcome, g.reason, [c.name for c in g.channels]) for g in groups] == [
        (Outcome.FAILED, "provider", ["#c", "#b"]),
        (Outcome.GATED, "pause", ["#a"]),
    ]
    assert groups[0].channels[1].count == 4
    assert groups[0].channels[1].guild_id == "1"


def test_group_talk_is_silence_only_where_the_bot_never_spoke() -> None:
    talk = [count("a", Outcome.STORED_ONLY, "addressing", newest=9)]
    assert [group.reason for group in group_silent(talk, known("a"))] == ["addressing"]
    assert group_silent([*talk, count("a", Outcome.REPLIED, newest=2)], known("a")) == ()


def test_a_busy_or_unknown_channel_is_not_silent() -> None:
    assert group_silent([count("a", Outcome.COMMAND)], known("a")) == ()
    assert group_silent([count("z", Outcome.FAILED, "provider")], known("a")) == ()
    assert group_silent([], []) == ()
