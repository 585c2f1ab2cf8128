"""What well-known services and templates refuse, in their own words; each is an objection that a server may have.

The wordings are those that users report; none of them is checked against the service by this project.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from .replies import Fails

Request = Mapping[str, Any]
Objection = Callable[[Request], Fails | None]

_NINE = re.compile(r"[a-zA-Z0-9]{9}")


def deepseek(request: Request) -> Fails | None:
    """Want the thoughts back beside the calls that they came with, and the older name of the limit."""
    if "max_completion_tokens" in request:
        return _refused(400, "unknown field `max_completion_tokens`")
    for at, message in enumerate(request["messages"]):
        if message.get("tool_calls") and "reasoning_content" not in message:
            return _refused(400, f"Missing `reasoning_content` field in the assistant message at message index {at}.")
        if not message.get("tool_calls") and message.get("reasoning_content"):
            return _refused(400, "reasoning_content is only allowed beside tool_calls")
    return None


def gemini(request: Request) -> Fails | None:
    """Want a signature with the first call of each message."""
    for call in _first_calls(request):
        signature = call.get("extra_content", {}).get("google", {}).get("thought_signature")
        if not signature:
            name = call["function"]["name"]
            return _refused(400, f"Function call is missing a thought_signature in functionCall parts: {name}")
    return None


def mistral(request: Request) -> Fails | None:
    """Refuse fields that it does not know, ids of any other form, and a user behind a tool."""
    for field in ("stream_options", "max_completion_tokens"):
        if field in request:
            detail = [{"type": "extra_forbidden", "loc": ["body", field], "msg": "Extra inputs are not permitted"}]
            return _refused(422, str({"detail": detail}))
    return mistral_history(request)


def mistral_history(request: Request) -> Fails | None:
    """Refuse what its template cannot write."""
    for message in request["messages"]:
        ids = [call["id"] for call in message.get("tool_calls") or ()]
        ids += [message["tool_call_id"]] if message["role"] == "tool" else []
        for one in ids:
            if not _NINE.fullmatch(one):
                text = f"Tool call id was {one} but must be a-z, A-Z, 0-9, with a length of 9."
                return _refused(400, text, "3280")
    for one, other in pairwise(message["role"] for message in request["messages"]):
        if (one, other) == ("tool", "user"):
            return _refused(400, "Unexpected role 'user' after role 'tool'", "3230")
    last = request["messages"][-1]["role"]
    if last not in ("user", "tool"):
        return _refused(400, f"Expected last role User or Tool for serving but got {last}", "3230")
    return None


def lm_studio(request: Request) -> Fails | None:
    """Refuse null."""
    for message in request["messages"]:
        if message.get("content") is None:
            return _refused(400, "Invalid 'content': 'content' objects must not be null, expected a string")
    return None


def gemma(request: Request) -> Fails | None:
    """Raise what the template of Gemma raises: sides that do not take turns, tools apart."""
    if request["messages"][0]["role"] == "system":
        return _refused(500, "System role not supported")
    for one, other in pairwise(_sides(request)):
        if one == other:
            return _refused(500, "Conversation roles must alternate user/assistant/user/assistant/...")
    return None


def alternating(request: Request) -> Fails | None:
    """Raise what templates raise that want the sides to take turns."""
    for one, other in pairwise(_sides(request)):
        if one == other:
            text = (
                "After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."
            )
            return _refused(400, text)
    return None


def no_stream_options(request: Request) -> Fails | None:
    """Refuse a field as FastAPI does."""
    if "stream_options" in request:
        detail = [{"loc": ["body", "stream_options"], "msg": "extra fields not permitted", "type": "value_error.extra"}]
        return _refused(422, str(detail))
    return None


def older(request: Request) -> Fails | None:
    """Know the limit by its older name only."""
    if "max_completion_tokens" in request:
        return _refused(400, "Unrecognized request argument supplied: max_completion_tokens")
    return None


def never_none(request: Request) -> Fails | None:
    """Know only some choices."""
    if request.get("tool_choice") == "none":
        return _refused(400, "Invalid value for tool_choice: 'none' is not supported, use 'auto' or 'required'")
    return None


def no_keyword(keyword: str) -> Objection:
    """Refuse a keyword in a schema, as Gemini does."""

    def objects(request: Request) -> Fails | None:
        for at, tool in enumerate(request.get("tools", ())):
            if keyword in str(tool["function"]["parameters"]):
                where = f"tools[0].function_declarations[{at}].parameters"
                return _refused(400, f"Invalid JSON payload received. Unknown name \"{keyword}\" at '{where}'")
        return None

    return objects


def no_tools(request: Request) -> Fails | None:
    """Refuse tools, as Ollama does for a model without them."""
    if "tools" in request:
        return _refused(400, "registry.ollama.ai/library/gemma:2b does not support tools")
    return None


def single_calls(request: Request) -> Fails | None:
    """Raise what the template of Llama 3.1 raises."""
    if any(len(message.get("tool_calls") or ()) > 1 for message in request["messages"]):
        return _refused(500, "This model only supports single tool-calls at once!")
    return None


def several(*objections: Objection) -> Objection:
    """Object to whatever one of these objects to."""

    def objects(request: Request) -> Fails | None:
        return next((found for one in objections if (found := one(request)) is not None), None)

    return objects


def _sides(request: Request) -> Iterator[str]:
    """Say who speaks, in the order in which templates look at it: calls and results are no turn of anybody."""
    for message in request["messages"]:
        role = message["role"]
        if role in ("user", "assistant") and not message.get("tool_calls"):
            yield role


def _first_calls(request: Request) -> Iterator[Mapping[str, Any]]:
    for message in request["messages"]:
        if calls := message.get("tool_calls"):
            yield calls[0]


def _refused(status: int, text: str, code: str | None = None) -> Fails:
    return Fails(status, code, text)
