"""The updates that wait for one bot, with the offset rules of the real queue.

An update stays until an offset passes it, or for its lifetime; a negative offset keeps the last ones only; an offset
far in the future is ignored, so that everything comes again (TQueue::get in tdlib).
"""

from __future__ import annotations

import asyncio
import copy
from dataclasses import dataclass
from typing import Any

from .refusals import OTHER_POLLER, conflict

FIRST_UPDATE = 500_000_001
FUTURE = 10  # how far beyond the queue's end an offset may point before it is taken for nonsense
DAY = 86_400
LIFETIMES = {"inline_query": 30, "callback_query": 150, "shipping_query": 150, "pre_checkout_query": 150}
NOT_BY_DEFAULT = ("chat_member", "message_reaction", "message_reaction_count")


@dataclass(frozen=True, slots=True)
class Waiting:
    """An update in the queue and the second in which it is forgotten."""

    update: dict[str, Any]
    until: int

    @property
    def id(self) -> int:
        """Return the update id."""
        number: int = self.update["update_id"]
        return number


class Inlet:
    """One bot's queue of updates."""

    def __init__(self) -> None:
        self.allowed: tuple[str, ...] = ()
        self.given: list[int] = []
        self.next_id = FIRST_UPDATE
        self._queue: list[Waiting] = []
        self._waiter: asyncio.Future[None] | None = None

    @property
    def pending(self) -> list[dict[str, Any]]:
        """List what waits, given out or not."""
        return [waiting.update for waiting in self._queue]

    @property
    def is_polled(self) -> bool:
        """Say whether a long poll waits here."""
        return self._waiter is not None

    def allows(self, kind: str) -> bool:
        """Say whether updates of this kind are wanted; an empty list means the default."""
        return kind in self.allowed if self.allowed else kind not in NOT_BY_DEFAULT

    def add(self, kind: str, payload: Any, now: int) -> bool:
        """Queue an update unless its kind is not wanted; say whether it was queued."""
        if not self.allows(kind):
            return False
        self.push({"update_id": self._count(), kind: copy.deepcopy(payload)}, now + LIFETIMES.get(kind, DAY))
        return True

    def push(self, update: dict[str, Any], until: int = 1 << 60) -> None:
        """Queue an update as it stands; without an id it gets the next one."""
        ready = update if "update_id" in update else {"update_id": self._count()} | update
        self._queue.append(Waiting(ready, until))
        self.wake()

    def skip(self, count: int) -> None:
        """Leave a gap in the ids."""
        self.next_id += count

    def renumber(self, next_id: int) -> None:
        """Go on with other ids, as the API does after a quiet week."""
        self.next_id = next_id

    def clear(self) -> None:
        """Forget everything that waits."""
        self._queue.clear()

    def wake(self) -> None:
        """Let a waiting poll look again."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def abort(self, words: str = OTHER_POLLER) -> None:
        """Answer a waiting poll with a conflict, as any newer getUpdates does."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(conflict(words))
        self._waiter = None

    def take(self, offset: int, limit: int, now: int) -> list[dict[str, Any]]:
        """Confirm what the offset passes, and return what follows."""
        self._queue = [waiting for waiting in self._queue if waiting.until > now]
        if offset < 0:
            self._queue = self._queue[offset:]
        elif 0 < offset <= self._tail() + FUTURE:
            self._queue = [waiting for waiting in self._queue if waiting.id >= offset]
        batch = [waiting.update for waiting in self._queue[:limit]]
        self.given.extend(update["update_id"] for update in batch)
        return batch

    async def wait(self, seconds: float) -> None:
        """Wait for an update."""
        waiter = self._waiter = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(seconds):
                await waiter
        except TimeoutError:
            pass
        finally:
            if self._waiter is waiter:
                self._waiter = None

    def _count(self) -> int:
        self.next_id += 1
        return self.next_id - 1

    def _tail(self) -> int:
        return max([self.next_id, *(waiting.id + 1 for waiting in self._queue)])
