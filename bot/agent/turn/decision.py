"""Decide, from what a model answered and what was done so far, whether a turn is over."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import Enum, auto
from typing import NamedTuple

from bot.agent.turn.ending import TurnResult, failed_result, replied_result, skipped_result
from bot.domain.ledger import FailReason
from bot.domain.llm import LLMResponse, ToolChoice
from bot.domain.messages import Message, Role, TextPart
from bot.domain.repairs import AnswerRepair
from bot.prompts import render
from bot.text.text import is_blank
from bot.text.thoughts import in_code
from bot.tools.runtime.effects import AddedReaction, ConcludedWork, SentMessage, SkippedTurn, TurnEffects

_MARKUP = re.compile(
    r"^\W{0,3}(?:<\|?(?:tool_call|function_calls?|invoke|tool_use|function=)|\[TOOL_CALLS?\]|<\|python_tag\|>)"
    r"|<(?:tool_call|function_calls|invoke\b|antml:invoke\b)",
    re.IGNORECASE,
)
_SENTINEL = re.compile(
    r"^\W{0,3}(?:NO[_ -]?(?:REPLY|RESPONSE|ANSWER)|SILENT|SKIP|IGNORE|NOTHING[_ ]TO[_ ](?:SAY|ADD)|PASS)\W{0,3}$"
)
_OBJECT = re.compile(r'^\s*(?:```\w*\s*)?\{\s*"(?:name|tool|function|tool_name|recipient_name)"\s*:\s*"([\w.-]+)"')


class NextStep(Enum):
    """What a turn does when it is not over."""

    SHOW_RESULTS = auto()
    ASK_AGAIN = auto()
    CORRECT = auto()


class SoFar(NamedTuple):
    """What a decision rests on. `requests` counts the answered ones; `emptied` and `corrected` happen once a turn."""

    choice: ToolChoice
    effects: TurnEffects
    tools: Collection[str]
    requests: int
    emptied: bool
    corrected: bool


def decide(response: LLMResponse, so_far: SoFar) -> TurnResult | NextStep:
    """Return how the turn ended, or how it goes on."""
    if response.calls and so_far.choice is ToolChoice.AUTO:
        return _after_tools(so_far.effects)
    if so_far.effects.of(SentMessage) and (ending := _sent(so_far.effects)):
        return ending
    text = response.text.strip()
    if is_blank(text):
        return _silent(response, so_far)
    may_correct = so_far.choice is ToolChoice.AUTO and not so_far.corrected
    is_unread = (
        AnswerRepair.CALL_UNREADABLE in response.repairs or holds_call(text) or is_call_alone(text, so_far.tools)
    )
    is_call = bool(so_far.tools) and is_unread
    if may_correct and (is_call or looks_like_tool_call(text, so_far.tools)):
        return NextStep.CORRECT
    # nobody is to read it, and nothing can be made of it
    return failed_result(FailReason.MARKUP, "a tool call came as text") if is_call else replied_result(text)


def _after_tools(effects: TurnEffects) -> TurnResult | NextStep:
    if handed_in := next(iter(effects.of(ConcludedWork)), None):
        return replied_result(handed_in.result)
    wish = next(iter(effects.of(SkippedTurn)), None)
    if wish is None:
        return NextStep.SHOW_RESULTS
    # who skips behind an answer has nothing to add to it: small models do so, and would be asked for nothing
    return _sent(effects) or skipped_result(wish.category, wish.reason)


def _sent(effects: TurnEffects) -> TurnResult | None:
    """Say how a turn ended whose answer a tool sent."""
    if effects.of(SentMessage):
        return replied_result(reason="sent by the reply tool")
    return replied_result(reason="sent as a file") if effects.sent else None


def _silent(response: LLMResponse, so_far: SoFar) -> TurnResult | NextStep:
    """No words, and nothing sent: a reaction may be enough, else the model is asked once more."""
    if response.calls:
        return failed_result(
            FailReason.ROUNDS, f"no answer after {so_far.requests} rounds; the model wanted more tools"
        )
    if ending := _sent(so_far.effects):
        return ending
    if reaction := next(iter(so_far.effects.of(AddedReaction)), None):
        return skipped_result("reacted", f"with {reaction.emoji}")
    if so_far.emptied:
        stopped = response.stopped_with or response.finish
        nothing = "nothing but thoughts" if response.reasoning else "no text"
        return failed_result(FailReason.EMPTY, f"{nothing}, twice (the model stopped with {stopped})")
    return NextStep.ASK_AGAIN


def holds_call(text: str) -> bool:
    """Say whether an answer holds a tool call that was meant, and is not shown in code."""
    stripped = text.strip()[:2000]
    found = _MARKUP.search(stripped)
    return found is not None and not in_code(stripped[: found.start()])


def is_call_alone(text: str, tools: Collection[str]) -> bool:
    """Say whether a whole answer is the call of an offered tool, written out: as JSON, or as in a program."""
    stripped = text.strip()
    if stripped.endswith(("}", "`")):
        return _named(stripped, tools)
    if not stripped.endswith(")"):
        return False
    return any(re.fullmatch(rf"{re.escape(name)}\(.*\)", stripped, re.DOTALL) for name in tools)


def looks_like_tool_call(text: str, tools: Collection[str]) -> bool:
    """Say whether a whole answer looks like a tool call or a code word for silence, rather than like words.

    The bare name of a tool is one: small models write `skip` where they mean to call it.
    """
    stripped = text.strip()
    if _SENTINEL.match(stripped) or holds_call(stripped) or stripped.strip("`*[]<>().") in tools:
        return True
    return _named(stripped, tools) or is_call_alone(stripped, tools)


def _named(stripped: str, tools: Collection[str]) -> bool:
    named = _OBJECT.match(stripped)
    return named is not None and named[1].rsplit(".", 1)[-1] in tools


def correction(text: str, tools: Collection[str], at: int) -> tuple[Message, Message]:
    """Return the stray answer and the note that asks for a proper one; neither becomes history."""
    note = render("correction", tools=list(tools))
    return (
        Message(role=Role.ASSISTANT, parts=(TextPart(text=text),), at=at),
        Message(role=Role.USER, parts=(TextPart(text=note),), at=at),
    )
