"""What people do arrives once, in order, with who did it and where."""

from __future__ import annotations

from bot.domain.messages import AttachmentKind, AuthorKind, EventKind, InboundKind
from tests.adapters.discord.listening import listening
from tests.inside.discord import rest_of
from tests.servers.discord import Garbled, Rewritten, Upload


async def test_a_message_in_a_channel():
    async with listening() as here:
        said = await here.ann.says(here.table, "soup?")
        await here.hears("soup?")
        heard = here.newest()
        assert heard.channel == here.id_of(here.table) and heard.channel_name == "#table"
        assert heard.place.guild_id == str(here.kitchen.id) and not heard.place.is_dm
        assert heard.message_id == str(said.id) and heard.edit == 0 and heard.sent_at == here.clock.now()
        assert heard.author.user_id == str(here.ann.id) and heard.author.kind is AuthorKind.PERSON
        assert heard.author.name == "Ann" and not heard.mentions_bot and not heard.mentions_others
        assert here.discord.health().last_event_at == here.clock.now()


async def test_a_private_chat_is_named_by_the_person_whoever_of_both_writes():
    async with listening() as here:
        dm = here.ann.dm()
        await here.ann.says(here.bot, "hello")
        await here.hears("hello")
        assert here.newest().channel == f"discord:dm:{here.ann.id}" and here.newest().place.is_dm
        await rest_of(here.discord).call(
            "POST", "/channels/{channel_id}/messages", channel_id=dm.id, json={"content": "hi"}
        )
        await here.hears("hello", "hi")
        mine = here.newest()
        assert mine.channel == f"discord:dm:{here.ann.id}" and mine.author.kind is AuthorKind.SELF


async def test_the_text_stays_as_it_was_written_and_mentions_are_told_apart():
    async with listening() as here:
        cook = here.kitchen.role("cooks", members=(here.bob,))
        own = here.kitchen.role("glassmind")
        here.kitchen.give(here.bot, own)
        await here.ann.says(here.table, "look", mentions=here.bot)
        await here.caught_up()
        heard = here.newest()
        assert heard.text == f"<@{here.bot.id}> look" and (heard.mentions_bot, heard.mentions_others) == (True, False)
        await here.ann.says(here.table, "look", mentions=[here.bot, here.bob])
        await here.caught_up()
        assert (here.newest().mentions_bot, here.newest().mentions_others) == (True, True)
        await here.ann.says(here.table, "look", mentions=cook)
        await here.caught_up()
        assert (here.newest().mentions_bot, here.newest().mentions_others) == (False, True)


async def test_an_answer_to_the_bot_and_to_somebody_else():
    async with listening() as here:
        channel = here.table.id
        rest = rest_of(here.discord)
        await rest.call("POST", "/channels/{channel_id}/messages", channel_id=channel, json={"content": "soup"})
        asked = await here.bob.says(here.table, "salt?")
        mine = here.table.standing[0]
        await here.ann.says(here.table, "no", reply_to=mine)
        await here.hears("no")
        heard = here.newest()
        assert heard.replies_to == str(mine.id) and heard.replies_to_bot and not heard.mentions_bot
        await here.ann.says(here.table, "yes", reply_to=asked)
        await here.hears("yes")
        heard = here.newest()
        assert heard.replies_to == str(asked.id) and not heard.replies_to_bot and not heard.mentions_others


async def test_threads_and_forum_posts_name_what_they_lie_in():
    async with listening() as here:
        house = here.kitchen.category("house")
        forum = here.kitchen.forum("recipes", under=house)
        post = await here.ann.posts(forum, "soup", "how?")
        await here.hears("how?")
        heard = here.newest()
        assert heard.channel == here.id_of(post) and heard.channel_name == "#recipes › soup"
        assert heard.place.parents == (str(forum.id), str(house.id))
        said = await here.ann.says(here.table, "a question")
        thread = await here.ann.starts_thread(said, "the answer")
        await here.bob.says(thread, "here it is")
        await here.hears("here it is")
        assert here.newest().place.parents == (str(here.table.id),)


async def test_edits_are_named_by_their_time_and_deletions_leave_a_row():
    async with listening() as here:
        said = await here.ann.says(here.table, "sop")
        here.clock.advance(2)
        await here.ann.edits(said, "soup")
        await here.caught_up()
        edit = here.newest(InboundKind.EDIT)
        assert (edit.message_id, edit.text, edit.edit) == (str(said.id), "soup", here.clock.now())
        await here.ann.deletes(said)
        await here.caught_up()
        gone = here.newest(InboundKind.DELETE)
        assert (gone.channel, gone.message_id, gone.text) == (edit.channel, str(said.id), "")


async def test_a_link_that_unfolds_is_no_edit_and_the_bots_own_edits_are_not_heard():
    async with listening() as here:
        said = await here.ann.says(here.table, "https://example.com")
        unfolded = said.json(here.bot) | {"embeds": [{"type": "link", "title": "Example"}]}
        here.server.gateway.push("MESSAGE_UPDATE", unfolded | {"guild_id": str(here.kitchen.id)})
        await here.caught_up()
        assert all(one.kind is not InboundKind.EDIT for one in here.ears.heard_all)


async def test_many_messages_deleted_at_once():
    async with listening() as here:
        said = [await here.ann.says(here.table, text) for text in ("one", "two")]
        ids = [str(one.id) for one in said]
        body = {"ids": ids, "channel_id": str(here.table.id), "guild_id": str(here.kitchen.id)}
        here.server.gateway.push("MESSAGE_DELETE_BULK", body)
        await here.caught_up()
        gone = [one.message_id for one in here.ears.heard_all if one.kind is InboundKind.DELETE]
        assert gone == ids


async def test_files_by_their_kind():
    async with listening() as here:
        await here.ann.says(
            here.table, "look", files=[Upload("notes.md", b"# soup"), Upload("a.png", b"\x89PNG", "image/png")]
        )
        await here.hears("look")
        assert [(one.name, one.kind) for one in here.newest().attachments] == [
            ("notes.md", AttachmentKind.TEXT),
            ("a.png", AttachmentKind.IMAGE),
        ]


async def test_whoever_is_no_person_is_none():
    async with listening() as here:
        await here.world.speaks_through_webhook(here.table, "Ann", "!cortex why")
        await here.hears("!cortex why")
        assert here.newest().author.kind is AuthorKind.WEBHOOK
        other = here.world.bot("other")
        here.kitchen.join(other)
        await here.world.welcomes(here.table, here.bob)
        await here.caught_up()
        welcome = [one for one in here.ears.heard_all if one.event is not None][-1]
        assert welcome.event is not None and welcome.event.name == "new_member" and welcome.text == ""


async def test_what_is_forwarded_was_not_typed():
    async with listening() as here:
        snapshot = {"message": {"type": 0, "content": "!cortex", "embeds": [], "attachments": [], "flags": 0}}
        snapshot["message"] |= {"timestamp": "2025-10-09T08:00:00+00:00", "edited_timestamp": None}
        await here.ann.says(here.table, "", message_snapshots=[snapshot], flags=1 << 14)
        await here.hears("!cortex")
        assert here.newest().forwarded


async def test_odd_text_is_cleaned_and_its_hash_kept():
    async with listening() as here:
        await here.ann.says(here.table, "a\0b")
        await here.caught_up()
        heard = here.newest()
        assert heard.text == "a\ufffdb" and len(heard.original_sha256) == 64


async def test_without_the_intent_words_come_only_with_a_mention():
    async with listening(message_content=False) as here:
        await here.ann.says(here.table, "hello all")
        await here.ann.says(here.table, "hello you", mentions=here.bot)
        await here.caught_up()
        assert here.ears.said == ["", f"<@{here.bot.id}> hello you"]
        facts = dict(here.discord.health().facts)
        assert (facts["requested_content"], facts["message_content"]) == ("no", "yes")
        assert here.discord.health().state == "up"


async def test_coming_into_a_guild_and_being_removed():
    async with listening() as here:
        den = here.world.guild("Den", here.bob)
        lobby = den.channel("lobby")
        den.join(here.bot)
        await here.caught_up()
        (joined,) = [one for one in here.ears.heard_all if one.event and one.event.kind is EventKind.JOINED]
        assert joined.channel == here.id_of(lobby)
        den.leave(here.bot)
        await here.caught_up()
        (gone,) = [one for one in here.ears.heard_all if one.event and one.event.kind is EventKind.LEFT]
        assert gone.channel == here.id_of(lobby)
        here.kitchen.go_down()
        here.kitchen.come_back()
        await here.caught_up()
        assert [one for one in here.ears.events if one.startswith("guild_")] == ["guild_join", "guild_remove"]


async def test_what_the_bot_may_leaves_a_row_when_it_changes():
    async with listening() as here:
        role = here.kitchen.role("helpers", "manage_messages")
        here.kitchen.give(here.bot, role)
        here.kitchen.permit(role, "manage_messages", "kick_members")
        here.table.deny(here.kitchen.everyone, "send_messages")
        here.kitchen.give(here.bob, role)
        await here.caught_up()
        assert here.ears.events == ["own_roles", "role_permissions", "channel_permissions"]


async def test_what_becomes_of_channels_leaves_a_row():
    async with listening() as here:
        hall = here.kitchen.channel("hall")
        thread = await here.ann.starts_thread(await here.ann.says(hall, "a question"), "side")
        thread.archive(locked=True)
        hall.delete()
        await here.caught_up()
        events = [one for one in here.ears.heard_all if one.event is not None and one.author.user_id == "0"]
        assert [one.event.name for one in events if one.channel == here.id_of(hall) and one.event] == [
            "guild_channel_create",
            "guild_channel_delete",
        ]
        assert "thread_locked" in [one.event.name for one in events if one.channel == here.id_of(thread) and one.event]


async def test_what_cannot_be_read_leaves_a_row_and_the_connection_stays():
    async with listening() as here:
        here.server.fault_event("MESSAGE_CREATE", Rewritten(lambda data: data | {"author": 7}))
        broken = await here.ann.says(here.table, "one")
        here.server.gateway.push("NEVER_HEARD_OF", {"a": 1})
        here.server.gateway.push("GUILD_CREATE", {"id": "nonsense"})
        await here.ann.says(here.table, "two")
        await here.hears("two")
        assert here.ears.events == ["unreadable MESSAGE_CREATE"]
        assert here.ears.heard_all[-2].message_id == str(broken.id)
        assert len(here.server.gateway.connections) == 1 and here.discord.health().state == "up"


async def test_a_frame_that_is_garbage_costs_the_connection_but_no_message():
    async with listening() as here:
        here.server.fault_event("MESSAGE_CREATE", Garbled())
        await here.ann.says(here.table, "one")
        await here.ann.says(here.table, "two")
        await here.hears("one", "two")
        assert len(here.server.gateway.connections) == 2
