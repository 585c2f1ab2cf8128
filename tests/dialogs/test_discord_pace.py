"""Many answers at once on Discord, under the platform's own limits and in real time.

`make soak` lets two hundred of them grow, `make test` a few.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from adapters.discord.settings import Settings
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.tide import SteadyClock
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.servers.discord import REAL, Limit

CHANNELS, SECONDS = (200, 12.0) if os.environ.get("FAULTS") else (24, 2.0)
WORDS = [f"word {number} " for number in range(20)]
ANSWER = "".join(WORDS).strip()
USUAL = Settings.model_fields["calls_per_second"].default


@pytest.mark.timeout(180)
async def test_answers_that_grow_in_many_channels_never_meet_a_limit(tmp_path):
    model = ScriptedProvider(says(""))
    async with a_discord_bot(tmp_path / "data", model=model, streaming=True, pace=USUAL, clock=SteadyClock()) as bot:
        rooms = [bot.house.channel(f"room-{number}") for number in range(CHANNELS)]
        await bot.settled()
        bot.world.limits.set(REAL, total=Limit(50, 1.0))
        model.script = [lambda _: Writes(bot.clock, ANSWER, SECONDS / len(ANSWER.split()))]
        for room in rooms:
            await bot.says(bot.ann, f"{bot.at} tell me", room)
        await bot.settled()
        assert not bot.server.limited and not bot.server.invalid
        assert [bot.texts(room) for room in rooms] == [[ANSWER]] * CHANNELS
        done = Counter(call.operation for call in bot.server.calls())
        assert done["create_message"] >= CHANNELS and done["edit_message"] >= CHANNELS, done
