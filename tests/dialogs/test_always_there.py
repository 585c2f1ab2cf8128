"""The cortex answers from records and rules, whatever has become of the model service."""

from __future__ import annotations

import asyncio
import sys

import pytest

from adapters.tiktoken import TiktokenCounter
from adapters.tiktoken import create as create_counter
from tests.dialogs.bot import NoTable, a_bot
from tests.dialogs.online import Stopwatch, model_config, online, types_on
from tests.servers.model import Cut, Drops, Garbage, Hangs, NotHttp, Reply, Says, model_server

SOON = 2.0
"""Seconds of real time in which rules answer."""
TROUBLES: dict[str, tuple[Reply, str]] = {
    "hangs before a byte": (Hangs(), "the service is too slow"),
    "hangs in the middle": (Hangs("between_tokens", Says("Hello and")), "the service is too slow"),
    "keeps the line alive and says nothing": (Hangs("first_token", heartbeat=0.01), "the service is too slow"),
    "sends garbage": (Garbage(b"\x00\xff nonsense"), "the answer was unreadable"),
    "sends a page": (Garbage(b"<html>", kind="text/html"), "the answer was unreadable"),
    "does not speak HTTP": (NotHttp(), "the answer was unreadable"),
    "closes at once": (Drops(), "the answer was cut off"),
    "breaks off": (Cut(200, Says("Hello and so on")), "the answer was cut off"),
}
QUESTIONS = ("why", "why isn't this responding")
UNANSWERED = "Nothing answers at its address."


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
    assert f"✗ #general: {verdict}\n  confirmed · rules only, no model used" in found


@pytest.mark.parametrize("question", QUESTIONS)
async def test_it_says_why_while_nobody_listens_there(bot, server, question: str):
    await server.refuse()
    await bot.says("ann", "@glassmind hello")
    found = await report(bot, question)
    assert "✗ #general: model service unreachable" in found and UNANSWERED in found


async def test_it_says_so_when_the_inspection_itself_gets_no_answer(bot, server):
    await server.refuse()
    await bot.says("ann", "@glassmind hello")
    await bot.says("root", "!cortex why isn't this responding")
    await bot.types("/press Ask the model")
    rules, failure = bot.private()
    assert "model service unreachable" in rules and UNANSWERED in rules
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
        assert "rules only, no model used" in found and "is in progress: turn " in found


async def test_it_says_why_about_a_channel_that_is_not_loaded(bot, server):
    await server.refuse()
    await bot.says("ann", "@glassmind hello")
    await bot.restart()
    assert not bot.app.registry.keys()
    found = await report(bot, "why")
    assert "✗ #general: model service unreachable" in found and UNANSWERED in found


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


async def test_without_the_tokenizer_it_talks_counts_by_bytes_and_says_so(tmp_path, server, monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken._tiktoken", None)
    server.answer = lambda _: Says("yes")
    async with online(tmp_path, server) as bot:
        bot.counter = create_counter({})
        await bot.restart()
        # as every bot does beside its first messages
        await bot.counter.warm(("ready",))
        assert any("glassmind< yes" in line for line in await bot.says("ann", "@glassmind hello"))
        await bot.says("root", "!cortex why")
        await bot.says("root", "!cortex doctor")
        await bot.says("root", "!cortex context")
        why, doctor, context = bot.private()[-3:]
        assert "? #general: could not look at everything" in why and "was answered" in why
        assert "○ could not look at exact token counts: a library cannot be loaded" in why and "→ Install" in why
        assert "! token counts: estimated from bytes" in doctor
        assert "≈" in context and "Counter: bytes/2, estimate" in context


async def test_a_long_chat_goes_on_without_the_tokenizer(tmp_path, server, monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken._tiktoken", None)
    server.answer = lambda _: Says("That is a long story. " * 100)
    small = model_config().replace("context_window = 128000", "context_window = 12000")
    async with online(tmp_path, server, small) as bot:
        bot.counter = create_counter({})
        await bot.restart()
        for _ in range(12):
            assert any("glassmind<" in line for line in await bot.says("ann", "@glassmind " + "tell me more, " * 100))
        counter = TiktokenCounter()
        monkeypatch.undo()
        largest = max(counter.count(received.body.decode()) for received in server.received)
        assert largest < 12_000


async def test_what_breaks_a_command_is_said_in_private_alone(tmp_path, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "/somewhere/help.md.j2")

    async with a_bot(tmp_path) as bot:
        await bot.says("root", "!cortex help")
        monkeypatch.setattr("bot.cortex.commands.command_table.render", broken)
        await bot.says("root", "!cortex help")
        assert "I could not answer that: help.md.j2: Permission denied." in bot.private()[-1]
        assert "/somewhere" not in "\n".join(bot.lines)
        assert not [line for line in bot.public() if "help.md" in line]


class SlowTable(NoTable):
    """A tokenizer's table that a loaded machine never gets loaded."""

    ready = False

    async def warm(self, texts):
        await asyncio.Event().wait()

    async def sizes(self, texts):
        await asyncio.Event().wait()


async def test_why_waits_for_no_table_of_tokens(tmp_path):
    async with a_bot(tmp_path / "data", counter=SlowTable()) as bot:
        await bot.says("ann", "@glassmind hello")
        told = "\n".join(await bot.says("root", "!cortex why"))
    assert "✓ process" in told and "could not look" not in told
