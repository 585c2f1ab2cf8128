"""A branch begins with what bears on the question, within its own window, and is told what it was not shown."""

from __future__ import annotations

import re

from bot.task_prompt import run_gatherers
from tests.bot.cortex.chat import OWNER, chat, config
from tests.fakes.logs import logged
from tests.fakes.provider import fails, says

FINE = says('{"findings": [], "summary": "fine"}')


async def asked(bot, question="why does it ignore ann?"):
    """Return the first message of the newest inspection, in its parts: the context, and the request."""
    bot.provider.script = [FINE]
    # whoever asks comes after the failure: for a moment waiting for a failing model
    bot.clock.advance(1)
    await bot.hears(f"!cortex {question}", OWNER)
    return briefing(bot)


def briefing(bot):
    _, _, brief = bot.provider.requests[-1].messages[0].text.partition("# Context\n")
    context, _, request = brief.partition("---\n\n## Request")
    return context, request


def names(context):
    return re.findall(r"^## (\S+)[^\n]*\n```", context, re.MULTILINE)


async def test_what_failed_and_what_changed_comes_first_of_a_question_why(tmp_path):
    async with chat(tmp_path, fails()) as bot:
        await bot.remembers()
        await bot.hears("hello there")
        await asked(bot)
        # the rules had the cause: a model looks when it is told to, and not before
        await bot.presses("Ask the model: up to 60K tokens")
        context, request = briefing(bot)
        found = names(context)
        first = max(map(found.index, ("ledger", "status", "section:memory_bulletin")))
        assert found[0] == "structure"
        assert first < found.index("section:identity") < found.index("section:operating_contract")
        assert "As a debug task: find the cause." in request and "Left out above" not in request


async def test_a_review_is_another_kind_of_task(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello there")
        _, request = await asked(bot, "summarise what is in its prompt")
        assert "As an analyze task: describe what is there" in request


async def test_what_had_no_room_is_named_and_the_log_says_how_much(tmp_path):
    async with chat(tmp_path, says("yes"), settings=config(tmp_path / "data", cortex={"tokens": 6000})) as bot:
        for number in range(6):
            await bot.hears(f"lemon {number} {'boat ' * 200}")
        with logged(run_gatherers) as logs:
            context, request = await asked(bot)
        (line,) = [log for log in logs if log["event"] == "context_compressed"]
        assert line["tokens"] <= line["budget"] == 600 and line["chunks_out"] == len(names(context))
        assert line["excluded"] == line["chunks_in"] - line["chunks_out"] and 0 < line["utilization"] <= 1
        missing = re.search(r"Left out above, or shortened, for want of room: (.+)\. These are parts", request)
        assert missing and "history:" in missing[1]


async def test_a_window_that_holds_no_question_is_a_report_that_says_so(tmp_path):
    async with chat(tmp_path, says("yes"), settings=config(tmp_path / "data", cortex={"context_window": 1200})) as bot:
        await bot.hears("hello there")
        bot.provider.requests.clear()
        await asked_in_vain(bot)
        assert "The inspection failed: The task does not fit" in bot.last and bot.provider.requests == []


async def asked_in_vain(bot):
    bot.provider.script = [FINE]
    await bot.hears("!cortex why does it ignore ann?", OWNER)


async def test_doctor_tells_what_the_last_inspection_was_given(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello there")
        await bot.hears("!cortex doctor", OWNER)
        assert "inspection context" not in bot.last
        await asked(bot)
        await bot.hears("!cortex doctor", OWNER)
        assert re.search(r"✓ inspection context: [\d,]+ of [\d,]+ tokens in use", bot.last)
