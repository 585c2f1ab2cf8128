"""What the simulation answers: words, or calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from adapters.simulated.conversation import MARK, OPENS, BodyCall, SimulatedConversation


@dataclass(frozen=True)
class SimulatedAnswer:
    """What the simulated model answers."""

    text: str = ""
    calls: tuple[BodyCall, ...] = ()


def marked_answer(text: str) -> SimulatedAnswer:
    """Say something of one's own; the mark tells that no real model said it."""
    return SimulatedAnswer(f"{text} {MARK}")


def results_of(conversation: SimulatedConversation, *wanted: str) -> tuple[tuple[BodyCall, str], ...]:
    """Return what came of the wanted tools so far; that some of them had to be opened first is none of it."""
    found = conversation.results
    return found if OPENS in wanted else tuple((call, text) for call, text in found if call.name != OPENS)


def call_tools(conversation: SimulatedConversation, *wanted: tuple[str, dict[str, Any] | str]) -> SimulatedAnswer:
    """Call tools, in this order, or open those of them first that are on demand.

    Arguments that are text go out as they are.
    """
    asleep = [name for name, _ in wanted if name in conversation.on_demand]
    if asleep and conversation.offers(OPENS) and not any(call.name == OPENS for call, _ in conversation.results):
        return call_tools(conversation, (OPENS, {"names": list(dict.fromkeys(asleep))}))
    return SimulatedAnswer(
        calls=tuple(
            BodyCall(
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
