"""A channel remembers so much and no more: what is forgotten for that is told, shown, and brought back."""

from __future__ import annotations

import re

import pytest

from bot.domain.handles import has_digit
from tests.dialogs.telegram import AT, a_telegram_bot

HOUR = 3600.0
ROOM = "[memory]\nper_channel = 2\n"


@pytest.fixture
async def bot(tmp_path):
    async with a_telegram_bot(tmp_path / "data", more=ROOM) as bot:
        yield bot


async def test_the_owner_reads_what_was_forgotten_for_lack_of_room_and_brings_it_back(bot):
    for words in ("as fact with importance 0.8: tea is at four", "as event: the lift stood still", "as fact: bo moved"):
        await bot.hears(bot.ann, f"{AT} remember {words}")
    await bot.app.maintenance.sweep()
    await bot.settled()
    alert = bot.texts(bot.dm(bot.root))[-1]
    assert alert.startswith("In kitchen I forgot 1 memory to make room: I keep 2 there.")
    advised = "!cortex memory list #kitchen forgotten"
    assert advised in alert
    await bot.hears(bot.root, advised, bot.dm(bot.root))
    listed = bot.texts(bot.dm(bot.root))[-1]
    assert "the lift stood still" in listed and "tea is at four" not in listed
    name = next(word for word in re.findall(r"\bm\w{4,5}\b", listed) if has_digit(word))
    await bot.hears(bot.root, f"!cortex memory history {name}", bot.dm(bot.root))
    assert "forgotten to make room" in bot.texts(bot.dm(bot.root))[-1]
    await bot.hears(bot.root, f"!cortex memory restore {name}", bot.dm(bot.root))
    await bot.presses(bot.root, "Restore")
    bot.clock.advance(HOUR)
    await bot.app.maintenance.sweep()
    await bot.settled()
    await bot.hears(bot.root, "!cortex memory list #kitchen", bot.dm(bot.root))
    listed = bot.texts(bot.dm(bot.root))[-1]
    assert "the lift stood still\n  Ann · event · 1 h" in listed, "what was brought back stays"
    assert "bo moved\n  Ann · fact · forgotten" in listed, "and what counts for the least of the rest goes instead"
