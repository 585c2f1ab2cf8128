"""What a proof says from its price to its end, as a phone of 38 columns shows it on each platform: read one by one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from adapters.console import screen
from adapters.discord.base.markup import discord_markdown as for_discord
from adapters.telegram.sender import plain_text as for_telegram
from bot.domain.handles import HandleKind, handle
from bot.domain.messages import Button, OutgoingMessage
from bot.errors import ProviderFault
from bot.text.times import plain_times
from tests.bot.cortex.chat import OWNER, Chat, chat, config
from tests.bot.cortex.proving.test_proof_runner import SKIP, begins, obeys, offered, repeats, silenced
from tests.fakes.provider import fails, says
from tests.golden.golden import matches

COLUMNS = 38
MORE = "⤷"
"""Begins what a phone breaks off a line that is too long for it."""
PLATFORMS: dict[str, Callable[[str], str]] = {
    "discord": lambda text: re.sub(r"<t:(\d+):T>", lambda time: plain_times(time[0]), for_discord(text)),
    "telegram": lambda text: plain_times(for_telegram(text).text),
    "console": lambda text: screen.bot_lines("dm", "glassmind", text).partition("\n")[2].replace("\n  ", "\n")[2:],
}
Told = list[tuple[str, tuple[Button, ...]]]
"""What an admin read: words, and buttons below them."""


def private(sent: list[OutgoingMessage], begin: int) -> Told:
    """The messages since one, each as it stood in the end."""
    stands: dict[str, OutgoingMessage] = {}
    for number, one in enumerate(sent):
        stands[one.edits or f"{number}"] = one
    new = [one for one in stands.values() if one in sent[begin:] and one.to.private_to == OWNER]
    # a service that fails has a message of its own
    return [(one.text, one.buttons) for one in new if not one.text.startswith("✗ The model service")]


class Gate:
    """Lets a model answer so many times, and no more until it opens."""

    def __init__(self, answers: Callable[[Any], Any], most: int) -> None:
        self.answers, self.left, self.opens, self.reached = answers, most, asyncio.Event(), asyncio.Event()

    async def __call__(self, request: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            self.reached.set()
            await self.opens.wait()
        return self.answers(request)


@asynccontextmanager
async def about_to_prove(path: Path, model: Any, **settings: Any) -> AsyncIterator[tuple[Chat, str]]:
    priced = {"name": "scripted/scripted-1", "retries": 0, "context_window": 128_000, "cool_down": 0.001}
    priced |= {"price_input": 2.0, "price_output": 8.0}
    async with chat(path, model, settings=config(path / "data", model=priced, **settings)) as bot:
        await silenced(bot)
        yield bot, await offered(bot)


async def of_a_whole_proof(path: Path, model: Any, **settings: Any) -> Told:
    """Press, and return all that was read after the offer."""
    async with about_to_prove(path, model, **settings) as (bot, data):
        begin = len(bot.private)
        await begins(bot, data)
        await bot.settled()
        return private(bot.private, begin)


async def the_price(path: Path) -> Told:
    async with about_to_prove(path, obeys) as (bot, _):
        return private(bot.private, len(bot.private) - 1)


async def without_a_price_or_a_suspect(path: Path) -> Told:
    async with chat(path, repeats) as bot:
        await bot.remembers("The raid is on friday.")
        await bot.hears("when do we raid?")
        # a word that only the question says, and that stays
        await bot.hears('!cortex prove "we"', OWNER)
        return private(bot.private, len(bot.private) - 1)


async def the_progress(path: Path) -> Told:
    gate = Gate(obeys, 7)
    async with about_to_prove(path, gate) as (bot, data):
        begin = len(bot.private)
        await begins(bot, data)
        await gate.reached.wait()
        await bot.until(lambda: len(bot.private) > begin)
        shown = private(bot.private, begin)
        gate.opens.set()
        await bot.settled()
        return shown


async def proven(path: Path) -> Told:
    return await of_a_whole_proof(path, obeys)


async def proven_of_an_answer(path: Path) -> Told:
    async with chat(path, repeats) as bot:
        row = await bot.remembers("The raid is on friday.")
        await bot.hears("when do we raid?")
        await bot.hears(f'!cortex prove {handle(HandleKind.MEMORY, row)} "Friday"', OWNER)
        begin = len(bot.private)
        await bot.presses("Prove it")
        await bot.settled()
        return private(bot.private, begin)


async def two_together(path: Path) -> Told:
    def both(request: Any) -> Any:
        system = request.system_text
        return SKIP if "ann any more" in system and "do not wake the cat" in system else says("yes, I am here")

    async with chat(path, both) as bot:
        await bot.remembers()
        await bot.remembers("Decision: do not wake the cat.")
        await bot.hears("are you there?")
        data = await offered(bot)
        begin = len(bot.private)
        await begins(bot, data)
        await bot.settled()
        return private(bot.private, begin)


async def not_in_the_context(path: Path) -> Told:
    return await of_a_whole_proof(path, lambda request: SKIP)


async def not_decided_because_it_does_not_do_it_now(path: Path) -> Told:
    asked = count()
    return await of_a_whole_proof(path, lambda request: says("yes, I am here") if next(asked) else SKIP)


async def not_decided_because_it_does_it_now_and_then(path: Path) -> Told:
    asked = count()
    return await of_a_whole_proof(path, lambda request: says("yes, I am here") if next(asked) % 2 else SKIP)


async def not_decided_because_the_runs_are_used_up(path: Path) -> Told:
    return await of_a_whole_proof(path, obeys, cortex={"proof_runs": 8})


async def stopped_by_its_admin(path: Path) -> Told:
    gate = Gate(obeys, 7)
    async with about_to_prove(path, gate) as (bot, data):
        begin = len(bot.private)
        await begins(bot, data)
        await gate.reached.wait()
        await bot.until(lambda: len(bot.private) > begin)
        await bot.press_data(bot.button("Stop").data)
        await bot.settled()
        return private(bot.private, begin)


async def stopped_by_the_service(path: Path) -> Told:
    asked = count()

    def fails_once(request: Any) -> Any:
        if next(asked) == 4:
            raise fails(ProviderFault.AUTH, "no such key")
        return obeys(request)

    return await of_a_whole_proof(path, fails_once)


async def the_money_is_spent(path: Path) -> Told:
    return await of_a_whole_proof(path, obeys, limits={"daily_cost_usd": 0.002, "user_per_minute": 0})


async def cut_off_by_a_restart(path: Path) -> Told:
    gate = Gate(obeys, 5)
    async with about_to_prove(path, gate) as (bot, data):
        await begins(bot, data)
        await gate.reached.wait()
        begin, platform = len(bot.private), bot.platform
    return private([one for one in platform.sent if one.to.private_to is not None], begin)[-1:]


async def asked_once_more(path: Path) -> Told:
    async with about_to_prove(path, obeys) as (bot, _):
        begin = len(bot.private)
        await bot.hears("!cortex replay without m2krxn", OWNER)
        await bot.presses("Ask it again")
        await bot.settled()
        return private(bot.private, begin)


SCENES: tuple[Callable[[Path], Awaitable[Told]], ...] = (
    the_price,
    without_a_price_or_a_suspect,
    the_progress,
    proven,
    proven_of_an_answer,
    two_together,
    not_in_the_context,
    not_decided_because_it_does_not_do_it_now,
    not_decided_because_it_does_it_now_and_then,
    not_decided_because_the_runs_are_used_up,
    stopped_by_its_admin,
    stopped_by_the_service,
    the_money_is_spent,
    cut_off_by_a_restart,
    asked_once_more,
)


def on_a_phone(text: str) -> str:
    """Break lines as a phone does."""
    lines: list[str] = []
    for line in text.split("\n"):
        first, *rest = wrap(line, COLUMNS, drop_whitespace=True, break_on_hyphens=False) or [""]
        # what a line begins with is kept, as a chat keeps it
        lines += [first, *(f"{MORE} {one}" for one in rest)]
    return "\n".join(lines)


def shown(told: Told, draw: Callable[[str], str]) -> str:
    pages = []
    for text, buttons in told:
        below = "\n".join(f"[{button.label}]" for button in buttons)
        pages.append(on_a_phone(draw(text)) + (f"\n{below}" if below else ""))
    return "\n\n--\n\n".join(pages)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
async def test_what_a_phone_shows(tmp_path, scene, pytestconfig):
    told = await scene(tmp_path)
    assert told
    pages = {name: shown(told, draw) for name, draw in PLATFORMS.items()}
    assert matches(pytestconfig, f"proof/{scene.__name__}", as_one(pages))


def as_one(pages: dict[str, str]) -> str:
    """Write each page once, below the platforms that show it so."""
    by_page: dict[str, list[str]] = {}
    for name, page in pages.items():
        by_page.setdefault(page, []).append(name)
    return "\n\n".join(f"=== {', '.join(names)}\n\n{page}" for page, names in by_page.items())
