"""The cortex answers from records and rules, whatever has become of the model service."""

from __future__ import annotations

import pytest

from tests.dialogs.online import Stopwatch, model_config, online, types_on
from tests.servers.model import Cut, Drops, Garbage, Hangs, NotHttp, Reply, Says, model_server

SOON = 2.0
"""Seconds of real time in which rules answer."""
TROUBLES: dict[str, tuple[Reply, str]] = {
    "hangs before a byte": (Hangs(), "provider is too slow"),
    "hangs in the middle": (Hangs("between_tokens", Says("Hello and")), "provider is too slow"),
    "keeps the line alive and says nothing": (Hangs("first_token", heartbeat=0.01), "provider is too slow"),
    "sends garbage": (Garbage(b"\x00\xff nonsense"), "answer was unreadable"),
    "sends a page": (Garbage(b"<html>", kind="text/html"), "answer was unreadable"),
    "does not speak HTTP": (NotHttp(), "answer was unreadable"),
    "closes at once": (Drops(), "answer was cut off"),
    "breaks off": (Cut(200, Says("Hello and so on")), "answer was cut off"),
}
QUESTIONS = ("why", "why isn't this responding")
UNANSWERED = "Nobody answers at its address."


@pytest.fixture
async def server():
    async with model_server() as server:
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    quick = {"first_token_timeout": 0.5, "between_tokens_timeout": 0.5}
    async with online(tmp_path, server, model_config(retries=0), **quick) as bot:
        yield bot


async def report(bot, question: str) -> str:
    """Ask in the channel; return the first thing that comes in private, which the rules alone have written."""
    with Stopwatch() as watch:
        await types_on(bot, f"[#general] root> !cortex {question}")
        found = await bot.prints("[dm root")
    assert watch.seconds < SOON
    await bot.app.settled()
    return found


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("trouble", TROUBLES)
async def test_it_says_why_while_the_model(bot, server, trouble: str, question: str):
    reply, verdict = TROUBLES[trouble]
    server.answer = lambda _: reply
    await bot.says("ann", "@glassmind hello")
    found = await report(bot, question)
    assert f"✗ #general: {verdict}\n  confirmed · rules only, no model asked" in found


@pytest.mark.parametrize("question", QUESTIONS)
async def test_it_says_why_while_nobody_listens_there(bot, server, question: str):
    await server.refuse()
    await bot.says("ann", "@glassmind hello")
    found = await report(bot, question)
    assert "✗ #general: model not reachable" in found and UNANSWERED in found


async def test_it_says_so_when_the_inspection_itself_gets_no_answer(bot, server):
    await server.refuse()
    await bot.says("ann", "@glassmind hello")
    await bot.says("root", "!cortex why isn't this responding")
    rules, failure = bot.private()
    assert "model not reachable" in rules and UNANSWERED in rules
    assert "The inspection failed: provider: unreachable" in failure and "needs no model" in failure


@pytest.mark.parametrize("question", QUESTIONS)
async def test_it_says_why_in_the_middle_of_a_turn_that_hangs(tmp_path, server, question: str):
    async with online(tmp_path, server) as bot:
        server.answer = lambda _: Hangs()
        await types_on(bot, "[#general] ann> @glassmind hello")
        await server.hung()
        with Stopwatch() as watch:
            await types_on(bot, f"[#general] root> !cortex {question}")
            found = await bot.prints("[dm root")
        assert watch.seconds < SOON
        assert "rules only, no model asked" in found and "is in progress: turn " in found


async def test_it_says_why_about_a_channel_that_is_not_loaded(bot, server):
    await server.refuse()
    await bot.says("ann", "@glassmind hello")
    await bot.restart()
    assert not bot.app.registry.keys()
    found = await report(bot, "why")
    assert "✗ #general: model not reachable" in found and UNANSWERED in found


async def test_it_shows_what_the_model_was_told_while_the_model_is_gone(bot, server):
    await server.refuse()
    await bot.says("ann", "@glassmind hello")
    for command in (
        "context #general",
        "last #general",
        "ledger #general",
        "export #general",
        "memory",
        "audit",
        "help",
    ):
        before = len(bot.private())
        with Stopwatch() as watch:
            await bot.says("root", f"!cortex {command}", "dm")
        assert watch.seconds < SOON and len(bot.private()) > before
