"""What the simulation says in a chat when nothing forbids it."""

from __future__ import annotations

import pytest

from bot.domain.messages import Message, Role, ToolCall
from tests.adapters.simulated.test_provider import ask, asked, header
from tests.fakes.values import message, result

PAST = (message(f"{header('bob', '7')}\nthe cake is ready"),)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("say a b c", "a b c"),
        ("say nothing", ""),
        ("echo  x", "x"),
        ("hello!", "Hello, ann! (simulated)"),
        ("glass: hello!", "Hello, ann! (simulated)"),
        ("are you there?", "Yes, ann, I am here. (simulated)"),
        ("what did bob say?", 'bob said: "the cake is ready" (simulated)'),
        ("what did carl say?", "I have not heard carl say anything here. (simulated)"),
        ("who am I?", "You are ann, id 42. (simulated)"),
        ("who are you?", "I am Glass, and a simulation answers for me instead of a real model. (simulated)"),
        ("what do you remember?", "I remember 0 things. (simulated)"),
        ("what time is it", "Your message came at 02:58 UTC. (simulated)"),
        ("is it raining?", 'You asked "is it raining?". I am only a simulation and cannot know that. (simulated)'),
        ("nice weather", 'I read that, ann: "nice weather" (simulated)'),
        ("", "I got an empty message. (simulated)"),
    ],
)
async def test_answers(text: str, answer: str):
    response = await ask(asked(text, history=PAST))
    assert (response.text, response.calls) == (answer, ())


async def test_a_script_calls_and_then_says():
    request = asked("react 👍\nsay done")
    first = await ask(request)
    assert [(call.name, call.arguments) for call in first.calls] == [("react", '{"emoji":"👍"}')]
    assert (await ask(after(request, first.calls, "👍 stands under the message."))).text == "done"


@pytest.mark.parametrize(
    ("text", "outcome", "answer"),
    [
        ("remember: tea", "It will be remembered.", "Noted. (simulated)"),
        (
            "remember: tea",
            "memory_save was not run. Too much.",
            "memory_save failed: memory_save was not run. Too much. (simulated)",
        ),
        ("recall tea", "- m0000 | fact", "I found: - m0000 | fact (simulated)"),
        ("skip now", "Nothing will be said in this turn.", ""),
        ("call other 1", "ok", "other said: ok (simulated)"),
    ],
)
async def test_what_is_said_after_a_tool(text: str, outcome: str, answer: str):
    request = asked(text)
    response = await ask(after(request, (await ask(request)).calls, outcome))
    assert (response.text, response.calls) == (answer, ())


def after(request, calls: tuple[ToolCall, ...], outcome: str):
    results = [result(outcome, call.call_id) for call in calls]
    return request.replace(messages=(*request.messages, Message(role=Role.ASSISTANT, parts=calls), *results))


async def test_a_tool_that_is_not_offered_is_said():
    assert "memory_save" in (await ask(asked("remember: tea", tools=("skip",)))).text


async def test_calls_are_named_apart_over_the_whole_conversation():
    first = (await ask(asked("call a\ncall b"))).calls
    history = (*PAST, Message(role=Role.ASSISTANT, parts=first), *(result("x", call.call_id) for call in first))
    second = (await ask(asked("call a", history=history))).calls
    assert len({call.call_id for call in (*first, *second)}) == 3
