"""What everybody may ask about themselves, on the real platforms: told in private, erased, and kept out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.dialogs.discord import a_discord_bot
from tests.dialogs.stores import places_with
from tests.dialogs.telegram import AT, a_telegram_bot

CANARY = "canary-7f3a9c"


@dataclass
class House:
    """A bot somewhere; `says` is what ann writes to it, in the group or (`private=True`) to it alone.

    `asks` is how she gives a command in the group; it returns what she alone can read of what comes of it.
    """

    bot: Any
    at: str
    says: Callable[..., Awaitable[Any]]
    asks: Callable[[str], Awaitable[str]]

    @property
    def public(self) -> str:
        return "\n".join(self.bot.texts())

    @property
    def private(self) -> str:
        return self.bot.private(self.bot.ann)

    def traces(self) -> list[str]:
        return places_with(self.bot.data, CANARY)


async def on_telegram(path: Path) -> AsyncIterator[House]:
    async with a_telegram_bot(path / "data") as bot:
        bot.world.start(bot.ann)
        await bot.settled()

        async def says(text: str, *, private: bool = False) -> None:
            await bot.hears(bot.ann, text, bot.dm(bot.ann) if private else None)

        async def asks(command: str) -> str:
            await says(f"/{command}")
            return bot.private(bot.ann)

        yield House(bot, AT, says, asks)


async def on_discord(path: Path) -> AsyncIterator[House]:
    async with a_discord_bot(path / "data") as bot:

        async def says(text: str, *, private: bool = False) -> None:
            await bot.hears(bot.ann, text.replace("/", "!", 1), bot.me if private else None)

        async def asks(command: str) -> str:
            await bot.slash(bot.ann, command)
            return "\n".join(message.text for message in bot.aside(bot.ann)) + bot.private(bot.ann)

        await bot.app.publish("discord")
        yield House(bot, bot.at, says, asks)


@pytest.fixture(params=[on_telegram, on_discord], ids=["telegram", "discord"])
async def house(request, tmp_path):
    async for house in request.param(tmp_path):
        yield house


async def test_somebody_sees_in_private_what_is_kept_and_has_it_erased(house):
    await house.says(f"{house.at} my door code is {CANARY}")
    before = house.public
    assert "stores, and for how long" in await house.asks("privacy")
    assert "What I store about you" in await house.asks("mydata")
    assert "cannot be undone" in await house.asks("forgetme")
    assert house.public == before, "nothing of it is said in the group"
    assert house.traces()
    await house.says("/forgetme now", private=True)
    assert "are forgotten" in house.private
    assert house.traces() == []


async def test_whoever_opts_out_is_neither_kept_nor_answered_until_they_take_it_back(house):
    await house.says("/optout", private=True)
    assert "ends this" in house.private
    before = house.public
    await house.says(f"{house.at} my door code is {CANARY}")
    assert house.public == before and house.traces() == []
    await house.bot.restart()
    await house.says(f"{house.at} are you there?")
    assert house.public == before, "it holds after a restart"
    await house.says("/optout off", private=True)
    await house.says(f"{house.at} are you there now?")
    assert house.public != before
