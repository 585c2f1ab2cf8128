"""Keep whose a data directory is: what is stored of one account says nothing about another."""

from __future__ import annotations

import asyncio
from functools import partial

from bot.domain.bot_accounts import BELONGS_TO, STREAM, TOKEN_OF, BotAccount, foreign_account_text, put_back
from bot.domain.ledger import StreamCursor
from bot.errors import DeliveryError
from bot.ports.platform import PlatformListener
from bot.sentences import Words


class ForeignAccount(Exception):
    """The token is of another account than the one that the data directory belongs to."""

    def __init__(self, platform: str, theirs: BotAccount, ours: BotAccount) -> None:
        super().__init__(platform, theirs, ours)
        self.detail: Words = partial(foreign_account_text, theirs, ours)
        self.fix: Words = partial(put_back, platform, theirs)
        self.facts = {BELONGS_TO: str(theirs), TOKEN_OF: str(ours)}

    def __str__(self) -> str:
        """Say it in the language that is spoken now."""
        return self.detail()


class AccountClaim:
    """The claim of a platform's account to the data directory. While it is made, and once it is refused, nobody speaks.

    Messages are told apart by numbers that each account counts for itself, and what waits to be sent is for people who
    know the other one.
    """

    def __init__(self, platform: str) -> None:
        self._platform = platform
        self._made = asyncio.Event()
        self._made.set()  # who never listens has nothing to claim
        self._refused: ForeignAccount | None = None

    def begin(self) -> None:
        """Let whoever speaks wait until it is made."""
        self._made.clear()

    async def make(self, ears: PlatformListener, me: BotAccount) -> None:
        """Store whose the data is if nobody has claimed it; raise ForeignAccount if another has, or StoreError."""
        known = BotAccount.read(await ears.cursor(self._platform, STREAM))
        self._refused = ForeignAccount(self._platform, known, me) if known is not None and known.id != me.id else None
        if self._refused is not None:
            raise self._refused
        if known != me:
            await ears.receive([], StreamCursor(adapter=self._platform, stream=STREAM, value=me.stored))
        self._made.set()

    def note_attempt(self) -> None:
        """Note that the platform was asked: if it cannot be reached, nothing that is sent gets there either."""
        self._made.set()

    async def wait_for_leave(self) -> None:
        """Return when the bot may speak; raise DeliveryError while the data is another account's."""
        await self._made.wait()
        if self._refused is not None:
            raise DeliveryError(str(self._refused), code="token")
