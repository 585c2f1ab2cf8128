"""The line to the gateway breaks, and the real library comes back: resumed, or with a new session."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from socket import SO_RCVBUF, SOL_SOCKET

import aiohttp
import discord
import pytest

from tests.servers.discord import Closes, Cuts, World, discord_server
from tests.servers.discord import state as books
from tests.servers.discord_client import Heard, Stage, a_stage, connected, pointed_at


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


def contents(stage) -> list[str]:
    return [message.content for message in stage.client.told("message")]


async def test_a_broken_line_is_resumed_and_what_was_missed_comes_again(stage):
    await stage.ann.says(stage.support, "one")
    await stage.client.hears("message")
    stage.server.gateway.drop()
    await stage.ann.says(stage.support, "two")
    await stage.ann.says(stage.support, "three")
    await stage.client.hears("resumed")
    assert contents(stage) == ["one", "two", "three"]
    assert len(stage.me.identifies) == 1
    assert [one.path for one in stage.server.gateway.connections] == ["/gateway", "/gateway/resume"]


@pytest.mark.parametrize("code", [4000, 4001, 4002, 4003, 4005, 4008])
async def test_codes_after_which_the_library_resumes(stage, code):
    stage.server.gateway.close(code)
    await stage.ann.says(stage.support, "meanwhile")
    await stage.client.hears("resumed")
    assert stage.server.gateway.connections[0].closed == code
    assert contents(stage) == ["meanwhile"]


@pytest.mark.parametrize("code", [4007, 4009])
async def test_codes_that_end_the_session(stage, code):
    stage.server.gateway.close(code)
    await stage.client.hears("ready", 2)
    assert len(stage.me.identifies) == 2


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013, 4014])
async def test_codes_after_which_the_library_gives_up(stage, code):
    stage.server.gateway.close(code)
    gone = await stage.client.hears("gone")
    if code == 4014:
        assert isinstance(gone, discord.PrivilegedIntentsRequired)
    else:
        assert gone.code == code


async def test_the_server_asks_for_a_reconnect(stage):
    stage.server.gateway.reconnect()
    await stage.client.hears("resumed")
    assert (stage.me.sessions[0].resumes, len(stage.me.identifies)) == (1, 1)


async def test_a_session_that_is_invalid_but_can_be_resumed(stage):
    stage.server.gateway.invalidate(resumable=True)
    await stage.client.hears("resumed")
    assert len(stage.me.identifies) == 1


async def test_a_session_that_is_gone_is_made_anew_and_nothing_is_told_again(stage):
    await stage.ann.says(stage.support, "one")
    await stage.client.hears("message")
    stage.server.gateway.invalidate()
    await stage.ann.says(stage.support, "lost between sessions")
    await stage.client.hears("ready", 2)
    await stage.ann.says(stage.support, "two")
    await stage.client.hears("message", 2)
    assert contents(stage) == ["one", "two"]
    assert len(stage.me.identifies) == 2
    page = [message.content async for message in stage.channel.history()]
    assert "lost between sessions" in page


async def test_a_resume_of_a_forgotten_session_is_refused(stage):
    stage.server.gateway.forget()
    stage.server.gateway.drop()
    await stage.client.hears("ready", 2)
    assert len(stage.me.identifies) == 2


@pytest.mark.parametrize(("code", "left"), [(1000, 0), (1001, 0), (4000, 1)])
async def test_a_client_that_says_goodbye_has_no_session_left(code, left):
    world = World()
    me = world.bot()
    async with discord_server(world) as server, aiohttp.ClientSession() as session:
        async with session.ws_connect(server.gateway_url) as socket:
            await socket.send_json({"op": 2, "d": {"token": me.token, "intents": 0}})
            connection = await server.gateway.connected()
            await socket.close(code=code)
        await server.until(lambda: connection.closed == code)
        assert len(me.sessions) == left


async def test_the_library_leaves_its_session_open_when_it_closes(stage):
    """Its own reader answers the closing first, with 4000; so a bot that was stopped stays online for a while."""
    await stage.client.close()
    await stage.server.until(lambda: stage.server.gateway.connections[0].closed == 4000)
    assert len(stage.me.sessions) == 1


async def test_a_zombie_is_noticed_by_its_silence():
    world = World()
    me, ann = world.bot(), world.person("Ann")
    support = world.guild("Kitchen", ann, me).channel("support")
    async with discord_server(world) as server:
        server.gateway.interval = 50
        with pointed_at(server):
            client = Heard(heartbeat_timeout=0.2)
            async with connected(client, me.token):
                await client.hears("ready")
                server.gateway.zombie()
                await ann.says(support, "anybody there?")
                await client.hears("resumed")
                assert client.told("message")[0].content == "anybody there?"


async def test_nobody_listens_for_a_while(stage):
    await stage.server.refuse()
    await stage.client.hears("disconnect")
    await stage.ann.says(stage.support, "to closed doors")
    await stage.server.accept()
    await stage.client.hears("resumed")
    assert stage.client.told("message")[0].content == "to closed doors"


async def test_a_bot_that_reads_nothing_keeps_nobody_waiting(monkeypatch):
    monkeypatch.setattr(books, "DEAF", 0.05)
    world = World()
    me, ann = world.bot(), world.person("Ann")
    support = world.guild("Kitchen", ann, me).channel("support")
    async with discord_server(world) as server, aiohttp.ClientSession() as session:
        socket = await session.ws_connect(server.gateway_url)
        await socket.send_json({"op": 2, "d": {"token": me.token, "intents": 1 << 9 | 1 << 15}})
        await server.gateway.connected()
        socket.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
        socket._response.connection.transport.pause_reading()
        for _ in range(20):
            await ann.says(support, "x" * 1_000_000)
        assert len(support.standing) == 20


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_happens_to_the_line_everything_comes_once_and_in_order(stage, seed):
    chance, gateway, said = random.Random(seed), stage.server.gateway, []
    troubles = [
        gateway.drop,
        gateway.reconnect,
        gateway.hold,
        gateway.release,
        lambda: gateway.invalidate(resumable=True),
        lambda: gateway.close(chance.choice([1000, 1001, 4000, 4001, 4002, 4003, 4005, 4008])),
        lambda: stage.server.fault_event("MESSAGE_CREATE", chance.choice([Cuts(), Cuts(after=True), Closes()])),
        lambda: None,
    ]
    for number in range(30):
        said.append(f"message {number}")
        await stage.ann.says(stage.support, said[-1])
        chance.choice(troubles)()
        if chance.random() < 0.5:
            gateway.release()
            await stage.client.until(lambda: said[-1] in contents(stage))
    gateway.release()
    gateway.faults.planned.clear()
    gateway.drop()
    await stage.ann.says(stage.support, "the end")
    await stage.client.until(lambda: "the end" in contents(stage))
    assert stage.me.sessions[0].resumes > 3
    assert (contents(stage), len(stage.me.identifies)) == ([*said, "the end"], 1)
