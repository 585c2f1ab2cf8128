"""Where and when the conversation takes place."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import ESSENTIAL, SectionSources, loaded_section, section_values
from bot.context.transcript import utc
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.ids import ChannelId, platform_of
from bot.domain.messages import ChannelPlace
from bot.domain.snapshot import LoadedSection, LocalTime, SectionStability, Trigger
from bot.prompts import render_slots, slot
from bot.text.text import one_line_name


class ConversationContextSection:
    """Platform, server, channel name, and the clock of the trigger."""

    name = "conversation_context"
    stability = SectionStability.VOLATILE
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        return _loaded(state.id, state.name, state.place)

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Add the time at which the newest message is read."""
        said = section_values(data)
        # what is printed is put in, so that what is kept is the same for every channel of a kind
        return render_slots(
            "sections/conversation_context",
            (_now(trigger), said["channel"], said["channel_id"], said["guild_id"]),
            now=slot(0),
            platform=said["platform"],
            channel=slot(1),
            channel_id=slot(2),
            guild_id=slot(3) if said["guild_id"] else "",
            is_dm=said["is_dm"],
            is_thread=said["is_thread"],
        )


def _now(trigger: Trigger) -> str:
    """Write the moment in UTC, and as it is for those who talk."""
    local = (f"; {_where(one)} it is {one.written} ({one.zone})" for one in trigger.local)
    return utc(trigger.at) + "".join(local)


def _where(time: LocalTime) -> str:
    return f"for {time.whose}" if time.whose else "here"


@lru_cache(maxsize=256)
def _loaded(channel: ChannelId, name: str, place: ChannelPlace) -> LoadedSection:
    data = {
        "platform": platform_of(channel),
        "channel": one_line_name(name or channel),
        "channel_id": channel,
        "guild_id": place.guild_id,
        "is_dm": place.is_dm,
        "is_thread": bool(place.parents),
    }
    return loaded_section(ConversationContextSection.name, data, "channel:place", "trigger:at")
