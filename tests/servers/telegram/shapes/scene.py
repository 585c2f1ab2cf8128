"""What all shapes share: who, where, when, and the words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.servers.telegram.spans import found
from tests.servers.telegram.values import Json, merged

FIRST_MESSAGE = 900_001


@dataclass(frozen=True, slots=True)
class Shape:
    """One update, without an id; `counts` says whether its words may be a command of the person."""

    name: str
    update: Json
    counts: bool

    @property
    def kind(self) -> str:
        """Name the kind of update."""
        return next(iter(self.update))


@dataclass(frozen=True, slots=True)
class Scene:
    """A supergroup, a person in it, a bot, a channel, and the words that are said; all as Bot API objects."""

    chat: Json
    person: Json
    bot: Json
    channel: Json
    text: str
    date: int = 1_750_000_000
    number: int = FIRST_MESSAGE

    def message(self, **fields: Any) -> Json:
        """Write an ordinary message with these differences; a None takes a field away."""
        plain: Json = {
            "message_id": self.number,
            "date": self.date,
            "chat": self.chat,
            "from": self.person,
            "text": self.text,
            "entities": found(self.text) or None,
        }
        return merged(plain, {name.rstrip("_"): value for name, value in fields.items()})

    def silent(self, **fields: Any) -> Json:
        """Write a message that has something else instead of a text."""
        return self.message(text=None, entities=None, **fields)

    def stranger(self, first_name: str = "Stranger", **fields: Any) -> Json:
        """Write somebody else."""
        return {"id": 5_999_999_999, "is_bot": False, "first_name": first_name} | fields
