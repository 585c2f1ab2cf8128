"""Discord against `discord-digital-twin`, which somebody else wrote (in Node, behind a shim): REST and gateway."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.app.adapters import machine, open_edges
from bot.app.bot import Bot
from bot.config import parse_config
from bot.domain.access import Authority
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.messages import Button, InboundKind, OutboundAddress, OutgoingFile, OutgoingMessage, Preview
from bot.errors import DeliveryError
from bot.ports.platform import CommandMenu, MenuEntry
from bot.runtime.tasks import TaskSupervisor
from tests.fakes.ears import FakeEars
from tests.inside.discord import client_of, holds_nothing
from tests.peers.discord import NOW, TOKEN, Here, Peer, eventually, listening, until, up
from tests.peers.processes import a_peer, discord_program, free_port

CONFIG = """
[bot]
data_dir = "{data}"
log_level = "error"
[platforms.discord]
token = "{token}"
rest_url = "{url}"
cdn_url = "{url}"
owner_ids = [{owner}]
calls_per_second = 0.0
[conversation]
debounce = 0
"""
WHY = MenuEntry(name="why", help="Why is it silent?", argument="question")
PAUSE = MenuEntry(name="pause", help="Say nothing", tier=Authority.MODERATOR)


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    port = free_port()
    async with a_peer(*discord_program(), str(port), TOKEN, port=port) as url, aiohttp.ClientSession() as session:
        peer = Peer(url, session)
        peer.world = await peer.call("world")
        yield peer


@pytest.fixture
async def here(peer: Peer) -> AsyncIterator[Here]:
    async with listening(peer, FakeEars()) as here:
        await up(here)
        yield here


# connecting


async def test_it_connects_and_knows_where_it_is(here: Here):
    health = here.discord.health()
    facts = dict(health.facts)
    assert (facts["shards"], facts["message_content"], facts["sessions_left"]) == ("1 of 1", "yes", "999 of 1000")
    assert client_of(here.discord).guild_of(int(here.peer.where("table"))) == int(here.peer.world["guild"])


async def test_a_wrong_token_is_named(peer: Peer):
    async with listening(peer, FakeEars(), token="MTIz.wrong.token") as here:
        await until(lambda: here.discord.health().code == "token")
        assert here.discord.health().state == "down"


async def test_the_address_of_the_gateway_may_be_given(peer: Peer):
    async with listening(peer, FakeEars(), gateway_url=peer.world["gateway_url"]) as here:
        await up(here)
        await peer.says("Ann", "hello")
        await here.heard("hello")


# hearing


async def test_a_mention_arrives_as_it_was_written(here: Here):
    text = f"{here.peer.at} are you there, 😀 \u202e?"
    number = await here.peer.says("Ann", text)
    await until(lambda: bool(here.ears.heard_all))
    (said,) = here.ears.heard_all
    assert (said.message_id, said.channel, said.channel_name) == (number, here.table, "#table")
    assert (said.author.name, said.author.user_id, said.author.kind) == ("Ann", here.peer.who("Ann"), "person")
    assert said.text.startswith(f"{here.peer.at} are you there, 😀") and said.mentions_bot and not said.mentions_others
    assert not said.place.is_dm and said.place.guild_id == here.peer.world["guild"]
    assert abs(said.sent_at - NOW()) < 60_000


async def test_edits_deletions_replies_and_files_arrive(here: Here):
    reference = {"message_id": "1", "channel_id": here.peer.where("table"), "type": 0}
    link = f"{here.peer.url}/attachments/1/7/tea.txt"
    file = {"id": "7", "filename": "tea.txt", "size": 3, "url": link, "proxy_url": link, "content_type": "text/plain"}
    number = await here.peer.says("Ann", "tea", messageReference=reference, attachments=[file])
    at = {"channelId": here.peer.where("table"), "messageId": number}
    await here.peer.call("simulateUserMessageEdit", **at, content=f"{here.peer.at} tea?")
    await here.peer.call("simulateUserMessageDelete", **at)
    await until(lambda: len(here.ears.heard_all) == 3)
    said, edit, gone = here.ears.heard_all
    assert (said.replies_to, said.mentions_bot) == ("1", False)
    assert [(one.name, one.mimetype, one.size) for one in said.attachments] == [("tea.txt", "text/plain", 3)]
    assert (edit.kind, edit.text, edit.mentions_bot) == (InboundKind.EDIT, f"{here.peer.at} tea?", True)
    assert (gone.kind, {one.message_id for one in here.ears.heard_all}) == (InboundKind.DELETE, {number})


async def test_what_was_said_meanwhile_is_read_back_once_and_in_order(peer: Peer):
    ears = FakeEars()
    async with listening(peer, ears) as here:
        await up(here)
        await peer.says("Ann", "before")
        await here.heard("before")
        await until(lambda: holds_nothing(here.discord))
    missed = [f"{peer.at} meanwhile {number}" for number in range(120)]
    for text in missed:
        await peer.says("Bob", text)
    async with listening(peer, ears) as here:
        await here.heard("before", *missed)
        assert all(one.mentions_bot and one.author.name == "Bob" for one in ears.heard_all[1:])
        await peer.says("Ann", "after")
        await here.heard("before", *missed, "after")


async def test_a_connection_that_broke_is_begun_anew_and_misses_nothing(here: Here):
    await here.peer.says("Ann", "one")
    await here.heard("one")
    await here.peer.call("cut")
    await here.peer.says("Ann", "two")
    await here.heard("one", "two")
    assert dict(here.discord.health().facts)["reconnects_1h"] == "2", "cut, and refused to go on"
    await up(here)
    await here.peer.says("Ann", "three")
    await here.heard("one", "two", "three")


# speaking


async def test_a_message_is_sent_changed_and_taken_back(here: Here):
    asked = await here.peer.says("Ann", "tea?")
    buttons = (Button(label="Milk", data="milk"), Button(label="None", data="none"))
    sent = await here.discord.send(here.words("first @everyone", replies_to=asked, buttons=buttons))
    assert abs(sent.at - NOW()) < 60_000
    (_, message) = await here.peer.messages()
    assert (message["id"], message["content"]) == (sent.message_id, "first @\u2060everyone")
    assert (message["nonce"], message["flags"], asked in message["messageReference"]) == ("n1", 4, True)
    (row,) = message["components"]
    assert [(one["label"], one["custom_id"]) for one in row["components"]] == [("Milk", "milk"), ("None", "none")]
    await here.discord.send(here.words("second", "n2", edits=sent.message_id))
    await here.peer.hears("second")
    assert (await here.peer.messages())[-1]["components"] == []
    await here.discord.retract(here.table, sent.message_id)
    await here.discord.retract(here.table, sent.message_id)
    await here.peer.hears()
    with pytest.raises(DeliveryError) as caught:
        await here.discord.send(here.words("third", "n3", edits=sent.message_id))
    assert (caught.value.code, caught.value.permanent) == ("message_gone", True)


async def test_what_it_says_itself_comes_back_as_its_own(here: Here):
    sent = await here.discord.send(here.words("here I am"))
    await until(lambda: bool(here.ears.heard_all))
    assert [(one.message_id, one.author.kind) for one in here.ears.heard_all] == [(sent.message_id, "self")]


async def test_an_answer_grows_while_it_is_written(here: Here):
    shown = ""
    for text in ("Yes", "Yes, there"):
        to = OutboundAddress(platform="discord", channel=here.table)
        shown = await here.discord.preview(Preview(to=to, text=text, number=1, message_id=shown))
    await here.discord.send(here.words("Yes, there is tea.", edits=shown))
    await here.peer.hears("Yes, there is tea.")


async def test_it_shows_that_it_writes_and_reacts(here: Here):
    await here.discord.set_typing(here.table, True)
    assert [one["channelId"] for one in await here.peer.call("typing")] == [here.peer.where("table")]
    number = await here.peer.says("Ann", "tea!")
    await here.discord.react(here.table, number, "❤️")
    (found,) = await here.peer.call("reactions")
    assert (found["messageId"], found["emoji"].rstrip("\ufe0f")) == (number, "❤")


async def test_long_after_an_attempt_the_channel_is_asked_instead_of_repeating_it(here: Here):
    began = here.clock.now()
    first = await here.discord.send(here.words("once"))
    here.clock.advance(300)
    again = await here.discord.send(here.words("once", since=began))
    assert again.message_id == first.message_id and await here.peer.texts() == ["once"]
    other = await here.discord.send(here.words("once", "n2", since=began))
    assert other.message_id != first.message_id, "another one with the same words"


async def test_a_channel_that_is_not_there_is_named(here: Here):
    nowhere = OutboundAddress(platform="discord", channel=ChannelId(f"discord:{here.peer.world['guild']}:1"))
    with pytest.raises(DeliveryError) as caught:
        await here.discord.send(OutgoingMessage(nonce="n", to=nowhere, text="hello"))
    assert (caught.value.code, caught.value.permanent) == ("chat_not_found", True)


async def test_a_file_goes_out_with_its_words(here: Here, tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("tea, and 😀", encoding="utf-8")
    await here.discord.send(
        here.words("here", file=OutgoingFile(name="notes.txt", path=str(path), mimetype="text/plain"))
    )
    await here.peer.hears("here")
    assert await here.peer.call("files") == [{"field": "files[0]", "name": "notes.txt", "text": "tea, and 😀"}]


async def test_a_thread_in_private(here: Here):
    ann = PersonKey("discord", UserId(here.peer.who("Ann")))
    address = await here.discord.open_thread(ann, "Why *so* quiet")
    await here.discord.send(OutgoingMessage(nonce="n", to=address, text="Paused"))
    chat = (await here.peer.call("privately", user=here.peer.who("Ann")))["id"]
    await here.peer.hears("**Why \\*so\\* quiet**", "Paused", where=chat)
    root, below = await here.peer.messages(chat)
    assert address.thread == root["id"] and root["id"] in below["messageReference"]
    await here.peer.says("Ann", "thanks", where=chat)
    await until(lambda: "thanks" in here.ears.said)
    said = next(one for one in here.ears.heard_all if one.text == "thanks")
    assert (said.channel, said.place.is_dm) == (f"discord:dm:{ann.user_id}", True)


# commands and presses


async def test_commands_are_registered_where_they_differ(here: Here):
    for _ in range(2):
        await here.discord.publish(CommandMenu(entries=(WHY, PAUSE)))
        found = await here.peer.call("commands")
    again = await here.peer.call("commands")
    assert [(one["name"], one["description"]) for one in found] == [("why", WHY.help), ("pause", PAUSE.help)]
    assert [one["defaultMemberPermissions"] for one in found] == [None, "32"]
    assert dict(here.discord.health().facts)["commands"] == "synced" and found == again
    await here.discord.publish(CommandMenu(entries=(WHY,)))
    assert [one["name"] for one in await here.peer.call("commands")] == ["why"]


async def test_a_slash_command_is_heard_and_answered(here: Here):
    await here.discord.publish(CommandMenu(entries=(WHY,)))
    options = [{"name": "question", "type": 3, "value": "so quiet"}]
    at = {"channelId": here.peer.where("table"), "userId": here.peer.who("Ann")}
    await here.peer.call("simulateSlashCommand", **at, name="why", options=options)
    await here.heard("/why so quiet")
    (said,) = [one for one in here.ears.heard_all if one.text]
    assert said.channel == here.table and said.author.user_id == here.peer.who("Ann") and said.ephemeral is not None
    to = OutboundAddress(platform="discord", channel=said.ephemeral, private_to=UserId(here.peer.who("Ann")))
    sent = await here.discord.send(OutgoingMessage(nonce="n", to=to, text="Paused"))
    await here.discord.send(OutgoingMessage(nonce="m", to=to, text="since noon"))
    await here.peer.hears("Paused", "since noon")
    await here.discord.send(OutgoingMessage(nonce="o", to=to, text="Resumed", edits=sent.message_id))
    await here.peer.hears("Resumed", "since noon")
    (answered,) = await here.peer.call("answers")
    assert (answered["acknowledged"], answered["type"], answered["data"]) == (True, 5, '{"flags":64}')


async def test_a_press_is_heard_and_answered(here: Here):
    here.ears.answer = "Milk it is"
    sent = await here.discord.send(here.words("Tea?", buttons=(Button(label="Milk", data="milk"),)))
    at = {"channelId": here.peer.where("table"), "userId": here.peer.who("Ann")}
    await here.peer.call("simulateButtonClick", **at, messageId=sent.message_id, customId="milk")
    await here.peer.hears("Tea?", "Milk it is")
    (press,) = here.ears.presses
    assert (press.person.user_id, press.channel, press.data) == (here.peer.who("Ann"), here.table, "milk")
    (answered,) = await here.peer.call("answers")
    assert (answered["acknowledged"], answered["type"]) == (True, 4)


# the whole bot


@asynccontextmanager
async def running(peer: Peer, data: Path) -> AsyncIterator[None]:
    text = CONFIG.format(data=data, token=TOKEN, url=peer.world["rest_url"], owner=peer.who("Ann"))
    loaded, stop, tasks = parse_config(text, {}), asyncio.Event(), TaskSupervisor()
    async with open_edges(loaded, machine()) as edges:
        tasks.spawn("bot", Bot(edges, loaded).run(stop))
        try:
            await until(lambda: edges.platforms["discord"].health().state == "up")
            yield
        finally:
            stop.set()
            await tasks.idle()


async def test_a_question_in_a_channel_is_answered_once(peer: Peer, tmp_path: Path):
    async with running(peer, tmp_path / "data"):
        await peer.says("Bob", "nobody in particular")
        await peer.says("Ann", f"{peer.at} say good morning")
        await peer.hears("good morning")
    await peer.says("Ann", f"{peer.at} say good night")
    async with running(peer, tmp_path / "data"):
        await peer.hears("good morning", "good night")
        await peer.says("Ann", f"{peer.at} !whoami")
        await eventually(lambda: has_more(peer, 2))
    texts = await peer.texts()
    assert texts[:2] == ["good morning", "good night"] and peer.who("Ann") in texts[2]


async def has_more(peer: Peer, count: int) -> bool:
    return len(await peer.texts()) > count
