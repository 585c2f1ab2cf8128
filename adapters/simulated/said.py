"""What the simulation answers: words, or calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from adapters.simulated.conversation import MARK, Call, Conversation


@dataclass(frozen=True)
class Said:
    """One answer."""

    text: str = ""
    calls: tuple[Call, ...] = ()


def marked(text: str) -> Said:
    """Say something of one's own; the mark tells that no real model said it."""
    return Said(f"{text} {MARK}")


def calling(conversation: Conversation, *wanted: tuple[str, dict[str, Any] | str]) -> Said:
    """Call tools, in this order; arguments that are text go out as they are."""
    return Said(
        calls=tuple(
            Call(
                conversation.call_id(number),
                name,
                arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode(),
            )
            for number, (name, arguments) in enumerate(wanted)
        )
    )


def excerpt(text: str, most: int = 120) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
