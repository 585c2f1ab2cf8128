"""What docs/discord.md shows is what an admin sees there, but for the names of records and the times."""

from __future__ import annotations

import re

from tests.architecture.tree import ROOT
from tests.dialogs.discord import DiscordBot, a_discord_bot, labels_of
from tests.servers.discord import Message

RECORD = re.compile(
    r"<t:\d+:[tT]>|(?<![\w#-])[mridgtas][0-9a-hjkmnp-tv-z]{4}(?![\w-])|\d\d:\d\d(:\d\d)?|\b\d{17,20}\b|<@\d+>"
)
WORDS = frozenset(("asked", "spent", "again", "after", "gates", "shows", "reads", "share", "stays", "there"))


async def a_paused_channel(bot: DiscordBot) -> list[str]:
    """Let a channel be paused and people write there; the owner asks why with their phone, and ends it."""
    await bot.app.publish("discord")
    await bot.hears(bot.ann, f"{bot.at} hello")
    await bot.hears(bot.mod, f"{bot.at} !pause too noisy tonight")
    bot.clock.advance(600)
    await bot.hears(bot.ann, f"{bot.at} are you there?")
    await bot.hears(bot.james, f"{bot.at} hello?")
    why = await bot.slash(bot.root, "why")
    shown = [f"[#kitchen] root> /why\n[only root sees this] glassmind< {message.text}" for message in why.shown]
    await bot.presses(bot.root, "Resume")
    await bot.presses(bot.root, "Resume")
    return shown + [drawn(message) for message in bot.written(bot.dm(bot.root))]


def drawn(message: Message) -> str:
    buttons = "  ".join(f"[{label}]" for label in labels_of(message, ""))
    return f"[direct messages] glassmind<\n{message.text}" + (f"\n{buttons}" if buttons else "")


def masked(text: str) -> str:
    return RECORD.sub(lambda found: found[0] if found[0] in WORDS else "·", text)


async def test_the_page_shows_what_an_admin_sees_on_discord(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        seen = "\n\n".join(await a_paused_channel(bot))
    page = (ROOT / "docs" / "discord.md").read_text(encoding="utf-8")
    printed = page.partition("<!-- discord -->")[2].partition("<!-- /discord -->")[0]
    assert masked(seen) == masked(printed.partition("```text\n")[2].partition("\n```")[0]), seen
