"""Capture a context for one reader: frozen, cut to what they may see, with the records that belong to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import NamedTuple

from bot.context.inspected import Extras, InspectedContext
from bot.context.inspection import Inspection
from bot.context.inspector import ChannelContextInspector
from bot.context.viewing import Reader, Redacts, view
from bot.cortex.records import request_line, trail_line
from bot.cortex.target import Target, Targets
from bot.domain.access import Authority, Caller
from bot.domain.memory import MemoryScope
from bot.domain.snapshot import Which
from bot.errors import UserError
from bot.ports.store import Store

_TRAILS = 20
_REQUESTS = 8


class Capture(NamedTuple):
    """What was captured, and what of it the reader may see; only the second is ever shown."""

    inspection: Inspection
    shown: InspectedContext


@dataclass(frozen=True)
class Looking:
    """The cortex's one way to a context."""

    inspector: ChannelContextInspector
    targets: Targets
    store: Store
    redactor: Redacts
    sees_private: bool
    """Whether owners may see what was said in other people's private chats (`cortex.inspect_dms`)."""

    async def capture(self, caller: Caller, target: Target, which: Which | int) -> Capture:
        """Look; nothing changes, and no model is asked. The records of the channel are not read for it."""
        inspection = await self.inspector.inspect(target.key, which)
        return Capture(inspection, view(inspection, await self._reader(caller, target), self.redactor))

    async def present(self, caller: Caller, target: Target) -> Capture:
        """Look at the round that runs now, or else at what the next one would be, with what is on record."""
        try:
            inspection = await self.inspector.inspect(target.key, Which.IN_FLIGHT)
        except UserError:
            inspection = await self.inspector.inspect(target.key, Which.NEXT)
        reader, extras = await asyncio.gather(self._reader(caller, target), self._extras(target))
        return Capture(inspection, view(inspection, reader, self.redactor, extras))

    async def _reader(self, caller: Caller, target: Target) -> Reader:
        reads = await self.targets.may_read(caller.person, target)
        if caller.authority is not Authority.OWNER:
            return Reader(reads_content=reads)
        scopes = frozenset({MemoryScope.CHANNEL, MemoryScope.GUILD, MemoryScope.GLOBAL})
        return Reader(reads_content=reads, operator=self.sees_private, scopes=scopes)

    async def _extras(self, target: Target) -> Extras:
        ledger = self.store.ledger
        heard = await ledger.recent(target.key, _TRAILS)
        # asked for at once: one after the other, each would wait for a thread of its own
        trails = await asyncio.gather(*(ledger.trail(stored.id) for stored in heard))
        lines = tuple(trail_line(trail) for trail in trails if trail)
        journal = [request_line(stored) for stored in await self.store.journal.recent_requests(target.key, _REQUESTS)]
        return Extras(lines, tuple(journal))
