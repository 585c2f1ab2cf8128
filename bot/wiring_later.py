"""Parts of the wiring that are made after those which reach for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from bot.agent.processes import WorkDesk
from bot.domain.channel import ChannelState
from bot.domain.ids import ChannelKey, Person
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Inbound, Press
from bot.domain.process import StoredProcess
from bot.domain.turn import NewOutbox, StoredTurn
from bot.messaging.door import CommandCall
from bot.messaging.manager import MessagingManager
from bot.tasks import Tasks
from bot.tools.context_inspect import InspectionStarted, InspectionWish
from bot.tools.effects import Proposed

if TYPE_CHECKING:
    from bot.cortex.service import Cortex


class Later:
    """Parts that are made after those which reach for them: messaging needs the cortex, and the cortex messaging.

    The cortex is made when it is first knocked at: a start waits for nothing that only looks at what has been done.
    Implements `bot.messaging.door.CortexDoor`.
    """

    manager: MessagingManager
    work: WorkDesk
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


def tell_admin(later: Later, process: StoredProcess) -> None:
    """Let the cortex tell an admin what came of work that they had done in private."""
    later.cortex().private_work.ended(process)
