"""A chat as text: `ann> hello`, `glassmind_bot< yes`, one line a message."""

from __future__ import annotations

from collections.abc import Sequence

from .delivery import SERVICE
from .values import Json, Message


def transcript(messages: Sequence[Message]) -> str:
    """Write messages as a person reads them."""
    return "\n".join(line(message) for message in messages)


def line(message: Message) -> str:
    """Write one message: who, which file, what, which buttons, changed or not, reactions."""
    parts = [_file(message.json), _indented(message.text), _event(message.json), _buttons(message)]
    parts += [
        "(edited)" if message.edits and message.json.keys() & {"text", "rich_message"} else "",
        _reactions(message),
    ]
    return f"{_speaker(message)} {' '.join(part for part in parts if part)}".rstrip()


def _speaker(message: Message) -> str:
    if message.author is None:
        return f"{message.chat.title}>"
    return f"{message.author.name}{'<' if message.author.is_bot else '>'}"


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _file(body: Json) -> str:
    if "photo" in body:
        return "[photo]"
    return f"[{body['document']['file_name']}]" if "document" in body else ""


def _event(body: Json) -> str:
    names = [name for name in SERVICE if name in body]
    return f"({names[0].replace('_', ' ')})" if names else ""


def _buttons(message: Message) -> str:
    return " ".join(f"[{button.get('text', '')}]" for button in message.buttons)


def _reactions(message: Message) -> str:
    return " ".join(one.get("emoji", "*") for each in message.reactions.values() for one in each)
