"""What the bot does in Discord's channels: write, change, take back, react, show that it writes."""

from __future__ import annotations

from adapters.discord.base.targets import Kind, Target, number_of, target_of, target_of_address
from adapters.discord.interactions.interactions import Interactions
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import Failure
from adapters.discord.speaking import threads
from adapters.discord.speaking.deps import Desk
from adapters.discord.speaking.previews import Previews
from adapters.discord.speaking.reactions import spellings
from adapters.discord.speaking.sending import Sending, said
from bot.domain.ids import ChannelId, Person
from bot.domain.messages import Address, Outgoing, Preview, Receipt
from bot.errors import DeliveryError


class DiscordVoice:
    """Implements `bot.ports.platform.Voice`."""

    def __init__(self, desk: Desk, interactions: Interactions) -> None:
        self._desk = desk
        self._interactions = interactions
        self._sending = Sending(desk)
        self._previews = Previews(desk, self._sending, interactions.ephemeral)

    async def send(self, message: Outgoing) -> Receipt:
        """Post one chunk, or put it in the place of the message that it edits; raise DeliveryError.

        What was lost on its way can be sent again: Discord recognises the nonce.
        """
        target = target_of_address(message.to)
        if target.kind is Kind.EPHEMERAL:
            return await self._interactions.ephemeral.send(target, message)
        return await self._sending.send(target, message)

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is being written, by a message that is edited; raise DeliveryError."""
        return await self._previews.show(preview)

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Delete a message of the bot; raise DeliveryError."""
        target = target_of(channel)
        if target.kind is Kind.EPHEMERAL:
            await self._interactions.ephemeral.retract(target, message_id)
        else:
            await self._sending.retract(target, message_id)

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Put a reaction on a message; raise DeliveryError."""
        target, number = target_of(channel), number_of(message_id)
        if target.kind is Kind.EPHEMERAL or self._interactions.sessions.is_known(number):
            raise DeliveryError("a slash command is no message", code=refusals.GONE, permanent=True)
        with said(target, repeatable=True):
            for spelling in spellings(emoji):
                try:
                    return await self._put(target, number, spelling)
                except Failure as error:
                    if errors.code_of(error) != refusals.UNKNOWN_EMOJI:
                        raise
        raise DeliveryError(f"{emoji} is no reaction on Discord", code=refusals.UNKNOWN_EMOJI, permanent=True)

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Show that an answer is being written, for ten seconds; raise DeliveryError."""
        target = target_of(channel)
        if not on or target.kind is Kind.EPHEMERAL:
            return
        with said(target, repeatable=True):
            at = await self._sending.channel(target)
            async with self._desk.rest.aside:
                await self._desk.rest.send_typing(at)

    async def open_thread(self, person: Person, title: str) -> Address:
        """Post the titled message in somebody's private chat that everything else answers; raise DeliveryError."""
        return await threads.open_thread(self._sending, person, title)

    async def _put(self, target: Target, number: int, emoji: str) -> None:
        at = await self._sending.channel(target)
        await self._desk.rest.add_reaction(at, number, emoji)
