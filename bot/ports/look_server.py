"""Offer our own looks to other people's programs: an editor, or whatever else speaks MCP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from bot.domain.base import JsonText


class OfferedLook(NamedTuple):
    """A question that can be asked; it changes nothing."""

    name: str
    description: str
    parameters: JsonText


class LookAnswer(NamedTuple):
    """An answer as a person reads it, and as a program does; `failed` when it says why there is none."""

    text: str
    value: Mapping[str, Any]
    failed: bool = False


AnswerQuestion = Callable[[str, Mapping[str, Any]], Awaitable[LookAnswer]]
"""Answers a question with its arguments; never raises for what somebody asked."""


class LookOffer(NamedTuple):
    """What is offered, and who answers."""

    name: str
    version: str
    instructions: str
    looks: Sequence[OfferedLook]
    ask: AnswerQuestion


class LookServer(Protocol):
    """The way to be asked."""

    async def over_stdio(self, desk: LookOffer) -> None:
        """Answer whoever started this program, until they close its standard input."""

    async def over_http(self, desk: LookOffer, port: int, token: str) -> None:
        """Answer on this port of the loopback address whoever shows the token, until cancelled."""
