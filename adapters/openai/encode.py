"""Turn a request into the exact bytes that are posted; pure, and what has not changed is not serialised again."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import orjson

from bot.domain.llm import LLMRequest, SystemBlock, ToolDefinition, WireRequest
from bot.domain.messages import Message, Role, ToolCall

ENCODER = "openai-chat/1"
"""Stored with every request; raise the number when equal requests would give other bytes."""
PATH = "/chat/completions"

T = TypeVar("T")
MaxTokensField = Literal["max_completion_tokens", "max_tokens"]

_KEPT_BYTES = 32 * 1024 * 1024
_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64


@dataclass
class Fragments:
    """Ready-made JSON of messages, tools and texts under their digests; the least recently used go first."""

    most_bytes: int = _KEPT_BYTES
    _kept: OrderedDict[str, bytes] = field(default_factory=OrderedDict, repr=False)
    _bytes: int = 0

    def get(self, key: str, make: Callable[[T], bytes], value: T) -> bytes:
        """Return the fragment named `key`, made of `value` only when it is not kept."""
        fragment = self._kept.get(key)
        if fragment is not None:
            self._kept.move_to_end(key)
            return fragment
        # a copy: what orjson returns still holds the whole buffer that it was written in, many times its size
        fragment = self._kept[key] = bytes(memoryview(make(value)))
        self._bytes += len(fragment)
        while self._bytes > self.most_bytes and len(self._kept) > 1:
            self._bytes -= len(self._kept.popitem(last=False)[1])
        return fragment

    def __len__(self) -> int:
        return len(self._kept)


def encode_chat(
    request: LLMRequest,
    *,
    fragments: Fragments,
    max_tokens_field: MaxTokensField = "max_completion_tokens",
) -> WireRequest:
    """Write the chat-completions body; total, and equal requests give equal bytes whatever `fragments` holds."""
    pieces = [b'{"model":', _text(request.model.model), b',"messages":[', b",".join(_entries(request, fragments))]
    if request.tools:
        pieces += [b'],"tools":[', b",".join(_tool(tool, fragments) for tool in request.tools)]
        pieces += [b'],"tool_choice":', _text(request.tool_choice)]
    else:
        pieces.append(b"]")
    pieces.append(b',"stream":true,"stream_options":{"include_usage":true}')
    if request.max_output_tokens > 0:
        pieces.append(b',"%s":%d' % (max_tokens_field.encode(), request.max_output_tokens))
    body = b"".join([*pieces, b"}"])
    return WireRequest(
        provider=request.model.provider,
        model=request.model.model,
        path=PATH,
        body=body,
        sha256=hashlib.sha256(body).hexdigest(),
    )


def _entries(request: LLMRequest, fragments: Fragments) -> Iterator[bytes]:
    if request.system:
        # escaped block by block: a block that stays is spliced, and JSON escapes do not look at their neighbours
        blocks = (_block(block, fragments) for block in request.system)
        yield b'{"role":"system","content":"' + b"\\n\\n".join(blocks) + b'"}'
    for message in request.messages:
        # the bare name, as messages are nearly all there is
        entry = fragments.get(message.digest, _message, message)
        if entry:
            yield entry


def _block(block: SystemBlock, fragments: Fragments) -> bytes:
    return fragments.get(f"s:{block.digest}", _inside, block.text)


def _tool(tool: ToolDefinition, fragments: Fragments) -> bytes:
    return fragments.get(f"t:{tool.digest}", _definition, tool)


def _definition(tool: ToolDefinition) -> bytes:
    schema = tool.parameters if _is_object(tool.parameters) else '{"type":"object","properties":{}}'
    function = {"name": _plain(tool.name), "description": _plain(tool.description)}
    return orjson.dumps({"type": "function", "function": {**function, "parameters": orjson.Fragment(schema)}})


def _message(message: Message) -> bytes:
    match message.role:
        case Role.TOOL:
            entries = [
                {"role": "tool", "tool_call_id": _plain(result.call_id), "content": _plain(result.text)}
                for result in message.results
            ]
            return b",".join(orjson.dumps(entry) for entry in entries)
        case Role.ASSISTANT:
            return orjson.dumps(_assistant(message))
        case Role.USER:
            return orjson.dumps({"role": "user", "content": _said(message)})


def _said(message: Message) -> str | list[dict[str, Any]]:
    text = _plain(message.text)
    if not message.images:
        return text
    seen = (f"data:{image.mimetype};base64,{image.data}" for image in message.images)
    return [*({"type": "image_url", "image_url": {"url": url}} for url in seen), {"type": "text", "text": text}]


def _assistant(message: Message) -> dict[str, Any]:
    text, calls = _plain(message.text), message.calls
    if not calls:
        return {"role": "assistant", "content": text}
    return {"role": "assistant", "content": text or None, "tool_calls": [_call(call) for call in calls]}


def _call(call: ToolCall) -> dict[str, Any]:
    # a provider refuses the whole conversation for one call that is not valid (failure table, closing rule)
    arguments = call.arguments if _is_object(call.arguments) else "{}"
    name = _NOT_IN_A_NAME.sub("_", call.name)[:_LONGEST_NAME] or "unnamed"
    return {"id": _plain(call.call_id), "type": "function", "function": {"name": name, "arguments": arguments}}


def _is_object(text: str) -> bool:
    # orjson refuses NaN, lone surrogates and anything deeper than 1024, which some servers cannot parse
    try:
        return isinstance(orjson.loads(text), dict)
    except ValueError:
        return False


def _text(text: str) -> bytes:
    return orjson.dumps(_plain(text))


def _inside(text: str) -> bytes:
    return _text(text)[1:-1]


def _plain(text: str) -> str:
    if text.isascii():
        return str(text)
    # lone surrogates are cleaned at ingress (ruling 9); here only so that no request whatever can fail
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
