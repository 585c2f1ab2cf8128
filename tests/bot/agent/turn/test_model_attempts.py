"""What tools say to people holds no thoughts."""

from __future__ import annotations

import orjson

from bot.agent.turn.model_attempts import spoken_plainly
from tests.fakes.provider import calls


def test_thoughts_leave_what_is_said():
    response = spoken_plainly(
        calls(("reply", {"text": "<think>hm</think>Hi"}), ("memory_save", {"content": "<think>x"}))
    )
    assert [orjson.loads(call.arguments) for call in response.calls] == [{"text": "Hi"}, {"content": "<think>x"}]
    assert (response.reasoning, response.repairs) == ("hm", ("thoughts_in_reply",))


def test_words_about_thoughts_are_said_as_they_are():
    response = calls(("reply", {"text": "Put it into `<think>`."}))
    assert spoken_plainly(response) is response
