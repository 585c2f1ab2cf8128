"""What can go wrong between a bot and the API: a script of faults, each a value that plays one answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from .exchange import Exchange
from .refusals import OTHER_POLLER, Refused, dumped, too_many
from .values import Json

HTML = b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>502 Bad Gateway</body>\r\n</html>\r\n"

EMPTY = b'{"ok":true,"result":[]}'


class Fault(Protocol):
    """One way for a call to go wrong."""

    async def play(self, exchange: Exchange) -> None:
        """Answer the call, or do not."""


@dataclass(frozen=True, slots=True)
class Flood:
    """429 with `retry_after`; nothing is applied."""

    retry_after: int = 3

    async def play(self, exchange: Exchange) -> None:
        """Answer with the API's own words."""
        await exchange.send(429, dumped(too_many(self.retry_after).body()))


@dataclass(frozen=True, slots=True)
class BadGateway:
    """A proxy's page instead of an answer; `applied` lets the method take effect all the same."""

    status: int = 502
    body: bytes = HTML
    applied: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Send the page."""
        if self.applied:
            await exchange.apply()
        await exchange.send(self.status, self.body, "text/html")


@dataclass(frozen=True, slots=True)
class Refuses:
    """Any refusal of the API."""

    code: int
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    applied: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Refuse."""
        if self.applied:
            await exchange.apply()
        await exchange.send(self.code, dumped(Refused(self.code, self.description, **self.parameters).body()))


@dataclass(frozen=True, slots=True)
class Answers:
    """Any bytes under any status, such as `ok: false` under 200; `applied` lets the method take effect."""

    body: bytes
    status: int = 200
    applied: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Send the bytes as JSON."""
        if self.applied:
            await exchange.apply()
        await exchange.send(self.status, self.body)


@dataclass(frozen=True, slots=True)
class Hangs:
    """Nothing happens until `server.release()`; `applied` hangs after the method took effect instead of before."""

    applied: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Wait, then answer."""
        if self.applied:
            await exchange.apply()
        await exchange.hang()
        await exchange.answer()


@dataclass(frozen=True, slots=True)
class Drops:
    """The connection closes without an answer: before the method took effect, or after it."""

    applied: bool = False
    reset: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Close."""
        if self.applied:
            await exchange.apply()
        exchange.close(self.reset)


@dataclass(frozen=True, slots=True)
class Truncated:
    """The method takes effect, but its answer ends after so many bytes, as whole HTTP or (`cut`) in mid-body."""

    keep: int = 20
    cut: bool = False

    async def play(self, exchange: Exchange) -> None:
        """Send the first bytes."""
        status, body = await exchange.apply()
        await exchange.send(status, body[: self.keep], length=len(body) if self.cut else None)


@dataclass(frozen=True, slots=True)
class Dribbles:
    """The answer comes a few bytes at a time, with so many seconds between."""

    size: int = 16
    pause: float = 0

    async def play(self, exchange: Exchange) -> None:
        """Send it slowly."""
        status, body = await exchange.apply()
        await exchange.dribble(status, body, self.size, self.pause)


@dataclass(frozen=True, slots=True)
class Alters:
    """The result is another one: updates twice, out of order, with holes, from the past."""

    change: Callable[[Any], Any]

    async def play(self, exchange: Exchange) -> None:
        """Send the changed result."""
        status, body = await exchange.apply()
        answer = json.loads(body)  # noqa: TID251 - its own answer, which may hold half an emoji
        if answer["ok"]:
            answer["result"] = self.change(answer["result"])
        await exchange.send(status, dumped(answer))


@dataclass(frozen=True, slots=True)
class Before:
    """Something happens while the call is under way, and then it is answered as ever."""

    act: Callable[[], Awaitable[None] | None]

    async def play(self, exchange: Exchange) -> None:
        """Let it happen."""
        happening = self.act()
        if happening is not None:
            await happening
        await exchange.answer()


@dataclass(slots=True)
class HalfOpen:
    """A connection that died without a word: what is asked on it never gets there, and is answered well and empty.

    It is the one of the first call; whatever comes on another one is answered as ever. `pause` is what an answer takes.
    """

    body: bytes = EMPTY
    pause: float = 0.005
    line: int = 0

    async def play(self, exchange: Exchange) -> None:
        """Keep the call from the API while it comes on the dead connection."""
        self.line = self.line or exchange.line
        if exchange.line != self.line:
            await exchange.answer()
            return
        await asyncio.sleep(self.pause)
        await exchange.send(200, self.body)


CONFLICT = Refuses(409, f"Conflict: {OTHER_POLLER}")
TWICE = Alters(lambda updates: [update for update in updates for _ in range(2)])
BACKWARDS = Alters(lambda updates: updates[::-1])


@dataclass(slots=True)
class Planned:
    """A fault that waits for its call."""

    method: str
    fault: Fault
    skip: int
    times: int
    when: Callable[[Json], bool] | None


class Faults:
    """The script: which call of which method goes wrong, and how."""

    def __init__(self) -> None:
        self.planned: list[Planned] = []

    def plan(
        self,
        method: str,
        fault: Fault,
        *,
        nth: int = 1,
        times: int = 1,
        when: Callable[[Json], bool] | None = None,
    ) -> None:
        """Let the nth matching call from now on go wrong, and `times - 1` more after it; `*` is any method."""
        self.planned.append(Planned(method.lower(), fault, nth - 1, times, when))

    def take(self, method: str, params: Json) -> Fault | None:
        """Return the fault of a call; every plan that matches counts the call, the first one that is due plays."""
        due: Planned | None = None
        for plan in self.planned:
            if plan.method not in ("*", method.lower()) or (plan.when and not plan.when(params)):
                continue
            if plan.skip > 0:
                plan.skip -= 1
            elif due is None:
                due = plan
        if due is None:
            return None
        due.times -= 1
        if due.times <= 0:
            self.planned.remove(due)
        return due.fault
