"""Ask the platforms about a place that nothing ever came from, which is where a newcomer looks for help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.domain.ids import ChannelId
from bot.ports.platform import Platform, PlatformChannel
from bot.text.text import quote_line

_MAX_LISTED_CHANNELS = 5


async def ask_platforms(platforms: Iterable[Platform], text: str) -> Sequence[PlatformChannel]:
    """Return what the first platform that knows the place says of it; raise DeliveryError when one cannot be asked."""
    for platform in platforms:
        found = await platform.find(text.strip().strip('"'))
        if found:
            return found
    return ()


NOT_SHOWN_TEXT = (
    "No platform shows me a place of that name: what I may not view has no name for me. "
    "Let my role view it (Edit Channel, Permissions), or give me its link or id."
)


def ambiguous_text(text: str, channels: Sequence[ChannelId]) -> str:
    """Say that a name is that of several places."""
    listed = ", ".join(channels[:_MAX_LISTED_CHANNELS])
    return f"{quote_line(text, 60)} is the name of {len(channels)} channels. Give the id: {listed}"
