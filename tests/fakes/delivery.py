"""A way out that keeps what was said."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bot.domain.ids import ChannelId, platform_of
from bot.domain.messages import OutboundAddress
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.errors import DeliveryError
from bot.ports.delivery import PendingAnswer, ShownAnswer
from bot.ports.model import OnText
from bot.ports.platform import PlatformCapabilities
from bot.text.splitter import split

_UNITS = 4000


class FakeStream:
    """Implements `bot.ports.delivery.AnswerStream`. `texts` are the texts that were begun, as far as they came.

    `message_id` is what is seen of the answer (empty: nothing).
    """

    def __init__(self, message_id: str) -> None:
        self.message_id = message_id
        self.texts: list[str] = []
        self.stopped = False
        self.withdrawn = False

    @property
    def has_shown(self) -> bool:
        return bool(self.message_id)

    def listen(self) -> OnText:
        mine = len(self.texts)
        self.texts.append("")

        def heard(piece: str) -> None:
            self.texts[mine] += piece

        return heard

    async def stop(self) -> ShownAnswer:
        self.stopped = True
        return (
            ShownAnswer(self.message_id, f"{self.texts[-1]} ⏹" if self.texts else "⏹")
            if self.message_id
            else ShownAnswer()
        )

    def withdraw(self) -> None:
        self.withdrawn = True


class FakeDelivery:
    """Implements `bot.ports.delivery.Delivery`; put errors into `errors` to let the next messages fail.

    `preview` is the message by which people see every answer while it is written (empty: they do not).
    """

    def __init__(self) -> None:
        self.sent: list[NewOutbox] = []
        self.errors: list[DeliveryError] = []
        self.reactions: list[tuple[ChannelId, str, str]] = []
        self.preview = ""
        self.streams: list[FakeStream] = []
        self.answers: list[PendingAnswer] = []
        self.takes_reactions = True

    @property
    def texts(self) -> list[str]:
        return [body.text for body in self.sent]

    async def parts(self, body: NewOutbox) -> tuple[NewOutbox, ...]:
        texts = split(body.text, _UNITS) or ("",)
        return tuple(
            body.model_copy(update={"text": t, "part": n, "parts": len(texts), "edits": "" if n else body.edits})
            for n, t in enumerate(texts)
        )

    def departs(self, rows: Sequence[NewOutbox]) -> bool:
        return False

    def enqueue(self, rows: Sequence[StoredOutbox]) -> None:
        self.sent += [row.body for row in rows]

    async def deliver(self, rows: Sequence[StoredOutbox]) -> tuple[str, ...]:
        self.enqueue(rows)
        return tuple(f"p{row.row}" for row in rows)

    async def say_unkept(self, body: NewOutbox) -> None:
        await self.say(body)

    async def say(self, body: NewOutbox) -> tuple[str, ...]:
        if self.errors:
            raise self.errors.pop(0)
        parts = await self.parts(body)
        self.sent += parts
        return tuple(f"p{len(self.sent) - len(parts) + n}" for n in range(len(parts)))

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> bool:
        self.reactions.append((channel, message_id, emoji))
        return self.takes_reactions

    @asynccontextmanager
    async def writing(self, answer: PendingAnswer) -> AsyncIterator[FakeStream]:
        stream = FakeStream(self.preview)
        self.streams.append(stream)
        self.answers.append(answer)
        try:
            yield stream
        finally:
            await stream.stop()

    def capabilities(self, platform: str) -> PlatformCapabilities:
        return PlatformCapabilities(
            max_units=_UNITS,
            idempotent_sends=True,
            reactions=platform != "mute",
            typing=True,
            buttons=True,
            files=True,
            guidance="console",
        )

    def home(self, channel: ChannelId) -> OutboundAddress:
        return OutboundAddress(platform=platform_of(channel), channel=channel)
