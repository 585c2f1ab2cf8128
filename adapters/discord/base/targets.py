"""Read channel ids: what they name on Discord, and whether more than one person reads there."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from adapters.discord.base.places import NAME
from bot.domain.ids import ChannelId
from bot.domain.messages import OutboundAddress
from bot.errors import DeliveryError
from bot.sentences import later

_ID = re.compile(r"[1-9]\d{0,19}", re.ASCII)


class TargetKind(StrEnum):
    """What a channel is. An ephemeral one is what an interaction opened for the person who began it."""

    GUILD = "guild"
    DM = "dm"
    EPHEMERAL = "ephemeral"


class DiscordTarget(NamedTuple):
    """A channel. `number` is that of the channel or thread, of the person, or of the interaction."""

    kind: TargetKind
    number: int
    guild: int = 0

    @property
    def is_dm(self) -> bool:
        """Whether it is somebody's private chat with the bot."""
        return self.kind is TargetKind.DM


def target_of(channel: ChannelId) -> DiscordTarget:
    """Read a channel id; raise DeliveryError for what no message can be sent to."""
    platform, *path = channel.split(":")
    if platform == NAME and len(path) == 2 and _ID.fullmatch(path[1]):
        if path[0] in {TargetKind.DM, TargetKind.EPHEMERAL}:
            return DiscordTarget(TargetKind(path[0]), int(path[1]))
        if _ID.fullmatch(path[0]):
            return DiscordTarget(TargetKind.GUILD, int(path[1]), int(path[0]))
    words = later("delivery_failures.no-channel", channel=channel, platform="Discord")
    raise DeliveryError(words, code="chat_not_found", permanent=True)


def target_of_address(to: OutboundAddress) -> DiscordTarget:
    """Read an address; raise DeliveryError when it is meant for one person and others could read it.

    Whose an ephemeral channel is only the interactions know: they look at `private_to` themselves.
    """
    target = target_of(to.channel)
    is_theirs = target.kind is TargetKind.EPHEMERAL or (target.is_dm and str(target.number) == to.private_to)
    if to.private_to is not None and not is_theirs:
        words = later("delivery_failures.not-private", place=to.channel)
        raise DeliveryError(words, code="not_private", permanent=True)
    return target


def number_of(message_id: str) -> int:
    """Read a message id; raise DeliveryError for what names no message."""
    if not _ID.fullmatch(message_id):
        raise DeliveryError(
            later("delivery_failures.no-message", id=repr(message_id)), code="message_gone", permanent=True
        )
    return int(message_id)


def user_number(user_id: str) -> int | None:
    """Read a person's id; None for what is nobody's."""
    return int(user_id) if _ID.fullmatch(user_id) else None
