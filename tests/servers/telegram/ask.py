"""One call of one bot, as the methods see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import params
from .places import Places
from .refusals import bad
from .state import Upload
from .values import Bot, Chat, Json, Message


@dataclass(frozen=True, slots=True)
class Ask:
    """What a bot asks for; `second` is how long a second of a long poll takes."""

    world: Places
    bot: Bot
    params: Json
    files: Mapping[str, Upload]
    second: float

    def text(self, name: str) -> str:
        """Return a string; an empty one when it is missing."""
        value = self.params.get(name, "")
        return value if isinstance(value, str) else str(value)

    def whole(self, name: str, default: int = 0) -> int:
        """Return a number."""
        value = self.params.get(name, default)
        return value if isinstance(value, int) else default

    def flag(self, name: str) -> bool:
        """Return a switch."""
        return self.params.get(name) is True

    def json(self, name: str) -> Any:
        """Return an object or a list, None when it is missing."""
        return params.structured(self.params, name)

    @property
    def chat(self) -> Chat:
        """Find the chat that is meant."""
        return self.world.find(self.bot, self.params.get("chat_id", ""))

    def message(self, words: str) -> Message:
        """Find the message that is meant, refusing with `<words> not found`."""
        if "message_id" not in self.params:
            raise bad("message identifier is not specified")
        message = self.chat.messages.get(self.whole("message_id"))
        if message is None or message.is_deleted:
            raise bad(f"{words} not found")
        return message
