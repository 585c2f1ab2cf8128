"""What the simulation answers: words, or calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from adapters.simulated.conversation import MARK, OPENS, Call, Conversation


@dataclass(frozen=True)
class Said:
    """What the simulated model answers."""

    text: str = ""
    calls: tuple[Call, ...] = ()


def marked(text: str) -> Said:
    """Say something of one's own; the mark tells that no real model said it."""
    return Said(f"{text} {MARK}")


def results_of(conversation: Conversation, *wanted: str) -> tuple[tuple[Call, str], ...]:
    """Return what came of the wanted tools so far; that some of them had to be opened first is none of it."""
    found = conversation.results
    return found if OPENS in wanted else tuple((call, text) for call, text in found if call.name != OPENS)


def calling(conversation: Conversation, *wanted: tuple[str, dict[str, Any] | str]) -> Said:
    """Call tools, in this order, or open those of them first that are on demand.

    Arguments that are text go out as they are.
    """
    asleep = [name for name, _ in wanted if name in conversation.on_demand]
    if asleep and conversation.offers(OPENS) and not any(call.name == OPENS for call, _ in conversation.results):
        return calling(conversation, (OPENS, {"names": list(dict.fromkeys(asleep))}))
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
