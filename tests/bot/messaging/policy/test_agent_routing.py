"""To which agent a conversation belongs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.config.agents import AgentConfig
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import MAIN, ChannelId
from bot.domain.messages import ChannelPlace
from bot.messaging.policy.agent_routing import AgentRouter

AGENTS = {
    "forum": AgentConfig(channels=("discord:1:20", "77", "-1005")),
    "thread": AgentConfig(channels=("discord:1:21",)),
    "phone": AgentConfig(platforms=("telegram",)),
}


def of(channel: str, *parents: str, guild: str = "", moves: ChannelMoves | None = None) -> str:
    known = moves or ChannelMoves()
    return AgentRouter(AGENTS, lambda: known).of(ChannelId(channel), ChannelPlace(guild_id=guild, parents=parents))


@pytest.mark.parametrize(
    ("channel", "parents", "guild", "agent"),
    [
        ("discord:1:20", (), "1", "forum"),
        ("discord:1:99", ("20",), "1", "forum"),
        ("discord:1:21", ("20",), "1", "thread"),
        ("discord:1:77", (), "1", "forum"),
        ("discord:1:30", (), "1", MAIN),
        ("discord:dm:5", (), "", MAIN),
        ("telegram:-1005:7", ("-1005",), "-1005", "forum"),
        ("telegram:-1006", (), "-1006", "phone"),
        ("telegram:42", (), "", "phone"),
        ("console:#general", (), "", MAIN),
    ],
)
def test_a_channel_then_what_it_lies_in_then_its_platform(channel, parents, guild, agent):
    assert of(channel, *parents, guild=guild) == agent


def test_a_list_goes_on_meaning_a_channel_that_has_moved():
    moves = ChannelMoves(pairs=((ChannelId("telegram:-1005"), ChannelId("telegram:-100999")),))
    assert of("telegram:-100999", moves=moves) == "forum" and of("telegram:-100999") == "phone"


@settings(max_examples=40, deadline=None)
@given(st.from_regex(r"(discord|telegram|console):[a-z0-9:#-]{1,12}", fullmatch=True), st.lists(st.text(max_size=4)))
def test_every_channel_has_exactly_one_agent(channel, parents):
    place = ChannelPlace(parents=tuple(parents))
    agents = AgentRouter(AGENTS, ChannelMoves)
    assert agents.of(ChannelId(channel), place) in agents.names
    assert AgentRouter({}, ChannelMoves).of(ChannelId(channel), place) == MAIN


def test_a_bot_with_one_agent_asks_for_nothing():
    alone = AgentRouter({}, lambda: pytest.fail("asked"))
    assert not alone.are_several and alone.key(ChannelId("a:b"), ChannelPlace()) == (MAIN, "a:b")
