"""What lies around a channel is told without anybody's words, and without keys."""

from __future__ import annotations

import re

from bot.cortex.pages.channel_environment import tree
from bot.domain.ids import MAIN, ChannelId
from bot.domain.messages import ChannelPlace
from bot.ports.channels import KnownChannel
from tests.bot.cortex.chat import ADMIN, OWNER, SECRET, SILENCING, chat
from tests.fakes.provider import says

CATEGORY = "70"


def known(name: str, *parents: str) -> KnownChannel:
    place = ChannelPlace(guild_id="1", parents=parents)
    return KnownChannel(agent=MAIN, id=ChannelId(f"discord:1:{name}"), name=f"#{name}", place=place, last_at=0)


def test_a_server_is_a_tree_of_categories_channels_and_threads():
    channels = (known("11", CATEGORY), known("12", CATEGORY), known("13"), known("21", "11", CATEGORY))
    assert list(tree("1", channels)) == [
        "server 1",
        "  place (70)",
        "    #11 (11)",
        "      #21 (21)",
        "    #12 (12)",
        "  #13 (13)",
    ]


def test_whatever_is_said_to_lie_in_whatever_a_tree_ends():
    assert list(tree("1", (known("11", "11"), known("12", "13"), known("13", "12"))))


async def told(bot, question, by):
    bot.provider.script = [says('{"findings": [], "summary": "fine"}')]
    await bot.hears(f"!cortex {question}", by)
    return bot.provider.requests[-1].messages[0].text


def piece(text, name):
    found = re.search(rf"^## {name}\n(`+)[^\n]*\n(.*?)\n\1$", text, re.MULTILINE | re.DOTALL)
    return found[2] if found else ""


async def test_a_branch_is_told_what_changed_and_what_is_set(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        await bot.remembers()
        bot.clock.advance(60)
        await bot.hears("hello again")
        text = await told(bot, "why is it so?", OWNER)
        changes = piece(text, "recent_changes")
        assert re.search(r"memory m\w{4,5} \(decision\) learnt", changes) and SILENCING not in changes
        assert re.search(r"prompt: memory_bulletin changed before request r\w{4,5}", changes)
        settings = piece(text, "config")
        assert "platform = console" in settings and "conversation.debounce = 0" in settings
        assert "owner_ids" not in settings and SECRET not in text
        assert piece(text, "structure").startswith("server 1\n  #general")


async def test_an_admin_is_told_of_their_own_deeds_only(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        row = await bot.remembers()
        await bot.hears(f"!cortex memory forget {row}", OWNER)
        memory = (await bot.store.memories.get(row)).id
        await bot.hears(f"!cortex memory forget {name_of(memory)}", OWNER)
        await bot.presses("Forget")
        assert f"forgot {name_of(memory)}" in piece(await told(bot, "why is it so?", OWNER), "recent_changes")
        assert " forgot m" not in piece(await told(bot, "why is it so?", ADMIN), "recent_changes")


def name_of(row: int) -> str:
    from bot.domain.handles import HandleKind, handle

    return handle(HandleKind.MEMORY, row)
