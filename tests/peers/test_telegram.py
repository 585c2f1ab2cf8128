"""The whole bot against `telegram-test-api`, a Bot API server that somebody else wrote (in Node, behind a shim)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.app.adapters import machine, open_edges
from bot.app.bot import Bot
from bot.config import parse_config
from bot.domain.ids import ChannelId
from bot.domain.messages import Button, OutboundAddress, OutgoingFile, OutgoingMessage
from bot.errors import DeliveryError
from bot.ports.edges import Edges
from bot.runtime.tasks import TaskSupervisor
from tests.peers.processes import PATIENCE, a_peer, free_port, telegram_program

TOKEN = "123456789:AAabcdefghijklmnopqrstuvwxyz0123456"
ANN = 4711
CONFIG = """
[bot]
data_dir = "{data}"
log_level = "error"
[platforms.telegram]
token = "{token}"
base_url = "{url}/bot"
poll_timeout = 1
owner_ids = [{owner}]
"""


@dataclass
class Peer:
    """The server as a person's app sees it."""

    url: str
    data: Path
    session: aiohttp.ClientSession

    async def call(self, path: str, **body: Any) -> Any:
        async with self.session.post(f"{self.url}/{path}", json=body) as response:
            return (await response.json())["result"]

    async def says(self, text: str, *, chat: Any = None, sender: Any = None) -> None:
        name = {"id": ANN, "first_name": "Ann"}
        chat, sender = chat or {**name, "type": "private"}, sender or {**name, "is_bot": False}
        body = {"botToken": TOKEN, "chat": chat, "from": sender, "text": text, "date": 1_790_000_000}
        if text.startswith("/"):
            entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
            await self.call("sendCommand", **body, entities=[entity])
        else:
            await self.call("sendMessage", **body)

    async def presses(self, data: str, message_id: int) -> None:
        name = {"id": ANN, "first_name": "Ann"}
        chat = {**name, "type": "private"}
        message = {"message_id": message_id, "date": 1_790_000_000, "chat": chat, "text": "x"}
        sender = {**name, "is_bot": False}
        await self.call("sendCallback", botToken=TOKEN, **{"from": sender}, message=message, data=data)

    async def texts(self) -> list[str]:
        found = await self.call("getUpdatesHistory", token=TOKEN)
        return [one["message"]["text"] for one in found if "chat_id" in one["message"]]

    async def hears(self, count: int) -> list[str]:
        async with asyncio.timeout(PATIENCE):
            while len(texts := await self.texts()) < count:  # noqa: ASYNC110 - it happens in another process
                await asyncio.sleep(0.02)
        return texts

    async def answers(self) -> list[Any]:
        async with asyncio.timeout(PATIENCE), self.session.get(f"{self.url}/answers") as response:
            found: list[Any] = await response.json()
        return found


@pytest.fixture
async def peer(tmp_path: Path) -> AsyncIterator[Peer]:
    port = free_port()
    async with a_peer(*telegram_program(), str(port), port=port) as url, aiohttp.ClientSession() as session:
        yield Peer(url, tmp_path / "data", session)


@asynccontextmanager
async def running(peer: Peer) -> AsyncIterator[Edges]:
    loaded = parse_config(CONFIG.format(data=peer.data, token=TOKEN, url=peer.url, owner=ANN), {})
    stop, tasks = asyncio.Event(), TaskSupervisor()
    async with open_edges(loaded, machine()) as edges:
        tasks.spawn("bot", Bot(edges, loaded).run(stop))
        try:
            yield edges
        finally:
            stop.set()
            await tasks.idle()


async def test_a_person_is_answered_once(peer: Peer):
    async with running(peer):
        await peer.says("say good morning")
        assert await peer.hears(1) == ["good morning"]
        await peer.says("say good night")
        assert await peer.hears(2) == ["good morning", "good night"]


async def test_what_came_while_the_bot_was_away_is_answered_and_nothing_twice(peer: Peer):
    async with running(peer):
        await peer.says("say one")
        await peer.hears(1)
    await peer.says("say two")
    async with running(peer):
        assert await peer.hears(2) == ["one", "two"]


async def test_commands_are_obeyed(peer: Peer):
    async with running(peer):
        await peer.says("/whoami")
        assert str(ANN) in (await peer.hears(1))[0]


async def test_messages_can_be_edited_and_taken_back(peer: Peer):
    async with running(peer) as edges:
        telegram, channel = edges.platforms["telegram"], ChannelId(f"telegram:{ANN}")
        to = OutboundAddress(platform="telegram", channel=channel)
        buttons = (Button(label="Yes", data="y"),)
        first = await telegram.send(OutgoingMessage(nonce="a", to=to, text="first *bold*", buttons=buttons))
        await telegram.send(OutgoingMessage(nonce="b", to=to, text="second", edits=first.message_id))
        assert await peer.texts() == ["second"]
        await telegram.retract(channel, first.message_id)
        assert await peer.texts() == []
        await telegram.retract(channel, first.message_id)


async def test_every_press_is_answered(peer: Peer):
    async with running(peer):
        await peer.presses("unknown", 1)
        async with asyncio.timeout(PATIENCE):
            while not await peer.answers():  # noqa: ASYNC110 - it happens in another process
                await asyncio.sleep(0.02)


async def test_an_answer_that_is_none_leaves_it_open_whether_it_arrived(peer: Peer, tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("notes", encoding="utf-8")
    to = OutboundAddress(platform="telegram", channel=ChannelId(f"telegram:{ANN}"))
    async with running(peer) as edges:
        with pytest.raises(DeliveryError) as caught:
            # the peer knows no files, and answers in a way of its own
            file = OutgoingFile(path=str(path), name=path.name, mimetype="text/plain")
            await edges.platforms["telegram"].send(OutgoingMessage(nonce="a", to=to, text="here", file=file))
    assert caught.value.uncertain
