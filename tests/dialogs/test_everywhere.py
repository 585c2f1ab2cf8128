"""The same conversation comes to the same end on every platform: outcomes, answers, and who reads them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.domain.ids import ChannelKey
from bot.domain.messages import AuthorKind
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot


@dataclass
class House:
    """A bot somewhere, with root who owns it and ann who does not. `at` is its mention, `here` a channel of all."""

    bot: Any
    at: str
    here: ChannelKey
    says: Callable[[str, str], Awaitable[Any]]
    private: Callable[[], str]
    public: Callable[[], str]

    async def ends(self, who: str, text: str) -> tuple[str, str]:
        """Let somebody speak in the channel; return how the message ended."""
        await self.says(who, text.replace("@glassmind", self.at))
        recent = await self.bot.store.ledger.recent(self.here, 5)
        # some platforms let the bot hear itself
        newest = next(stored for stored in recent if stored.inbound.author.kind is AuthorKind.PERSON)
        return (newest.outcome.value if newest.outcome else "none"), newest.outcome_reason.partition(":")[0]


async def on_the_console(path: Path) -> AsyncIterator[House]:
    async with a_bot(path) as bot:

        def private() -> str:
            return "\n".join(bot.private())

        yield House(bot, "@glassmind", GENERAL, bot.says, private, lambda: "\n".join(bot.public()))


async def on_telegram(path: Path) -> AsyncIterator[House]:
    async with a_telegram_bot(path / "data") as bot:

        async def says(who: str, text: str) -> None:
            await bot.hears(getattr(bot, who), text)

        def private() -> str:
            return bot.private(bot.root)

        yield House(bot, AT, bot.key(), says, private, lambda: "\n".join(bot.texts()))


async def on_discord(path: Path) -> AsyncIterator[House]:
    async with a_discord_bot(path / "data") as bot:

        async def says(who: str, text: str) -> None:
            await bot.hears(getattr(bot, who), text)

        def private() -> str:
            return bot.private(bot.root)

        yield House(bot, bot.at, bot.key(), says, private, lambda: "\n".join(bot.texts()))


PLATFORMS = {"console": on_the_console, "telegram": on_telegram, "discord": on_discord}


@pytest.fixture(params=PLATFORMS)
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    async for made in PLATFORMS[request.param](tmp_path):
        yield made


TALK = (
    ("ann", "hello everybody", ("stored_only", "addressing")),
    ("ann", "@glassmind hello", ("replied", "")),
    ("ann", "@glassmind !help", ("command", "help")),
    ("ann", "@glassmind !pause", ("command", "pause denied")),
    ("ann", "!cortex why", ("command", "cortex denied")),
    ("root", "/pause it is late", ("command", "pause")),
    ("ann", "@glassmind are you there?", ("gated", "pause")),
    ("root", "/why", ("command", "cortex")),
    ("root", "@glassmind !resume", ("command", "resume")),
    ("ann", "@glassmind are you there?", ("replied", "")),
    ("root", "/quiet", ("command", "quiet")),
    ("ann", "@glassmind are you there?", ("stored_only", "mode")),
    ("root", "/active", ("command", "active")),
    ("ann", "are you there?", ("replied", "")),
)


async def test_every_message_ends_the_same_way(house: House):
    assert [await house.ends(who, text) for who, text, _ in TALK] == [end for _, _, end in TALK]


async def test_why_says_the_same_and_only_to_who_asked(house: House):
    for who, text in (("ann", "@glassmind hello"), ("root", "/pause it is late"), ("ann", "@glassmind hello?")):
        await house.ends(who, text)
    await house.ends("root", "/why")
    seen = house.private()
    name = {"console": "#general", "telegram": "kitchen", "discord": "#kitchen"}[house.here.channel.partition(":")[0]]
    for line in (
        f"✗ {name} is paused",
        "confirmed · rules only, no model used",
        "Why  The newest message got no answer.",
        "by the owner: “it is late”.",
        "✗ pause · not reached: later gates, queue, model, delivery",
    ):
        assert line in seen, seen
    assert "not reached" not in house.public() and "it is late" not in house.public()
