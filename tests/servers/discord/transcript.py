"""A channel as text: `ann> hello`, `glassmind< yes`, one line a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .message import Message

EVENTS = {6: "(pinned a message)", 7: "(joined)", 18: "(started a thread)", 21: "(thread starter)"}


def transcript(messages: Sequence[Message]) -> str:
    """Write messages as a person reads them."""
    return "\n".join(line(message) for message in messages)


def line(message: Message) -> str:
    """Write one message: who, which files, what, which buttons, changed or not, reactions."""
    parts = [f"[{one['filename']}]" for one in message.attachments]
    parts += [EVENTS.get(message.kind, ""), message.text.replace("\n", "\n    ")]
    parts += [f"[{one.get('label') or one.get('placeholder') or 'choice'}]" for one in message.buttons]
    parts += ["(edited)" if message.edited else "", "(only you)" if message.is_ephemeral else ""]
    parts += [emoji for emoji, users in message.reactions.items() for _ in users]
    arrow = "<" if message.author.is_bot else ">"
    return f"{message.author.name}{arrow} {' '.join(part for part in parts if part)}".rstrip()
