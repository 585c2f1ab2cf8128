"""The simulation writes summaries that hold the beginning of what everybody said."""

from __future__ import annotations

import pytest

from adapters.simulated.conversation import BodyCall, BodyMessage, SimulatedConversation
from adapters.simulated.responder import TALK, is_for_summary, summarise, talk
from bot.context.compaction.summary_input import portions
from bot.context.transcript import as_message
from bot.prompts import render
from tests.fakes import values as v


def asked(words: int = 100, so_far: str = "", **changes: object) -> SimulatedConversation:
    said = [
        as_message(1, v.inbound("tea or coffee?"), ambient=False),
        v.said("Tea."),
        v.call("look"),
        v.result("green"),
    ]
    (material,) = portions(said, 10_000)
    values = {"type": "half", "bot_name": "Glassmind", "words": words, "so_far": so_far, "part": 1, "parts": 1}
    values |= {"turns": 1}
    task = render("compactor_task", **{**values, "material": material, **changes})
    return SimulatedConversation("simulated-1", render("compactor", bot_name="Glassmind"), (BodyMessage("user", task),))


def test_it_knows_what_it_is_asked_for():
    assert is_for_summary(asked())
    assert not is_for_summary(
        SimulatedConversation("m", "You are Glassmind.", (BodyMessage("user", "You shorten the older part"),))
    )


def test_everybody_is_in_it():
    assert summarise(asked()).text == "ann: tea or coffee?\nTea.\nlook\ngreen (simulated)"


def test_it_carries_on_and_keeps_to_its_words():
    assert summarise(asked(so_far="earlier")).text.startswith("earlier\nann: tea")
    assert summarise(asked(words=5)).text == "ann: tea or coffee?\nTea. (simulated)"
    assert summarise(asked(words=1)).text == "Nothing that could be told in so few words. (simulated)"
    assert summarise(asked(material="no JSON")).text.startswith("Nothing")


RULES = "```\n✗ #general: paused\nmore\n```"
MATERIAL = f"\n---\nWhat follows was put together by code.\n\nWhat the rules say now:\n\n{RULES}"


def asked_of_talk(question: str, *since: BodyMessage) -> SimulatedConversation:
    text = f'{{"at":"2025-10-09T08:53:24Z","from":"admin","id":"1"}}\n{question}{MATERIAL}'
    return SimulatedConversation("simulated-1", "", (BodyMessage("user", text), *since), {TALK: {}, "doctor": {}})


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what is it?", "The rules say: ✗ #general: paused. I have read nothing else. (simulated)"),
        ("say it is noon", "it is noon"),
    ],
)
def test_it_repeats_the_rules_or_says_what_it_is_told(question, words):
    assert talk(asked_of_talk(question)).text == words


def test_it_calls_what_a_script_asks_for_and_says_what_came_of_it():
    (call,) = talk(asked_of_talk("call doctor {}")).calls
    assert (call.name, call.arguments) == ("doctor", "{}")
    done = (
        BodyMessage("assistant", "", (BodyCall("c1", "doctor", "{}"),)),
        BodyMessage("tool", "All is well.", answers="c1"),
    )
    assert talk(asked_of_talk("call doctor {}", *done)).text == "doctor: All is well. (simulated)"
