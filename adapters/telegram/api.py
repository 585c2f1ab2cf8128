"""The Bot API as this program calls it: python-telegram-bot's `Bot`, which never learns the token."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any, NamedTuple, cast

from telegram import Bot, MessageEntity, Update
from telegram.constants import ChatAction
from telegram.request import RequestData

from adapters.server_clock import ServerClock
from adapters.telegram.request import AiohttpRequest
from adapters.telegram.settings import Settings

_NOBODY = "0:-"
"""Stands where the token stands: the carrier puts the real one into the address."""
_ADDRESS = "telegram:"
FILES = f"{_ADDRESS}{_NOBODY}/"
"""What the library puts before the path of a file."""

KINDS = tuple(map(str, Update.ALL_TYPES))
"""Every kind of update; without naming them some are never delivered."""


class _Fields(NamedTuple):
    """What a carrier looks at in the library's `RequestData`, which can be made only by the library."""

    parameters: dict[str, Any]
    contains_files: bool = False


class PostedMessage(NamedTuple):
    """What anybody asks of a message that the platform took: its number, and when it was written (UTC ms)."""

    message_id: int
    at: int


class BotApi(Bot):
    """Calls the Bot API. It writes no log: at DEBUG the library would write down every message."""

    __slots__ = ()

    _LOGGER = logging.Logger("telegram of glassmind", logging.CRITICAL + 1)

    async def updates(self, offset: int | None, wait: float, margin: float) -> Sequence[dict[str, Any]]:
        """Return what waits, as it came: one update that cannot be read must not hide the others.

        `wait` is how long the platform waits for something to come; `margin` is how long its answer may take.
        """
        data = {"offset": offset, "timeout": ceil(wait), "limit": 100, "allowed_updates": list(KINDS)}
        found = await self._post("getUpdates", data, read_timeout=wait + margin)
        return [update for update in found if isinstance(update, dict)] if isinstance(found, list) else []

    async def say(self, chat: int, text: str, entities: Sequence[MessageEntity], **more: Any) -> PostedMessage:
        """Send a text; of what comes back only what is asked for is read. `more` is what the method takes, as JSON."""
        drawn = [entity.to_dict() for entity in entities] or None
        taken = await self._ask("sendMessage", chat_id=chat, text=text, entities=drawn, **more)
        assert isinstance(taken, dict)
        return PostedMessage(taken["message_id"], taken["date"] * 1000)

    async def say_rich(self, chat: int, rich: dict[str, Any], **more: Any) -> PostedMessage:
        """Send an `InputRichMessage` (Bot API 10.1), which the library does not know."""
        taken = await self._ask("sendRichMessage", chat_id=chat, rich_message=rich, **more)
        assert isinstance(taken, dict)
        return PostedMessage(taken["message_id"], taken["date"] * 1000)

    async def change_rich(self, chat: int, message_id: int, rich: dict[str, Any], **more: Any) -> None:
        """Put an `InputRichMessage` in the place of a message."""
        await self._ask("editMessageText", chat_id=chat, message_id=message_id, rich_message=rich, **more)

    async def ask_poll(self, chat: int, question: str, options: Sequence[str], **more: Any) -> PostedMessage:
        """Send a poll whose words are drawn as they stand; `more` is what the method takes, as JSON."""
        words = [{"text": option} for option in options]
        taken = await self._ask("sendPoll", chat_id=chat, question=question, options=words, **more)
        assert isinstance(taken, dict)
        return PostedMessage(taken["message_id"], taken["date"] * 1000)

    async def chat(self, chat: int | str) -> dict[str, Any]:
        """Return what the platform says of a chat, by its number or its public name (`@name`), as it came."""
        return dict(await self._ask("getChat", chat_id=chat))

    async def member(self, chat: int, user: int) -> dict[str, Any]:
        """Return what the platform says of somebody in a chat, as it came."""
        return dict(await self._ask("getChatMember", chat_id=chat, user_id=user))

    async def types(self, chat: int, thread: int | None) -> None:
        """Show for five seconds that something is being written."""
        await self._ask("sendChatAction", chat_id=chat, action=ChatAction.TYPING.value, message_thread_id=thread)

    async def _ask(self, method: str, **fields: Any) -> Any:
        """Call what is called most; the library would look at every field twice, and make objects of what comes back.

        None stands for what is left out.
        """
        asked = _Fields({name: value for name, value in fields.items() if value is not None})
        return await self.request.post(f"{self.base_url}/{method}", cast(RequestData, asked))


class ApiSessions:
    """Two sessions: one that waits for updates, and one for everything else."""

    def __init__(self, settings: Settings, time: Callable[[], float]) -> None:
        self.settings = settings
        self.server_clock = ServerClock(time)
        self._polling = AiohttpRequest(settings, self.server_clock)
        self.carrier = AiohttpRequest(settings, self.server_clock)
        self.api = BotApi(_NOBODY, _ADDRESS, _ADDRESS, request=self.carrier, get_updates_request=self._polling)

    async def renew(self) -> None:
        """Close what waits for updates; the next poll opens a new connection."""
        await self._polling.shutdown()

    async def close(self) -> None:
        await self._polling.close()
        await self.carrier.close()
