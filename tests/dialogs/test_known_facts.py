"""What the bot is told again and again is one memory, and it says so: on the real platforms, through the whole bot."""

from __future__ import annotations

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, platform_of
from bot.domain.memory import MemoryReach
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says

TOLD = (
    "The standup is at 9:30.",
    "the standup is at 9:30",
    "The standup is at 9:30!",
    "  the  standup is at “9:30”",
    "THE STANDUP IS AT 9:30",
    "the standup is at 9:30 …",
)


class Remembers(ScriptedProvider):
    """A model that saves what it is told, word for word, and then says what its tool said."""

    def __init__(self) -> None:
        super().__init__(self._next)

    def _next(self, request):
        newest = request.messages[-1]
        if newest.role == "tool":
            return says(newest.results[0].text)
        content = newest.text.split("remember: ")[-1]
        return calls(("memory_save", {"content": content, "type": "fact"}))


@pytest.fixture(params=["telegram", "discord"])
async def bot(request, tmp_path):
    opened = {"telegram": a_telegram_bot, "discord": a_discord_bot}[request.param]
    async with opened(tmp_path / "data", model=Remembers()) as bot:
        yield bot


async def tells(bot, who, text: str) -> str:
    at = AT if platform_of(bot.key().channel) == "telegram" else bot.at
    await bot.hears(who, f"{at} remember: {text}")
    return bot.texts()[-1]


async def remembered(bot):
    return await bot.store.memories.in_reach(MemoryReach(agent=MAIN, channel=bot.key().channel))


async def test_the_same_fact_told_six_times_is_one_memory_confirmed_six_times(bot):
    answers = [await tells(bot, bot.ann if number % 2 else bot.james, text) for number, text in enumerate(TOLD)]
    assert "It will be remembered" in answers[0]
    assert all("This was known already: m" in answer for answer in answers[1:])
    assert "confirmed, 6 times by now" in answers[-1]
    (memory,) = await remembered(bot)
    assert (memory.body.content, memory.body.confirmed, memory.version) == (TOLD[0], 6, 1)
    await bot.hears(bot.root, "!cortex memory")
    assert await bot.store.verify() == []
    await tells(bot, bot.ann, "who is there?")
    prompt = bot.providers["scripted"].requests[-1]
    assert "".join(block.text for block in prompt.system).count("standup") == 1


@pytest.mark.parametrize(
    "other",
    [
        "The standup is not at 9:30.",
        "The standup is at 9:45.",
        "The standup is at -9:30.",
        "At 9:30 is the standup of Ann.",
    ],
)
async def test_what_says_something_else_is_a_memory_of_its_own(bot, other):
    await tells(bot, bot.ann, TOLD[0])
    assert "It will be remembered" in await tells(bot, bot.ann, other)
    assert len(await remembered(bot)) == 2


async def test_what_two_people_say_of_themselves_is_not_the_same(bot):
    await tells(bot, bot.ann, "I like tea")
    assert "It will be remembered" in await tells(bot, bot.james, "I like tea")
    assert "known already" in await tells(bot, bot.james, "I like tea!")
    assert sorted(memory.body.confirmed for memory in await remembered(bot)) == [1, 2]


async def test_a_fact_that_was_replaced_may_come_true_again(tmp_path):
    model = ScriptedProvider(
        calls(("memory_save", {"content": "Ann lives in Rome", "type": "fact"})),
        says("noted"),
    )
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        await bot.hears(bot.ann, f"{AT} I live in Rome")
        (rome,) = await remembered(bot)
        paris = {"kind": "updates", "memory": handle(HandleKind.MEMORY, rome.id)}
        model.script = [
            calls(("memory_save", {"content": "Ann lives in Paris", "type": "fact", "relations": [paris]})),
            says("noted"),
            calls(("memory_save", {"content": "Ann lives in Rome.", "type": "fact"})),
            says("noted"),
        ]
        await bot.hears(bot.ann, f"{AT} I moved to Paris")
        await bot.hears(bot.ann, f"{AT} I moved back")
        assert [memory.body.content for memory in await remembered(bot)] == [
            "Ann lives in Rome.",
            "Ann lives in Paris",
            "Ann lives in Rome",
        ]
