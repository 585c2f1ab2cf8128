"""The way out: the one place that sends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol

from bot.domain.ids import ChannelId
from bot.domain.messages import OutboundAddress
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.ports.model import OnText
from bot.ports.platform import PlatformCapabilities
from bot.sentences import ENGLISH


def _always() -> bool:
    return True


def _none(text: str) -> tuple[str, ...]:
    return ()


class PendingAnswer(NamedTuple):
    """An answer that a turn is about to write. `asked`: the platform's ids of what it answers, newest last.

    `is_awaited` says whether somebody still waits for it. `answers` is as in `OutgoingMessage`. `as_text` names the
    hosts to which the links of a text are shown as text. `language` is that of who reads it.
    """

    to: OutboundAddress
    turn: int
    inbound: int
    asked: tuple[str, ...]
    is_awaited: Callable[[], bool] = _always
    answers: str = ""
    as_text: Callable[[str], tuple[str, ...]] = _none
    language: str = ENGLISH


class ShownAnswer(NamedTuple):
    """What people see of an unfinished answer. `message_id` is what may be edited (empty: nothing).

    `as_cut` is the text for an answer that stays unfinished; empty where no word of it was seen.
    """

    message_id: str = ""
    as_cut: str = ""


class AnswerStream(Protocol):
    """Shows an answer while it is written. Nothing here fails, and nothing waits for it but `stop`."""

    @property
    def has_shown(self) -> bool:
        """Whether people may have seen something of it."""

    def listen(self) -> OnText:
        """Begin to show a text, in the place of an earlier one; return what takes its pieces."""

    async def stop(self) -> ShownAnswer:
        """Show nothing more; return what there is, once no change of it is under way."""

    def withdraw(self) -> None:
        """Take back in the background what no part of the answer has taken the place of."""


class Delivery(Protocol):
    """Sends outbox rows, keeps receipts, settles the inbounds that they answer, and tells people when it cannot."""

    async def parts(self, body: NewOutbox) -> tuple[NewOutbox, ...]:
        """Redact a body and split it for its platform (UTF-16 units, whole fences); buttons stay with the last part.

        A reply of more than five parts becomes a file with an excerpt, where the platform takes files.
        """

    def departs(self, rows: Sequence[NewOutbox]) -> bool:
        """Say whether the first of these would be handed over at once, because nothing is to be waited for."""

    def enqueue(self, rows: Sequence[StoredOutbox]) -> None:
        """Send in the background, in order for each channel."""

    async def deliver(self, rows: Sequence[StoredOutbox]) -> tuple[str, ...]:
        """Send now and return the platform's message ids; raise DeliveryError after the last attempt."""

    async def say(self, body: NewOutbox) -> tuple[str, ...]:
        """Keep, send and return message ids: `parts`, outbox, `deliver` in one."""

    async def say_unkept(self, body: NewOutbox) -> None:
        """Say something once, without a trace: for when nothing can be kept. A failure is logged, never raised."""

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> bool:
        """React, where the platform can; a failure is False, never an exception."""

    def writing(self, answer: PendingAnswer) -> AbstractAsyncContextManager[AnswerStream]:
        """Let people see that an answer is being written, and the answer itself where that is possible.

        Inside the context a typing mark is kept up until there is more to see, and whoever waits for long is told so;
        both end with the context.
        """

    def capabilities(self, platform: str) -> PlatformCapabilities:
        """What a platform can do."""

    def home(self, channel: ChannelId) -> OutboundAddress:
        """The public address of a channel."""
