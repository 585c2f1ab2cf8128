"""Read the links that platforms give to their messages; pure, so that they work where no platform is connected.

Discord: https://discord.com/developers/docs/reference#message-formatting; Telegram: https://core.telegram.org/api/links.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from bot.domain.ids import ChannelId, channel_id


class MessageLocation(NamedTuple):
    """A channel as a platform writes it, and the message in it that a link names.

    What the text alone cannot say stays open: `discord:dm` is any direct message, `telegram:@name` a public name, and
    a Telegram chat stands for its topics too.
    """

    channel: ChannelId
    message_id: str = ""


DISCORD, TELEGRAM = "discord", "telegram"
DISCORD_DM = channel_id(DISCORD, "dm")
_MAX_URL_CHARS = 500
_DISCORD_HOSTS = re.compile(r"(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com")
_TELEGRAM_HOSTS = frozenset({"t.me", "www.t.me", "telegram.me", "telegram.dog"})
_ID = re.compile(r"[1-9]\d{0,19}", re.ASCII)
_PUBLIC_NAME = re.compile(r"[A-Za-z]\w{3,31}", re.ASCII)
# a channel's or supergroup's number as bots see it (https://core.telegram.org/api/bots/ids)
_SUPERGROUP = "-100"


def locate(text: str) -> MessageLocation | None:
    """Read a link of any platform; None for everything else."""
    return discord_link(text) or telegram_link(text)


def discord_link(text: str) -> MessageLocation | None:
    """Read `https://discord.com/channels/<guild or @me>/<channel>[/<message>]`; None for everything else."""
    url = _split(text)
    if url is None or url.scheme not in {"https", "http"} or not _DISCORD_HOSTS.fullmatch(url.host):
        return None
    match url.path:
        case ["channels", "@me", channel, message] if _are_ids(channel, message):
            return MessageLocation(DISCORD_DM, message)
        case ["channels", guild, channel] if _are_ids(guild, channel):
            return MessageLocation(channel_id(DISCORD, guild, channel))
        case ["channels", guild, channel, message] if _are_ids(guild, channel, message):
            return MessageLocation(channel_id(DISCORD, guild, channel), message)
    return None


def telegram_link(text: str) -> MessageLocation | None:
    """Read `https://t.me/...` and `tg://...` links to a message; None for everything else, comments included."""
    url = _split(text)
    if url is None or "comment" in url.query:  # a comment stands in another chat, which the link does not name
        return None
    if url.scheme == "tg":
        return _telegram_app(url)
    if url.scheme not in {"https", "http"} or url.host not in _TELEGRAM_HOSTS:
        return None
    match url.path:
        case ["c", chat, *rest] if _are_ids(chat):
            return _telegram_message(_SUPERGROUP + chat, rest, url)
        case ["s", name, message] | [name, message] if _PUBLIC_NAME.fullmatch(name):
            return _telegram_message(f"@{name}", [message], url)
        case [name, topic, message] if _PUBLIC_NAME.fullmatch(name):
            return _telegram_message(f"@{name}", [topic, message], url)
    return None


def is_some_dm(channel: ChannelId) -> bool:
    """Say whether a link leads to a direct message, and the text alone cannot say whose."""
    return channel.partition(":")[2] == "dm"


def message_link(channel: ChannelId, message_id: str, kind: str) -> str:
    """Write the link to a message on a kind of platform, from numbers alone; empty where no reader could open one."""
    path = channel.split(":")[1:]
    if not _are_ids(message_id):
        return ""
    if kind == DISCORD and len(path) == 2 and _are_ids(*path):
        return f"https://discord.com/channels/{path[0]}/{path[1]}/{message_id}"
    if kind == TELEGRAM and path and path[0].startswith(_SUPERGROUP):
        parts = (path[0].removeprefix(_SUPERGROUP), *path[1:], message_id)
        return f"https://t.me/c/{'/'.join(parts)}" if _are_ids(*parts) else ""
    return ""


class _Url(NamedTuple):
    scheme: str
    host: str
    path: list[str]
    query: dict[str, str]


def _split(text: str) -> _Url | None:
    text = text.strip()
    text = text[1:-1] if text.startswith("<") and text.endswith(">") else text
    if len(text) > _MAX_URL_CHARS or any(character.isspace() for character in text):
        return None
    if not re.match(r"[a-z]{2,7}://", text, re.IGNORECASE):
        text = f"https://{text}"
    try:
        parts = urlsplit(text)
        host, query = parts.hostname or "", parse_qs(parts.query, keep_blank_values=True)
    except ValueError:
        return None
    path = [piece for piece in parts.path.split("/") if piece]
    return _Url(parts.scheme.lower(), host, path, {name: values[-1] for name, values in query.items()})


def _telegram_app(url: _Url) -> MessageLocation | None:
    query = url.query
    thread = [query["thread"]] if "thread" in query else []
    match url.host:
        case "privatepost" if _are_ids(query.get("channel", "")):
            return _telegram_message(_SUPERGROUP + query["channel"], [*thread, query.get("post", "")], url)
        case "resolve" if _PUBLIC_NAME.fullmatch(query.get("domain", "")):
            return _telegram_message(f"@{query['domain']}", [*thread, query.get("post", "")], url)
        case "openmessage" if _are_ids(query.get("user_id", "")):
            return _telegram_message(query["user_id"], [query.get("message_id", "")], url)
        case "openmessage" if _are_ids(query.get("chat_id", "")):
            return _telegram_message(f"-{query['chat_id']}", [query.get("message_id", "")], url)
    return None


def _telegram_message(chat: str, rest: list[str], url: _Url) -> MessageLocation | None:
    """Join a chat with `[message]` or `[topic, message]`; a lone message may carry its topic as `?thread=`."""
    if len(rest) == 1 and "thread" in url.query:
        rest = [url.query["thread"], *rest]
    if len(rest) not in {1, 2} or not _are_ids(*rest):
        return None
    return MessageLocation(channel_id(TELEGRAM, chat, *rest[:-1]), rest[-1])


def _are_ids(*texts: str) -> bool:
    return all(_ID.fullmatch(text) for text in texts)
