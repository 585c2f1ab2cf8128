"""A chat with moderators: who moderates what, and what each of them reads."""

from __future__ import annotations

from bot.domain.ids import ChannelId, UserId
from bot.domain.memory import MemoryProvenance
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, GENERAL, OWNER, Chat

MODERATOR, DEMOTED, ELSEWHERE = "5", "6", "7"
SECOND = ChannelId("console:#second")
PEOPLE = {
    "owner_ids": [OWNER],
    "admin_ids": [ADMIN, ADMIN_TOO],
    "moderator_ids": [MODERATOR, DEMOTED, ELSEWHERE],
    "default_mode": "active",
}
BOB = MemoryProvenance(author=UserId("200"), author_name="Bob", message_id="77")


def moderates(bot: Chat, who: str, *channels: ChannelId) -> None:
    bot.platform.moderators |= {(who, channel) for channel in channels}
    bot.platform.readers |= {(who, channel) for channel in channels}


def told(bot: Chat, who: str) -> list[str]:
    return [sent.text for sent in bot.private if sent.to.private_to == who]


async def asks(bot: Chat, who: str, text: str, where: ChannelId = GENERAL) -> str:
    """Say something to the cortex; return what that person alone reads of it."""
    before, public = len(told(bot, who)), len(bot.public)
    await bot.hears(f"!cortex {text}", who, where)
    assert len(bot.public) == public, bot.public[public:]
    return "\n".join(told(bot, who)[before:])
