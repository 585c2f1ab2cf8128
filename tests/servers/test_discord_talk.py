"""The world by itself: what people may do in it, how it reads, and that the same story is always the same."""

from __future__ import annotations

import pytest

from tests.servers.discord import START, World, discord_server
from tests.servers.discord import state as books
from tests.servers.discord.writing import guild_create
from tests.servers.discord_client import a_stage


def kitchen():
    world = World()
    me, ann, ben = world.bot(), world.person("Ann"), world.person("Ben Bo")
    guild = world.guild("Kitchen", ann, ben, me)
    return world, guild, guild.channel("support"), me, ann, ben


async def test_a_conversation_reads_as_a_person_reads_it():
    world, _, support, me, ann, ben = kitchen()
    asked = await ann.says(support, "why?\nreally", mentions=[me, ben])
    await ben.says(support, "no", reply_to=asked)
    await ben.edits(support.last, "yes")
    await ann.reacts(asked, "👍")
    await world.speaks_through_webhook(support, "CI", "build passed")
    await world.welcomes(support, ben)
    assert support.transcript() == (
        f"Ann> {me.mention} {ben.mention} why?\n    really 👍\nBen Bo> yes (edited)\nCI< build passed\nBen Bo> (joined)"
    )
    assert (asked.pings, support.standing[1].mentions) == ([me, ben], [ann])
    await ann.deletes(asked)
    assert support.transcript().startswith("Ben Bo> yes")


async def test_time_comes_from_the_clock():
    now = [1_700_000_000.0]
    world = World(clock=lambda: now[0])
    ann = world.person("Ann")
    support = world.guild("Kitchen", ann).channel("support")
    first = await ann.says(support, "now")
    now[0] += 5
    world.wait(60)
    second = await ann.says(support, "later")
    assert (first.at, second.at) == (1_700_000_000.0, 1_700_000_065.0)
    assert ((second.id >> 22) - (first.id >> 22)) == 65_000


async def test_ids_only_ever_grow():
    now = [float(START)]
    world = World(clock=lambda: now[0])
    ids = [world.snowflake() for _ in range(3)]
    now[0] -= 3600
    ids.append(world.snowflake())
    assert ids == sorted(set(ids))


async def test_the_same_story_gives_the_same_bytes():
    async def story() -> list[object]:
        _, guild, support, me, ann, ben = kitchen()
        thread = await ann.starts_thread(await ann.says(support, "soup"), "soup")
        await ben.says(thread, "hot?", mentions=me)
        said = [message.event(me) for message in (*support.standing, *thread.standing)]
        return [guild_create(guild, me, members=True), said]

    assert await story() == await story()


async def test_people_cannot_do_what_discord_would_not_let_them():
    world, guild, support, _, ann, ben = kitchen()
    stranger = world.person("Cem")
    with pytest.raises(ValueError, match="Cem lacks send_messages in #support"):
        await stranger.says(support, "hello?")
    support.deny(ben, "send_messages")
    with pytest.raises(ValueError, match="Ben Bo lacks"):
        await ben.says(support, "hello?")
    await ann.says(support, "the owner always can")
    with pytest.raises(ValueError, match="is no forum"):
        await ann.posts(support, "title", "text")
    with pytest.raises(ValueError, match="there is no bot"):
        await ann.slash(world.guild("Empty", ann).channel("x"), "cortex")
    support.delete()
    with pytest.raises(ValueError, match="is deleted"):
        await ann.says(support, "x")
    with pytest.raises(ValueError, match="no permission 'fly'"):
        guild.role("birds", "fly")


async def test_one_bot_is_named_and_two_must_be():
    world, *_, ann, _ = kitchen()
    assert world.only_bot().username == "glassmind"
    world.bot("other")
    with pytest.raises(ValueError, match="name the bot"):
        ann.dm()


async def test_waiting_in_vain_says_what_there_is_instead(monkeypatch):
    monkeypatch.setattr(books, "PATIENCE", 0.02)
    async with a_stage() as stage:
        await stage.ann.says(stage.support, "anybody?")
        with pytest.raises(AssertionError, match=r"no bot said 'yes' in #support; there stands:\nAnn> anybody"):
            await stage.support.hears("yes")
        with pytest.raises(AssertionError, match=r"the last calls: .*'get_application'"):
            await stage.server.called("create_message")
        with pytest.raises(AssertionError, match="nobody typed"):
            await stage.support.sees_typing()


async def test_each_message_of_a_bot_is_heard_once():
    async with a_stage() as stage:
        for text in ("yes", "no", "yes again"):
            await stage.channel.send(text)
        assert (await stage.support.hears("yes")).text == "yes"
        assert (await stage.support.hears("yes")).text == "yes again"
        assert (await stage.support.hears()).text == "no"


async def test_messages_can_be_waited_for_as_they_change():
    async with a_stage() as stage:
        sent = await stage.channel.send("thinking")
        message = await stage.support.hears("thinking")
        await sent.edit(content="done")
        assert (await message.becomes("done")).versions == ["thinking", "done"]
        await sent.delete()
        await message.vanishes()


async def test_raw_fields_can_be_added_and_taken_away():
    async with a_stage() as stage:
        await stage.ann.says(stage.support, "x", member=..., flags=4096)
        data = stage.me.sessions[0].events[-1].data
        assert ("member" in data, data["flags"]) == (False, 4096)


async def test_a_server_may_start_before_or_after_the_story():
    world, _, support, _, ann, _ = kitchen()
    await ann.says(support, "before")
    async with discord_server(world) as server:
        assert server.api_url.startswith("http://127.0.0.1:")
        assert server.calls() == [] and server.limited == [] and server.invalid == []
