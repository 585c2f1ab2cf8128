"""What a strict provider objects to in a request, so that a poisoned history fails in a test.

The wording is that of api.openai.com; the check of argument JSON is the one of vLLM, which parses what it is
sent back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import orjson

from .failures import TOOL_ID_UNKNOWN
from .replies import Fails

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
MOST = 128
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
SPEAKER_NAME = re.compile(r"[^\s<|\\/>]{1,64}")
UNPARSABLE = Fails(400, None, "We could not parse the JSON body of your request.")

Request = Mapping[str, Any]


def parse(body: bytes) -> dict[str, Any] | Fails:
    """Read the body as strictly as a provider does: an object, no NaN, no lone surrogate."""
    try:
        request = orjson.loads(body)
    except orjson.JSONDecodeError:
        return UNPARSABLE
    return request if isinstance(request, dict) else UNPARSABLE


def objection(request: Request) -> Fails | None:
    """Name the first thing a provider would refuse the request for, or None."""
    return next(_objections(request), None)


def _invalid(message: str, param: str, code: str | None = None) -> Fails:
    return Fails(400, code, message, param=param)


def _objections(request: Request) -> Iterator[Fails]:
    yield from _options(request)
    yield from _tools(request)
    messages = request.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        yield _invalid("Missing required parameter: 'messages'.", "messages", "missing_required_parameter")
        return
    if not messages:
        yield _too_short("messages")
    for at, message in enumerate(messages):
        yield from _message(f"messages[{at}]", message)
    yield from _pairing(messages)


def _options(request: Request) -> Iterator[Fails]:
    if not isinstance(request.get("model"), str) or not request["model"]:
        yield _invalid("you must provide a model parameter", "model")
    if request.get("stream_options") is not None and request.get("stream") is not True:
        text = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        yield _invalid(text, "stream_options")
    if request.get("tool_choice") is not None and not request.get("tools"):
        text = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
        yield _invalid(text, "tool_choice")


def _tools(request: Request) -> Iterator[Fails]:
    tools = request.get("tools")
    if tools is None:
        return
    if not tools:
        yield _too_short("tools")
    if len(tools) > MOST:
        yield _too_long("tools", len(tools))
    for at, tool in enumerate(tools):
        yield from _name(f"tools[{at}].function.name", tool.get("function", {}).get("name"), TOOL_NAME)


def _message(path: str, message: Request) -> Iterator[Fails]:
    role, content, calls = message.get("role"), message.get("content"), message.get("tool_calls")
    if role not in ROLES:
        yield _invalid(f"Invalid value: {role!r}. Supported values are: {ROLES}.", f"{path}.role", "invalid_value")
    if not isinstance(content, str | list) and not (content is None and role == "assistant" and calls is not None):
        kind = "null" if content is None else type(content).__name__
        yield _invalid(f"Invalid value for 'content': expected a string, got {kind}.", f"{path}.content")
    if "name" in message:
        yield from _name(f"{path}.name", message["name"], SPEAKER_NAME)
    if calls is not None:
        yield from _calls(f"{path}.tool_calls", calls)


def _calls(path: str, calls: list[Request]) -> Iterator[Fails]:
    if not calls:
        yield _too_short(path)
    if len(calls) > MOST:
        yield _too_long(path, len(calls))
    for at, call in enumerate(calls):
        function = call.get("function", {})
        yield from _name(f"{path}[{at}].function.name", function.get("name"), TOOL_NAME)
        if not _is_object(function.get("arguments")):
            where = f"{path}[{at}].function.arguments"
            yield _invalid(f"Invalid '{where}': expected a string that holds a JSON object.", where, "invalid_value")


def _pairing(messages: list[Request]) -> Iterator[Fails]:
    """Walk the transcript: every call answered right after it, every answer to a call, no id twice."""
    waiting: set[str] = set()
    answered: set[str] = set()
    for at, message in enumerate(messages):
        if message.get("role") != "tool":
            yield from _unanswered(waiting, at)
            ids = [str(call.get("id")) for call in message.get("tool_calls") or ()]
            waiting, answered = set(ids), set()
            if len(waiting) < len(ids):
                yield _repeated(next(one for one in ids if ids.count(one) > 1), f"messages.[{at}].tool_calls")
            continue
        identity = str(message.get("tool_call_id"))
        if identity in answered:
            yield _repeated(identity, f"messages.[{at}].tool_call_id")
        elif identity not in waiting:
            yield replace(TOOL_ID_UNKNOWN, param=f"messages.[{at}].role")
        waiting.discard(identity)
        answered.add(identity)
    yield from _unanswered(waiting, len(messages))


def _unanswered(waiting: set[str], at: int) -> Iterator[Fails]:
    if waiting:
        yield _invalid(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. The following tool_call_ids did not have response messages: " + ", ".join(sorted(waiting)),
            f"messages.[{at}].role",
        )


def _repeated(identity: str, param: str) -> Fails:
    return _invalid(f"Invalid parameter: Duplicate value for 'tool_call_id' of '{identity}'.", param)


def _too_long(path: str, length: int) -> Fails:
    text = f"array too long. Expected an array with maximum length {MOST}, but got an array with length {length}"
    return _invalid(f"Invalid '{path}': {text} instead.", path, "array_above_max_length")


def _too_short(path: str) -> Fails:
    text = "empty array. Expected an array with minimum length 1, but got an empty array instead."
    return _invalid(f"Invalid '{path}': {text}", path, "empty_array")


def _name(path: str, name: object, allowed: re.Pattern[str]) -> Iterator[Fails]:
    if not isinstance(name, str) or not allowed.fullmatch(name):
        text = f"does not match pattern. Expected a string that matches the pattern '^{allowed.pattern}$'."
        yield _invalid(f"Invalid '{path}': string {text}", path, "invalid_value")


def _is_object(arguments: object) -> bool:
    try:
        return isinstance(arguments, str) and isinstance(orjson.loads(arguments), dict)
    except orjson.JSONDecodeError:
        return False
