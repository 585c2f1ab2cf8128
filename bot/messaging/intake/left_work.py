"""What processes that are over left open in the channels that are taken up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.ids import ChannelId
from bot.domain.ledger import StoredInbound
from bot.domain.process import StoredProcess
from bot.domain.recovery_scope import RecoveryScope
from bot.domain.turn import StoredOutbox, StoredTurn
from bot.ports.store import Store


@dataclass(frozen=True, eq=False)
class LeftWork:
    """Reads it anew each time. What belongs to a talk of an admin was done from their private chat."""

    store: Store
    scope: RecoveryScope

    async def turns(self) -> Sequence[StoredTurn]:
        """Return the turns that have no end."""
        found = await self.store.journal.running_turns()
        return [turn for turn in found if await self._covers(turn.channel, turn.session)]

    async def messages(self) -> Sequence[StoredInbound]:
        """Return what has no outcome, oldest first."""
        return await self.store.ledger.unsettled(self.scope.channels)

    async def previews(self) -> Sequence[StoredOutbox]:
        """Return the open previews, oldest first."""
        return [one for one in await self.store.previews.left() if self.scope.covers(one.body.to.channel)]

    async def processes(self) -> Sequence[StoredProcess]:
        """Return the branches and workers that have no end, oldest first."""
        return [one for one in await self.store.processes.running() if await self._covers_process(one)]

    async def untold(self) -> Sequence[StoredProcess]:
        """Return what was done for an admin in private, is over, and was not told."""
        found = [one for one in await self.store.processes.unrelayed() if one.body.session]
        return [one for one in found if await self._covers_process(one)]

    async def _covers_process(self, process: StoredProcess) -> bool:
        return await self._covers(process.body.channel, process.body.session)

    async def _covers(self, channel: ChannelId, session: int) -> bool:
        if self.scope.channels is not None and session:
            talk = await self.store.sessions.get(session)
            return self.scope.covers(talk.body.dm_channel if talk else channel)
        return self.scope.covers(channel)
