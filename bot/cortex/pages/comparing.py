"""Find out which two contexts are meant, and compare them: the same for a chat and for the host."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.cortex.pages.cache_page import Cached
from bot.cortex.pages.capture import Capture
from bot.cortex.pages.change_records import read_between
from bot.cortex.pages.diff_page import Compared, explained
from bot.domain.channel import ChannelState
from bot.domain.ids import ChannelKey
from bot.domain.snapshot import Which
from bot.domain.turn import TurnStatus
from bot.errors import UserError
from bot.inspect.diff.causes import explain
from bot.inspect.diff.change_events import NO_RECORDS, Epoch
from bot.inspect.diff.diff import compare
from bot.inspect.diff.shared_prefix import breaking_change, common_length, common_prefix
from bot.inspect.diff.sides import Side, side_of
from bot.ports.store import Store

LAST, NEXT, WORKED = "last", "next", "worked"
_WHICH = {LAST: Which.SENT, NEXT: Which.NEXT, "running": Which.IN_FLIGHT}
CONTEXTS = {
    NEXT: (LAST, NEXT),
    "running": (LAST, "running"),
    LAST: (WORKED, LAST),
    WORKED: (WORKED, LAST),
}
"""The contexts that have names, with what is compared where one is named alone."""
_LOOK_BACK = 200


def pair(first: str = "", second: str = "") -> tuple[str, str]:
    """Return the two contexts that are meant; one record alone is compared with the last request."""
    return (first, second) if second or not first else CONTEXTS.get(first, (first, LAST))


Captures = Callable[[ChannelKey, Which | int], Awaitable[Capture]]
"""Looks at a context for one reader, whose right to it was asked for."""


@dataclass(frozen=True)
class Comparing:
    """Compares captures of one reader. `now` is the time of what was not sent (UTC ms)."""

    store: Store
    capture: Captures
    now: int

    async def usual(self, key: ChannelKey) -> tuple[str, str]:
        """Say what is compared where nothing is named: what worked with the last, or else the last with the next."""
        last = await self._last(key)
        turn = await self.store.journal.turn(last) if last else None
        failed = turn is not None and turn.status not in {TurnStatus.REPLIED, TurnStatus.RUNNING}
        return (WORKED, LAST) if failed and await self._worked(key) else (LAST, NEXT)

    async def which(self, key: ChannelKey, name: str) -> Which | int:
        """Turn a name into a context of a channel; raise UserError when there is none."""
        if which := _WHICH.get(name):
            return which
        row = await self._worked(key)
        if not row:
            raise UserError("No request of that channel that is still kept has led to an answer.")
        return row

    async def side(self, key: ChannelKey, which: Which | int, *, by_content: bool = False) -> tuple[Side, ChannelState]:
        """Capture a context and lay it out for a comparison."""
        seen = await self.capture(key, which)
        side = side_of(seen.inspection, seen.shown, self.now, by_content=by_content)
        return side, seen.inspection.state

    async def compared(self, before: Side, after: Side, state: ChannelState | None) -> Compared:
        """Compare, and look for the causes in the records of a channel; without one, in the two alone."""
        # in a thread: two long contexts that have nothing in common take longer than anybody should wait
        diff = await asyncio.to_thread(compare, before, after)
        same_place = state is not None and before.channel == after.channel == str(state.key)
        between = await read_between(self.store, diff, state) if state is not None and same_place else NO_RECORDS
        return await asyncio.to_thread(explained, diff, between)

    async def cached(self, key: ChannelKey, which: Which | int) -> Cached:
        """Measure what a request shares with the one before it; raise UserError when there is none."""
        row = which if isinstance(which, int) else await self._last_row(key)
        earlier = await self.store.journal.request_before(key, row)
        if earlier is None:
            raise UserError("Nothing was sent from there before that request, so no cache could have held any of it.")
        after = await self.capture(key, row)
        before = await self.capture(key, earlier.id)
        sides = (side_of(seen.inspection, seen.shown, self.now) for seen in (before, after))
        prefix = await asyncio.to_thread(common_prefix, *sides)
        bodies = [seen.inspection.wire.body for seen in (before, after)]
        wire = (common_length(*bodies), len(bodies[0]), len(bodies[1])) if all(bodies) else (0, 0, 0)
        found = await asyncio.to_thread(breaking_change, prefix)
        causes: tuple[Epoch, ...] = ()
        if found is not None:
            causes = explain(*found, await read_between(self.store, found[1], after.inspection.state))
        return Cached(prefix, causes, wire, tuple(await self.store.meter.usage(key, 0)))

    async def _last_row(self, key: ChannelKey) -> int:
        found = await self.store.journal.recent_requests(key, 1)
        return found[0].id if found else 0

    async def _last(self, key: ChannelKey) -> int:
        """Return the turn of the last request."""
        found = await self.store.journal.recent_requests(key, 1)
        return found[0].record.turn if found else 0

    async def _worked(self, key: ChannelKey) -> int:
        """Return the last request that led to an answer."""
        for turn in await self.store.journal.recent_turns(key, _LOOK_BACK):
            if turn.status is TurnStatus.REPLIED and (sent := await self.store.journal.requests_of_turn(turn.id)):
                return sent[-1].id
        return 0
