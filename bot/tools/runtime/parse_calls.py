"""Read what a model wrote as a tool call, and make of it what every provider takes back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_core import from_json

from bot.domain.messages import ToolCall
from bot.errors import ToolError
from bot.text.text import clean, excerpt
from bot.tools.runtime.tool import Args, Tool

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_QUOTED = 400


def named_apart(calls: Sequence[ToolCall], round_number: int) -> tuple[ToolCall, ...]:
    """Give every call an id of its own that a provider accepts; good ids stay as they are."""
    taken: set[str] = set()
    named = []
    for place, call in enumerate(calls):
        wanted = call.call_id if _ID.fullmatch(call.call_id) and call.call_id not in taken else ""
        fresh = wanted or f"call_{round_number}_{place}"
        while fresh in taken:
            fresh = f"{fresh[:60]}_x"
        taken.add(fresh)
        named.append(call if fresh == call.call_id else call.replace(call_id=fresh))
    return tuple(named)


def for_transcript(call: ToolCall) -> ToolCall:
    """Return the call as it may stand in the history: a name and an object that no provider refuses.

    What the model really wrote stays in the tool call record, and the error result quotes it.
    """
    name = call.name if _NAME.fullmatch(call.name) else "unknown_tool"
    arguments = call.arguments if is_object(call.arguments) else "{}"
    return call if (name, arguments) == (call.name, call.arguments) else call.replace(name=name, arguments=arguments)


def is_object(text: str) -> bool:
    """Say whether a text is one JSON object."""
    try:
        value = from_json(_bytes(text), allow_inf_nan=False)
    except ValueError:
        return False
    return isinstance(value, dict) and clean(text).text == text


def read_args(tool: Tool, call: ToolCall) -> Args:
    """Check the arguments; raise ToolError that says what is wrong and quotes what was written."""
    try:
        # no arguments at all is how some providers write an empty object
        return tool.args.model_validate_json(_bytes(call.arguments) if call.arguments.strip() else b"{}")
    except ValidationError as error:
        problems = [_say(item["loc"], item["type"], item["msg"]) for item in error.errors(include_input=False)]
        told = "; ".join(problems[:8])
        raise ToolError(
            f"{tool.name} was not run. {told}. Expected: {tool.definition.parameters}. "
            f'You wrote: "{excerpt(call.arguments, _QUOTED)}". Call it again with a JSON object.'
        ) from None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _say(where: Sequence[int | str], kind: str, message: str) -> str:
    key = ".".join(map(str, where))
    if kind == "json_invalid":
        return "The arguments are not JSON: " + message.removeprefix("Invalid JSON: ")
    if kind == "extra_forbidden":
        return f"`{key}` is not an argument"
    return f"`{key}`: {message}" if key else message
