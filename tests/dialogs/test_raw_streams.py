"""What services really send, through the whole bot: what people read on its way and in the end, and what is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from adapters.openai import create as openai
from tests.dialogs.chat_bot import ChatBot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.lengths import whole_or
from tests.servers.model import ModelServer, Reply, Says, model_server
from tests.servers.model.dialects import dialects

PLATFORMS = {"discord": a_discord_bot, "telegram": a_telegram_bot}
MARKS = ("think", "<|", "｜", "analysis", "TOOL_CALLS", "memory_recall", "The user", "User says")
SPEAKS = ("lm_studio_think", "gpt_oss_vllm", "vllm_open", "mistral", "no_finish", "deepseek", "mistral_think")
ASKS = (
    "vllm",
    "together_kimi",
    "deepseek_dsml",
    "llama_text",
    "mistral_text",
    "gpt_oss_call",
    "lm_studio",
    "qwen_coder",
)


def some(names: Sequence[str], platform: str) -> Sequence[str]:
    """What is tried on a platform: in the suite every other one here, and the others there."""
    return names[[*PLATFORMS].index(platform) % whole_or(1, 2) :: whole_or(1, 2)]


@asynccontextmanager
async def on(platform: str, data: Path, server: ModelServer) -> AsyncIterator[Any]:
    provider = openai("scripted", {"base_url": server.base_url})
    try:
        async with PLATFORMS[platform](data, model=provider, streaming=True) as bot:
            yield bot
    finally:
        await provider.close()


async def asks(bot: ChatBot, text: str) -> list[str]:
    """Let Ann ask, and return what she is answered."""
    at = AT if bot.name == "telegram" else bot.at
    return [message.text for message in await bot.hears(bot.ann, f"{at} {text}")]


def everything_shown(bot: ChatBot) -> str:
    """Every word that went to the platform, also what was taken back or written over."""
    return "\n".join(str(call) for call in bot.sends())


def played(name: str, size: int = 40) -> Reply:
    return replace(dialects()[name], size=size, pause=0.02)


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_people_read_the_answer_and_nothing_else(tmp_path, platform: str):
    async with model_server() as server, on(platform, tmp_path / "data", server) as bot:
        for name in some(SPEAKS, platform):
            dialect = dialects()[name]
            server.script.append(played(name))
            assert await asks(bot, "hello") == [dialect.read], name
            assert not [mark for mark in MARKS if mark in everything_shown(bot)], name
            key = bot.key()
            (newest,) = await bot.store.journal.recent_requests(key, 1)
            assert newest.response.reasoning == dialect.thought and newest.response.text.strip() == dialect.read
        server.script.append(Says("Bye."))
        await asks(bot, "bye")
        spoken = [entry["content"] for entry in server.chats[-1]["messages"] if entry["role"] == "assistant"]
        assert spoken == [dialects()[name].read for name in some(SPEAKS, platform)], (
            "its thoughts went back to it as its words"
        )


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_calls_are_made_and_never_read(tmp_path, platform: str):
    async with model_server() as server, on(platform, tmp_path / "data", server) as bot:
        for name in some(ASKS, platform):
            server.script += [played(name), Says("It was tea.")]
            assert await asks(bot, "what do I like?") == ["It was tea."], name
            assert not [mark for mark in MARKS if mark in everything_shown(bot)], name
            calls = server.chats[-1]["messages"][-1 - len(dialects()[name].calls)]["tool_calls"]
            assert [
                [c["function"]["name"], orjson.dumps(orjson.loads(c["function"]["arguments"])).decode()] for c in calls
            ] == (dialects()[name].calls), name


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_what_is_shown_in_code_is_read(tmp_path, platform: str):
    async with model_server() as server, on(platform, tmp_path / "data", server) as bot:
        server.script.append(played("about_tags"))
        (answer,) = await asks(bot, "how do calls look?")
        assert "memory_recall" in answer and "think" in answer and len(server.chats) == 1


LONG = "Tea is a drink that is made of leaves and hot water, and it is better when it is drunk while it is warm. " * 2
THOUGHT = "The user asks what tea is. I should say that it is a drink. " * 3


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("opened", ["<think>\n", ""])
async def test_the_answer_is_seen_while_it_is_written_and_its_thoughts_are_not(tmp_path, platform: str, opened: str):
    text = f"{opened}{THOUGHT}\n</think>\n\n{LONG.strip()}"
    pieces = [text[at : at + 11] for at in range(0, len(text), 11)]
    events = [orjson.dumps({"choices": [{"delta": {"content": piece}}]}) for piece in pieces]
    events.append(b'{"choices":[{"delta":{},"finish_reason":"stop"}]}')
    whole = b"".join(b"data: " + event + b"\n\n" for event in [*events, b"[DONE]"])
    async with model_server() as server, on(platform, tmp_path / "data", server) as bot:
        server.script.append(replace(dialects()["openai"], stream=whole, size=80, pause=0.03))
        assert await asks(bot, "what is tea?") == [LONG.strip()]
        shown = everything_shown(bot)
        assert "The user" not in shown and "I should" not in shown and "think" not in shown
        assert len(bot.sends()) > 1, "nobody saw it while it was written"
