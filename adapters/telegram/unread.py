"""Read of an update that the library cannot read where it stands, who wrote it, and whether the bot was called."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from telegram import User
from telegram.constants import ChatType

from adapters.telegram.authors import ANONYMOUS_ADMIN, Myself, author, nobody
from adapters.telegram.places import GENERAL, Known, Where, elsewhere, place_of
from bot.domain.ids import UserId
from bot.domain.messages import Author, AuthorKind
from bot.text.text import clean

_LATEST = 253_402_300_799


class Outline(NamedTuple):
    """What is left of a message whose content nobody could read; `number` is 0 and `sent` None where it tells none."""

    at: Where
    by: Author
    number: int
    sent: int | None
    calls: bool
    answers: int
    answers_bot: bool


def outline(raw: Any, me: Myself, known: Known) -> Outline:
    """Look at the raw fields, of which any may be missing or of another kind; raises nothing."""
    body = raw if isinstance(raw, dict) else {}
    holder = body if isinstance(body.get("chat"), dict) else _object(body, "message")
    date, answered = body.get("date"), _object(body, "reply_to_message")
    return Outline(
        at=_where(holder, known),
        by=_author(body, me),
        number=_whole(body, "message_id") or 0,
        sent=date * 1000 if isinstance(date, int) and 0 < date <= _LATEST else None,
        calls=_calls(body, me),
        answers=_whole(answered, "message_id") or 0,
        answers_bot=_whole(_object(answered, "from"), "id") == me.id,
    )


def _where(holder: dict[str, Any], known: Known) -> Where:
    chat, thread = _object(holder, "chat"), _whole(holder, "message_thread_id")
    number = _whole(chat, "id")
    if number is None:
        return elsewhere()
    is_private = chat.get("type") == ChatType.PRIVATE or (number > 0 and "type" not in chat)
    is_topic = bool(holder.get("is_topic_message")) and (is_private or thread != GENERAL)
    return place_of(number, str(chat.get("title") or ""), thread if is_topic else None, known, is_private=is_private)


def _author(body: dict[str, Any], me: Myself) -> Author:
    user, stands_in = _object(body, "from") or _object(body, "user"), _object(body, "sender_chat")
    chat = _whole(stands_in, "id")
    if chat is not None:
        is_own = chat == _whole(_object(body, "chat"), "id")
        kind = AuthorKind.ANONYMOUS_ADMIN if is_own else AuthorKind.CHANNEL_POST
        return Author(user_id=UserId(str(chat)), name=_name(stands_in, "title", chat), kind=kind)
    number = _whole(user, "id")
    if number is None:
        return nobody()
    found = author(User(number, _name(user, "first_name", number), user.get("is_bot") is True), me)
    return found.replace(kind=AuthorKind.ANONYMOUS_ADMIN) if number == ANONYMOUS_ADMIN else found


def _calls(body: dict[str, Any], me: Myself) -> bool:
    """Say whether the bot is named; the words themselves are looked at, and not kept."""
    for words, spans in (("text", "entities"), ("caption", "caption_entities")):
        text, listed = body.get(words), body.get(spans)
        named = [_object(one, "user") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        if any(_whole(user, "id") == me.id for user in named):
            return True
        if isinstance(text, str) and me.username and re.search(rf"(?<!\w)@{me.username}(?!\w)", text, re.IGNORECASE):
            return True
    return False


def _name(of: dict[str, Any], field: str, number: int) -> str:
    found = of.get(field)
    return clean(found).text if isinstance(found, str) and found else str(number)


def _object(body: dict[str, Any], name: str) -> dict[str, Any]:
    found = body.get(name)
    return found if isinstance(found, dict) else {}


def _whole(body: dict[str, Any], name: str) -> int | None:
    found = body.get(name)
    return found if type(found) is int else None
