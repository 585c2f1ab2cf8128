"""Many answers grow at once on Discord, under the platform's own limits: none of them is ever met."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from adapters.discord.base.settings import Settings
from tests.dialogs.discord import a_discord_bot
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.faults.family import Verdict
from tests.faults.leaping import LeapingClock
from tests.servers.discord import REAL, Limit

SECONDS = 12.0
"""What an answer takes."""
ANSWER = " ".join(f"word {number}" for number in range(20))
USUAL = Settings.model_fields["calls_per_second"].default
PATIENT = "stalled_after = 1e9"
"""The library's own thread for heartbeats does not leap."""


async def play(channels: int, directory: Path) -> Verdict:
    model, clock = ScriptedProvider(says("")), LeapingClock()
    async with a_discord_bot(
        directory / "data", model=model, streaming=True, pace=USUAL, clock=clock, platform=PATIENT
    ) as bot:
        clock.is_busy = bot.is_writing
        rooms = [bot.house.channel(f"room-{number}") for number in range(channels)]
        await bot.settled()
        bot.world.limits.clock = clock.monotonic
        bot.world.limits.set(REAL, total=Limit(50, 1.0))
        model.script = [lambda _: Writes(clock, ANSWER, SECONDS / len(ANSWER.split()))]
        for room in rooms:
            await bot.says(bot.ann, f"{bot.at} tell me", room)
        await bot.settled()
        assert not bot.server.limited and not bot.server.invalid, "a limit was met"
        done = Counter(call.operation for call in bot.server.calls())
        assert done["create_message"] >= channels and done["edit_message"] >= channels, f"nothing grew: {done}"
        wrong = sum(bot.texts(room) != [ANSWER] for room in rooms)
        return Verdict(n=channels, counts={"lost": wrong, "disorder": 0})
