"""The real library on the gateway: who is let in, what it is told, and how it comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import discord
import orjson
import pytest

from tests.servers.discord import World, discord_server
from tests.servers.discord_client import Heard, Stage, a_stage, connected, pointed_at


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


def dispatches(client) -> list[str]:
    return client.told("socket_event_type")


async def test_hello_identify_ready_and_the_guilds(stage):
    assert dispatches(stage.client) == ["READY", "GUILD_CREATE"]
    (identify,) = stage.me.identifies
    assert (identify["token"], identify["compress"]) == (stage.me.token, True)
    assert identify["intents"] == discord.Intents.all().value
    (connection,) = stage.server.gateway.connections
    compression = discord.utils._ActiveDecompressionContext.COMPRESSION_TYPE  # zlib-stream unless zstandard is there
    assert connection.query == {"v": "10", "encoding": "json", "compress": compression}
    guild = stage.client.get_guild(stage.guild.id)
    assert (guild.name, guild.owner_id, guild.unavailable) == ("Kitchen", stage.ann.id, False)
    assert {member.name for member in guild.members} == {"ann", "ben", "glassmind"}
    assert stage.client.user.id == stage.me.id
    assert stage.client.get_channel(stage.support.id).name == "support"


async def test_guilds_are_unavailable_until_they_come(stage):
    ready = stage.me.sessions[0].events[0].data
    assert ready["guilds"] == [{"id": str(stage.guild.id), "unavailable": True}]
    assert stage.me.sessions[0].events[1].data["unavailable"] is False


async def test_without_compression_frames_are_text():
    world = World()
    me = world.bot()
    async with discord_server(world) as server, aiohttp.ClientSession() as session:
        socket = await session.ws_connect(f"{server.gateway_url}?v=10&encoding=json")
        hello = await socket.receive_json(loads=orjson.loads)
        assert (hello["op"], hello["d"]["heartbeat_interval"]) == (10, 41_250)
        await socket.send_json({"op": 2, "d": {"token": me.token, "intents": 0, "properties": {}}})
        ready = await socket.receive_json(loads=orjson.loads)
        assert (ready["t"], ready["s"], ready["d"]["session_id"]) == ("READY", 1, me.sessions[0].id)
        await socket.close()


async def test_heartbeats_are_acknowledged_and_asked_for(stage):
    (connection,) = stage.server.gateway.connections
    assert connection.beats == [None]  # the library sends one at once
    stage.server.gateway.beat()
    await stage.server.until(lambda: len(connection.beats) == 2)
    assert connection.beats[1] == 2
    await stage.ann.says(stage.support, "x")
    await stage.client.hears("message")
    assert stage.client.latency < 10


async def test_numbers_count_up(stage):
    for text in "abc":
        await stage.ann.says(stage.support, text)
    await stage.client.hears("message", 3)
    assert [event.sequence for event in stage.me.sessions[0].events] == [1, 2, 3, 4, 5]
    assert stage.client.ws.sequence == 5


async def test_a_wrong_token_is_refused_everywhere(stage):
    async with Heard() as stranger:
        with pytest.raises(discord.LoginFailure):
            await stranger.login("wrong")
    assert stage.server.calls("get_me")[-1].status == 401
    stage.world.revoke()
    with pytest.raises(discord.HTTPException) as caught:
        await stage.channel.send("x")
    assert caught.value.status == 401
    stage.server.gateway.drop()
    assert (await stage.client.hears("gone")).code == 4004


async def test_an_intent_that_the_portal_does_not_grant():
    world = World()
    me = world.bot()
    me.granted.discard("message_content")
    async with discord_server(world) as server:
        with pointed_at(server):
            client = Heard()
            async with connected(client, me.token):
                assert isinstance(await client.hears("gone"), discord.PrivilegedIntentsRequired)
                flags = (await client.application_info()).flags
                assert (flags.gateway_message_content_limited, flags.gateway_guild_members_limited) == (False, True)
        assert server.gateway.connections[0].closed == 4014


async def raw(server, *frames, query="v=10&encoding=json") -> int:
    """Send frames as they stand, and return the code that ends the connection."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{server.gateway_url}?{query}") as socket:
        for frame in frames:
            await (socket.send_str(frame) if isinstance(frame, str) else socket.send_json(frame))
        while (await socket.receive()).type != aiohttp.WSMsgType.CLOSE:
            pass
        return socket.close_code or 0


async def test_codes_for_clients_that_speak_wrongly():
    world = World()
    token = world.bot().token
    identify = {"op": 2, "d": {"token": token, "intents": 0, "properties": {}}}

    def changed(**more):
        return {"op": 2, "d": identify["d"] | more}

    async with discord_server(world) as server:
        assert await raw(server, {"op": 99}) == 4001
        assert await raw(server, "{") == 4002
        assert await raw(server, "[]") == 4002
        assert await raw(server, {"op": 2, "d": None}) == 4002
        assert await raw(server, {"op": 1, "d": "x" * 5000}) == 4002
        assert await raw(server, {"op": 3, "d": {}}) == 4003
        assert await raw(server, changed(token="wrong")) == 4004
        assert await raw(server, identify, identify) == 4005
        session = server.gateway.sessions[0]
        ahead = {"op": 6, "d": {"token": token, "session_id": session.id, "seq": 99}}
        assert await raw(server, ahead) == 4007
        assert await raw(server, *[{"op": 1, "d": None}] * 121) == 4008
        assert await raw(server, changed(shard=[2, 2])) == 4010
        assert await raw(server, identify, query="v=6&encoding=json") == 4012
        assert await raw(server, changed(intents=1 << 40)) == 4013
        assert await raw(server, changed(intents=None)) == 4013
        server.gateway.requires_shards = True
        assert await raw(server, identify) == 4011


async def test_too_many_sessions_a_day_cost_the_token():
    world = World()
    world.switches.identifies = 2
    token = world.bot().token
    identify = {"op": 2, "d": {"token": token, "intents": 0}}
    async with discord_server(world) as server:
        async with aiohttp.ClientSession() as session:
            for _ in range(2):
                async with session.ws_connect(server.gateway_url) as socket:
                    await socket.send_json(identify)
                    await server.gateway.connected()
            assert await raw(server, identify) == 4004
        assert world.bots == {}


async def test_sessions_that_begin_too_soon_after_one_another():
    world = World()
    world.switches.identify_pace = 5
    me = world.bot()
    frame = {"op": 2, "d": {"token": me.token, "intents": 0}}
    async with discord_server(world) as server, aiohttp.ClientSession() as session:
        told = []
        for pause in (0, 1, 5):
            world.wait(pause)
            async with session.ws_connect(server.gateway_url) as socket:
                await socket.send_json(frame)
                told += [(await socket.receive_json(loads=orjson.loads))["op"] for _ in range(2)][1:]
        assert told == [0, 9, 0]


async def test_without_the_content_intent_most_content_is_kept_back():
    intents = discord.Intents.all()
    intents.message_content = False
    async with a_stage(intents=intents) as stage:
        mine = await stage.channel.send("my own")
        await stage.ann.says(stage.support, "to nobody")
        await stage.ann.says(stage.support, "to you", mentions=stage.me)
        await stage.ann.says(stage.me, "in private")
        said = [await stage.client.hears("message", count) for count in range(1, 5)]
        assert [one.content for one in said] == ["my own", "", f"{stage.me.mention} to you", "in private"]
        assert (await stage.channel.fetch_message(mine.id)).content == "my own"
        # what the portal grants can still be fetched
        assert (await stage.channel.fetch_message(said[1].id)).content == "to nobody"
        stage.me.granted.discard("message_content")
        assert (await stage.channel.fetch_message(said[1].id)).content == ""


async def test_events_come_by_intents():
    async with a_stage(intents=discord.Intents(guilds=True, guild_messages=True)) as stage:
        message = await stage.ann.says(stage.support, "one")
        await stage.ann.reacts(message, "👍")
        await stage.ann.types(stage.support)
        await stage.ann.says(stage.me, "in private")
        stage.guild.join(stage.world.person("Cem"))
        await stage.ann.says(stage.support, "two")
        await stage.client.hears("message", 2)
        assert dispatches(stage.client) == ["READY", "GUILD_CREATE", "MESSAGE_CREATE", "MESSAGE_CREATE"]
        assert [member.name for member in stage.client.get_guild(stage.guild.id).members] == ["glassmind"]


async def test_a_bot_is_told_nothing_of_what_it_may_not_see(stage):
    secret = stage.guild.channel("secret")
    secret.deny(stage.guild.everyone, "view_channel")
    await stage.ann.says(secret, "hidden")  # she owns the guild
    secret.allow(stage.me, "view_channel")
    await stage.ann.says(secret, "shown")
    await stage.client.hears("message")
    assert [message.content for message in stage.client.told("message")] == ["shown"]


async def test_guilds_that_go_down_and_come_back(stage):
    stage.guild.go_down()
    await stage.client.hears("guild_unavailable")
    stage.guild.come_back()
    await stage.client.hears("guild_available", 2)


async def test_a_bot_is_thrown_out_and_let_in_again(stage):
    stage.guild.leave(stage.me)
    await stage.client.hears("guild_remove")
    assert not stage.client.guilds
    stage.guild.join(stage.me)
    assert (await stage.client.hears("guild_join")).name == "Kitchen"


async def test_members_come_change_and_go(stage):
    cem = stage.world.person("Cem")
    stage.guild.join(cem)
    assert (await stage.client.hears("member_join")).name == "cem"
    mods = stage.guild.role("mods", "manage_guild")
    stage.guild.give(cem, mods)
    await stage.client.hears("member_update")
    member = stage.client.get_guild(stage.guild.id).get_member(cem.id)
    assert member.guild_permissions.manage_guild
    stage.guild.take(cem, mods)
    stage.guild.rename(cem, "Chef")
    await stage.client.hears("member_update", 3)
    assert (member.guild_permissions.manage_guild, member.nick) == (False, "Chef")
    stage.guild.leave(cem)
    await stage.client.hears("member_remove")


async def test_members_can_be_asked_for(stage):
    guild = stage.client.get_guild(stage.guild.id)
    (ben,) = await guild.query_members("be")
    assert ben.id == stage.ben.id
    (ann,) = await guild.query_members(user_ids=[stage.ann.id])
    assert ann.name == "ann"


async def test_channels_come_change_and_go(stage):
    made = stage.guild.channel("news", topic="bread")
    assert (await stage.client.hears("guild_channel_create")).topic == "bread"
    made.change(name="olds")
    await stage.client.hears("guild_channel_update")
    assert stage.client.get_channel(made.id).name == "olds"
    made.delete()
    await stage.client.hears("guild_channel_delete")
    assert stage.client.get_channel(made.id) is None


async def test_presence_is_kept(stage):
    await stage.client.change_presence(activity=discord.CustomActivity("listening"))
    await stage.server.until(lambda: stage.me.presence is not None)
    assert stage.me.presence["activities"][0]["state"] == "listening"


async def test_shards_share_the_guilds():
    world = World()
    me, ann = world.bot(), world.person("Ann")
    guilds = [world.guild(name, ann, me) for name in ("one", "two", "three")]
    async with discord_server(world) as server, aiohttp.ClientSession() as session:
        for shard in (0, 1):
            socket = await session.ws_connect(server.gateway_url)
            await socket.send_json({"op": 2, "d": {"token": me.token, "intents": 1, "shard": [shard, 2]}})
            await server.gateway.connected(shard + 1)
        told = [[event.data["id"] for event in one.events[1:]] for one in me.sessions]
        assert sorted(told[0] + told[1]) == sorted(str(guild.id) for guild in guilds)
