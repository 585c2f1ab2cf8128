"""What of a message chats look for links in, as it is on the wire: entities at Telegram, Markdown at Discord."""

from __future__ import annotations

import re

from adapters.discord.base.markup import discord_markdown
from adapters.telegram.sender import plain_text as marked
from bot.text.links import links_in

_CODE = re.compile(r"(`+)(?:.*?[^`])\1(?!`)", re.DOTALL)


def on_telegram(text: str) -> str:
    """Return the words outside code, which no entity says are none, and the targets of links."""
    sent = marked(text)
    raw = sent.text.encode("utf-16-le")
    for entity in sent.entities:
        if entity.type in {"code", "pre"}:
            start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
            raw = raw[:start] + b"\n\0" * ((end - start) // 2) + raw[end:]
    return "\n".join([raw.decode("utf-16-le"), *[entity.url or "" for entity in sent.entities]])


def on_discord(text: str) -> str:
    """Return the Markdown outside code."""
    return _CODE.sub("\n", discord_markdown(text))


def leads_to(text: str) -> set[str]:
    """Name the hosts that somebody can get to by pressing something in a message, on either platform."""
    return {host for shown in (on_telegram(text), on_discord(text)) for one in links_in(shown) for host in one.hosts}
