"""One chat completion in the provider's own words, whole or as a stream of chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, Literal

from . import messages
from .wire import DONE_LINE, Asked, Chunks, Data, Wire, encode, event, pieces, stream, whole

CREATED = 1_750_000_000  # fixed, so that two runs send the same bytes

Deltas = Literal["in_order", "interleaved", "whole", "unnumbered"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts to report; None means a plausible number made from the text."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    written_tokens: int = 0


PLAUSIBLE = Usage()


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call; `arguments` is the text the model wrote, JSON or not."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What one answer says, before it is laid out for the client."""

    content: str | None = None
    reasoning: str = ""
    refusal: str | None = None
    calls: tuple[Call, ...] = ()
    finish_reason: str | None = "stop"
    usage: Usage | None = PLAUSIBLE
    chunks: Chunks = 4
    deltas: Deltas = "in_order"

    def wire(self, asked: Asked) -> Wire:
        """Answer as the request wants it: server-sent events or one body, in the server's language."""
        if asked.language == "anthropic":
            return messages.laid_out(self, asked)
        end = Data(DONE_LINE + b"\n\n")
        return stream((*_events(self, asked), end)) if asked.streams else whole(encode(_body(self, asked)))


def quarter(body: bytes) -> int:
    """Guess a token count: four bytes a token."""
    return len(body) // 4


def envelope(asked: Asked, kind: str) -> dict[str, Any]:
    """Start an answer with the fields that every chunk and every body share."""
    return {
        "id": f"chatcmpl-{asked.at_index}",
        "object": kind,
        "created": CREATED,
        "model": asked.model,
        "system_fingerprint": "fp_loopback",
    }


def _body(said: Completion, asked: Asked) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.content, "refusal": said.refusal}
    if said.reasoning:
        message["reasoning_content"] = said.reasoning
    if said.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in said.calls
        ]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": said.finish_reason}
    body = envelope(asked, "chat.completion") | {"choices": [choice]}
    return body | {"usage": _usage(said, said.usage, asked)} if said.usage else body


def _events(said: Completion, asked: Asked) -> Iterator[Data]:
    reports = said.usage if asked.wants_usage else None
    base = envelope(asked, "chat.completion.chunk") | ({"usage": None} if reports else {})
    yield event(base | {"choices": [_choice(_start(said), None)]})
    for delta in _deltas(said):
        yield event(base | {"choices": [_choice(delta, None)]}, token=True)
    yield event(base | {"choices": [_choice({}, said.finish_reason)]})
    if reports:
        yield event(base | {"choices": [], "usage": _usage(said, reports, asked)})


def _choice(delta: Mapping[str, Any], finish_reason: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}


def _start(said: Completion) -> dict[str, Any]:
    return {"role": "assistant", "content": None if said.content is None else "", "refusal": None}


def _deltas(said: Completion) -> Iterator[dict[str, Any]]:
    for piece in pieces(said.reasoning, 4):
        yield {"reasoning_content": piece}
    for piece in pieces(said.content or "", said.chunks):
        yield {"content": piece}
    for piece in pieces(said.refusal or "", 4):
        yield {"refusal": piece}
    for call in _call_deltas(said):
        yield {"tool_calls": [call]}


def _call_deltas(said: Completion) -> Iterator[dict[str, Any]]:
    if said.deltas in ("whole", "unnumbered"):
        for at, call in enumerate(said.calls):
            numbered = {} if said.deltas == "unnumbered" else {"index": at}
            yield numbered | _opening(call, call.arguments)
        return
    runs = [list(_call_run(at, call)) for at, call in enumerate(said.calls)]
    turns = zip_longest(*runs) if said.deltas == "interleaved" else runs
    yield from (delta for delta in chain.from_iterable(turns) if delta is not None)


def _call_run(at: int, call: Call) -> Iterator[dict[str, Any]]:
    yield {"index": at} | _opening(call, "")
    for piece in pieces(call.arguments, 3):
        yield {"index": at, "function": {"arguments": piece}}


def _opening(call: Call, arguments: str) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _usage(said: Completion, usage: Usage, asked: Asked) -> dict[str, Any]:
    prompt = asked.prompt_tokens if usage.prompt_tokens is None else usage.prompt_tokens
    written = _written(said) + usage.reasoning_tokens if usage.completion_tokens is None else usage.completion_tokens
    return {
        "prompt_tokens": prompt,
        "completion_tokens": written,
        "total_tokens": prompt + written,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens, "audio_tokens": 0},
    }


def _written(said: Completion) -> int:
    text = (said.content or "") + (said.refusal or "") + "".join(call.name + call.arguments for call in said.calls)
    return -(-len(text) // 4)
