"""Parts of the wiring that are made after those which reach for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from bot.domain.channel import ChannelState
from bot.domain.ids import ChannelKey, Person
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Inbound, Press
from bot.domain.process import StoredProcess
from bot.domain.turn import NewOutbox, StoredTurn
from bot.messaging.door import CommandCall
from bot.messaging.manager import MessagingManager
from bot.messaging.posting import Resend
from bot.messaging.registry import LiveChannel
from bot.ports.processes import Processes
from bot.tasks import Tasks

if TYPE_CHECKING:
    from bot.agent.mind import Mind
    from bot.cortex.resend import Resends
    from bot.cortex.service import Cortex
    from bot.tools.context_inspect import InspectionStarted, InspectionWish
    from bot.tools.effects import Proposed


class Later:
    """Parts that are made after those which reach for them: messaging needs the cortex, and the cortex messaging.

    The cortex is made when it is first knocked at: a start waits for nothing that only looks at what has been done.
    Implements `bot.messaging.door.CortexDoor`.
    """

    manager: MessagingManager
    make_cortex: Callable[[], Cortex]

    def __init__(self) -> None:
        self._cortex: Cortex | None = None

    def cortex(self) -> Cortex:
        """Return the cortex, made by the first who asks."""
        if self._cortex is None:
            self._cortex = self.make_cortex()
        return self._cortex

    async def command(self, call: CommandCall) -> None:
        """Hand a command on."""
        await self.cortex().command(call)

    async def started(self, call: CommandCall) -> str | None:
        """Hand `/start` on."""
        return await self.cortex().started(call)

    async def forget(self, person: Person, tell: Callable[[str], Awaitable[None]]) -> None:
        """Hand somebody's wish on."""
        await self.cortex().forgetting.at_own_request(person, tell)

    async def pressed(self, press: Press) -> str:
        """Hand a press on."""
        return await self.cortex().pressed(press)

    async def said(self, stored: StoredInbound) -> bool:
        """Hand a private message on."""
        return await self.cortex().said(stored)

    async def owed(self, turn: StoredTurn) -> NewOutbox | None:
        """Ask what an inspection that was cut off owes."""
        return await self.cortex().owed(turn)

    @property
    def busy(self) -> bool:
        """Whether there is a cortex, and it is at work."""
        return self._cortex is not None and self._cortex.busy

    async def settled(self) -> None:
        """Return when it is not."""
        if self._cortex is not None:
            await self._cortex.settled()

    def put_away(self, key: ChannelKey) -> None:
        """Let a channel's next turn begin with what is stored."""
        self.manager.put_away(key)

    async def hear(self, batch: Sequence[Inbound]) -> None:
        """Hand messages to messaging, as an adapter does."""
        await self.manager.heard(batch, None)

    def propose(self, tasks: Tasks, where: ChannelState, turn: int, proposed: Sequence[Proposed]) -> None:
        """Let the cortex ask whether memories are to be forgotten."""
        tasks.spawn("propose to forget", self.cortex().proposing.ask(where, turn, proposed))

    def returned(self, stored: StoredInbound) -> None:
        """Hand a result to messaging."""
        self.manager.returned(stored)

    async def begin(self, wish: InspectionWish) -> InspectionStarted:
        """Start an inspection, for the tool that asks for one."""
        return await self.cortex().begin(wish)


class LaterMind:
    """The mind, made when there is first something to answer, and what messaging asks of it. No start waits for it."""

    make: Callable[[], Mind]
    make_resends: Callable[[], Resends]

    def __init__(self) -> None:
        self._mind: Mind | None = None
        self._resends: Resends | None = None

    def open(self) -> Mind:
        """Return what answers, made by the first who asks."""
        if self._mind is None:
            self._mind = self.make()
        return self._mind

    def resends(self) -> Resends:
        """Return what sends once more, made by the first who asks."""
        if self._resends is None:
            self._resends = self.make_resends()
        return self._resends

    def open_channel(self, state: ChannelState) -> LiveChannel:
        """Bring a conversation to life."""
        return self.open().channels.open(state)

    async def stop_work(self, key: ChannelKey, why: str, whose: Person | None) -> int:
        """Stop what goes on for a conversation, or what one person asked for in it; return how many that was."""
        return await self._mind.stop_work(key, why, whose) if self._mind is not None else 0

    async def take_up(self, processes: Processes, again: Sequence[StoredInbound]) -> Sequence[StoredInbound]:
        """Go on with what an earlier process left at work; where it left nothing, nobody is needed for it."""
        return await self.open().work.resume(again) if await processes.running() else ()

    async def offer_resend(self, row: int) -> Resend | None:
        """Offer to send a chunk once more."""
        return await self.resends().offer(row)


def tell_admin(later: Later, process: StoredProcess) -> None:
    """Let the cortex tell an admin what came of work that they had done in private."""
    later.cortex().private_work.ended(process)
