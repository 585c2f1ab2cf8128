"""Where and when the conversation takes place."""

from __future__ import annotations

from bot.context.section import ESSENTIAL, Sources, loaded, values
from bot.context.transcript import utc
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.ids import platform_of
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.domain.text import one_line_name
from bot.prompts import render


class ConversationContext:
    """Platform, server, channel name, and the clock of the trigger."""

    name = "conversation_context"
    stability = Stability.VOLATILE
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Say where we are."""
        data = {
            "platform": platform_of(state.id),
            "channel": one_line_name(state.name or state.id),
            "channel_id": state.id,
            "guild_id": state.place.guild_id,
            "is_dm": state.place.is_dm,
            "is_thread": bool(state.place.parents),
        }
        return loaded(self.name, data, "channel:place", "trigger:at")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Add the time at which the newest message is read."""
        return render("sections/conversation_context", now=utc(trigger.at), **values(data))
