"""What the owner reads in private who asks the cortex something."""

from __future__ import annotations

from tests.dialogs.discord import DiscordBot
from tests.dialogs.telegram import TelegramBot


async def report(bot: DiscordBot | TelegramBot, asks: str = "!cortex why") -> str:
    """Ask in the kitchen."""
    return await _read(bot, asks, None)


async def told(bot: DiscordBot | TelegramBot, asks: str) -> str:
    """Ask where nothing was said: in private on Telegram, by calling the bot on Discord."""
    return await _read(bot, asks, bot.dm(bot.root) if isinstance(bot, TelegramBot) else bot.me)


async def _read(bot: DiscordBot | TelegramBot, asks: str, where: object) -> str:
    before = bot.private(bot.root)
    await bot.hears(bot.root, asks, *([where] if where is not None else []))
    return bot.private(bot.root).removeprefix(before)
