"""Notice text that was meant as a tool call or as silence, before people read it."""

from __future__ import annotations

import re
from collections.abc import Collection

from bot.domain.messages import Message, Role, Text
from bot.prompts import render
from bot.text.thoughts import in_code

_MARKUP = re.compile(
    r"^\W{0,3}(?:<\|?(?:tool_call|function_calls?|invoke|tool_use|function=)|\[TOOL_CALLS?\]|<\|python_tag\|>)"
    r"|<(?:tool_call|function_calls|invoke\b|antml:invoke\b)",
    re.IGNORECASE,
)
_SENTINEL = re.compile(
    r"^\W{0,3}(?:NO[_ -]?(?:REPLY|RESPONSE|ANSWER)|SILENT|SKIP|IGNORE|NOTHING[_ ]TO[_ ](?:SAY|ADD)|PASS)\W{0,3}$"
)
_OBJECT = re.compile(r'^\s*(?:```\w*\s*)?\{\s*"(?:name|tool|function|tool_name|recipient_name)"\s*:\s*"([\w.-]+)"')


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
        Message(role=Role.ASSISTANT, parts=(Text(text=text),), at=at),
        Message(role=Role.USER, parts=(Text(text=note),), at=at),
    )
