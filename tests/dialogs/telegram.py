"""The whole bot on Telegram, and a world of people around it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from adapters.telegram import TelegramAdapter
from adapters.telegram import create as open_telegram
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from tests.dialogs.chat_bot import NOWHERE, SCRIPTED, ChatBot, alive, alone, labels_of, thinking
from tests.dialogs.tide import TidalClock
from tests.fakes.provider import ScriptedProvider
from tests.inside.telegram import call_elsewhere, presses_of
from tests.servers.telegram import Bot as Account
from tests.servers.telegram import Call, Chat, Message, Person, Press, TelegramServer, Topic, World, telegram_server

__all__ = ["AT", "SCRIPTED", "TelegramBot", "a_telegram_bot", "alone", "files_of", "labels_of"]

NAME = "glassmind_bot"
AT = f"@{NAME}"
KEYS = """
base_url = "{base_url}"
file_url = "{file_url}"
owner_ids = [{root}]
admin_ids = [{mod}]
"""
SENDS = frozenset(
    {"sendMessage", "sendRichMessage", "sendPoll", "sendDocument", "sendPhoto", "editMessageText", "sendMessageDraft"}
)


@dataclass
class TelegramBot(ChatBot):
    """A running bot and the people around it.

    `root` owns the bot, `mod` steers it; both run the kitchen, a supergroup in which everybody is and the bot reads
    all. Nobody but `root` has opened a private chat at first.
    """

    name: ClassVar[str] = "telegram"
    world: World
    server: TelegramServer
    telegram: TelegramAdapter = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        world = self.world
        self.me: Account = world.bot(NAME)
        self.me.privacy = False
        self.root, self.mod = world.person("Root", "root"), world.person("Mod", "mod")
        self.ann, self.james = world.person("Ann", "ann"), world.person("James", "james")
        self.kitchen = world.supergroup("kitchen", self.root, self.mod, self.ann, self.james, self.me)
        world.admit(self.kitchen, self.mod, status="administrator")
        world.dm(self.root).is_started = True

    # its life

    @property
    def keys(self) -> str:
        server = self.server
        return KEYS.format(base_url=server.base_url, file_url=server.base_file_url, root=self.root.id, mod=self.mod.id)

    @property
    def token(self) -> str:
        return self.me.token

    @property
    def adapter(self) -> TelegramAdapter:
        return self.telegram

    def adapt(self, settings: Mapping[str, Any], **part: bool) -> TelegramAdapter:
        adapter = open_telegram(settings, self.clock, **part)
        if part.get("listens", True):
            self.telegram = adapter
        return adapter

    def strand(self) -> None:
        for adapter in self.adapters:
            call_elsewhere(adapter, f"{NOWHERE}bot")

    def is_private(self, channel: ChannelId) -> bool:
        return not channel.startswith("telegram:-")

    async def settled(self) -> None:
        while True:
            await self.server.caught_up(self.me)
            await presses_of(self.telegram).idle()
            await self.quiet()
            if not self.me.inlet.pending and not presses_of(self.telegram).busy and not self.busy:
                return

    def is_called(self) -> bool:
        dispatch = self.server.dispatch
        polls = sum(bot.inlet.is_polled for bot in self.world.bots.values())
        return dispatch.under_way > dispatch.gate.hanging + polls

    # what people do

    def say(self, who: Person, text: str, chat: Chat | None = None, **more: Any) -> Message:
        """Let somebody write, in the kitchen if nothing else is said; go on at once."""
        return self.world.say(chat or self.kitchen, who, text, **more)

    async def hears(self, who: Person, text: str, chat: Chat | None = None, **more: Any) -> list[Message]:
        """Let somebody write, wait until all is done, and return what the bot wrote meanwhile, wherever."""
        before = self.written()
        self.say(who, text, chat, **more)
        await self.settled()
        self.clock.advance(1)
        return [message for message in self.written() if message not in before]

    async def presses(self, who: Person, button: str, message: Message | None = None) -> Press:
        """Let somebody press the newest button whose label begins so, and wait until all is done."""
        found = message or [one for one in self.written() if labels_of(one, button)][-1]
        press = self.world.press(found, labels_of(found, button)[0], who)
        await self.settled()
        self.clock.advance(1)
        return press

    # what is there to see

    def dm(self, who: Person) -> Chat:
        return self.world.dm(who, self.me)

    def chats(self) -> list[Chat]:
        return [*self.world.chats.values(), *self.world.privates.values()]

    def written(self, chat: Chat | None = None) -> list[Message]:
        """What the bot has written and nobody has deleted, in the order of sending within each chat."""
        chats = self.chats() if chat is None else [chat]
        return [m for one in chats for m in self.world.messages(one) if m.author is self.me and m.text + files_of(m)]

    def texts(self, chat: Chat | None = None) -> list[str]:
        return [message.text for message in self.written(chat or self.kitchen)]

    def private(self, who: Person) -> str:
        """Everything that the bot has written to somebody in private."""
        return "\n".join(self.texts(self.dm(who)))

    def transcript(self, chat: Chat | None = None, topic: Topic | None = None) -> str:
        return self.world.transcript(chat or self.kitchen, topic)

    def sends(self) -> list[Call]:
        """Every call that puts words where people read them, in the order in which they came."""
        return [call for call in self.server.calls() if call.method in SENDS]

    async def newest(self, chat: Chat | None = None, topic: int | None = None) -> StoredInbound:
        """The newest message of a chat, as the ledger knows it."""
        (found,) = await self.store.ledger.recent(self.key(chat, topic), 1)
        return found

    def key(self, chat: Chat | None = None, topic: int | None = None) -> ChannelKey:
        number = (chat or self.kitchen).id
        return ChannelKey(MAIN, ChannelId(f"telegram:{number}" + (f":{topic}" if topic else "")))


def files_of(message: Message) -> str:
    return str(message.json.get("document", {}).get("file_name", ""))


@asynccontextmanager
async def a_telegram_bot(
    data: Path,
    *,
    model: ScriptedProvider | None = None,
    more: str = "",
    begins: bool = True,
    clock: TidalClock | None = None,
    **changes: Any,
) -> AsyncIterator[TelegramBot]:
    """Run a bot; `more` is further configuration, `changes` are further fields of `TelegramBot`.

    Without a `model` it is the simulation. Without `begins` it is for the test to `open` the bot, once the world is as
    it should be.
    """
    time = clock or TidalClock()
    world = World(clock=lambda: time.now() / 1000)
    async with telegram_server(world) as server:
        whole = TelegramBot(data=data, world=world, server=server, clock=time, **thinking(model, more), **changes)
        async with alive(whole, begins=begins) as bot:
            yield bot
