"""Answers as services really send them, in conversations: what is run, what goes back, and what an admin can read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.online import client_of, model_config, online
from tests.servers.model import FAILURES_OF, Calls, Garbage, Says, model_server
from tests.servers.model.dialects import Dialect, dialects

TEA, CAKE = '{"query":"tea"}', '{"query":"cake"}'


@pytest.fixture
async def server():
    async with model_server() as server:
        server.answer = lambda _: Says("It was tea.")
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server) as bot:
        yield bot


def stream(*deltas: dict[str, Any], finish: str | None = "tool_calls", name: str = "here") -> Dialect:
    chunks = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks += [{"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}] if finish else []
    lines = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks]
    return Dialect(name, b"".join([*lines, b"data: [DONE]\n\n"]), name)


def piece(index: int | None = None, **call: Any) -> dict[str, Any]:
    function = {key: call.pop(key) for key in ("name", "arguments") if key in call}
    return {"tool_calls": [{**({} if index is None else {"index": index}), **call, "function": function}]}


async def newest(bot: Bot, before: int = 0) -> Any:
    return (await bot.store.journal.recent_requests(GENERAL, 5))[before]


async def ran(bot: Bot) -> list[tuple[str, str, bool]]:
    """The tools of the newest turn, what they were called with, and whether they ran."""
    turn = (await newest(bot)).record.turn
    return [(c.tool_name, c.raw_arguments_json, c.success) for c in await bot.store.journal.calls_of_turn(turn)]


MENDED = {
    "two calls at one number without ids": (
        [piece(0, id="", name="memory_recall", arguments=TEA), piece(0, id="", name="memory_recall", arguments=CAKE)],
        [("memory_recall", TEA, True), ("memory_recall", CAKE, True)],
        "shared_index",
    ),
    "an id for every piece": (
        [
            piece(0, id="v1", name="memory_recall"),
            piece(0, id="v2", arguments='{"query"'),
            piece(0, id="v3", arguments=':"tea"}'),
        ],
        [("memory_recall", TEA, True)],
        "stray_ids",
    ),
    "the same call under two numbers": (
        [piece(0, id="a", name="memory_recall", arguments=TEA), piece(1, id="a", name="memory_recall", arguments=TEA)],
        [("memory_recall", TEA, True)],
        "call_twice",
    ),
    "a channel in the name": (
        [piece(0, id="a", name="memory_recall<|channel|>commentary", arguments=TEA)],
        [("memory_recall", TEA, True)],
        "name_mended",
    ),
    "arguments of nobody knows which call": (
        [piece(0, id="a", name="memory_recall"), piece(1, id="b", name="memory_recall"), piece(arguments=TEA)],
        [("memory_recall", "…", False), ("memory_recall", "…" + TEA, False)],
        "arguments_adrift",
    ),
}


@pytest.mark.parametrize("what", MENDED)
async def test_calls_are_put_together(bot, server, what: str):
    deltas, calls, repair = MENDED[what]
    server.script.append(stream(*deltas))
    assert await bot.says("ann", "@glassmind what do I like?") == ["[#general] glassmind< It was tea."]
    assert await ran(bot) == calls
    first = await newest(bot, 1)
    assert repair in first.response.repairs
    await bot.says("root", f"!cortex open {handle(HandleKind.REQUEST, first.id)}", "dm")
    assert "Put right: " in bot.private()[-1]


async def test_words_without_a_reason_at_the_end_are_the_answer(bot, server):
    server.script.append(stream({"content": "Hi "}, {"content": "Ann!"}, finish=None))
    assert await bot.says("ann", "@glassmind hello") == ["[#general] glassmind< Hi Ann!"]
    assert (await newest(bot)).response.repairs == ("no_finish",) and len(server.chats) == 1


async def test_an_end_without_anything_is_still_cut_off(bot, server):
    server.answer = lambda _: stream(finish=None)
    (line,) = await bot.says("ann", "@glassmind hello")
    assert "broke off" in line


async def test_it_thought_and_said_nothing(bot, server):
    server.answer = lambda _: dialects()["only_thoughts"]
    (line,) = await bot.says("ann", "@glassmind hello")
    assert "nothing to say, twice" in line
    await bot.says("root", "!cortex why")
    report = "\n".join(bot.private())
    assert "it thought and said nothing" in report and "stopped with `stop`" in report
    await bot.says("root", f"!cortex open {handle(HandleKind.REQUEST, (await newest(bot)).id)}", "dm")
    assert "The user says hi." in bot.private()[-1]
    await bot.says("ann", "!cortex open " + handle(HandleKind.REQUEST, (await newest(bot)).id), "dm")
    assert "The user says hi." not in "\n".join(line for line in bot.private() if line.startswith("[dm ann"))


async def test_thoughts_are_erased_with_the_words_that_they_answer(bot, server):
    server.answer = lambda _: Says("I keep it to myself.", reasoning="Her door code is CANARY-4711.")
    await bot.says("ann", "@glassmind my door code is a secret")
    (attempt,) = (await newest(bot)).attempts
    assert "CANARY-4711" in attempt.response.reasoning
    told = "\n".join(await bot.says("ann", "!forgetme now", "dm"))
    assert "are forgotten" in told
    assert "CANARY-4711" not in "".join(str(one) for one in await bot.store.journal.recent_requests(GENERAL, 9))
    assert b"CANARY-4711" not in b"".join(path.read_bytes() for path in bot.data.rglob("*.db*"))


async def test_a_call_as_text_that_nobody_can_read_is_never_posted(bot, server):
    server.answer = lambda _: Says('<tool_call>{"name": "memory_recall", "arguments": {"query</tool_call>')
    (line,) = await bot.says("ann", "@glassmind what do I like?")
    assert "in a way that I cannot read" in line and "tool_call" not in line and len(server.chats) == 2
    await bot.says("root", "!cortex why")
    report = "\n".join(bot.private())
    assert "a tool call came as text" in report and "parser" in report
    (row,) = await bot.store.ledger.recent(GENERAL, 1)
    assert row.outcome in (Outcome.FAILED, Outcome.COMMAND)


async def test_a_call_that_is_shown_instead_of_made_is_never_posted(bot, server):
    server.answer = lambda _: Says('memory_recall(query="tea")')
    (line,) = await bot.says("ann", "@glassmind what do I like?")
    assert "in a way that I cannot read" in line and len(server.chats) == 2
    assert await ran(bot) == []


@pytest.mark.parametrize(
    "text",
    [
        # as a real model of 1.5 billion parameters wrote it, twice
        '```json\n{"name": "extend_tool_loop", "arguments": {"tool_calls": 3}}\n```',
        '{"tool": "functions.extend_tool_loop", "parameters": {}}',
    ],
)
async def test_a_call_that_is_shown_opens_its_tool_and_is_never_posted(bot, server, text):
    server.script += [Says(text), Says("You like tea.")]
    assert await bot.says("ann", "@glassmind what do I like?") == ["[#general] glassmind< You like tea."]
    assert len(server.chats) == 2 and len(await ran(bot)) == 1
    assert "extend_tool_loop" in [tool["function"]["name"] for tool in server.chats[-1]["tools"]]


async def test_the_bare_name_of_a_tool_is_no_answer(bot, server):
    server.script += [Says("skip"), Says("You are welcome.")]
    assert await bot.says("ann", "@glassmind thanks!") == ["[#general] glassmind< You are welcome."]
    assert len(server.chats) == 2


async def test_calls_as_text_can_be_switched_off(tmp_path, server):
    server.answer = lambda _: dialects()["vllm"]
    async with online(tmp_path, server, text_calls=False) as bot:
        (line,) = await bot.says("ann", "@glassmind what do I like?")
        assert "in a way that I cannot read" in line and await ran(bot) == []


async def test_an_ordinary_answer_that_shows_calls_is_read(bot, server):
    shown = (
        'So:\n```\n<tool_call>{"name": "memory_recall", "arguments": {"query": "tea"}}</tool_call>\n```\nThat is all.'
    )
    server.script.append(Says(shown))
    answer = await bot.says("ann", "@glassmind how do calls look?")
    assert "memory_recall" in "\n".join(answer) and len(server.chats) == 1 and await ran(bot) == []


async def test_a_reply_says_none_of_its_thoughts(bot, server):
    text = "<think>The user says hi.</think>\n\nHi Ann!"
    server.script.append(Calls([("reply", json.dumps({"text": text}))]))
    assert await bot.says("ann", "@glassmind hello") == ["[#general] glassmind< Hi Ann!"]
    assert "The user says" not in server.received[-1].body.decode()
    assert (await newest(bot, 1)).response.reasoning == "The user says hi."


async def test_what_a_service_added_reaches_what_the_next_request_is_made_of(tmp_path, server):
    server.script += [
        dialects()["deepseek_tools"],
        Says("Tea."),
        dialects()["gemini"],
        Says("Both."),
        dialects()["gemini_words"],
    ]
    async with online(tmp_path, server) as bot:
        for _ in range(3):
            await bot.says("ann", "@glassmind what do I like?")
        await bot.restart()
        await bot.says("ann", "@glassmind thanks")
        request = (await newest(bot)).record.request
        added = [part.data for m in request.messages for part in m.parts if part.kind == "provider_data"]
        assert added == [dialects()["deepseek_tools"].added, dialects()["gemini_words"].added]
        calls = [call.added.data for m in request.messages for call in m.calls if call.added]
        assert calls == [dialects()["gemini"].call_added[0]]
        assert all(
            part.provider == "openai" for m in request.messages for part in m.parts if part.kind == "provider_data"
        )
        assert "thought_signature" not in "\n".join(bot.public()) and "Look for tea" not in "\n".join(bot.public())


THINKING = model_config(language="anthropic")


async def test_signed_thoughts_go_back_with_their_calls(tmp_path):
    async with model_server(language="anthropic") as server:
        server.script += [dialects()["anthropic_thinking"], Says("It was tea.")]
        async with online(tmp_path, server, THINKING, thinking=2048) as bot:
            assert await bot.says("ann", "@glassmind what do I like?") == ["[#general] glassmind< It was tea."]
            first, second = server.chats
            assert first["thinking"] == second["thinking"] == {"type": "enabled", "budget_tokens": 2048}
            assert first["max_tokens"] == 1000 + 2048
            (asked,) = [m for m in second["messages"] if m["role"] == "assistant"]
            assert [block["type"] for block in asked["content"]] == [
                "thinking",
                "redacted_thinking",
                "text",
                "tool_use",
            ]
            assert asked["content"][0] == {
                "type": "thinking",
                "thinking": "The user asks about tea.",
                "signature": "EqQBCgIY",
            }
            requests = await bot.store.journal.recent_requests(GENERAL, 2)
            assert requests[1].response.reasoning == "The user asks about tea."
            assert requests[1].response.usage.reasoning and requests[1].response.usage.estimated


BOTH = """
[providers.anthropic]
kind = "anthropic"
[providers.openai]
kind = "openai"
[model]
name = "anthropic/test-model"
fallbacks = ["openai/test-model"]
context_window = 128000
max_output_tokens = 1000
retries = 0
retry_wait = 0.01
cool_down = 0.01
"""


async def test_another_services_round_in_the_middle_breaks_no_thinking(tmp_path):
    async with model_server(language="anthropic") as first, model_server() as second:
        other = client_of(second)
        first.script += [dialects()["anthropic_thinking"], FAILURES_OF["anthropic"]["overloaded"]]
        first.answer = lambda _: Says("Thanks.")
        second.script += [dialects()["ollama_tools"], Says("Both.")]
        mine = client_of(first, thinking=1024)
        try:
            async with a_bot(tmp_path, providers={"anthropic": mine, "openai": other}, more=BOTH) as bot:
                await bot.says("ann", "@glassmind what do I like?")
                bot.clock.advance(120)
                assert await bot.says("ann", "@glassmind thanks") == ["[#general] glassmind< Thanks."]
                assert "thinking_blocks" not in second.received[-1].body.decode()
                assert "thinking" in first.chats[-1]
        finally:
            await mine.close()
            await other.close()


async def test_a_full_window_is_told_in_the_services_words(tmp_path):
    async with model_server(language="anthropic") as server:
        empty = dialects()["anthropic_full"]
        server.answer = lambda _: replace(empty, stream=empty.stream.replace(b"Hi Ann!", b""))
        async with online(tmp_path, server, THINKING) as bot:
            await bot.says("ann", "@glassmind hello")
            await bot.says("root", "!cortex why")
            report = "\n".join(bot.private())
            assert "model_context_window_exceeded" in report and "Lower model.max_output_tokens" in report
            assert "Raise" not in report


async def test_bytes_that_are_half_of_something_are_read(bot, server):
    said = b'{"choices":[{"delta":{"content":"Hi \xf0\x9f Ann!"},"finish_reason":"stop"}]}'
    body = b"\xef\xbb\xbfdata: " + said + b"\r\n\r\ndata: [DONE]\r\n\r\n"
    server.script.append(Garbage(body))
    (line,) = await bot.says("ann", "@glassmind hello")
    assert line.startswith("[#general] glassmind< Hi ") and line.endswith("Ann!")
