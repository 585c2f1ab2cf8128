"""What the bot does in Discord's channels: write, change, take back, react, show that it writes."""

from __future__ import annotations

import re

from adapters.discord.base.body import message_body
from adapters.discord.base.markup import MAX_UNITS, cut_to_units
from adapters.discord.base.places import NAME, dm_of
from adapters.discord.base.targets import (
    DiscordTarget,
    TargetKind,
    number_of,
    target_of,
    target_of_address,
    user_number,
)
from adapters.discord.interactions.interactions import InteractionHandler
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import Failure
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.ephemeral import EphemeralSpeaker
from adapters.discord.speaking.sender import DiscordSender, as_delivery_error, reply_reference
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.messages import OutboundAddress, OutgoingMessage, Preview, Receipt
from bot.errors import DeliveryError
from bot.sentences import later

EDIT_SECONDS = 1.25
"""Seconds between two edits in a channel. Discord takes five in five: one is left for the finished answer, which the
library would hold back until the others are forgotten."""
_MAX_PACED = 1_000
_COLOURED = "\ufe0f"
_MARKS = 4
_SILENT = 1 << 12
"""The message behind the title is the one that makes a phone ring."""
_SPECIAL = re.compile(r"([\\*_~`|])")


class DiscordVoice:
    """Implements `bot.ports.platform.PlatformSender`."""

    def __init__(self, desk: DiscordDeps, interactions: InteractionHandler) -> None:
        self._desk = desk
        self._interactions = interactions
        self._sending = DiscordSender(desk)
        self._previews = DiscordPreviews(desk, self._sending, interactions.ephemeral)

    async def send(self, message: OutgoingMessage) -> Receipt:
        """Post one chunk, or put it in the place of the message that it edits; raise DeliveryError.

        What was lost on its way can be sent again: Discord recognises the nonce.
        """
        target = target_of_address(message.to)
        if target.kind is TargetKind.EPHEMERAL:
            return await self._interactions.ephemeral.send(target, message)
        return await self._sending.send(target, message)

    async def preview(self, preview: Preview) -> str:
        """Show an answer that is being written, by a message that is edited; raise DeliveryError."""
        return await self._previews.show(preview)

    async def retract(self, channel: ChannelId, message_id: str) -> None:
        """Delete a message of the bot; raise DeliveryError."""
        target = target_of(channel)
        if target.kind is TargetKind.EPHEMERAL:
            await self._interactions.ephemeral.retract(target, message_id)
        else:
            await self._sending.retract(target, message_id)

    async def react(self, channel: ChannelId, message_id: str, emoji: str) -> None:
        """Put a reaction on a message; raise DeliveryError."""
        target, number = target_of(channel), number_of(message_id)
        if target.kind is TargetKind.EPHEMERAL or self._interactions.sessions.is_known(number):
            raise DeliveryError(later("delivery_failures.slash-command"), code=refusals.MESSAGE_GONE, permanent=True)
        with as_delivery_error(target, repeatable=True):
            for spelling in spellings(emoji):
                try:
                    return await self._put(target, number, spelling)
                except Failure as error:
                    if errors.code_of(error) != refusals.UNKNOWN_EMOJI:
                        raise
        words = later("delivery_failures.no-reaction", emoji=emoji, platform="Discord")
        raise DeliveryError(words, code=refusals.UNKNOWN_EMOJI, permanent=True)

    async def set_typing(self, channel: ChannelId, on: bool) -> None:
        """Show that an answer is being written, for ten seconds; raise DeliveryError."""
        target = target_of(channel)
        if not on or target.kind is TargetKind.EPHEMERAL:
            return
        with as_delivery_error(target, repeatable=True):
            at = await self._sending.channel(target)
            async with self._desk.rest.low_priority:
                await self._desk.rest.send_typing(at)

    async def open_thread(self, person: PersonKey, title: str) -> OutboundAddress:
        """Post the titled message in somebody's private chat that everything else answers; raise DeliveryError."""
        return await open_thread(self._sending, person, title)

    async def _put(self, target: DiscordTarget, number: int, emoji: str) -> None:
        at = await self._sending.channel(target)
        await self._desk.rest.add_reaction(at, number, emoji)


class DiscordPreviews:
    """Edits no faster than each channel takes it; who is too fast waits."""

    def __init__(self, desk: DiscordDeps, sending: DiscordSender, ephemeral: EphemeralSpeaker) -> None:
        self._rest = desk.rest
        self._clock = desk.clock
        self._sending = sending
        self._ephemeral = ephemeral
        self._next: dict[ChannelId, float] = {}

    async def show(self, preview: Preview) -> str:
        """Show the text so far; return the message that shows it; raise DeliveryError."""
        target = target_of_address(preview.to)
        await self._turn_comes(preview.to.channel)
        if target.kind is TargetKind.EPHEMERAL:
            return await self._ephemeral.preview(target, preview)
        if preview.message_id:
            async with self._rest.low_priority:
                # one that comes true late would undo what has followed it
                await self._sending.edit(target, preview.message_id, message_body(preview.text), is_last=False)
            return preview.message_id
        form = message_body(preview.text) | reply_reference(preview.replies_to or preview.to.thread)
        return await self._sending.begin(target, form, preview.answers)

    async def _turn_comes(self, channel: ChannelId) -> None:
        now = self._clock.monotonic()
        due = max(self._next.get(channel, 0.0), now)
        if len(self._next) > _MAX_PACED:
            self._next = {one: at for one, at in self._next.items() if at > now}
        self._next[channel] = due + EDIT_SECONDS
        if due > now:
            await self._clock.sleep(due - now)


def spellings(emoji: str) -> tuple[str, ...]:
    """Return how an emoji may be spelt: Discord knows some only with, and some only without, the mark for colour."""
    emoji = emoji.strip()
    bare = emoji.replace(_COLOURED, "")
    if not bare or bare.isascii():
        return (emoji,) if bare else ()
    return (emoji, bare + _COLOURED if emoji == bare else bare)


async def open_thread(sending: DiscordSender, person: PersonKey, title: str) -> OutboundAddress:
    """Post the title that everything answers; raise DeliveryError, permanent when the person takes no messages."""
    user = user_number(person.user_id)
    if person.platform != NAME or user is None:
        nobody = later("delivery_failures.no-person", id=person.user_id, platform="Discord")
        raise DeliveryError(nobody, code="dm_closed", permanent=True)
    # every character may have to be escaped
    words = _SPECIAL.sub(r"\\\1", cut_to_units(" ".join(title.split()), (MAX_UNITS - _MARKS) // 2))
    form = message_body(f"**{words}**" if words else "…")
    root = await sending.begin(DiscordTarget(TargetKind.DM, user), form | {"flags": form["flags"] | _SILENT})
    return OutboundAddress(platform=NAME, channel=dm_of(user), thread=root, private_to=person.user_id)
