"""Turn a request into the exact bytes that are posted; pure, and what has not changed is not serialised again."""

from __future__ import annotations

from typing import Any, Literal

import orjson

from adapters.exchange.fragments import Fragments, as_json, is_object, plain, tool_name
from bot.domain.llm import LLMRequest, SystemBlock, ToolDefinition, WireRequest
from bot.domain.messages import Message, Role, ToolCall

ENCODER = "openai-chat/2"
"""Stored with every request; raise the number when equal requests would give other bytes."""
PATH = "/chat/completions"

MaxTokensField = Literal["max_completion_tokens", "max_tokens"]


def encode_chat(
    request: LLMRequest,
    *,
    fragments: Fragments,
    max_tokens_field: MaxTokensField = "max_completion_tokens",
) -> WireRequest:
    """Write the chat-completions body; total, and equal requests give equal bytes whatever `fragments` holds.

    What stays from turn to turn, the tools and the system prompt, stands first: it is written and hashed once.
    """
    names = [request.model.model, *[tool.digest for tool in request.tools], "", *[b.digest for b in request.system]]
    begun = fragments.begun("\x1f".join(names), lambda request: _beginning(request, fragments), request)
    entries = [entry for message in request.messages if (entry := fragments.get(message.digest, _message, message))]
    rest = [b"," if request.system and entries else b"", b",".join(entries), b"]"]
    if request.tools:
        rest += [b',"tool_choice":', as_json(request.tool_choice)]
    rest.append(b',"stream":true,"stream_options":{"include_usage":true}')
    if request.max_output_tokens > 0:
        rest.append(b',"%s":%d' % (max_tokens_field.encode(), request.max_output_tokens))
    body, sha256 = begun.whole([*rest, b"}"])
    return WireRequest(
        provider=request.model.provider,
        model=request.model.model,
        path=PATH,
        body=body,
        tools=request.tools,
        sha256=sha256,
    )


def _beginning(request: LLMRequest, fragments: Fragments) -> bytes:
    """Write everything before the first message of the conversation."""
    beginning = b'{"model":' + as_json(request.model.model)
    if request.tools:
        beginning += b',"tools":[' + b",".join([_tool(tool, fragments) for tool in request.tools]) + b"]"
    beginning += b',"messages":['
    if not request.system:
        return beginning
    # escaped block by block: a block that stays is spliced, and JSON escapes do not look at their neighbours
    blocks = b"\\n\\n".join(_block(block, fragments) for block in request.system)
    return beginning + b'{"role":"system","content":"' + blocks + b'"}'


def _block(block: SystemBlock, fragments: Fragments) -> bytes:
    return fragments.get(f"s:{block.digest}", _inside, block.text)


def _tool(tool: ToolDefinition, fragments: Fragments) -> bytes:
    return fragments.get(f"t:{tool.digest}", _definition, tool)


def _definition(tool: ToolDefinition) -> bytes:
    schema = tool.parameters if is_object(tool.parameters) else '{"type":"object","properties":{}}'
    function = {"name": plain(tool.name), "description": plain(tool.description)}
    return orjson.dumps({"type": "function", "function": {**function, "parameters": orjson.Fragment(schema)}})


def _message(message: Message) -> bytes:
    match message.role:
        case Role.TOOL:
            entries = [
                {"role": "tool", "tool_call_id": plain(result.call_id), "content": plain(result.text)}
                for result in message.results
            ]
            return b",".join(orjson.dumps(entry) for entry in entries)
        case Role.ASSISTANT:
            return orjson.dumps(_assistant(message))
        case Role.USER:
            return orjson.dumps({"role": "user", "content": _said(message)})


def _said(message: Message) -> str | list[dict[str, Any]]:
    text = plain(message.text)
    if not message.images:
        return text
    seen = (f"data:{image.mimetype};base64,{image.data}" for image in message.images)
    return [*({"type": "image_url", "image_url": {"url": url}} for url in seen), {"type": "text", "text": text}]


def _assistant(message: Message) -> dict[str, Any]:
    text, calls = plain(message.text), message.calls
    if not calls:
        return {"role": "assistant", "content": text}
    return {"role": "assistant", "content": text or None, "tool_calls": [_call(call) for call in calls]}


def _call(call: ToolCall) -> dict[str, Any]:
    # a provider refuses the whole conversation for one call that is not valid (failure table, closing rule)
    arguments = call.arguments if is_object(call.arguments) else "{}"
    function = {"name": tool_name(call.name), "arguments": arguments}
    return {"id": plain(call.call_id), "type": "function", "function": function}


def _inside(text: str) -> bytes:
    return as_json(text)[1:-1]
