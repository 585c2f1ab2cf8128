"""Read ordinary text messages without the library's parser, which looks for a hundred fields that are not there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from telegram import Chat, Message, MessageEntity, TelegramObject, User

T = TypeVar("T", bound=TelegramObject)

_FIELDS = frozenset({"message_id", "date", "chat", "from", "text", "entities"})
"""A message with any other field is the library's to read."""
_LATEST = 253_402_300_799
_OF_CHAT: Mapping[str, type] = {"title": str, "username": str, "first_name": str, "last_name": str}
_OF_USER: Mapping[str, type] = {"username": str, "last_name": str}


def _lean(kind: type[T]) -> type[T]:
    """Return a subclass whose fields are absent until they are set."""
    fields = [name for one in kind.__mro__ for name in getattr(one, "__slots__", ()) if not name.startswith("_")]
    absent = {name: () if name in {"entities", "caption_entities", "photo"} else None for name in fields}
    return cast(type[T], type(f"Plain{kind.__name__}", (kind,), absent))


_Message, _Chat, _User = _lean(Message), _lean(Chat), _lean(User)


def plain(raw: object) -> Message | None:
    """Return a text message as the library would read it, as far as anybody here looks; None for anything else."""
    if not isinstance(raw, dict) or not raw.keys() <= _FIELDS:
        return None
    number, date, text = raw.get("message_id"), raw.get("date"), raw.get("text")
    if type(number) is not int or type(date) is not int or not isinstance(text, str) or not 0 <= date <= _LATEST:
        return None
    chat, user, entities = _chat(raw.get("chat")), _user(raw.get("from")), _entities(raw.get("entities", []))
    if chat is None or user is None or entities is None:
        return None
    when = datetime.fromtimestamp(date, UTC)
    return _made(_Message, message_id=number, date=when, chat=chat, from_user=user, text=text, entities=entities)


def _chat(raw: object) -> Chat | None:
    if not isinstance(raw, dict) or type(raw.get("id")) is not int or not isinstance(raw.get("type"), str):
        return None
    known = _known(raw, _OF_CHAT)
    return None if known is None else _made(_Chat, id=raw["id"], type=raw["type"], **known)


def _user(raw: object) -> User | None:
    if not isinstance(raw, dict) or type(raw.get("id")) is not int or type(raw.get("is_bot")) is not bool:
        return None
    known = _known(raw, _OF_USER)
    if known is None or not isinstance(raw.get("first_name"), str):
        return None
    return _made(_User, id=raw["id"], is_bot=raw["is_bot"], first_name=raw["first_name"], **known)


def _known(raw: Mapping[str, Any], fields: Mapping[str, type]) -> dict[str, Any] | None:
    """Return the fields that are there; None when one is not of its type."""
    known = {name: raw[name] for name in fields if name in raw}
    return known if all(isinstance(value, fields[name]) for name, value in known.items()) else None


def _entities(raw: object) -> tuple[MessageEntity, ...] | None:
    if not isinstance(raw, list):
        return None
    return MessageEntity.de_list(raw) if raw else ()


def _made(kind: type[T], **fields: object) -> T:
    # the library's own constructor sets every field there is, one checked assignment each
    made = kind.__new__(kind)
    made.__dict__.update(fields)
    return made
