"""What interactions leave open for fifteen minutes: where something can be shown to the one person who began it."""

from __future__ import annotations

import asyncio
from enum import StrEnum

from adapters.discord.base.handoff import InteractionWindow
from adapters.discord.base.places import NAME
from bot.domain.ids import ChannelId, ephemeral_id, is_ephemeral
from bot.domain.messages import Receipt
from bot.errors import DeliveryError
from bot.ports.clock import Clock
from bot.runtime.lru_cache import LRUCache
from bot.sentences import later

OPEN_SECONDS = 15 * 60 - 15
"""Seconds; https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages."""
_MAX_INTERACTIONS, _MAX_MESSAGES = 10_000, 10_000


class InteractionStage(StrEnum):
    """How far an interaction is answered: not at all, promised, answered, beside the message it began at, too late."""

    NEW = "new"
    DEFERRED = "deferred"
    ANSWERED = "answered"
    BESIDE = "beside"
    LATE = "late"


class OpenInteraction:
    """One interaction; `token` is its secret.

    `is_shared`: another process may answer it too, so that what was promised may be kept by that one.
    """

    def __init__(self, number: int, application: int, token: str, user: int, until: float) -> None:
        self.number = number
        self.application = application
        self.token = token
        self.user = user
        self.until = until
        self.stage = InteractionStage.NEW
        self.is_shared = False
        self.lock = asyncio.Lock()
        self.receipts: dict[str, Receipt] = {}

    def __repr__(self) -> str:
        return f"Session({self.number}, {self.stage})"

    @property
    def channel(self) -> ChannelId:
        """The name by which the bot sends there."""
        return ephemeral_id(NAME, self.number)


class OpenInteractions:
    """Remembers open interactions, and which messages were shown in them; the oldest are forgotten first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open: LRUCache[int, OpenInteraction] = LRUCache(_MAX_INTERACTIONS)
        self._messages: LRUCache[int, ChannelId] = LRUCache(_MAX_MESSAGES)

    def begin(self, number: int, application: int, token: str, user: int) -> OpenInteraction | None:
        """Open one; None for an interaction that is open already, which the gateway has repeated."""
        if number in self._open:
            return None
        session = OpenInteraction(number, application, token, user, self._clock.monotonic() + OPEN_SECONDS)
        self._open.put(number, session)
        return session

    def hand_over(self, channel: ChannelId, *, is_shared: bool) -> InteractionWindow | None:
        """Return one by the name of its channel for another process; None where it is not open."""
        number = channel.rpartition(":")[2]
        session = self._open.get(int(number)) if is_ephemeral(channel) and number.isdecimal() else None
        if session is None:
            return None
        session.is_shared = True
        return InteractionWindow(
            number=session.number,
            application=session.application,
            token=session.token,
            user=session.user,
            stage=session.stage.value,
            is_shared=is_shared,
        )

    def take_up(self, window: InteractionWindow, seconds: float) -> None:
        """Open for so long what another process handed over; what is open already stays as far as it is."""
        if window.number in self._open:
            return
        until = self._clock.monotonic() + min(seconds, OPEN_SECONDS)
        session = OpenInteraction(window.number, window.application, window.token, window.user, until)
        # how far a later version can be is more than this one knows of: it may have been answered
        known = set(InteractionStage)
        session.stage = InteractionStage(window.stage) if window.stage in known else InteractionStage.ANSWERED
        session.is_shared = window.is_shared
        self._open.put(window.number, session)

    def find(self, number: int, private_to: str | None) -> OpenInteraction:
        """Return an open interaction; raise DeliveryError when it is over or somebody else's."""
        session = self._open.get(number)
        if session is None or session.until < self._clock.monotonic():
            raise DeliveryError(later("delivery_failures.interaction-closed"), code="dm_closed", permanent=True)
        if private_to is not None and str(session.user) != private_to:
            words = later("delivery_failures.not-private", place=session.channel)
            raise DeliveryError(words, code="not_private", permanent=True)
        return session

    def user_of(self, number: int) -> int | None:
        """Return who began an interaction, as long as it is remembered."""
        session = self._open.get(number)
        return session.user if session else None

    def is_known(self, number: int) -> bool:
        """Say whether a number is that of an interaction, which no message has."""
        return number in self._open

    def shown(self, session: OpenInteraction, message_id: int) -> None:
        """Note a message that one person sees, so that a press on it is known to be theirs."""
        self._messages.put(message_id, session.channel)

    def channel_of(self, message_id: int) -> ChannelId | None:
        """Return where a message was shown to one person; None for all others."""
        return self._messages.get(message_id)
