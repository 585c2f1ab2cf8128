"""Ask the platforms about a place that nothing ever came from, which is where a newcomer looks for help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.domain.ids import ChannelId
from bot.ports.platform import Platform, PlatformChannel
from bot.sentences import say
from bot.text.text import quote_line

_MAX_LISTED_CHANNELS = 5


async def ask_platforms(platforms: Iterable[Platform], text: str) -> Sequence[PlatformChannel]:
    """Return what the first platform that knows the place says of it; raise DeliveryError when one cannot be asked."""
    for platform in platforms:
        found = await platform.find(text.strip().strip('"'))
        if found:
            return found
    return ()


def not_shown_text() -> str:
    """Say why a place may have no name for us."""
    return say("targets.not-shown")


def ambiguous_text(text: str, channels: Sequence[ChannelId]) -> str:
    """Say that a name is that of several places."""
    listed = ", ".join(channels[:_MAX_LISTED_CHANNELS])
    return say("targets.ambiguous", count=len(channels), name=quote_line(text, 60), channels=listed)
