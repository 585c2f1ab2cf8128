"""What chats deliver every day, as far as other people's servers show it: README.md beside this file says what not."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.discord.base.markup import discord_markdown as for_discord
from adapters.telegram.sender import plain_text as for_telegram
from bot.app.adapters import machine, open_edges
from bot.app.bot import Bot
from bot.config import parse_config
from bot.context.transcript import parse_header
from bot.domain.llm import LLMResponse
from bot.runtime.tasks import TaskSupervisor
from tests.dialogs.chat_bot import SCRIPTED
from tests.dialogs.test_known_facts import TOLD, Remembers
from tests.dialogs.test_platform_refusals import JWT
from tests.dialogs.test_time_zones import now_of
from tests.fakes.provider import ScriptedProvider, says
from tests.peers import discord, test_telegram
from tests.peers.discord import TOKEN, eventually, until
from tests.peers.processes import a_peer, discord_program, free_port, telegram_program

PACE = "[conversation]\ndebounce = {debounce}\n[limits]\nloop_guard_messages = 0\nuser_per_minute = 0\n"
DISCORD = """
[bot]
data_dir = "{data}"
log_level = "error"
[platforms.discord]
token = "{token}"
rest_url = "{url}"
cdn_url = "{url}"
owner_ids = [{owner}]
calls_per_second = 0.0
"""
ANSWER = """Here:

| Name | Size |
|---|--:|
| buffer_size_ | 2*3*4 |

\\[ x_{i}*y_{j} \\]

1. Run:
    ```python
    brew()
    ```
"""


class Discord(discord.Peer):
    """The guild, and what a model is asked by the bot in it."""

    data: Path
    model: ScriptedProvider

    @asynccontextmanager
    async def bot(self, name: str = "data", model: ScriptedProvider | None = None, debounce: float = 0):
        """Run the whole bot, with a script for a model."""
        asked, url = model or self.model, self.world["rest_url"]
        text = DISCORD.format(data=self.data / name, token=self.world["token"], url=url, owner=self.who("Ann"))
        loaded = parse_config(text + PACE.format(debounce=debounce) + SCRIPTED.format(model=""), {})
        stop, tasks = asyncio.Event(), TaskSupervisor()
        async with open_edges(loaded, machine()) as edges:
            edges = edges._replace(providers={"scripted": asked})
            tasks.spawn("bot", Bot(edges, loaded).run(stop))
            try:
                await until(lambda: edges.platforms["discord"].health().state == "up")
                yield edges
            finally:
                stop.set()
                await tasks.idle()

    async def private(self, name: str = "Ann") -> str:
        return str((await self.call("privately", user=self.who(name)))["id"])

    async def tells(self, text: str, words: str) -> str:
        """Let the owner ask in private; return all that was answered there, once it holds some words."""
        dm = await self.private()
        before = len(await self.texts(dm))
        await self.says("Ann", text, where=dm)

        async def is_told() -> bool:
            return words in "\n".join((await self.texts(dm))[before:])

        await eventually(is_told)
        return "\n".join((await self.texts(dm))[before:])

    async def has_more(self, where: str, count: int) -> bool:
        return len(await self.texts(where)) > count

    async def answers(self, number: str, text: str, name: str = "Ann") -> str:
        reference = {
            "message_id": number,
            "channel_id": self.where("table"),
            "guild_id": self.world["guild"],
            "type": 0,
        }
        return await self.says(name, text, messageReference=reference)


@asynccontextmanager
async def a_guild(data: Path, token: str = TOKEN) -> AsyncIterator[Discord]:
    port = free_port()
    async with a_peer(*discord_program(), str(port), token, port=port) as url, aiohttp.ClientSession() as session:
        peer = Discord(url, session)
        peer.world = await peer.call("world") | {"token": token}
        peer.data, peer.model = data, ScriptedProvider(says("yes"))
        yield peer


@pytest.fixture
async def guild(tmp_path: Path) -> AsyncIterator[Discord]:
    async with a_guild(tmp_path) as peer:
        yield peer


def header_of(model: ScriptedProvider) -> dict[str, Any]:
    headed = parse_header(model.requests[-1].messages[-1].parts[-1].text)
    assert headed is not None
    return headed.header


# P1, P2: what is answered


async def test_words_that_the_bot_never_heard_stand_with_the_question(guild: Discord):
    wine = await guild.says("Bob", "the wine is from 1995")
    async with guild.bot():
        await guild.answers(wine, f"{guild.at} is this true?")
        await guild.hears("yes")
    quoted = header_of(guild.model)["quotes"]
    assert (quoted["words"], quoted["from"], quoted["id"]) == ("the wine is from 1995", "Bob", guild.who("Bob"))


async def test_of_three_overheard_messages_the_request_says_which_is_answered(guild: Discord):
    async with guild.bot():
        await guild.says("Bob", "the cellar is dry")
        wine = await guild.says("Bob", "the wine is from 1995")
        await guild.says("Bob", "the roof leaks")
        await guild.answers(wine, f"{guild.at} is this true?")
        await guild.hears("yes")
    assert header_of(guild.model)["quotes"]["words"] == "the wine is from 1995"


# P3: pieces of one thought


async def test_a_text_that_was_too_long_for_one_message_is_one_turn(guild: Discord):
    async with guild.bot(debounce=1.5):
        dm = await guild.private()
        await guild.says("Ann", "word " * 399, where=dm)
        await guild.says("Ann", "and this is the end", where=dm)
        await guild.hears("yes", where=dm)
    assert len(guild.model.requests) == 1


# P6: where a thread began


@pytest.mark.parametrize("is_there", [True, False])
async def test_what_a_thread_began_with_stands_with_the_question(guild: Discord, is_there: bool):
    said = await guild.says("Bob", "who took my umbrella?")
    path = f"{guild.world['rest_url']}/channels/{guild.where('table')}/messages/{said}/threads"

    async def opens() -> str:
        async with guild.session.post(path, json={"name": "umbrella"}) as response:
            return str((await response.json())["id"])

    thread = "" if is_there else await opens()
    async with guild.bot():
        thread = thread or await opens()
        await guild.says("Ann", f"{guild.at} find out who", where=thread)
        await guild.hears("yes", where=thread)
    began = header_of(guild.model)["thread_began_with"]
    assert (began["words"], began["from"]) == ("who took my umbrella?", "Bob")


# P7, P11: what is known of somebody


async def test_somebody_says_what_time_it_is_for_them(guild: Discord):
    async with guild.bot():
        await guild.tells("!timezone tokyo", "Your time zone is Asia/Tokyo")
        await guild.says("Ann", f"{guild.at} hello")
        await guild.hears("yes")
    assert re.search(r"for Ann it is .* \(Asia/Tokyo\)", now_of(guild.model))


async def test_the_same_fact_is_one_memory(guild: Discord):
    async with guild.bot(model=Remembers()):
        for number, text in enumerate(TOLD, 1):
            await guild.says("Ann", f"{guild.at} remember: {text}")
            await eventually(lambda n=number: guild.has_more("", n - 1))
    assert "confirmed, 6 times by now" in (await guild.texts())[-1]


# P9: roles


@pytest.mark.parametrize("name", ["glassmind", "Cooks"])
async def test_a_role_that_bears_the_bots_name_calls_it_and_another_does_not(guild: Discord, name: str):
    role = (await guild.call("role", name=name, users=[guild.world["bot"]]))["id"]
    async with guild.bot():
        await guild.says("Bob", f"<@&{role}> are you there?")
        await guild.says("Ann", f"{guild.at} hello")
        await eventually(lambda: guild.has_more("", 1 if name == "glassmind" else 0))
    assert await guild.texts() == ["yes"] * (2 if name == "glassmind" else 1)


# D6: what becomes of an answer


async def test_an_answer_that_is_deleted_at_once_is_no_silence_of_the_bot(guild: Discord):
    async with guild.bot():
        await guild.says("Ann", f"{guild.at} hello")
        await guild.hears("yes")
        answer = (await guild.messages())[-1]["id"]
        await guild.call("simulateUserMessageDelete", channelId=guild.where("table"), messageId=answer)
        await guild.hears()
        told = await guild.tells("!cortex why #table", "answered, then deleted")
    assert "all is well" not in told


# D8: two programs


async def test_of_a_second_program_on_the_account_the_owner_hears_at_once(guild: Discord):
    """The second one is slower: the peer gives both answers of one moment the same nonce, and takes both."""
    is_said = asyncio.Event()

    async def later(_: object) -> LLMResponse:
        await is_said.wait()
        return says("no")

    async with guild.bot(), guild.bot("other", ScriptedProvider(later)):
        await guild.says("Bob", f"{guild.at} hello")
        await guild.hears("yes")
        is_said.set()
        dm = await guild.private()

        async def is_told() -> bool:
            return "Another program is using my account" in "\n".join(await guild.texts(dm))

        await eventually(is_told)


# D4, D10, D11: what is asked of the platform


async def test_a_channel_from_which_nothing_ever_came_is_looked_at(guild: Discord):
    async with guild.bot():
        told = await guild.tells("!cortex doctor #window", "rights in")
    assert "the bot may read and write there" in told and "go elsewhere" not in told, told


async def test_a_token_of_another_shape_is_taken_where_the_server_takes_it(tmp_path: Path):
    async with a_guild(tmp_path, JWT) as guild, guild.bot():
        await guild.says("Ann", f"{guild.at} hello")
        await guild.hears("yes")


# V1, V2, V4: what is sent


async def test_an_answer_arrives_on_discord_as_it_is_drawn(guild: Discord):
    async with guild.bot(model=ScriptedProvider(says(ANSWER))):
        await guild.says("Ann", f"{guild.at} hello")
        await eventually(lambda: guild.has_more("", 0))
    (sent,) = await guild.texts()
    assert sent == for_discord(sent) and "buffer_size_  2*3*4\n" in sent and "```\n\\[ x_{i}*y_{j} \\]\n```" in sent
    assert "1. Run:\n```python\nbrew()\n```" in sent


# Telegram


class Phone(test_telegram.Peer):
    """A chat with the bot, and what its model is asked."""

    @asynccontextmanager
    async def bot(self, model: ScriptedProvider, debounce: float = 0):
        text = test_telegram.CONFIG.format(data=self.data, token=test_telegram.TOKEN, url=self.url, owner=4)
        loaded = parse_config(text + PACE.format(debounce=debounce) + SCRIPTED.format(model=""), {})
        stop, tasks = asyncio.Event(), TaskSupervisor()
        async with open_edges(loaded, machine()) as edges:
            tasks.spawn("bot", Bot(edges._replace(providers={"scripted": model}), loaded).run(stop))
            try:
                yield edges
            finally:
                stop.set()
                await tasks.idle()


@pytest.fixture
async def phone(tmp_path: Path) -> AsyncIterator[Phone]:
    port = free_port()
    async with a_peer(*telegram_program(), str(port), port=port) as url, aiohttp.ClientSession() as session:
        yield Phone(url, tmp_path / "data", session)


async def test_on_telegram_a_text_that_was_too_long_for_one_message_is_one_turn(phone: Phone):
    model = ScriptedProvider(says("read"))
    async with phone.bot(model, debounce=1.5):
        await phone.says(("word " * 900)[:4090])
        await phone.says("and this is the end")
        assert await phone.hears(1) == ["read"]
    assert len(model.requests) == 1


async def test_on_telegram_somebody_says_what_time_it_is_for_them(phone: Phone):
    model = ScriptedProvider(says("noted"))
    async with phone.bot(model):
        await phone.says("/timezone tokyo")
        await phone.hears(1)
        await phone.says("hello")
        assert "Your time zone is Asia/Tokyo" in (await phone.hears(2))[0]
    assert "(Asia/Tokyo)" in now_of(model)


async def test_on_telegram_the_same_fact_is_one_memory(phone: Phone):
    async with phone.bot(Remembers()):
        for number, text in enumerate(TOLD, 1):
            await phone.says(f"remember: {text}")
            await phone.hears(number)
        assert "confirmed, 6 times by now" in (await phone.hears(len(TOLD)))[-1]


async def test_an_anonymous_admins_command_reaches_no_model(phone: Phone):
    """Only by the account that stands in for them: that the chat itself wrote it is taken away by the peer."""
    model = ScriptedProvider(says("paused"))
    nobody = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
    kitchen = {"id": -1001, "type": "supergroup", "title": "kitchen"}
    async with phone.bot(model):
        await phone.says("/pause@TestNameBot", chat=kitchen, sender=nobody)
        (told,) = await phone.hears(1)
    assert told.startswith("You are anonymous here, so I cannot tell who you are") and model.requests == []


async def test_an_answer_arrives_on_telegram_with_what_its_words_mean(phone: Phone):
    async with phone.bot(ScriptedProvider(says(ANSWER))):
        await phone.says("hello")
        (text,) = await phone.hears(1)
    assert text == for_telegram(ANSWER.strip()).text and "\\[ x_{i}*y_{j} \\]" in text and "2*3*4" in text
