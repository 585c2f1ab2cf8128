"""What a new bot is told about itself, before it is configured."""

from __future__ import annotations

import discord
import pytest
from pydantic import ValidationError

from adapters.discord.people.permission_check import FOR_LOOKS, NEEDED
from adapters.discord.setup import introduce, invitation, permissions
from tests.servers.discord import Drops, World, discord_server


def test_the_invitation_asks_for_what_a_probe_looks_for_and_no_more():
    ours = discord.Permissions(permissions())
    assert ours.view_channel and all(getattr(ours, right) for right in (*NEEDED, *FOR_LOOKS))
    assert bin(ours.value).count("1") == len(NEEDED) + len(FOR_LOOKS) + 1
    assert f"permissions={permissions()}" in invitation(7) and "client_id=7" in invitation(7)
    assert "scope=bot+applications.commands" in invitation(7)


async def test_an_account_is_introduced_by_two_questions():
    world = World()
    me = world.bot()
    async with discord_server(world) as server:
        settings = {"token": me.token, "rest_url": server.api_url}
        account, content = await introduce(settings)
        assert account.state == content.state == "ok"
        assert dict(account.facts)["name"] == me.name and dict(account.facts)["invite"].startswith(
            "https://discord.com/"
        )
        assert me.token not in repr((account, content))
        me.granted.discard("message_content")
        assert (await introduce(settings))[1].code == "content_intent"
        assert (await introduce({**settings, "message_content": False}))[1].state == "ok"
        server.fault("get_application", Drops(), times=9)
        (row,) = await introduce(settings)
        assert row.state == "failed" and row.code == "network" and me.token not in repr(row)
    with pytest.raises(ValidationError):
        await introduce({"token": "no token"})
