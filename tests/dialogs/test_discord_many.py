"""Many admins ask at once on Discord, and each answer comes to who asked (threat b4).

`make soak` lets them ask a thousand times.
"""

from __future__ import annotations

import os
import random

import pytest

from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.servers.discord import Person

TIMES = 34 if os.environ.get("FAULTS") else 4
AT_ONCE = 30


@pytest.mark.timeout(300)
async def test_hundreds_of_questions_at_once_each_come_to_who_asked(tmp_path):
    """Typed and native, in channels and in private, of six admins, in an order that the network made up."""
    chance = random.Random(11)
    async with a_discord_bot(tmp_path / "data", further_admins=4) as bot:
        await bot.app.publish("discord")
        people = [bot.root, bot.mod, *bot.admins]
        rooms = [bot.house.channel(f"room-{number}") for number in range(12)]
        for room in rooms:
            await bot.says(bot.ann, "hello", room)
        await bot.settled()
        asked: dict[int, list[str]] = {person.id: [] for person in people}
        for _ in range(TIMES):
            bot.server.gateway.hold()
            for number in range(AT_ONCE):
                who, room = people[number % 6], chance.choice(rooms)
                asked[who.id].append(room.name)
                match chance.randrange(3):
                    case 0:
                        await bot.says(who, "!cortex ledger", room)
                    case 1:
                        await bot.says(who, f"!cortex ledger {room.mention}", bot.me)
                    case _:
                        await who.slash(room, "cortex", question="ledger")
            bot.server.gateway.release(lambda held: chance.sample(held, len(held)))
            await bot.says(bot.ann, "lovely weather")
            await bot.settled()
            bot.clock.advance(61)
        wrong = [who.name for who in people if sorted(answered(bot, who)) != sorted(asked[who.id])]
        assert wrong == [] and sum(map(len, asked.values())) == TIMES * AT_ONCE
        assert [text for room in (*rooms, bot.kitchen) for text in bot.texts(room)] == []


def answered(bot: DiscordBot, who: Person) -> list[str]:
    """The rooms that somebody was told about, as often as they were."""
    lines = [text.partition("\n")[0] for text in bot.texts(bot.dm(who))]
    return [line[1:].partition(":")[0] for line in lines if ": the newest" in line]
