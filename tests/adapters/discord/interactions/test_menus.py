"""Commands are registered where they differ, and never more often than that."""

from __future__ import annotations

import pytest

from adapters.discord.interactions import menus
from bot.domain.access import Authority
from bot.ports.platform import CommandMenu, MenuEntry
from tests.adapters.discord.conversation import speaking
from tests.servers.discord import CLOUDFLARE, Drops, Refuses

WHY = MenuEntry(name="why", help="Why is it silent?", argument="question")
ABOUT = MenuEntry(name="why", help="Why is it silent?", on_message="Why?", tier=Authority.ADMIN)
PAUSE = MenuEntry(name="mention-only", help="Answer mentions alone", tier=Authority.MODERATOR)


@pytest.fixture
async def on():
    async with speaking() as found:
        yield found


async def published(on, *entries):
    await menus.publish(on.desk, CommandMenu(entries=entries), on.notes.__setitem__)
    return len(on.server.calls("put_commands"))


async def test_what_is_registered_already_is_left_alone(on):
    assert await published(on, WHY, PAUSE) == 1
    assert await published(on, PAUSE, WHY) == 1, "the order makes no difference"
    assert on.notes == {"commands": "synced"}
    first, second = on.server.calls("put_commands")[0].body
    assert (first["name"], first["contexts"], first["default_member_permissions"]) == ("why", [0, 1], None)
    (option,) = first["options"]
    assert (option["type"], option["name"], option["required"], option["max_length"]) == (3, "question", False, 1000)
    assert (second["name"], second["options"], second["default_member_permissions"]) == ("mention-only", [], "32")


@pytest.mark.parametrize(
    "changed",
    [
        WHY.replace(help="Why?"),
        WHY.replace(argument=""),
        WHY.replace(argument="what"),
        WHY.replace(tier=Authority.ADMIN),
        WHY.replace(name="wherefore"),
    ],
)
async def test_every_difference_is_registered(on, changed):
    await published(on, WHY)
    assert await published(on, changed) == 2
    assert await published(on, changed) == 2


async def test_what_moderators_use_in_private_is_shown_to_those_without_the_guild_too(on):
    """Some moderators manage messages and not the guild; Discord shows a command to those with all named rights."""
    cortex = MenuEntry(name="cortex", help="why", argument="question", tier=Authority.MODERATOR, private=True)
    await published(on, cortex, cortex.replace(name="inspect", tier=Authority.ADMIN), PAUSE)
    told = {one["name"]: one["default_member_permissions"] for one in on.server.calls("put_commands")[0].body}
    assert told == {"cortex": None, "inspect": "32", "mention-only": "32"}


async def test_a_command_that_went_out_of_date_is_gone(on):
    await published(on, WHY, PAUSE)
    await published(on, WHY)
    typed = await on.ann.slash(on.support, "why", question="so?")
    assert typed.data["name"] == "why"
    with pytest.raises(ValueError, match="mention-only"):
        await on.ann.slash(on.support, "mention-only")


async def test_what_is_picked_in_the_menu_of_a_message_is_registered_beside_what_is_typed(on):
    assert await published(on, WHY, ABOUT) == 1
    assert await published(on, WHY, ABOUT) == 1
    found = on.server.calls("put_commands")[0].body[1]
    assert (found["type"], found["name"], found["description"], found["options"]) == (3, "Why?", "", [])
    assert (found["contexts"], found["default_member_permissions"]) == ([0, 1], "32")
    assert await published(on, WHY, ABOUT.replace(tier=Authority.EVERYONE)) == 2
    message = await on.ann.says(on.support, "so?")
    used = await on.ann.picks("Why?", message)
    assert (menus.picked_line(used.data["name"]), used.data["target_id"]) == ("/why", str(message.id))


async def test_what_another_program_needs_there_is_kept(on):
    await published(on, WHY)
    entry = {"id": "99", "type": 4, "name": "launch", "description": "", "handler": 2, "version": "1"}
    kept = menus.kept_fields(entry)
    assert kept == {"id": "99", "type": 4, "name": "launch", "description": "", "handler": 2}


REFUSED = [
    (Refuses(400, 30034, "Max number of daily application command creates has been reached (200)"), "commands_quota"),
    (Refuses(403, 50001, "Missing Access"), "no_access"),
    (CLOUDFLARE, "flood"),
    (Drops(), "cut"),
]


@pytest.mark.parametrize(("fault", "code"), REFUSED, ids=[code for _, code in REFUSED])
async def test_a_refusal_is_noted_and_never_raised(on, fault, code):
    on.server.fault("put_commands", fault, times=2)
    await published(on, WHY)
    assert on.notes == {"commands": f"failed:{code}"}


async def test_a_platform_that_is_gone_is_noted(on):
    await on.server.refuse()
    await published(on, WHY)
    assert on.notes == {"commands": "failed:unreachable"}


def test_odd_entries_are_written_as_the_platform_takes_them():
    entries = [
        MenuEntry(name="Wake Up!", help="x" * 300, argument="What For?"),
        MenuEntry(name="???", help="nothing"),
        MenuEntry(name="empty", help=""),
        *(MenuEntry(name=f"n{n}", help="n") for n in range(200)),
    ]
    found = menus.commands(entries)
    assert len(found) == 100 and [one["name"] for one in found[:2]] == ["wake-up", "empty"]
    assert len(found[0]["description"]) == 100 and found[1]["description"] == "empty"
    assert found[0]["options"][0]["name"] == "what-for"
