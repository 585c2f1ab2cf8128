"""Whatever is sent to it, the server answers as Discord would and never breaks."""

from __future__ import annotations

import random
from typing import Any

import aiohttp
import pytest

from tests.servers.discord import World, discord_server, posting
from tests.servers.discord.routes import TABLE

FIELDS = [
    "content",
    "embeds",
    "components",
    "allowed_mentions",
    "nonce",
    "enforce_nonce",
    "message_reference",
    "flags",
    "attachments",
    "name",
    "type",
    "data",
    "archived",
    "locked",
    "recipient_id",
    "nick",
    "messages",
    "message",
    "auto_archive_duration",
    "attachment_urls",
    "options",
    "description",
    "parse",
    "users",
    "title",
    "custom_id",
    "message_id",
    "fields",
    "footer",
]
ENDINGS = ("leave_guild", "delete_channel")  # after them there is nothing left to ask for


def garbage(chance: random.Random, numbers: list[int], depth: int = 0) -> Any:
    plain = [None, True, 1.5, chance.randrange(-5, 70_000), "", "x", "a" * 3000, "<@1> @everyone", str(numbers[0])]
    kind = chance.randrange(3 if depth < 4 else 1)
    if kind == 0:
        return chance.choice(plain)
    inner = [garbage(chance, numbers, depth + 1) for _ in range(chance.randrange(4))]
    return inner if kind == 1 else dict(zip(chance.sample(FIELDS, len(inner)), inner, strict=True))


@pytest.mark.parametrize("seed", range(4))
async def test_nothing_that_is_sent_breaks_the_server(seed):
    world, chance = World(), random.Random(seed)
    me, ann = world.bot(), world.person("Ann")
    kitchen = world.guild("Kitchen", ann, me)
    support, forum = kitchen.channel("support"), kitchen.forum("help")
    me.commands[None] = [{"id": "1", "name": "x", "type": 1, "default_member_permissions": None, "contexts": None}]
    numbers = [support.id, forum.id, kitchen.id, ann.id]
    statuses: set[int] = set()
    async with (
        discord_server(world) as server,
        aiohttp.ClientSession(headers={"Authorization": f"Bot {me.token}"}) as session,
    ):
        for _ in range(250):
            own = posting.post(support, me, "mine")
            asked = await ann.presses(own, "x", raw=True)
            operation, method, path, _ = chance.choice([line for line in TABLE if line[0] not in ENDINGS])
            place = path.format(
                channel=chance.choice([support.id, forum.id, "abc"]),
                message=chance.choice([own.id, 1, "zz"]),
                user=chance.choice([ann.id, 1, "q"]),
                guild=chance.choice([kitchen.id, "w"]),
                emoji=chance.choice(["%F0%9F%91%8D", "x"]),
                application=me.id,
                command="1",
                interaction=asked.id,
                token=asked.token,
            )
            body = {name: garbage(chance, numbers) for name in chance.sample(FIELDS, chance.randrange(8))}
            query = {
                name: chance.choice(["1", "x", "-1"]) for name in ("limit", "after", "around")[: chance.randrange(3)]
            }
            async with session.request(method, server.api_url + place, json=body, params=query) as answer:
                statuses.add(answer.status)
                assert answer.status < 500, (operation, body)
                assert answer.status == 204 or answer.headers["Content-Type"] == "application/json"
    assert {200, 204, 400, 404} <= statuses
