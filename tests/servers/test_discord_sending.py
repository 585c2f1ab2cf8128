"""What a bot writes: accepted, refused and shown as Discord does it, through the real library."""

from __future__ import annotations

import datetime
import io
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from tests.servers.discord import START, Upload
from tests.servers.discord_client import Stage, a_stage, refused


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


def words(caught) -> str:
    return str(caught.value)


async def test_a_message_is_posted_and_told_back(stage):
    sent = await stage.channel.send("hello **there**")
    heard = await stage.client.hears("message")
    assert (heard.id, heard.content, heard.author.id) == (sent.id, "hello **there**", stage.me.id)
    assert sent.created_at.timestamp() == START
    assert stage.support.transcript() == "glassmind< hello **there**"


async def test_answers_are_plain_json(stage):
    headers = {"Authorization": f"Bot {stage.me.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.get(f"{stage.server.api_url}/users/@me") as answer:
            assert answer.headers["Content-Type"] == "application/json"
            assert (await answer.json())["id"] == str(stage.me.id)
        async with session.get(f"{stage.server.api_url}/nothing/here") as answer:
            assert (answer.status, (await answer.json())["code"]) == (404, 0)
        assert [call.path for call in stage.server.calls("strange")] == ["/api/v10/nothing/here"]
        url = f"{stage.server.api_url}/channels/{stage.support.id}/messages"
        async with session.post(url, data=b"{", headers={"Content-Type": "application/json"}) as answer:
            assert (answer.status, (await answer.json())["code"]) == (400, 50109)
        async with session.get(f"{stage.server.api_url}/gateway/bot") as answer:
            told = await answer.json()
            assert (told["url"], told["shards"]) == (stage.server.gateway_url, 1)
            assert told["session_start_limit"]["remaining"] == 999


async def test_the_same_nonce_returns_the_first_message(stage):
    first = await stage.channel.send("one", nonce="row1")
    again = await stage.channel.send("one, again", nonce="row1")
    other = await stage.channel.send("one", nonce="row2")
    assert (first.id, again.content, first.nonce) == (again.id, "one", "row1")
    assert other.id != first.id
    assert stage.support.transcript() == "glassmind< one\nglassmind< one"
    assert [call.json["enforce_nonce"] for call in stage.server.calls("create_message")] == [True] * 3


async def test_a_nonce_is_forgotten_after_minutes(stage):
    first = await stage.channel.send("one", nonce="row1")
    stage.world.wait(stage.world.switches.nonce_life + 1)
    again = await stage.channel.send("one", nonce="row1")
    assert again.id != first.id


async def test_a_nonce_comes_back_with_the_event_but_not_in_history(stage):
    sent = await stage.channel.send("one", nonce="row1")
    assert (await stage.client.hears("message")).nonce == "row1"
    assert (await stage.channel.fetch_message(sent.id)).nonce is None
    stage.world.switches.nonce_in_history = True
    assert (await stage.channel.fetch_message(sent.id)).nonce == "row1"
    assert await refused(stage.channel.send("x", nonce="n" * 26)) == (400, 50035)


async def test_lengths_and_forms_are_checked(stage):
    await stage.channel.send("x" * 2000)
    with pytest.raises(discord.HTTPException) as caught:
        await stage.channel.send("x" * 2001)
    assert (caught.value.code, caught.value.status) == (50035, 400)
    assert "In content: Must be 2000 or fewer in length." in words(caught)
    assert await refused(stage.channel.send("😀" * 1001)) == (400, 50035)
    stage.world.switches.utf16 = False
    await stage.channel.send("😀" * 2000)
    assert await refused(stage.channel.send("")) == (400, 50006)
    assert await refused(stage.channel.send("  ")) == (400, 50006)
    assert await refused(stage.channel.send(embed=discord.Embed(title="x" * 257))) == (400, 50035)
    long = [discord.Embed(description="x" * 3001) for _ in range(2)]
    assert await refused(stage.channel.send(embeds=long)) == (400, 50035)


def a_poll(question="Tea?", options=("Yes", "No"), hours=1) -> discord.Poll:
    made = discord.Poll(question, datetime.timedelta(hours=hours))
    for one in options:
        made.add_answer(text=one)
    return made


async def test_a_poll_stands_as_it_was_asked_and_is_told_so(stage):
    sent = await stage.channel.send(poll=a_poll())
    assert [answer.text for answer in sent.poll.answers] == ["Yes", "No"] and sent.poll.duration.total_seconds() == 3600
    assert stage.support.transcript() == "glassmind< 📊 Tea? (Yes / No)"
    assert (await stage.client.hears("message")).poll.question == "Tea?"


@pytest.mark.parametrize(
    "wrong",
    [
        {"question": " "},
        {"question": "x" * 301},
        {"options": ()},
        {"options": ("x",) * 11},
        {"options": ("x" * 56,)},
        {"hours": 769},
    ],
)
async def test_what_no_poll_may_hold_is_refused(stage, wrong):
    assert await refused(stage.channel.send(poll=a_poll(**wrong))) == (400, 50035)


async def test_a_card_and_a_poll_need_rights_of_their_own(stage):
    stage.support.deny(stage.guild.everyone, "embed_links", "send_polls")
    assert await refused(stage.channel.send(poll=a_poll())) == (403, 50013)
    assert await refused(stage.channel.send(embed=discord.Embed(title="T"))) == (403, 50013)
    assert not (await stage.channel.send("beside words", embed=discord.Embed(title="T"))).embeds


async def test_embeds_and_buttons_are_kept(stage):
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="yes", custom_id="y"))
    view.add_item(discord.ui.Button(label="no", custom_id="n"))
    sent = await stage.channel.send("sure?", embed=discord.Embed(title="T", description="D"), view=view)
    assert [button.label for button in sent.components[0].children] == ["yes", "no"]
    assert sent.embeds[0].description == "D"
    assert stage.support.transcript() == "glassmind< sure?\n    T\n    D [yes] [no]"


async def test_buttons_are_checked(stage):
    view = discord.ui.View(timeout=None)
    for _ in range(2):
        view.add_item(discord.ui.Button(label="yes", custom_id="same"))
    with pytest.raises(discord.HTTPException, match="cannot be duplicated"):
        await stage.channel.send("x", view=view)


async def test_answers_to_messages(stage):
    asked = await stage.ann.says(stage.support, "why?")
    heard = await stage.client.hears("message")
    reply = await heard.reply("because")
    assert (reply.type, reply.reference.message_id) == (discord.MessageType.reply, asked.id)
    assert reply.reference.resolved.content == "why?"
    assert stage.support.last.pings == [stage.ann]
    await stage.ann.deletes(asked)
    with pytest.raises(discord.HTTPException, match="In message_reference: Unknown message"):
        await heard.reply("too late")
    quiet = discord.MessageReference(message_id=asked.id, channel_id=stage.support.id, fail_if_not_exists=False)
    assert (await stage.channel.send("anyway", reference=quiet)).type == discord.MessageType.default


async def test_who_is_pinged(stage):
    mods = stage.guild.role("mods", members=(stage.ben,))
    text = f"{stage.ann.mention} {mods.mention} @everyone"

    async def pinged(text=text, **options):
        await stage.channel.send(text, **options)
        return {user.username for user in stage.support.last.pings}

    assert await pinged() == {"ann", "ben"}
    assert await pinged(allowed_mentions=discord.AllowedMentions.none()) == set()
    only = discord.AllowedMentions(users=[discord.Object(stage.ann.id)], everyone=False, roles=False)
    assert await pinged(allowed_mentions=only) == {"ann"}
    assert await pinged(mods.mention, allowed_mentions=discord.AllowedMentions(roles=True)) == {"ben"}
    assert "allowed_mentions" not in stage.server.calls("create_message")[0].json
    stage.support.deny(stage.guild.everyone, "mention_everyone")
    assert await pinged("@everyone") == set()


async def test_an_answer_that_pings_nobody(stage):
    await stage.ann.says(stage.support, "why?")
    heard = await stage.client.hears("message")
    await heard.reply("because", allowed_mentions=discord.AllowedMentions.none())
    assert stage.support.last.pings == []
    await heard.reply("because", mention_author=True, allowed_mentions=discord.AllowedMentions.none())
    assert stage.support.last.pings == [stage.ann]


async def test_edits_and_deletions(stage):
    sent = await stage.channel.send("tae")
    stage.world.wait(5)
    edited = await sent.edit(content="tea", suppress=True)
    assert (edited.content, edited.edited_at.timestamp(), edited.flags.suppress_embeds) == ("tea", START + 5, True)
    assert (await stage.client.hears("raw_message_edit")).data["content"] == "tea"
    assert stage.support.last.versions == ["tae", "tea"]
    with pytest.raises(discord.HTTPException, match="2000 or fewer"):
        await sent.edit(content="x" * 2001)
    assert await refused(sent.edit(content="")) == (400, 50006)
    await sent.delete()
    assert (await stage.client.hears("raw_message_delete")).message_id == sent.id
    assert await refused(sent.edit(content="x")) == (404, 10008)
    assert await refused(sent.delete(), discord.NotFound) == (404, 10008)
    assert stage.support.transcript() == ""


async def test_messages_of_others(stage):
    await stage.ann.says(stage.support, "mine")
    heard = await stage.client.hears("message")
    assert await refused(heard.edit(content="yours")) == (403, 50005)
    assert await refused(heard.delete()) == (403, 50013)
    stage.guild.role("mods", "manage_messages", members=(stage.me,))
    await heard.delete()
    assert stage.support.transcript() == ""


async def test_reactions(stage):
    message = await stage.ann.says(stage.support, "good?")
    heard = await stage.client.hears("message")
    await heard.add_reaction("👍")
    await stage.ann.reacts(message, "👍")
    event = await stage.client.hears("raw_reaction_add", 2)
    assert (event.user_id, str(event.emoji), event.member.name) == (stage.ann.id, "👍", "ann")
    fetched = await stage.channel.fetch_message(message.id)
    assert (fetched.reactions[0].count, fetched.reactions[0].me) == (2, True)
    await heard.remove_reaction("👍", stage.client.user)
    await stage.ann.reacts(message, "👍", back=True)
    await stage.client.hears("raw_reaction_remove", 2)
    assert message.reactions == {}
    assert await refused(heard.add_reaction("thumbs")) == (404, 10014)


async def test_typing(stage):
    async with stage.channel.typing():
        await stage.support.sees_typing()
    await stage.ann.types(stage.support)
    assert (await stage.client.hears("typing", 2)).id == stage.support.id


async def test_files_are_sent_and_fetched(stage):
    files = [
        discord.File(io.BytesIO(b"# notes"), "notes.md", description="all of it"),
        discord.File(io.BytesIO(b"x"), "b"),
    ]
    sent = await stage.channel.send("look", files=files)
    notes, other = sent.attachments
    assert (notes.filename, notes.size, notes.description, other.filename) == ("notes.md", 7, "all of it", "b")
    assert await notes.read() == b"# notes"
    assert stage.server.calls("download")[0].status == 200
    (call,) = stage.server.calls("create_message")
    assert (call.files[0].content, call.json["content"]) == (b"# notes", "look")
    left = await sent.edit(attachments=[notes])
    assert [one.id for one in left.attachments] == [notes.id]


async def test_what_a_person_sends_can_be_fetched_for_a_day(stage):
    await stage.ann.says(stage.support, "here", files=[Upload("a.txt", b"abc", "text/plain")])
    (attachment,) = (await stage.client.hears("message")).attachments
    assert (attachment.content_type, await attachment.read()) == ("text/plain", b"abc")
    stage.world.wait(86_401)
    with pytest.raises(discord.NotFound):
        await attachment.read()
    renew = discord.http.Route("POST", "/attachments/refresh-urls")
    answer = await stage.client.http.request(renew, json={"attachment_urls": [attachment.url]})
    assert await stage.client.http.get_from_cdn(answer["refreshed_urls"][0]["refreshed"]) == b"abc"
    again = (await stage.channel.fetch_message(stage.support.last.id)).attachments[0]
    assert await again.read() == b"abc"


async def test_files_that_are_too_large_or_not_allowed(stage):
    stage.world.switches.largest_upload = 10
    big = discord.File(io.BytesIO(b"x" * 11), "big")
    assert await refused(stage.channel.send(file=big)) == (413, 40005)
    stage.support.deny(stage.guild.everyone, "attach_files")
    assert await refused(stage.channel.send(file=discord.File(io.BytesIO(b"x"), "x"))) == (403, 50013)


async def test_history_in_every_direction(stage):
    said = [await stage.ann.says(stage.support, str(number)) for number in range(7)]

    async def page(**options):
        return [message.content async for message in stage.channel.history(**options)]

    assert await page() == list("6543210")
    assert await page(limit=2) == list("65")
    assert await page(limit=2, oldest_first=True) == list("01")
    assert await page(before=said[3], limit=2) == list("21")
    assert await page(after=said[3]) == list("456")
    assert await page(after=said[0], limit=2) == list("12")
    assert await page(around=said[3], limit=3) == list("432")
    stage.world.wait(60)
    await stage.ann.says(stage.support, "later")
    moment = discord.utils.snowflake_time(said[-1].id + (1000 << 22))
    assert await page(after=moment) == ["later"]
    assert await page(after=discord.Object(0), limit=3, oldest_first=True) == list("012")


async def test_long_history_is_paged(stage):
    for number in range(130):
        await stage.ann.says(stage.support, str(number))
    everything = [message.content async for message in stage.channel.history(limit=None, oldest_first=True)]
    assert everything == [str(number) for number in range(130)]
    assert len(stage.server.calls("get_messages")) == 2


async def test_pins(stage):
    message = await stage.ann.says(stage.support, "keep")
    stage.guild.role("mods", "manage_messages", members=(stage.me,))
    await (await stage.client.hears("message")).pin()
    pinned = [one async for one in stage.channel.pins()]
    assert [one.id for one in pinned] == [message.id]
