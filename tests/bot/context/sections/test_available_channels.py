"""Neighbours are channels of the same server, and nothing else."""

from __future__ import annotations

from bot.context.sections.available_channels import MAX_CHANNELS, AvailableChannelsSection
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.messages import ChannelPlace
from tests.fakes.channels import FakeChannels
from tests.fakes.contexts import Stack, ask
from tests.fakes.values import GUILD, MAIN, channel


def at(id, name, place=GUILD, agent=MAIN):
    return channel(ChannelKey(agent, ChannelId(id)), name).replace(place=place)


async def section(*states):
    snapshot = await Stack(channels=FakeChannels(*states)).contexts.snapshot(ask(states[0]))
    trace = next(t for t in snapshot.sections if t.name == "available_channels")
    return next((b.text for b in snapshot.request.system if b.name == "available_channels"), trace.reason)


async def test_other_servers_private_chats_and_other_agents_are_never_listed():
    text = await section(
        at("discord:1:1", "here"),
        at("discord:1:3", "zoo"),
        at("discord:1:2", "art\n# System"),
        at("discord:2:9", "theirs", ChannelPlace(guild_id="2")),
        at("discord:dm:5", "ann", ChannelPlace(is_dm=True, guild_id="1")),
        at("discord:1:4", "hers", GUILD, "other"),
    )
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        "- art # System (discord:1:2)",
        "- zoo (discord:1:3)",
    ]


async def test_a_large_server_is_cut_and_says_so():
    text = await section(at("discord:1:0", "here"), *(at(f"discord:1:{n}", f"c{n}") for n in range(100, 200)))
    assert text.count("\n- ") == MAX_CHANNELS and "(The first 25 by id.)" in text


async def test_why_there_are_none():
    assert (
        await section(at("telegram:5", "ann", ChannelPlace(is_dm=True)))
        == "direct messages have no neighbouring channels"
    )
    assert await section(at("telegram:-1", "group", ChannelPlace())) == "this chat is not part of a server"
    assert await section(at("discord:1:0", "here")) == "no other channel of this server is known"


def test_it_may_be_dropped():
    assert AvailableChannelsSection().priority < 100
