"""Show an answer while it is being written, by a message that is edited."""

from __future__ import annotations

from adapters.discord.base.body import body
from adapters.discord.base.targets import Kind, target_of_address
from adapters.discord.speaking.deps import Desk
from adapters.discord.speaking.ephemeral import Ephemeral
from adapters.discord.speaking.sending import Sending, answering
from bot.domain.ids import ChannelId
from bot.domain.messages import Preview

EVERY = 1.25
"""Seconds between two edits in a channel. Discord takes five in five: one is left for the finished answer, which the
library would hold back until the others are forgotten."""
_MOST = 1_000


class Previews:
    """Edits no faster than each channel takes it; who is too fast waits."""

    def __init__(self, desk: Desk, sending: Sending, ephemeral: Ephemeral) -> None:
        self._rest = desk.rest
        self._clock = desk.clock
        self._sending = sending
        self._ephemeral = ephemeral
        self._next: dict[ChannelId, float] = {}

    async def show(self, preview: Preview) -> str:
        """Show the text so far; return the message that shows it; raise DeliveryError."""
        target = target_of_address(preview.to)
        await self._turn_comes(preview.to.channel)
        if target.kind is Kind.EPHEMERAL:
            return await self._ephemeral.preview(target, preview)
        if preview.message_id:
            async with self._rest.aside:
                # one that comes true late would undo what has followed it
                await self._sending.edit(target, preview.message_id, body(preview.text), is_last=False)
            return preview.message_id
        form = body(preview.text) | answering(preview.replies_to or preview.to.thread)
        return await self._sending.begin(target, form, preview.answers)

    async def _turn_comes(self, channel: ChannelId) -> None:
        now = self._clock.monotonic()
        due = max(self._next.get(channel, 0.0), now)
        if len(self._next) > _MOST:
            self._next = {one: at for one, at in self._next.items() if at > now}
        self._next[channel] = due + EVERY
        if due > now:
            await self._clock.sleep(due - now)
