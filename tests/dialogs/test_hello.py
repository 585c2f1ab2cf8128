"""What an idle hello costs, and how tools that are rarely used come into a conversation."""

from __future__ import annotations

import pytest

from adapters.tiktoken import create as create_counter
from bot.context.tokens import TokenScale, count_request
from bot.domain.handles import HandleKind, handle
from bot.domain.llm import LLMRequest
from bot.domain.messages import Role
from bot.domain.snapshot import CaptureKind
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.discord import SCRIPTED, a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says

MOST = 2500
"""Tokens, as the bot itself counts them for a model of OpenAI's."""
COUNTER = create_counter({})


async def cost(bot, key) -> int:
    """Count what was sent, with the table."""
    request = (await bot.app.inspector.inspect(key, CaptureKind.SENT)).request
    tokenizer = COUNTER.tokenizer("openai/gpt-5-mini")
    return count_request(request, (), {}, TokenScale(128_000, tokenizer, COUNTER.count)).stats.total


@pytest.mark.parametrize("private", [False, True], ids=["group", "private"])
async def test_a_hello_on_discord_costs_little(tmp_path, private):
    async with a_discord_bot(tmp_path / "data") as bot:
        said = (bot.ann, "hello", bot.me) if private else (bot.ann, f"{bot.at} hello")
        (answer,) = await bot.hears(*said)
        assert answer.text == "Hello, Ann! (simulated)"
        assert await cost(bot, bot.key(answer.channel)) <= MOST


@pytest.mark.parametrize("private", [False, True], ids=["group", "private"])
async def test_a_hello_on_telegram_costs_little(tmp_path, private):
    async with a_telegram_bot(tmp_path / "data") as bot:
        bot.world.dm(bot.ann, bot.me).is_started = True
        place = bot.dm(bot.ann) if private else bot.kitchen
        (answer,) = await bot.hears(bot.ann, "hello" if private else f"{AT} hello", place)
        assert answer.text == "Hello, Ann! (simulated)"
        assert await cost(bot, bot.key(place)) <= MOST


def scripted(*steps) -> dict:
    return {"providers": {"scripted": ScriptedProvider(*steps)}, "more": SCRIPTED.format(model="")}


def names(request: LLMRequest) -> list[str]:
    return [tool.name for tool in request.tools]


def last(request: LLMRequest) -> str:
    return next(m.results[-1].text for m in reversed(request.messages) if m.role is Role.TOOL)


async def test_a_tool_that_was_opened_stays_for_the_conversation_and_the_cache_says_why_it_broke(tmp_path):
    opens, sends = (
        ("request_tool_injection", {"names": ["send_file"]}),
        ("send_file", {"filename": "a.md", "content": "a"}),
    )
    setting = scripted(calls(opens), calls(sends), says("There it is."), says("Welcome."))
    async with a_bot(tmp_path / "data", **setting) as bot:
        await bot.says("ann", "@glassmind write a file")
        await bot.says("ann", "@glassmind thanks")
        asked, opened, sent, later = setting["providers"]["scripted"].requests
        standing = names(asked)
        assert "send_file" not in standing and "- send_file: Send a file to the channel" in asked.system_text
        assert names(opened) == names(sent) == names(later) == [*standing, "send_file"]
        assert "From your next step on you can call send_file." in last(opened)
        told = "\n".join(await bot.says("root", f"!cortex cache {handle(HandleKind.REQUEST, 2)}"))
    assert "tool added: it is on demand, and was opened in this conversation" in told.replace("\n", " ")


async def test_a_tool_that_nobody_opened_is_called_all_the_same_and_then_stands_there(tmp_path):
    setting = scripted(calls(("check_task", {})), says("Nothing runs."), says("Welcome."))
    async with a_bot(tmp_path / "data", **setting) as bot:
        await bot.says("ann", "@glassmind what runs?")
        await bot.says("ann", "@glassmind thanks")
    asked, called, later = setting["providers"]["scripted"].requests
    assert "check_task" not in names(asked)
    assert last(called) == "Nothing runs in the background, and nothing has ended there lately."
    assert names(called) == names(later) == [*names(asked), "check_task"]


async def test_a_call_whose_arguments_do_not_fit_opens_its_tool_and_says_what_they_have_to_be(tmp_path):
    setting = scripted(calls(("await_result", {"id": 7})), calls(("await_result", {"task": "x27d4"})), says("Oh."))
    async with a_bot(tmp_path / "data", **setting) as bot:
        await bot.says("ann", "@glassmind wait for it")
    _, refused, ran = setting["providers"]["scripted"].requests
    assert "await_result was not run." in last(refused) and "await_result" in names(refused)
    assert "was not run" not in last(ran)


async def test_a_tool_that_there_is_not_is_refused_with_those_that_there_are(tmp_path):
    setting = scripted(calls(("weather", {})), says("Oh."))
    async with a_bot(tmp_path / "data", **setting) as bot:
        await bot.says("ann", "@glassmind how is the weather?")
    told = last(setting["providers"]["scripted"].requests[-1])
    assert 'There is no tool "weather" here. Tools: reply, skip,' in told and "On demand: branch, " in told


async def test_whoever_looks_sees_what_stands_always_and_what_is_on_demand(tmp_path):
    setting = scripted(calls(("check_task", {})), says("Nothing runs."))
    async with a_bot(tmp_path / "data", **setting) as bot:
        await bot.says("ann", "@glassmind what runs?")
        pages = {
            word: " ".join("\n".join(await bot.says("root", f"!cortex {word} #general")).split())
            for word in ("tools", "context", "doctor")
        }
        shown = bot.app.inspector.inspect(GENERAL, CaptureKind.NEXT)
        assert "check_task" in names((await shown).request)
    assert "channel, always: reply, skip, react, memory_save," in pages["tools"]
    assert "only when needed: branch, spawn_worker, cancel," in pages["tools"]
    assert "check_task ≈" in pages["context"] and "opened" in pages["context"]
    assert "on demand: branch, spawn_worker, cancel," in pages["context"]
    assert "15 only when needed: branch" in pages["doctor"]
