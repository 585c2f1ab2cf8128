"""The simulation talks with an admin about a channel."""

from __future__ import annotations

import pytest

from adapters.simulated.conversation import Call, Conversation, Entry
from adapters.simulated.talk import TALK, talk

RULES = "```\n✗ #general: paused\nmore\n```"
MATERIAL = f"\n---\nWhat follows was put together by code.\n\nWhat the rules say now:\n\n{RULES}"


def asked(question: str, *since: Entry) -> Conversation:
    text = f'{{"at":"2025-10-09T08:53:24Z","from":"admin","id":"1"}}\n{question}{MATERIAL}'
    return Conversation("simulated-1", "", (Entry("user", text), *since), {TALK: {}, "doctor": {}})


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what is it?", "The rules say: ✗ #general: paused. I have read nothing else. (simulated)"),
        ("say it is noon", "it is noon"),
    ],
)
def test_it_repeats_the_rules_or_says_what_it_is_told(question, words):
    assert talk(asked(question)).text == words


def test_it_calls_what_a_script_asks_for_and_says_what_came_of_it():
    (call,) = talk(asked("call doctor {}")).calls
    assert (call.name, call.arguments) == ("doctor", "{}")
    done = (Entry("assistant", "", (Call("c1", "doctor", "{}"),)), Entry("tool", "All is well.", answers="c1"))
    assert talk(asked("call doctor {}", *done)).text == "doctor: All is well. (simulated)"
