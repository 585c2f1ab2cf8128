"""What the Messages API objects to in a request, in its own words, so that a poisoned history fails in a test.

The wording is that of api.anthropic.com, as people report it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import orjson

from .replies import Fails

KNOWN = frozenset(
    {"cache_control", "max_tokens", "messages", "metadata", "model", "output_config", "service_tier", "stop_sequences"}
    | {"stream", "system", "temperature", "thinking", "tool_choice", "tools", "top_k", "top_p"}
)
OF_A_BLOCK: Mapping[str, frozenset[str]] = {
    "text": frozenset({"type", "text", "cache_control", "citations"}),
    "image": frozenset({"type", "source", "cache_control"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "redacted_thinking": frozenset({"type", "data"}),
    "tool_use": frozenset({"type", "id", "name", "input", "cache_control"}),
    "tool_result": frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"}),
}
OF_A_TOOL = frozenset({"name", "description", "input_schema", "cache_control", "type", "strict"})
PICTURES = ("image/jpeg", "image/png", "image/gif", "image/webp")
LARGEST_PICTURE = 5 * 1024 * 1024
MOST_BREAKPOINTS = 4
NAME = re.compile(r"^[a-zA-Z0-9_-]{1,128}$")
ID = re.compile(r"^[a-zA-Z0-9_-]+$")
UNEXPECTED = "found using 'type' does not match any of the expected tags"
CHOICES = ("auto", "any", "tool", "none")

Request = Mapping[str, Any]


def parse(body: bytes) -> dict[str, Any] | Fails:
    """Read the body: an object, no NaN, no lone surrogate."""
    try:
        request = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        return _invalid(f"The request body is not valid JSON: {error}")
    return request if isinstance(request, dict) else _invalid("The request body is not valid JSON: not an object")


def denial(headers: Mapping[str, str], key: str | None) -> Fails | None:
    """Check the two headers that every request needs."""
    given = headers.get("x-api-key")
    if key is not None and given is None:
        return Fails(401, None, "x-api-key header is required")
    if key is not None and given != key:
        return Fails(401, None, "invalid x-api-key")
    return None if headers.get("anthropic-version") else _invalid("anthropic-version: header is required")


def objection(request: Request) -> Fails | None:
    """Name the first thing that the service would refuse the request for, or None."""
    found = next(_objections(request), None)
    return _invalid(found) if found else None


def _invalid(message: str) -> Fails:
    return Fails(400, None, message)


def _objections(request: Request) -> Iterator[str]:
    yield from _extra("", request, KNOWN)
    yield from (f"{key}: Field required" for key in ("model", "max_tokens", "messages") if key not in request)
    if not isinstance(request["max_tokens"], int) or request["max_tokens"] < 1:
        yield "max_tokens: Input should be greater than or equal to 1"
    yield from _tools(request)
    yield from _system(request)
    yield from _messages(request["messages"])
    yield from _pairing(request)
    yield from _breakpoints(request)
    yield from _thinking(request)


def _extra(path: str, value: Request, known: frozenset[str]) -> Iterator[str]:
    yield from (f"{path}{key}: Extra inputs are not permitted" for key in value if key not in known)


def _tools(request: Request) -> Iterator[str]:
    tools, choice = request.get("tools", []), request.get("tool_choice")
    for at, tool in enumerate(tools):
        yield from _extra(f"tools.{at}.custom.", tool, OF_A_TOOL)
        if not NAME.fullmatch(tool.get("name", "")):
            yield f"tools.{at}.custom.name: String should match pattern '{NAME.pattern}'"
        schema = tool.get("input_schema")
        if not isinstance(schema, dict):
            yield f"tools.{at}.custom.input_schema: Field required"
        elif schema.get("type") != "object":
            yield f"tools.{at}.custom.input_schema.type: Input should be 'object'"
    if len({tool["name"] for tool in tools}) < len(tools):
        yield "tools: Tool names must be unique."
    if choice is not None and not tools:
        yield "tool_choice may only be specified while providing tools."
    if choice is not None and choice.get("type") not in CHOICES:
        yield f"tool_choice: Input tag '{choice.get('type')}' {UNEXPECTED}"


def _system(request: Request) -> Iterator[str]:
    system = request.get("system", [])
    for at, block in enumerate(system if isinstance(system, list) else []):
        yield from _extra(f"system.{at}.", block, OF_A_BLOCK["text"])
        yield from _text("system", block)


def _messages(messages: Any) -> Iterator[str]:
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
    for at, message in enumerate(messages):
        yield from _message(at, message)
    for one, other in pairwise(message["role"] for message in messages):
        if one == other:
            yield (
                'messages: roles must alternate between "user" and "assistant", but found multiple '
                f'"{one}" roles in a row'
            )
    if messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    if messages[-1]["role"] != "user":
        yield "This model does not support assistant message prefill. The conversation must end with a user message."


def _message(at: int, message: Request) -> Iterator[str]:
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "assistant"):
        yield f'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant".'
    yield from _extra(f"messages.{at}.", message, frozenset({"role", "content"}))
    if not content:
        yield f"messages.{at}: all messages must have non-empty content except for the optional final assistant message"
    for number, block in enumerate(content if isinstance(content, list) else []):
        yield from _block(f"messages.{at}.content.{number}", str(role), block)


def _block(path: str, role: str, block: Request) -> Iterator[str]:
    kind = str(block.get("type"))
    if kind not in OF_A_BLOCK:
        yield f"{path}: Input tag '{kind}' {UNEXPECTED}"
        return
    yield from _extra(f"{path}.{kind}.", block, OF_A_BLOCK[kind])
    match kind:
        case "text":
            if not block["text"] and "cache_control" in block:
                yield f"{path}.text: cache_control cannot be set for empty text blocks"
            yield from _text("messages", block)
        case "image":
            yield from _image(path, block["source"])
        case "tool_use":
            yield from _call(path, role, block)
        case "thinking" if not block.get("signature"):
            yield f"{path}.thinking.signature: Field required"
        case "tool_result" if role != "user":
            yield f"{path}: `tool_result` blocks can only be in `user` messages"


def _thinking(request: Request) -> Iterator[str]:
    """Mind the budget, and rounds that began without a thought."""
    thinking = request.get("thinking", {})
    if thinking.get("type") != "enabled":
        return
    if thinking["budget_tokens"] < 1024:
        yield "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
    if request["max_tokens"] <= thinking["budget_tokens"]:
        yield "`max_tokens` must be greater than `thinking.budget_tokens`."
    for at, message in reversed(list(enumerate(request["messages"]))):
        blocks = message["content"] if isinstance(message["content"], list) else []
        kinds = [block["type"] for block in blocks]
        if message["role"] == "user" and "tool_result" not in kinds:
            return
        if "tool_use" in kinds and kinds[0] not in ("thinking", "redacted_thinking"):
            yield (
                f"messages.{at}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{kinds[0]}`. "
                "When `thinking` is enabled, a final `assistant` message must start with a thinking block"
            )


def _text(where: str, block: Request) -> Iterator[str]:
    if not block["text"]:
        yield f"{where}: text content blocks must be non-empty"
    if not block["text"].strip():
        yield f"{where}: text content blocks must contain non-whitespace text"


def _image(path: str, source: Request) -> Iterator[str]:
    if source.get("media_type") not in PICTURES:
        yield f"{path}.image.source.base64.media_type: Input should be {', '.join(map(repr, PICTURES))}"
    size = len(source.get("data", ""))
    if size > LARGEST_PICTURE:
        yield f"{path}.image.source.base64: image exceeds 5 MB maximum: {size} bytes > {LARGEST_PICTURE} bytes"


def _call(path: str, role: str, block: Request) -> Iterator[str]:
    if role != "assistant":
        yield f"{path}: `tool_use` blocks can only be in `assistant` messages"
    if not ID.fullmatch(block.get("id", "")):
        yield f"{path}.tool_use.id: String should match pattern '{ID.pattern}'"
    if not NAME.fullmatch(block.get("name", "")):
        yield f"{path}.tool_use.name: String should match pattern '{NAME.pattern}'"
    if not isinstance(block.get("input"), dict):
        yield f"{path}.tool_use.input: Input should be a valid dictionary"


def _pairing(request: Request) -> Iterator[str]:
    """Walk the transcript: every call answered right after it and first of all, every answer to a call, no id twice."""
    ids: list[str] = []
    waiting: list[str] = []
    for at, message in enumerate(request["messages"]):
        blocks = message["content"] if isinstance(message["content"], list) else []
        answers = [(n, block["tool_use_id"]) for n, block in enumerate(blocks) if block["type"] == "tool_result"]
        missing = sorted(set(waiting) - {one for n, one in answers if n < len(answers)})
        if missing:
            yield _unanswered(at - 1, missing)
        yield from _answers(at, answers, waiting)
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
        ids += waiting
        if (ids or answers) and not request.get("tools"):
            yield "Requests which include `tool_use` or `tool_result` blocks must define tools"
    if waiting:
        yield _unanswered(len(request["messages"]) - 1, waiting)
    if len(set(ids)) < len(ids):
        yield "messages: `tool_use` ids must be unique"


def _answers(at: int, answers: list[tuple[int, str]], waiting: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    for number, one in answers:
        if one not in waiting:
            yield (
                f"messages.{at}.content.{number}: unexpected `tool_use_id` found in `tool_result` blocks: {one}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
        if one in seen:
            yield (
                f"messages.{at}.content.{number}: each tool_use must have a single result. Found multiple "
                f"`tool_result` blocks with id: {one}"
            )
        seen.add(one)


def _unanswered(at: int, ids: list[str]) -> str:
    return (
        f"messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(ids)}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )


def _breakpoints(request: Request) -> Iterator[str]:
    found = orjson.dumps(request).count(b'"cache_control":{')
    if found > MOST_BREAKPOINTS:
        yield f"A maximum of {MOST_BREAKPOINTS} blocks with cache_control may be provided. Found {found}."
