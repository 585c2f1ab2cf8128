"""Ask for updates, one batch after the other; what was not stored is asked for again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog
from telegram.error import TelegramError

from adapters.accounts import AccountClaim
from adapters.telegram.api import ApiSessions
from adapters.telegram.authors import TelegramAccount
from adapters.telegram.convert import PressedButton, TelegramParseContext, bots_called, convert_update, number_of
from adapters.telegram.failures import PollingStalled, TelegramFailures, WebhookInTheWay
from adapters.telegram.places import NAME, KnownPlaces, is_business
from adapters.telegram.presses import PressReceiver
from adapters.telegram.state import TelegramState, host_of
from bot.domain.ledger import StreamCursor
from bot.ports.clock import Clock
from bot.ports.platform import PlatformListener
from bot.runtime.tasks import MAX_SHORT_PIECES

log = structlog.get_logger(__name__)

STREAM = "updates"
_ASK_AGAIN_SECONDS = 900.0
"""Seconds after which the bot asks who it is, where something came in."""
_MAX_NAMES = 1000


class BacklogWatch:
    """Says when to look at what waits, and what a look means. It waits for nobody and calls nobody.

    A look is due after `patience` seconds in which nothing came and nobody looked: none while updates arrive. What was
    written between a poll and the look behind it waits there rightly, so it takes two looks with an empty poll between.
    """

    def __init__(self, clock: Clock, patience: float) -> None:
        self._clock = clock
        self._patience = patience
        self._since = clock.monotonic()
        self.is_suspected = False

    @property
    def is_due(self) -> bool:
        """Whether to look now that a poll came back empty."""
        return self.is_suspected or self._clock.monotonic() - self._since >= self._patience

    def start_over(self) -> None:
        """Begin anew: updates came, or a look told nothing."""
        self._since, self.is_suspected = self._clock.monotonic(), False

    def note_pending(self, count: int) -> None:
        """Note how many updates wait behind an empty poll; raise PollingStalled when some did before it, too."""
        was_suspected = self.is_suspected
        if not count:
            self.start_over()
            return
        self.is_suspected = True
        if was_suspected:
            raise PollingStalled


class UpdatePoller:
    """Reads the stream of updates of one bot. It waits for the platform and the store, and for nothing else."""

    def __init__(
        self,
        connection: ApiSessions,
        clock: Clock,
        state: TelegramState,
        known: KnownPlaces,
        presses: PressReceiver,
        claim: AccountClaim,
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._state = state
        self._known = known
        self._presses = presses
        self._claim = claim
        self._failures = TelegramFailures(state)
        self._piling = BacklogWatch(clock, connection.settings.stalled_after)
        self._is_clear = False
        self._is_steady = False
        self._offset: int | None = None
        self._asked_at = clock.monotonic()
        self._not_me: set[str] = set()

    async def run(self, ears: PlatformListener) -> None:
        """Poll until cancelled; whatever fails shows in the state and is tried again."""
        self._claim.begin()
        while True:
            try:
                await self._step(ears)
            except Exception as error:  # noqa: BLE001 - the loop is the adapter's life: the failure shows in its state
                await self._clock.sleep(await self._failed(error))

    async def _step(self, ears: PlatformListener) -> None:
        if not self._is_clear:
            await self._begin(ears)
        settings = self._connection.settings
        # what is wrong must show itself before anybody waits for news
        wait = settings.poll_timeout if self._is_steady else 0.0
        batch = await self._connection.api.updates(self._offset, wait, settings.request_timeout)
        self._is_steady = True
        self._state.note_poll()
        before = self._offset
        if batch:
            self._piling.start_over()
            await self._hand_over(batch, ears)
        elif self._piling.is_due:
            await self._look()
        if batch and self._offset == before:
            await self._clock.sleep(self._failures.next_wait())  # the same again and again: not at full speed
        elif self._state.note_success():
            self._failures.reset()

    async def _begin(self, ears: PlatformListener) -> None:
        """Learn who the bot is, and whether the updates are ours to take, before the first poll."""
        api = self._connection.api
        before, me = self._state.me, self._state.is_me(await api.get_me())
        self._asked_at = self._clock.monotonic()
        if before != me:
            privacy = "off" if me.reads_all else "on"
            log.info("telegram_account", username=me.username, id=me.id, group_privacy=privacy)
        await self._claim.make(ears, me.account)
        info = await api.get_webhook_info()
        self._state.note_webhook(info)
        if info.url:
            if not self._connection.settings.take_over:
                raise WebhookInTheWay(host_of(info.url))
            log.warning("telegram_webhook_removed", host=host_of(info.url))
            await api.delete_webhook(drop_pending_updates=False)
        self._offset = _next_offset(await ears.cursor(NAME, STREAM))
        self._is_clear = True

    async def _look(self) -> None:
        """Ask what waits where a poll found nothing; raise PollingStalled when the poll should have brought it."""
        try:
            info = await self._connection.api.get_webhook_info()
        except TelegramError as error:
            if self._piling.is_suspected:
                raise
            # polls are well: that alone is no reason to doubt them
            log.debug("telegram_look_failed", detail=error.message)
            self._piling.start_over()
            return
        self._state.note_webhook(info)
        if info.url:
            self._is_clear = False  # what to do about it is decided before the next poll
            return
        self._piling.note_pending(info.pending_update_count)
        self._is_steady = not self._piling.is_suspected

    async def _hand_over(self, batch: Sequence[dict[str, Any]], ears: PlatformListener) -> None:
        me = await self._renamed(batch)
        hearing = TelegramParseContext(me, self._known, self._clock.now())
        heard = []
        for number, update in enumerate(sorted(batch, key=number_of), 1):
            heard.append(convert_update(update, hearing))
            if not number % MAX_SHORT_PIECES:
                await asyncio.sleep(0)
        last = max(map(number_of, batch))
        await ears.receive([one.inbound for one in heard], StreamCursor(adapter=NAME, stream=STREAM, value=str(last)))
        self._offset = last + 1
        self._state.heard(len(batch))
        if any(is_business(one.inbound.channel) for one in heard):
            self._state.note_business()
        pressed: list[PressedButton] = [one.pressed for one in heard if one.pressed is not None]
        self._presses.take(pressed, ears)

    async def _renamed(self, batch: Sequence[dict[str, Any]]) -> TelegramAccount:
        """Return who the bot is: asked anew now and then, and where a bot is called that it might be by now.

        Telegram tells no bot that it was renamed.
        """
        me, now = self._state.me, self._clock.monotonic()
        assert me is not None
        strange = {name for update in batch for name in bots_called(update)} - {me.username.lower()} - self._not_me
        if not strange and now - self._asked_at < _ASK_AGAIN_SECONDS:
            return me
        self._asked_at = now
        try:
            found = self._state.is_me(await self._connection.api.get_me())
        except TelegramError as error:
            log.debug("telegram_account_not_asked", detail=error.message)
            return me
        if len(self._not_me) > _MAX_NAMES:
            self._not_me.clear()
        self._not_me |= strange - {found.username.lower()}
        if found.names != me.names:
            # what was somebody else's name may be this one's tomorrow
            self._not_me.clear()
            log.info("telegram_renamed", username=found.username, name=found.name)
        return found

    async def _failed(self, error: Exception) -> float:
        """Let the state say what is wrong; return the seconds until the next try."""
        judged = self._failures.judge(error)
        self._is_steady = False
        self._claim.note_attempt()
        if judged.code in {"conflict", "webhook"}:
            self._is_clear = False
        if judged.code == "network" and self._state.is_stalled:
            await self._connection.renew()
            # what waits there is read before the next try
            judged, self._is_clear = judged._replace(code="stalled"), False
        if isinstance(error, PollingStalled):
            await self._connection.renew()
            # asked without it Telegram gives all that is not confirmed, also where the cursor is ahead of what waits
            self._offset = None
        self._failures.show(judged, error)
        return judged.wait


def _next_offset(cursor: str | None) -> int | None:
    return int(cursor) + 1 if cursor and cursor.isascii() and cursor.isdigit() else None
