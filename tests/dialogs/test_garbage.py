"""Nothing on the usual ways of a message makes garbage that only a collection finds.

`bot/runtime/gc_tuning.py` relies on it.
"""

from __future__ import annotations

import gc
from collections import Counter

from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot

TURNS = 20


def ours() -> Counter[str]:
    """Collect what is garbage, and name what of it is the program's own."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        return Counter(name for one in gc.garbage if (name := _owner(one)))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


def _owner(one: object) -> str:
    name = (
        f"{getattr(one, '__module__', None) or type(one).__module__}.{getattr(one, '__qualname__', type(one).__name__)}"
    )
    return name if name.startswith(("bot.", "adapters.")) else ""


async def test_answers_on_telegram_leave_none(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        bot.say(bot.ann, f"{AT} say one")
        await bot.settled()
        gc.collect()
        for number in range(TURNS):
            bot.say(bot.ann, f"{AT} say {number}")
            await bot.settled()
        assert not ours()


async def test_answers_on_discord_leave_none(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.hears(bot.ann, f"{bot.at} are you there?")
        gc.collect()
        for number in range(TURNS):
            await bot.hears(bot.ann, f"{bot.at} are you there, {number}?")
        assert not ours()
