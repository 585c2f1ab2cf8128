"""Calls that read messages: one, a page of history, the pinned ones, and files."""

from __future__ import annotations

from .ask import Ask
from .channel import SPEAKABLE, Channel
from .delivery import exempt
from .message import Message
from .permissions import may
from .refusals import MISSING_ACCESS, Refused, invalid
from .values import Json


def get_message(ask: Ask) -> Json:
    """GET one message."""
    channel = _readable(ask)
    return _shown(ask, ask.message(channel))


def get_messages(ask: Ask) -> list[Json]:
    """GET a page of history, newest first, whichever way it was asked for."""
    channel = _readable(ask)
    limit = ask.whole("limit", 50, 1, 100)
    if sum(name in ask.query for name in ("before", "after", "around")) > 1:
        raise invalid("before", "BASE_TYPE_CHOICES", "Only one of before, after and around can be given.")
    if channel.guild is not None and not may(channel, ask.bot, "read_message_history"):
        return []
    page = _page(channel.standing, ask, limit)
    return [_shown(ask, message) for message in sorted(page, key=lambda one: one.id, reverse=True)]


def get_pins(ask: Ask) -> Json:
    """GET the pinned messages."""
    channel = _readable(ask)
    pinned = [one for one in channel.standing if one.is_pinned]
    items = [{"pinned_at": _shown(ask, one)["timestamp"], "message": _shown(ask, one)} for one in pinned]
    return {"items": items[::-1], "has_more": False}


def refresh_links(ask: Ask) -> Json:
    """POST addresses of attachments, and get those that are good for another while."""
    links = ask.form.get("attachment_urls")
    if not isinstance(links, list) or not 1 <= len(links) <= 50:
        raise invalid("attachment_urls", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 50 in length.")
    renewed = [{"original": link, "refreshed": ask.world.renewed(str(link))} for link in links]
    return {"refreshed_urls": [one for one in renewed if one["refreshed"]]}


def _readable(ask: Ask) -> Channel:
    """Find the channel; reading a single message without the history permission is missing access."""
    channel = ask.channel
    if channel.kind not in SPEAKABLE:
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    if "message" in ask.path and channel.guild is not None and not may(channel, ask.bot, "read_message_history"):
        raise Refused(*MISSING_ACCESS)
    return channel


def _page(standing: list[Message], ask: Ask, limit: int) -> list[Message]:
    if "after" in ask.query:
        return [one for one in standing if one.id > _number(ask, "after")][:limit]
    if "around" in ask.query:
        middle = _number(ask, "around")
        older = [one for one in standing if one.id < middle][-(limit // 2) :]
        newer = [one for one in standing if one.id >= middle][: limit - limit // 2]
        return older + newer
    older = standing if "before" not in ask.query else [one for one in standing if one.id < _number(ask, "before")]
    return older[-limit:]


def _number(ask: Ask, name: str) -> int:
    text = ask.query[name]
    if not text.isdecimal():
        raise invalid(name, "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
    return int(text)


def _shown(ask: Ask, message: Message) -> Json:
    """Write a message as a fetch shows it: a bot whose portal switch is off reads no content here either."""
    whole = "message_content" in ask.bot.granted or exempt(message, ask.bot)
    shown = message.json(ask.bot, whole=whole)
    if message.nonce is not None and ask.world.switches.nonce_in_history:
        shown["nonce"] = message.nonce
    return shown
