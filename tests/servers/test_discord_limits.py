"""How fast a bot may go: what the library keeps by itself, and what it is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
from discord.http import handle_message_parameters

from tests.servers.discord import REAL, Limit
from tests.servers.discord_client import Stage, a_stage


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


async def post(stage, count, channel=None, session=None) -> list[tuple[int, dict[str, str], dict]]:
    """Write past the library's own pace."""
    answers = []
    url = f"{stage.server.api_url}/channels/{(channel or stage.support).id}/messages"
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {stage.me.token}"}) as session:
        for _ in range(count):
            async with session.post(url, json={"content": "x"}) as answer:
                answers.append((answer.status, dict(answer.headers), await answer.json()))
    return answers


def at(stage, start: float = 100.0) -> list[float]:
    now = [start]
    stage.world.limits.clock = lambda: now[0]
    return now


async def test_headers_are_always_there(stage):
    ((status, headers, _),) = await post(stage, 1)
    assert (status, headers["X-RateLimit-Bucket"]) == (200, "create_message")
    assert int(headers["X-RateLimit-Remaining"]) > 1000


async def test_five_messages_in_five_seconds(stage):
    now = at(stage)
    stage.world.limits.set(REAL)
    answers = await post(stage, 6)
    assert [status for status, _, _ in answers] == [200] * 5 + [429]
    assert [headers["X-RateLimit-Remaining"] for _, headers, _ in answers] == ["4", "3", "2", "1", "0", "0"]
    _, headers, body = answers[-1]
    assert (headers["Via"], headers["X-RateLimit-Scope"]) == ("1.1 google", "user")
    assert body["message"] == "You are being rate limited." and body["retry_after"] == pytest.approx(5, abs=0.01)
    assert not body["global"]
    now[0] += 5.01
    assert [status for status, _, _ in await post(stage, 1)] == [200]
    assert [call.status for call in stage.server.limited] == [429]


async def test_each_channel_has_its_own_bucket(stage):
    at(stage)
    stage.world.limits.set({"create_message": Limit(1, 5.0)})
    other = stage.guild.channel("other")
    statuses = [await post(stage, 2), await post(stage, 2, other)]
    assert [[status for status, _, _ in answers] for answers in statuses] == [[200, 429], [200, 429]]


async def test_the_limit_over_everything(stage):
    at(stage)
    stage.world.limits.set({}, total=Limit(3, 1.0))
    answers = await post(stage, 4)
    status, headers, body = answers[-1]
    assert (status, headers["X-RateLimit-Global"], body["global"]) == (429, "true", True)


async def test_the_library_keeps_a_pace_that_is_told(stage):
    stage.world.limits.set({"create_message": Limit(5, 0.1), "edit_message": Limit(5, 0.1)})
    async with asyncio.TaskGroup() as group:
        for number in range(12):
            group.create_task(stage.channel.send(str(number)))
    sent = [await stage.channel.fetch_message(message.id) for message in stage.support.standing[:1]]
    for number in range(7):
        await stage.client.http.edit_message(stage.support.id, sent[0].id, params=_edit(number))
    assert stage.server.limited == []
    assert len(stage.support.standing) == 12


def _edit(number: int):
    return handle_message_parameters(content=f"edit {number}")
