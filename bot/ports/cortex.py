"""The cortex as messaging sees it: a door to knock at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

from bot.domain.access import Caller
from bot.domain.ids import PersonKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import ButtonPress
from bot.domain.turn import NewOutbox, StoredTurn


class CommandCall(NamedTuple):
    """A command for the cortex: the stored message, who said it, and the rest of the line."""

    stored: StoredInbound
    caller: Caller
    words: str


class ErasureRequests(Protocol):
    """Who takes out what is kept of somebody."""

    async def at_own_request(self, person: PersonKey, tell: Callable[[str], Awaitable[None]]) -> None:
        """Begin to take out everything that is kept of somebody who asked for it; `tell` brings them the receipt."""


class MemberAnswers(Protocol):
    """Who tells somebody about their own messages, without a right to anything else."""

    async def why(self, stored: StoredInbound) -> str:
        """Say why the asker's own message got no answer: the one replied to, else their newest; `stored` asks."""


class CortexPort(Protocol):
    """What the cortex takes. Only admins get this far; content is never answered in a public channel."""

    async def command(self, call: CommandCall) -> None:
        """Answer `!cortex <words>`; `!why <words>` comes as `why <words>`."""

    async def started(self, call: CommandCall) -> str | None:
        """Take `/start <words>` in a private chat: answer there what a link stands for.

        Return what to tell the person (empty: they were answered); None when the words were never a link of ours.
        """

    @property
    def forgetting(self) -> ErasureRequests:
        """Who takes out what is kept of somebody."""

    @property
    def members(self) -> MemberAnswers:
        """Who tells somebody about their own messages."""

    async def pressed(self, press: ButtonPress) -> str:
        """Return what to tell the presser, and them alone."""

    async def claim_message(self, stored: StoredInbound) -> bool:
        """Take a private message if it belongs to a session of the cortex; False when it does not."""

    async def pending_report(self, turn: StoredTurn) -> NewOutbox | None:
        """Return what is to be said about a turn of the cortex that ended with its process; None: nothing."""
