"""A way out that keeps what was said."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import ChannelId, platform_of
from bot.domain.messages import Address
from bot.domain.splitting import split
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.errors import DeliveryError
from bot.ports.platform import Capabilities

_UNITS = 4000


class FakeDelivery:
    """Implements `bot.ports.delivery.Delivery`; put errors into `errors` to let the next messages fail."""

    def __init__(self) -> None:
        self.sent: list[NewOutbox] = []
        self.errors: list[DeliveryError] = []
        self.reactions: list[tuple[ChannelId, str, str]] = []
        self.typed: list[bool] = []
        self.takes_reactions = True

    @property
    def texts(self) -> list[str]:
        return [body.text for body in self.sent]

    async def parts(self, body: NewOutbox) -> tuple[NewOutbox, ...]:
        texts = split(body.text, _UNITS)
        return tuple(body.model_copy(update={"text": t, "part": n, "parts": len(texts)}) for n, t in enumerate(texts))

    def enqueue(self, rows: Sequence[StoredOutbox]) -> None:
        self.sent += [row.body for row in rows]

    async def deliver(self, rows: Sequence[StoredOutbox]) -> tuple[str, ...]:
        self.enqueue(rows)
        return tuple(f"p{row.row}" for row in rows)

    async def say(self, body: NewOutbox) -> tuple[str, ...]:
        if self.errors:
            raise self.errors.pop(0)
        parts = await self.parts(body)
        self.sent += parts
        return tuple(f"p{len(self.sent) - len(parts) + n}" for n in range(len(parts)))

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> bool:
        self.reactions.append((channel, message_id, emoji))
        return self.takes_reactions

    async def typing(self, channel: ChannelId, on: bool) -> None:
        self.typed.append(on)

    def capabilities(self, platform: str) -> Capabilities:
        return Capabilities(
            max_units=_UNITS,
            idempotent_sends=True,
            reactions=platform != "mute",
            typing=True,
            buttons=True,
            files=True,
            guidance="console",
        )

    def home(self, channel: ChannelId) -> Address:
        return Address(platform=platform_of(channel), channel=channel)
