"""Commands, buttons and forms: registered, used, and answered in time, through the real library."""

from __future__ import annotations

from collections.abc import AsyncIterator

import discord
import pytest
from discord import app_commands

from tests.servers.discord_client import Stage, a_stage, refused


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


async def used(stage, count=1) -> discord.Interaction:
    return await stage.client.hears("interaction", count)


async def register(stage) -> app_commands.CommandTree:
    """Register /cortex, and /memory with two subcommands, and let their calls end in the `interaction` event only."""
    tree = app_commands.CommandTree(stage.client)

    @tree.command(name="cortex", description="Look inside")
    @app_commands.describe(question="What to ask")
    async def cortex(interaction: discord.Interaction, question: str = "", who: discord.Member | None = None) -> None:
        pass

    group = app_commands.Group(name="memory", description="Memories")

    @group.command(name="forget", description="Forget one")
    async def forget(interaction: discord.Interaction, handle: str) -> None:
        pass

    tree.add_command(group)
    await tree.sync()
    return tree


@pytest.fixture
async def tree(stage) -> app_commands.CommandTree:
    return await register(stage)


async def test_commands_are_registered(stage, tree):
    listed = await tree.fetch_commands()
    assert [command.name for command in listed] == ["cortex", "memory"]
    assert [option.name for option in listed[0].options] == ["question", "who"]
    (call,) = stage.server.calls("put_commands")
    assert call.json == {} and len(call.body) == 2
    again = await tree.sync()
    assert [command.id for command in again] == [command.id for command in listed]
    assert len(stage.me.creates) == 2
    await listed[0].delete()
    assert [command.name for command in await tree.fetch_commands()] == ["memory"]
    assert await refused(listed[0].delete()) == (404, 10063)


async def test_commands_of_one_guild(stage):
    tree = app_commands.CommandTree(stage.client)

    @tree.command(name="here", description="Only here", guild=discord.Object(stage.guild.id))
    async def here(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("yes")

    await tree.sync(guild=discord.Object(stage.guild.id))
    it = await stage.ann.slash(stage.support, "here")
    await it.shows("yes")
    with pytest.raises(ValueError, match="no command /here"):
        await stage.ann.slash(stage.me, "here")
    assert await refused(tree.sync(guild=discord.Object(1))) == (404, 10004)


async def test_a_guild_that_was_joined_without_the_scope_for_commands(stage, tree):
    stage.guild.takes_commands = False
    with pytest.raises(ValueError, match="no command /cortex"):
        await stage.ann.slash(stage.support, "cortex")
    listed = tree.fetch_commands(guild=discord.Object(stage.guild.id))
    assert await refused(listed) == (403, 50001)
    await stage.ann.slash(stage.me, "cortex")


async def test_the_quota_of_a_day(stage):
    stage.world.switches.creates = 3
    tree = await register(stage)
    tree.add_command(app_commands.Command(name="one", description="1", callback=_nothing))
    await tree.sync()
    tree.add_command(app_commands.Command(name="two", description="2", callback=_nothing))
    assert await refused(tree.sync()) == (400, 30034)
    stage.world.switches.quota_status = 429
    stage.client.http.max_ratelimit_timeout = 30.0
    assert await refused(tree.sync()) == (429, 30034)
    stage.world.wait(86_401)
    await tree.sync()


async def _nothing(interaction: discord.Interaction) -> None:
    pass


async def test_a_command_arrives_and_is_answered(stage, tree):
    it = await stage.ann.slash(stage.support, "cortex", question="why?", who=stage.ben)
    heard = await used(stage)
    assert (heard.user.id, heard.channel_id, heard.guild_id) == (stage.ann.id, stage.support.id, stage.guild.id)
    assert heard.namespace.question == "why?"
    assert heard.namespace.who.id == stage.ben.id
    assert heard.permissions.manage_guild and not heard.app_permissions.manage_guild
    answer = await heard.response.send_message("because")
    assert answer.message_id == it.original.id
    assert (await it.shows("because")).is_for is None
    posted = await stage.client.hears("message")
    assert (posted.content, posted.type) == ("because", discord.MessageType.chat_input_command)
    assert (posted.webhook_id, posted.application_id) == (stage.me.id, stage.me.id)
    assert posted.interaction_metadata.user.id == stage.ann.id
    assert (await heard.original_response()).id == it.original.id
    with pytest.raises(discord.HTTPException) as caught:
        await stage.client.http.request(
            discord.http.Route("POST", f"/interactions/{it.id}/{it.token}/callback"), json={"type": 5}
        )
    assert caught.value.code == 40060


async def test_subcommands_and_mistakes(stage, tree):
    it = await stage.ann.slash(stage.support, "memory forget", handle="m1")
    heard = await used(stage)
    assert heard.command.qualified_name == "memory forget"
    assert heard.namespace.handle == "m1"
    assert it.data["options"][0]["name"] == "forget"
    with pytest.raises(ValueError, match="required"):
        await stage.ann.slash(stage.support, "memory forget")
    with pytest.raises(ValueError, match="no options"):
        await stage.ann.slash(stage.support, "memory forget", handle="m1", colour="red")
    with pytest.raises(ValueError, match="name a subcommand"):
        await stage.ann.slash(stage.support, "memory")


async def test_commands_for_some_people_only(stage):
    tree = app_commands.CommandTree(stage.client)
    command = app_commands.Command(name="one", description="1", callback=_nothing)
    command.default_permissions = discord.Permissions(manage_guild=True)
    tree.add_command(command)
    await tree.sync()
    with pytest.raises(ValueError, match="Ben is not shown /one"):
        await stage.ben.slash(stage.support, "one")
    await stage.ann.slash(stage.support, "one")


async def test_a_command_in_private(stage, tree):
    it = await stage.ann.slash(stage.me, "cortex", question="why?")
    heard = await used(stage)
    assert (heard.guild, heard.user.id, heard.channel.id) == (None, stage.ann.id, stage.ann.dm().id)
    await heard.response.send_message("because")
    await it.shows("because")
    assert stage.ann.dm().transcript() == "glassmind< because"


async def test_what_only_one_person_sees(stage, tree):
    it = await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage)
    await heard.response.send_message("for you", ephemeral=True)
    message = await it.shows("for you")
    assert (message.is_for, message.is_ephemeral) == (stage.ann, True)
    assert stage.support.transcript() == ""
    assert await refused(stage.channel.fetch_message(message.id)) == (404, 10008)
    assert (await heard.original_response()).flags.ephemeral
    await heard.edit_original_response(content="still for you")
    await message.becomes("still for you")
    await heard.followup.send("more", ephemeral=True)
    await it.shows("more")
    await heard.delete_original_response()
    assert [one.text for one in it.shown] == ["more"]


async def test_a_bot_is_told_of_its_own_whispers_as_if_they_were_direct_messages(stage, tree):
    await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage)
    await heard.response.send_message("for you", ephemeral=True)
    told = await stage.client.hears("message")
    assert (told.content, told.guild, told.flags.ephemeral, told.author.id) == ("for you", None, True, stage.me.id)
    assert told.webhook_id == stage.me.id
    await heard.delete_original_response()
    assert (await stage.client.hears("raw_message_delete")).guild_id is None


async def test_what_is_loading_is_told_of_and_is_not_edited_when_it_appears(stage, tree):
    it = await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage)
    await heard.response.defer(thinking=True)
    told = await stage.client.hears("message")
    assert (told.content, told.flags.loading) == ("", True)
    await heard.edit_original_response(content="at last")
    changed = (await stage.client.hears("raw_message_edit")).message
    assert (changed.content, changed.flags.loading, changed.edited_at) == ("at last", False, None)
    assert stage.support.transcript() == "glassmind< at last"
    await heard.edit_original_response(content="at last!")
    assert stage.support.transcript() == "glassmind< at last! (edited)"
    assert it.original.versions == ["", "at last", "at last!"]


async def test_what_is_loading_can_be_dismissed(stage, tree):
    it = await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage)
    await heard.response.defer(thinking=True)
    await stage.ann.deletes((await it.answered()).original)
    assert await refused(heard.edit_original_response(content="x")) == (404, 10008)
    assert await refused(heard.followup.send("x")) == (404, 10008)


async def test_an_answer_that_is_deferred(stage, tree):
    it = await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage)
    await heard.response.defer(thinking=True)
    await it.answered()
    assert it.is_loading and it.original.flags & 128
    stage.world.wait(60)
    await heard.edit_original_response(content="at last")
    assert (await it.shows("at last")).flags & 128 == 0
    follow = await heard.followup.send("and more", wait=True)
    await follow.edit(content="and much more")
    await it.shows("and much more")
    await follow.delete()
    assert [one.text for one in it.shown] == ["at last"]


async def test_the_first_follow_up_takes_the_place_of_what_is_loading(stage, tree):
    it = await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage)
    await heard.response.defer(ephemeral=True, thinking=True)
    await heard.followup.send("here")
    assert [(one.text, one.is_for) for one in it.shown] == [("here", stage.ann)]


async def test_three_seconds_and_fifteen_minutes(stage, tree):
    late = await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage)
    stage.world.wait(3.5)
    assert late.has_failed
    assert await refused(heard.response.send_message("too late"), discord.NotFound) == (404, 10062)
    it = await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage, 2)
    await heard.response.send_message("in time")
    stage.world.wait(901)
    assert await refused(heard.edit_original_response(content="x")) == (401, 50027)
    assert [one.text for one in it.shown] == ["in time"]


async def test_nothing_can_be_edited_before_there_is_an_answer(stage, tree):
    await stage.ann.slash(stage.support, "cortex")
    heard = await used(stage)
    assert await refused(heard.edit_original_response(content="x")) == (404, 10015)


def buttons() -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="yes", custom_id="y"))
    view.add_item(discord.ui.Button(label="no", custom_id="n", disabled=True))
    return view


async def test_a_button_is_pressed_and_the_message_changes(stage):
    sent = await stage.channel.send("sure?", view=buttons())
    asked = await stage.support.hears("sure?")
    it = await stage.ben.presses(asked, "yes")
    heard = await used(stage)
    assert (heard.data["custom_id"], heard.user.id, heard.message.id) == ("y", stage.ben.id, sent.id)
    await heard.response.edit_message(content="done", view=None)
    await asked.becomes("done")
    assert (asked.buttons, it.answer["type"]) == ([], 7)
    assert stage.support.transcript() == "glassmind< done (edited)"
    await heard.followup.send("just you", ephemeral=True)
    assert (await it.shows("just you")).is_for is stage.ben
    with pytest.raises(ValueError, match="disabled"):
        await stage.ann.presses(await _another(stage), "no")


async def _another(stage):
    await stage.channel.send("again?", view=buttons())
    return await stage.support.hears("again?")


async def test_a_press_that_is_only_acknowledged(stage):
    await stage.channel.send("sure?", view=buttons())
    asked = await stage.support.hears()
    it = await stage.ann.presses(asked, "y")
    heard = await used(stage)
    await heard.response.defer()
    await heard.edit_original_response(content="later")
    assert (asked.text, it.answer["type"]) == ("later", 6)


async def test_forged_presses_and_buttons_only_one_person_sees(stage, tree):
    await stage.channel.send("sure?", view=buttons())
    asked = await stage.support.hears()
    await stage.ann.presses(asked, "anything at all", raw=True)
    assert (await used(stage)).data["custom_id"] == "anything at all"
    with pytest.raises(ValueError, match="nothing is called"):
        await stage.ann.presses(asked, "anything at all")
    it = await stage.ann.slash(stage.support, "cortex")
    await (await used(stage, 2)).response.send_message("just you", view=buttons(), ephemeral=True)
    message = await it.shows()
    with pytest.raises(ValueError, match="does not see"):
        await stage.ben.presses(message, "yes")
    press = await stage.ann.presses(message, "yes")
    heard = await used(stage, 3)
    await heard.response.edit_message(content="done")
    assert (await press.shows("done")) is message


async def test_menus_and_forms(stage):
    view = discord.ui.View(timeout=None)
    options = [discord.SelectOption(label="Soup", value="1"), discord.SelectOption(label="Bread", value="2")]
    view.add_item(discord.ui.Select(custom_id="menu", placeholder="Eat", options=options))
    await stage.channel.send("hungry?", view=view)
    it = await stage.ann.chooses(await stage.support.hears(), "Eat", "Bread")
    heard = await used(stage)
    assert heard.data["values"] == ["2"]
    form = discord.ui.Modal(title="Bread", custom_id="form")
    form.add_item(discord.ui.TextInput(label="How much?", custom_id="much"))
    await heard.response.send_modal(form)
    await it.answered()
    sent = await stage.ann.submits(it, much="two")
    heard = await used(stage, 2)
    assert heard.data["components"][0]["components"][0]["value"] == "two"
    await heard.response.send_message("coming", ephemeral=True)
    await sent.shows("coming")


async def test_interactions_survive_a_resume(stage, tree):
    stage.server.gateway.drop()
    it = await stage.ann.slash(stage.support, "cortex", question="still there?")
    heard = await used(stage)
    await heard.response.send_message("yes")
    await it.shows("yes")


async def test_a_locked_thread_takes_no_answer(stage, tree):
    thread = await stage.ann.starts_thread(stage.support, "soup")
    thread.archive(locked=True)
    await stage.ann.slash(thread, "cortex")
    heard = await used(stage)
    assert await refused(heard.response.send_message("x")) == (403, 50083)


async def test_one_command_at_a_time(stage):
    http, application = stage.client.http, stage.me.id
    made = await http.upsert_global_command(application, {"name": "one", "description": "1"})
    again = await http.upsert_global_command(application, {"name": "one", "description": "2"})
    assert (made["id"], again["description"], len(stage.me.creates)) == (again["id"], "2", 1)
    edited = await http.edit_global_command(application, made["id"], {"description": "3"})
    assert edited["description"] == "3" and edited["version"] != again["version"]
    assert (await http.get_global_command(application, made["id"]))["name"] == "one"
    assert await refused(http.upsert_global_command(application, {"name": "No", "description": "1"})) == (400, 50035)
    assert await refused(http.upsert_global_command(application, {"name": "no", "description": ""})) == (400, 50035)
    assert await refused(http.get_global_commands(1)) == (404, 10002)
