"""Turn a press of a button into what the bot hears."""

from __future__ import annotations

from typing import Any

from discord import Interaction

from adapters.discord.base.interaction_windows import Session, Sessions
from adapters.discord.base.places import NAME, of_interaction
from bot.domain.ids import ChannelId, Person, UserId
from bot.domain.messages import Press
from bot.text.text import clean


def press_of(interaction: Interaction, session: Session, sessions: Sessions) -> Press:
    """Take a press; who pressed comes from the platform's session, and everything else may be forged."""
    data: Any = interaction.data or {}
    return Press(
        person=Person(NAME, UserId(str(interaction.user.id))),
        name=clean(interaction.user.display_name).text,
        channel=_channel(interaction, session, sessions),
        data=clean(str(data.get("custom_id", ""))).text,
        place=of_interaction(interaction).place,
        ephemeral=session.channel,
    )


def _channel(interaction: Interaction, session: Session, sessions: Sessions) -> ChannelId:
    """Say where the button stands: what one person alone was shown stands in no channel."""
    message = interaction.message
    if message is None:
        return of_interaction(interaction).channel
    shown = sessions.channel_of(message.id)
    if shown is None and message.flags.ephemeral:
        # shown by a process before this one, for whom nobody can say which interaction it was
        return session.channel
    return shown or of_interaction(interaction).channel
