"""One answer in the words of the Messages protocol, whole or as a stream of events.

https://platform.claude.com/docs/en/build-with-claude/streaming
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from .wire import PING, Asked, Data, Wire, encode, event, pieces, stream, whole

if TYPE_CHECKING:
    from .completion import Call, Completion, Usage

ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
STOPS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
Block = dict[str, Any]


def laid_out(said: Completion, asked: Asked) -> Wire:
    """Answer as the request wants it: server-sent events or one body."""
    return stream(_events(said, asked)) if asked.streams else whole(encode(_body(said, asked)))


def listed(models: Sequence[str]) -> dict[str, Any]:
    """List models, as `GET /v1/models` does."""
    rows = [{"type": "model", "id": one, "display_name": one, "created_at": "2026-01-01T00:00:00Z"} for one in models]
    return {"data": rows, "has_more": False, "first_id": models[0], "last_id": models[-1]}


def _body(said: Completion, asked: Asked) -> dict[str, Any]:
    blocks = [_filled(block, deltas) for block, deltas in _blocks(said)]
    return _envelope(asked, said) | {"content": blocks, "stop_reason": _stop(said)}


def _events(said: Completion, asked: Asked) -> Iterator[Data]:
    begin = _envelope(asked, said)
    if said.usage is not None:
        begin["usage"] = begin["usage"] | {"output_tokens": 1}
    yield _event("message_start", message=begin)
    yield Data(PING)
    blocks = list(_blocks(said))
    for at, (block, deltas) in enumerate(blocks):
        yield _event("content_block_start", index=at, content_block=block)
        for delta in deltas:
            yield _event("content_block_delta", token=True, index=at, delta=delta)
        yield _event("content_block_stop", index=at)
    usage = {} if said.usage is None else {"usage": _usage(said.usage, said, asked)}
    if said.finish_reason is not None:
        yield _event("message_delta", delta={"stop_reason": _stop(said), "stop_sequence": None}, **usage)
    yield _event("message_stop")


def _event(name: str, token: bool = False, **fields: Any) -> Data:
    return event({"type": name} | fields, token, name)


def _envelope(asked: Asked, said: Completion) -> dict[str, Any]:
    usage = {} if said.usage is None else {"usage": _usage(said.usage, said, asked)}
    return {
        "id": f"msg_{asked.at_index:04}",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    } | usage


def _blocks(said: Completion) -> Iterator[tuple[Block, list[Block]]]:
    """Give each block as a stream begins it, and the deltas that fill it."""
    if said.reasoning:
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(said.reasoning, 4)]
        deltas.append({"type": "signature_delta", "signature": "EqQBCgIYAhIM"})
        yield {"type": "thinking", "thinking": "", "signature": ""}, deltas
    words = said.content or said.refusal
    if words:
        deltas = [{"type": "text_delta", "text": piece} for piece in pieces(words, said.chunks)]
        yield {"type": "text", "text": ""}, deltas
    for call in said.calls:
        yield _call(call), [{"type": "input_json_delta", "partial_json": piece} for piece in _written(call)]


def _call(call: Call) -> Block:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}


def _written(call: Call) -> Sequence[str]:
    # the service begins with an empty piece, and sends no other for a call without arguments
    return ("", *(pieces(call.arguments, 3) if call.arguments != "{}" else ()))


def _filled(block: Block, deltas: Sequence[Block]) -> Block:
    kinds = {"text": "text", "thinking": "thinking", "tool_use": "partial_json"}
    words = "".join(delta.get(kinds[block["type"]], "") for delta in deltas)
    match block["type"]:
        case "tool_use":
            return block | {"input": _as_input(words)}
        case kind:
            return block | {kind: words}


def _stop(said: Completion) -> str | None:
    if said.refusal is not None:
        return "refusal"
    return STOPS.get(said.finish_reason or "", said.finish_reason)


def _usage(usage: Usage, said: Completion, asked: Asked) -> dict[str, Any]:
    cached, written = usage.cached_tokens or asked.cached_tokens, usage.written_tokens or asked.written_tokens
    prompt = asked.prompt_tokens if usage.prompt_tokens is None else usage.prompt_tokens
    text = (said.content or "") + (said.refusal or "") + "".join(call.name + call.arguments for call in said.calls)
    output = -(-len(text) // 4) + usage.reasoning_tokens if usage.completion_tokens is None else usage.completion_tokens
    thought = {"output_tokens_details": {"thinking_tokens": usage.reasoning_tokens}} if usage.reasoning_tokens else {}
    return {
        **thought,
        "input_tokens": prompt - cached - written,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": cached,
        "output_tokens": output,
    }


def _as_input(text: str) -> object:
    """Read what a model wrote as a call's input; a body that is not streamed cannot hold half of one."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}
