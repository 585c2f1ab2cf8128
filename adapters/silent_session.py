"""Be at work without listening: the bot's account speaks and asks here, and another process listens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from adapters.accounts import AccountClaim
from bot.domain.bot_accounts import BotAccount
from bot.ports.clock import Clock
from bot.ports.platform import PlatformListener

log = structlog.get_logger(__name__)

LogIn = Callable[[], Awaitable[BotAccount]]
"""Asks the platform who the bot is."""
OnFailure = Callable[[Exception], float]
"""Lets the state say what is wrong; returns the seconds until the next try."""


class SilentSession:
    """Finds out who the bot is, and that the data is of this account; `on_up` hears that it is well."""

    def __init__(
        self, clock: Clock, claim: AccountClaim, log_in: LogIn, on_up: Callable[[], None], on_failure: OnFailure
    ) -> None:
        self._clock = clock
        self._claim = claim
        self._log_in = log_in
        self._on_up = on_up
        self._on_failure = on_failure

    async def run(self, ears: PlatformListener) -> None:
        """Be at work until cancelled; whatever fails is tried again."""
        self._claim.begin()
        while True:
            try:
                account = await self._log_in()
                await self._claim.make(ears, account)
            except Exception as error:  # noqa: BLE001 - the failure shows in the state, and is tried again
                self._claim.note_attempt()
                await self._clock.sleep(self._on_failure(error))
            else:
                break
        self._on_up()
        log.info("account_without_listening", account=str(account))
        await asyncio.Event().wait()
