"""Everything else that a platform does: previews, reactions, files, menus, links, rights, and a look at itself."""

from __future__ import annotations

import pytest
from telegram.constants import ReactionEmoji

from adapters.telegram.adapter import commands
from adapters.telegram.places import NAME
from adapters.telegram.speaker import reaction
from bot.domain.access import Authority, AuthorityTiers
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.messages import AttachmentKind, Preview
from bot.errors import DeliveryError, FetchError
from bot.ports.platform import CommandMenu, MenuEntry
from tests.adapters.telegram.connected import connected, here, message, refusal, to
from tests.servers.telegram import Alters, BadGateway, Drops, Hangs, Refuses, Upload


@pytest.fixture
async def on():
    async with connected() as connection:
        yield connection


@pytest.fixture
def dm(on):
    return on.world.dm(on.ann)


@pytest.fixture
def group(on):
    group = on.world.supergroup("Tea", on.ann, username="tea_room")
    on.world.add_bot(group)
    return group


def person(who) -> PersonKey:
    return PersonKey(NAME, UserId(str(who.id)))


def preview(chat, text, message_id="", number=7) -> Preview:
    return Preview(to=to(chat), text=text, number=number, message_id=message_id)


async def test_private_previews_are_drafts(on, dm):
    assert await on.telegram.preview(preview(dm, "thin")) == ""
    assert await on.telegram.preview(preview(dm, "**thinking**")) == ""
    assert [text for _, _, text in on.world.drafts] == ["thin", "thinking"] and on.world.transcript(dm) == ""


async def test_where_drafts_are_refused_a_message_is_edited_for_good(on, dm):
    on.world.switches.drafts = False
    shown = await on.telegram.preview(preview(dm, "thin"))
    assert await on.telegram.preview(preview(dm, "thinking", shown)) == shown
    assert on.world.transcript(dm) == "glassmind_bot< thinking (edited)"
    await on.telegram.preview(preview(dm, "more"))
    assert len(on.server.calls("sendMessageDraft")) == 1


async def test_group_previews_are_messages(on, group):
    shown = await on.telegram.preview(preview(group, "thin"))
    assert await on.telegram.preview(preview(group, "thinking", shown)) == shown
    await on.telegram.preview(preview(group, "thinking", shown))
    await on.telegram.send(message(group, "done", edits=shown))
    assert on.world.transcript(group).endswith("glassmind_bot< done (edited)")
    assert not on.server.calls("sendMessageDraft")


async def test_a_preview_that_fails_says_so(on, dm, group):
    on.server.fault("sendMessageDraft", Drops())
    assert (await refusal(on.telegram.preview(preview(dm, "x")))).code == "cut"
    on.server.fault("sendMessage", Refuses(403, "Forbidden: bot was kicked from the supergroup chat"))
    assert (await refusal(on.telegram.preview(preview(group, "x")))).code == "not_member"
    on.world.block(on.ann)
    assert (await refusal(on.telegram.preview(preview(dm, "x")))).code == "dm_closed"


@pytest.mark.parametrize("emoji", ["👀", "✅", "⚠️", "❤️", "❤", "👍", " 🔥 "])
async def test_reactions_that_the_bot_uses_are_taken(on, dm, emoji):
    said = on.world.say(dm, on.ann, "hi")
    await on.telegram.react(here(dm), str(said.id), emoji)
    ((shown,),) = said.reactions.values()
    assert shown["emoji"] == reaction(emoji)


async def test_a_reaction_that_telegram_does_not_know_is_refused(on, dm):
    said = on.world.say(dm, on.ann, "hi")
    assert (await refusal(on.telegram.react(here(dm), str(said.id), "🫖"))).code == "unsupported_emoji"
    assert (await refusal(on.telegram.react(here(dm), "nonsense", "👀"))).code == "message_gone"
    assert (await refusal(on.telegram.react(ChannelId("telegram:elsewhere"), "1", "👀"))).code == "chat_not_found"
    on.server.fault("setMessageReaction", Refuses(400, "Bad Request: REACTION_INVALID"))
    assert (await refusal(on.telegram.react(here(dm), str(said.id), "👀"))).code == "unsupported_emoji"


def test_every_allowed_reaction_stays_itself():
    assert all(reaction(emoji.value) == emoji.value for emoji in ReactionEmoji)


async def test_typing_is_shown_where_the_answer_will_be(on, group):
    await on.telegram.set_typing(here(group), True)
    await on.telegram.set_typing(here(group), False)
    (call,) = on.server.calls("sendChatAction")
    assert (call.params["chat_id"], call.params["action"]) == (group.id, "typing")
    on.server.fault("sendChatAction", BadGateway())
    with pytest.raises(DeliveryError):
        await on.telegram.set_typing(here(group), True)


async def attachment(on, dm, **file):
    on.listen()
    on.world.say(dm, on.ann, "look", **file)
    await on.caught_up()
    (found,) = on.ears.heard_all[-1].attachments
    return found


async def test_a_file_comes_in_whole(on, dm):
    found = await attachment(on, dm, document=Upload("tea.txt", b"green tea", "text/plain"))
    assert (found.kind, found.name, found.size) == (AttachmentKind.TEXT, "tea.txt", 9)
    assert await on.telegram.fetch(found, 9) == b"green tea"


async def test_a_photo_comes_in(on, dm):
    found = await attachment(on, dm, photo=b"\xff\xd8\xff picture")
    assert found.kind is AttachmentKind.IMAGE
    assert await on.telegram.fetch(found, 1000) == b"\xff\xd8\xff picture"


async def test_no_file_is_larger_than_it_may_be_whatever_is_claimed(on, dm):
    found = await attachment(on, dm, document=Upload("tea.txt", b"x" * 5000, "text/plain"))
    with pytest.raises(FetchError, match="larger than 5 kB"):
        await on.telegram.fetch(found, 4999)
    on.server.fault("getFile", Alters(lambda file: file | {"file_size": 10}))
    with pytest.raises(FetchError, match="larger than 1 kB"):
        await on.telegram.fetch(found, 10)


async def test_a_file_that_cannot_be_had_says_why(on, dm):
    found = await attachment(on, dm, document=Upload("tea.txt", b"x", "text/plain"))
    for fault in (
        Refuses(400, "Bad Request: file is too big"),
        Drops(),
        Alters(lambda file: file | {"file_path": "/etc/x"}),
    ):
        on.server.fault("getFile", fault)
        with pytest.raises(FetchError):
            await on.telegram.fetch(found, 100)
    for reference in ("", "unknown"):
        with pytest.raises(FetchError):
            await on.telegram.fetch(found.replace(reference=reference), 100)


async def test_menus_are_set_once_and_for_those_who_steer(on):
    menu = CommandMenu(
        entries=(
            MenuEntry(name="help", help="what I understand"),
            MenuEntry(name="mention-only", help="answer when addressed", tier=Authority.MODERATOR),
            MenuEntry(name="cortex", help="why", tier=Authority.ADMIN),
        ),
        tiers=AuthorityTiers(admins=frozenset({UserId("12345")}), moderators=frozenset({UserId(str(on.ann.id))})),
    )
    await on.telegram.publish(menu)
    calls = on.server.calls("setMyCommands")
    names = [[one["command"] for one in call.params["commands"]] for call in calls]
    assert names[:2] == [["help"], ["help", "mention_only"]], "no cortex for who may not use it"
    await on.telegram.publish(menu)
    assert len(on.server.calls("setMyCommands")) <= len(calls) + 1, "what is set already is not set again"
    await on.server.refuse()
    await on.telegram.publish(menu)


def test_commands_are_written_as_telegram_takes_them():
    entries = [
        MenuEntry(name="Mention-Only", help=""),
        MenuEntry(name="é", help="x"),
        MenuEntry(name="a", help="h" * 999),
    ]
    assert [(one.command, len(one.description)) for one in commands(entries)] == [("mention_only", 12), ("a", 256)]


async def test_who_may_is_asked_live_and_doubt_means_no(on, group):
    boss, bo = on.world.person("Boss"), on.world.person("Bo")
    on.world.join(group, boss)
    on.world.join(group, bo)
    on.world.promote(group, boss)
    ask = on.telegram.is_channel_admin
    assert await ask(person(on.ann), here(group)) and await ask(person(boss), here(group))
    assert await on.telegram.can_read(person(boss), here(group))
    assert not await ask(person(bo), here(group)) and not await on.telegram.can_read(person(bo), here(group))
    on.world.demote(group, boss)
    assert not await ask(person(boss), here(group))
    assert not await ask(PersonKey("discord", UserId(str(on.ann.id))), here(group))
    for fault in (Drops(), Hangs(), BadGateway(), Refuses(400, "Bad Request: PARTICIPANT_ID_INVALID")):
        on.server.fault("getChatMember", fault)
        assert not await ask(person(on.ann), here(group))


async def test_everybody_reads_their_own_private_chat_alone(on, dm):
    bo = on.world.person("Bo")
    assert await on.telegram.can_read(person(on.ann), here(dm))
    assert await on.telegram.can_read(person(on.ann), here(dm, 7))
    assert not await on.telegram.can_read(person(bo), here(dm))
    assert not await on.telegram.can_read(person(bo), ChannelId("telegram:elsewhere"))


async def test_what_names_a_channel(on, group):
    on.listen()
    on.world.say(group, on.ann, "@glassmind_bot hi")
    await on.caught_up()
    number = str(group.id).removeprefix("-100")
    assert on.telegram.resolve(f"https://t.me/c/{number}/7") == (here(group), "7")
    assert on.telegram.resolve("https://t.me/tea_room/7") == (here(group), "7")
    assert on.telegram.resolve("@tea_room") == (here(group), "")
    assert on.telegram.resolve("https://t.me/other_room/7") == ("telegram:@other_room", "7")
    assert on.telegram.resolve(f" {group.id} ") == (here(group), "")
    assert on.telegram.resolve(f"{group.id}:7") == (here(group, 7), "")
    for text in ("", "here", "@nobody_known", "1234", "123456789012345678", "-", "#tea", "https://example.org/c/1/2"):
        assert on.telegram.resolve(text) is None


async def test_the_invitation_leads_to_the_private_chat(on):
    assert on.telegram.invitation("abc") == ""
    on.listen()
    await on.caught_up()
    bo = on.world.person("Bo")
    assert on.world.follow(bo, on.telegram.invitation("a-b_c")).text == "/start a-b_c"


def rows(probes):
    return {probe.name: (probe.state, probe.code) for probe in probes}


async def test_a_look_at_the_platform_polls_nothing(on, group):
    found = await on.telegram.probe(here(group))
    assert rows(found) == {
        "telegram account": ("ok", ""),
        "telegram webhook": ("ok", ""),
        "telegram polling": ("unknown", ""),
        f"telegram {here(group)}": ("warning", "privacy"),
    }
    assert "/setprivacy" in found[-1].fix and not on.server.calls("getUpdates")
    on.world.privacy(False)
    assert rows(await on.telegram.probe(here(group)))[f"telegram {here(group)}"] == ("ok", "")
    on.world.privacy(True)
    on.world.promote(group, on.bot, by=on.ann)
    assert rows(await on.telegram.probe(here(group)))[f"telegram {here(group)}"] == ("ok", "")


async def test_a_look_finds_what_is_wrong(on, group, dm):
    name = f"telegram {here(group)}"
    on.world.set_webhook("https://other.example/secret-path")
    found = await on.telegram.probe(None)
    assert rows(found)["telegram webhook"] == ("failed", "webhook") and "secret-path" not in str(found)
    on.world.restrict(group, on.bot, by=on.ann, can_send_messages=False)
    assert rows(await on.telegram.probe(here(group)))[name] == ("failed", "no_rights")
    on.world.kick(group, on.bot, on.ann)
    assert rows(await on.telegram.probe(here(group)))[name][0] == "failed"
    assert rows(await on.telegram.probe(here(dm)))[f"telegram {here(dm)}"] == ("ok", "")
    stranger = ChannelId("telegram:5000999999")
    assert rows(await on.telegram.probe(stranger))[f"telegram {stranger}"] == ("failed", "dm_closed")
    assert rows(await on.telegram.probe(ChannelId("telegram:elsewhere")))["telegram telegram:elsewhere"][0] == "failed"
    await on.server.refuse()
    assert rows(await on.telegram.probe(None))["telegram account"] == ("failed", "network")
    on.world.bots.clear()
    await on.server.accept()
    assert rows(await on.telegram.probe(None))["telegram account"] == ("failed", "token")


async def test_the_health_tells_what_the_platform_said(on):
    on.listen()
    await on.caught_up()
    facts = dict(on.telegram.health().facts)
    assert (facts["username"], facts["can_read_all_group_messages"], facts["webhook_host"]) == (
        "glassmind_bot",
        "no",
        "",
    )
