"""Say in one word what a model decided; by code, and nothing that it asked for is done."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

import orjson

from bot.agent.turn.decision import looks_like_tool_call
from bot.domain.llm import FinishReason, LLMResponse
from bot.domain.messages import ToolCall
from bot.replay.said_words import says as says_words
from bot.text.text import is_blank

_SKIP, _REPLY = "skip", "reply"


class DecisionKind(StrEnum):
    """What a model can decide. `REFUSED` is the service's word for it; no phrase of an answer is."""

    REPLIED = "replied"
    SKIPPED = "skipped"
    CALLED = "called"
    REFUSED = "refused"
    EMPTY = "empty"


class ReplayedDecision(NamedTuple):
    """A decision. `detail` is the category of a silence, or the tool; `says`: the words in question are in it.

    `says` is None where no words are in question.
    """

    kind: DecisionKind
    detail: str = ""
    says: bool | None = None

    @property
    def name(self) -> str:
        """What a proof compares: the same silence has many categories, and the same answer many words."""
        if self.kind is DecisionKind.CALLED:
            return f"{self.kind}:{self.detail}"
        return self.kind.value if self.says is None else f"{self.kind}:{'with' if self.says else 'without'} the words"


def decision_of(response: LLMResponse, tools: Collection[str] = (), words: str = "") -> ReplayedDecision:
    """Class an answer; `words` are those in question, of which all have to be in what is said."""
    if response.finish is FinishReason.CONTENT_FILTER:
        return ReplayedDecision(DecisionKind.REFUSED)
    said = response.text.strip()
    for call in response.calls:
        if call.name == _SKIP:
            return ReplayedDecision(DecisionKind.SKIPPED, _argument(call, "category"))
        if call.name != _REPLY:
            return ReplayedDecision(DecisionKind.CALLED, call.name)
        said = _argument(call, "text")
    if is_blank(said) or (not response.calls and looks_like_tool_call(said, tools)):
        return ReplayedDecision(DecisionKind.EMPTY)
    return ReplayedDecision(DecisionKind.REPLIED, says=says_words(said, words) if words else None)


def spoken_words(response: LLMResponse) -> str:
    """Return what an answer says to people: the text of its reply, else its own."""
    for call in response.calls:
        if call.name == _REPLY:
            return _argument(call, "text")
    return response.text


def _argument(call: ToolCall, name: str) -> str:
    try:
        found = orjson.loads(call.arguments)
    except ValueError:
        return ""
    return str(found.get(name, "")) if isinstance(found, dict) else ""
