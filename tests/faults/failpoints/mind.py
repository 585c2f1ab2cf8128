"""One model for all that happens: it does what the newest words ask for."""

from __future__ import annotations

import re
from typing import Any

from bot.domain.llm import LLMRequest
from tests.dialogs.live import words_of
from tests.dialogs.minds import asked, done
from tests.fakes.provider import Writes, calls, fails, says
from tests.faults.story import ANSWER

FOUND, CUT = "It is 42.", "It was cut off."
REPORT = "I looked, and the sky is blue."
TOKEN = "sk-proj-" + "abcdefghij0123456789" * 3
SECRET = "the token is"
SUMMARY = "They talked about the number of things."
CODE = "\n".join(f"pour({number})  # the kettle number {number}" for number in range(150))
WHOLE = "\n\n".join(f"{number}. the kettle, and what it says about us" for number in range(900))
WORDS = " ".join(["word"] * 300)
RESULT = '"is":"result"'
STEP = 0.3
"""Seconds between two words of an answer that is shown while it is written."""


class Mind:
    """Answers every question by its name. `clock` is set where it writes word by word."""

    def __init__(self) -> None:
        self.clock: Any = None

    def __call__(self, request: LLMRequest) -> Any:
        system = request.system_text
        tools = {tool.name for tool in request.tools}
        if system.startswith("# What you do"):
            return says(SUMMARY)
        if "finish" in tools:
            return _works(request)
        if "skip" in tools:
            return self._answers(request)
        return _looks(request) if "inspection branch" in system else _thinks(request)

    def _answers(self, request: LLMRequest) -> Any:
        if RESULT in asked(request):
            return _relays(request)
        words = words_of(request)
        name = next(iter(re.findall(r"\bq\d+\b", words)[-1:]), "")
        answer = ANSWER.format(name)
        for verb, act in _ACTS.items():
            if verb in words:
                return act(request, name, answer)
        return Writes(self.clock, answer, STEP) if self.clock else says(answer)


def _looks(request: LLMRequest) -> Any:
    return says(REPORT) if done(request) else calls(("memory_recall", {"query": "sky"}))


def _thinks(request: LLMRequest) -> Any:
    """A branch: finds the number itself, or lets a worker do it, whose result it does not wait for."""
    if not any("with help" in text for message in request.messages for text in message.texts):
        return says("the number is 42")
    has_help = any(call.name == "spawn_worker" for message in request.messages for call in message.calls)
    return says("a worker is at it") if has_help else calls(("spawn_worker", {"task": "multiply"}))


def _works(request: LLMRequest) -> Any:
    if not done(request):
        return calls(("list_all_tools", {}), text="looking")
    return calls(("finish", {"outcome": "done", "result": "the number is 42"}))


def _relays(request: LLMRequest) -> Any:
    text = asked(request).partition(RESULT)[2]  # the status before it tells of other results too
    if "interrupted" in text:
        return says(CUT)
    if "number is 42" in text:
        return says(FOUND)
    return says("") if done(request) else calls(("skip", {"reason": "not yet", "category": "nothing_to_add"}))


def _first(*wanted: tuple[str, Any]) -> Any:
    """Make these calls, and answer when they are done."""
    return lambda request, name, answer: (
        says(answer) if done(request) else calls(*[_named(one, name) for one in wanted])
    )


def _named(call: tuple[str, Any], name: str) -> tuple[str, Any]:
    tool, arguments = call
    return tool, {key: value.format(name) if isinstance(value, str) else value for key, value in arguments.items()}


def _fails(request: LLMRequest, name: str, answer: str) -> Any:
    raise fails()


_ACTS: dict[str, Any] = {
    "look up": _first(("memory_recall", {"query": "tea"})),
    "look twice": lambda request, name, answer: (
        says(answer) if done(request) > 1 else calls(("channel_recall", {"query": f"tea {done(request)}"}))
    ),
    "remember": _first(("memory_save", {"content": "Ann takes her tea as {}.", "type": "fact"})),
    "order silence": _first(
        ("memory_save", {"content": "James asked Glassmind to stop responding to him ({}).", "type": "decision"})
    ),
    "do strange things for": _first(("fly", {"to": "the moon"}), ("memory_recall", {"wrong": "{}"})),
    "forget by yourself": _first(("memory_delete", {"memory_id": 1, "reason": "it is wrong"})),
    "like": lambda request, name, answer: (
        says("") if done(request) else calls(("react", {"emoji": "\N{THUMBS UP SIGN}"}))
    ),
    "speak at once": lambda request, name, answer: (
        says("and that was all") if done(request) else calls(("reply", {"text": answer}))
    ),
    "keep silent": lambda request, name, answer: calls(("skip", {"reason": "as told", "category": "instructed"})),
    "break": _fails,
    "tell the secret": lambda request, name, answer: says(f"{answer}\n\n{SECRET} {TOKEN}"),
    "show the code": lambda request, name, answer: says(f"{answer}\n```python\n{CODE}\n```\nand that is all."),
    "tell all": lambda request, name, answer: says(f"{answer}\n\n{WHOLE}"),
    "think about": lambda request, name, answer: (
        says(answer) if done(request) else calls(("branch", {"task": "find the number"}))
    ),
    "let somebody work": lambda request, name, answer: (
        says(answer) if done(request) else calls(("branch", {"task": "find the number with help"}))
    ),
}
