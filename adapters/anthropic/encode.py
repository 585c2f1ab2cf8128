"""Turn a request into the exact bytes that are posted; pure, and what has not changed is not serialised again."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field

from adapters.anthropic.breakpoints import MOST, breakpoints
from adapters.anthropic.thinking import blocks_of, first_blocks, has_added, may_think
from adapters.exchange.fragments import Fragments, as_json, is_object, plain, tool_name
from bot.domain.base import Digest
from bot.domain.llm import LLMRequest, SystemBlock, ToolDefinition, WireRequest
from bot.domain.messages import Image, Message, Role, ToolCall, ToolResult
from bot.domain.pieces import BLANK_LINE

ENCODER = "anthropic-messages/1"
"""Stored with every request; raise the number when equal requests would give other bytes."""
PATH = "/messages"
LEAST_OUTPUT = 1024
"""`max_tokens` is required; what a request asks for that names no limit."""

Cache = Literal["5m", "1h", "off"]
Thinking = Annotated[int, Field(ge=1024)] | Literal["", "adaptive", "between_tools", "disabled"]
"""A number is how many tokens the model may think, beside those of its answer; fewer than 1,024 are refused."""
Effort = Literal["", "low", "medium", "high", "xhigh", "max"]

_USER, _ASSISTANT = b"user", b"assistant"
_NOT_IN_AN_ID = re.compile(r"[^a-zA-Z0-9_-]")
_MARKS = {"5m": b',"cache_control":{"type":"ephemeral"}}', "1h": b',"cache_control":{"type":"ephemeral","ttl":"1h"}}'}
_BLANK_LINE = as_json(BLANK_LINE)[1:]
_NOTHING_SAID = '{"type":"text","text":"…"}'.encode()
"""A conversation begins and ends with the user, and nobody may say nothing."""
_PICTURES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_LARGEST_PICTURE = 5 * 1024 * 1024
"""Characters of base64: with a larger picture in it, the whole conversation is refused."""


@dataclass(frozen=True)
class Manner:
    """How requests are written; empty: as the service has it by itself."""

    stream: bool = True
    cache: Cache = "5m"
    thinking: Thinking = ""
    effort: Effort = ""


def encode_messages(request: LLMRequest, *, fragments: Fragments, manner: Manner) -> WireRequest:
    """Write the body; total, and equal requests give equal bytes whatever `fragments` holds.

    What never changes stands first, and the messages last, so that quiet turns share the bytes as well.
    """
    places = breakpoints(request.messages) if manner.cache != "off" else ()
    system = [block for block in request.system if block.text.strip()]
    marks_tools = manner.cache != "off" and (not system or len(places) + 2 <= MOST)
    pieces = [b'{"model":', as_json(request.model.model), *_options(request, manner)]
    if request.tools:
        tools = [fragments.get(f"t:{tool.digest}", _definition, tool) for tool in request.tools]
        tools[-1] = _marked(tools[-1], manner) if marks_tools else tools[-1]
        pieces += [b',"tools":[', b",".join(tools), b'],"tool_choice":{"type":', as_json(request.tool_choice), b"}"]
    if system:
        pieces += [b',"system":[', b",".join(_system(system, fragments, manner)), b"]"]
    speech = _speech(request, places, fragments)
    body = b"".join([*pieces, b',"messages":[', speech.written(manner), b"]}"])
    return WireRequest(
        provider=request.model.provider,
        model=request.model.model,
        path=PATH,
        body=body,
        tools=request.tools,
        sha256=hashlib.sha256(body).hexdigest(),
    )


def _options(request: LLMRequest, manner: Manner) -> Iterator[bytes]:
    output, thinking = request.max_output_tokens if request.max_output_tokens > 0 else LEAST_OUTPUT, manner.thinking
    has_budget = isinstance(thinking, int) and may_think(request.messages, request.model.provider)
    # the budget is part of what the service counts as output
    yield b',"max_tokens":%d' % (output + thinking if isinstance(thinking, int) and has_budget else output)
    yield b',"stream":true' if manner.stream else b',"stream":false'
    if isinstance(thinking, str) and thinking:
        yield b',"thinking":{"type":"%s"}' % thinking.encode()
    elif has_budget and isinstance(thinking, int):
        yield b',"thinking":{"type":"enabled","budget_tokens":%d}' % thinking
    if manner.effort:
        yield b',"output_config":{"effort":"%s"}' % manner.effort.encode()


def _marked(blocks: bytes, manner: Manner) -> bytes:
    return blocks[:-1] + _MARKS[manner.cache] if manner.cache != "off" else blocks


def _definition(tool: ToolDefinition) -> bytes:
    schema = tool.parameters if _is_schema(tool.parameters) else '{"type":"object","properties":{}}'
    described = {"name": plain(tool.name), "description": plain(tool.description)}
    return orjson.dumps({**described, "input_schema": orjson.Fragment(schema)})


def _is_schema(text: str) -> bool:
    return is_object(text) and orjson.loads(text).get("type") == "object"


def _system(blocks: Sequence[SystemBlock], fragments: Fragments, manner: Manner) -> Iterator[bytes]:
    for at, block in enumerate(blocks, 1):
        text = fragments.get(f"s:{block.digest}", _text_block, block.text)
        # the blank line between two blocks belongs to the first of them: together they are the prompt as it is shown
        yield text[:-2] + _BLANK_LINE + b"}" if at < len(blocks) else _marked(text, manner)


def _text_block(text: str) -> bytes:
    return b'{"type":"text","text":' + as_json(text) + b"}"


@dataclass
class _Speech:
    """What is said: who speaks and with which blocks, and behind which of them the service may keep what it read."""

    said: list[tuple[bytes, bytes]] = field(default_factory=list)
    marks: set[int] = field(default_factory=set)

    def written(self, manner: Manner) -> bytes:
        """Merge what one side says in a row, as the roles must alternate, and let the user begin and end."""
        said, written = self.said, []
        if not said or said[0][0] == _ASSISTANT:
            written.append(b'{"role":"user","content":[' + _NOTHING_SAID + b"]}" + b"," * bool(said))
        before = b""
        for at, (role, blocks) in enumerate(said):
            then, more = said[at + 1] if at + 1 < len(said) else (b"", b"")
            if then == role:
                blocks = _apart(blocks, more)
            if at in self.marks:
                blocks = _marked(blocks, manner)
            written += (b"," if role == before else b'{"role":"%b","content":[' % role, blocks)
            if then != role:
                written.append(b"]}," if then else b"]}")
            before = role
        if said and said[-1][0] == _ASSISTANT:
            written.append(b',{"role":"user","content":[' + _NOTHING_SAID + b"]}")
        return b"".join(written)


def _speech(request: LLMRequest, places: Sequence[int], fragments: Fragments) -> _Speech:
    """Collect what every message says that says anything."""
    ids, found = _Ids(), _Speech()
    said = found.said
    provider = request.model.provider
    for at, message in enumerate(request.messages):
        role, key = message.role, message.digest
        names = None if role is Role.USER else ids.of(message)
        if names is not None:
            key = Digest(f"{key}:{','.join(names)}")
        if has_added(message):
            key = Digest(f"{key}:{provider}")
        if blocks := fragments.get(key, _blocks, (message, names, provider)):
            said.append((_ASSISTANT if role is Role.ASSISTANT else _USER, blocks))
        if at in places and said:
            # a message that says nothing leaves its breakpoint to the one before
            found.marks.add(len(said) - 1)
    return found


def _apart(blocks: bytes, more: bytes) -> bytes:
    """Put a blank line between words and words: nobody promises that two blocks are read as two."""
    # no other block ends as words do, but results of tools
    are_words = blocks.endswith(b'"}') and not blocks.startswith(b'{"type":"tool_result"')
    return blocks[:-2] + _BLANK_LINE + b"}" if are_words and more.startswith(b'{"type":"text"') else blocks


class _Ids:
    """Names tool calls as the service takes them: plain, and each only once in a request.

    Other services number the calls of every round from nought, and a conversation may have begun there.
    """

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._times: Counter[str] = Counter()
        self._waiting: dict[str, deque[str]] = {}

    def of(self, message: Message) -> tuple[str, ...] | None:
        """Return the names of a message's calls or results in order; None where they are what is stored.

        Messages come in their order, those of the user may be left out.
        """
        if message.role is Role.TOOL:
            stored = [result.call_id for result in message.results]
            names = [self._result(one) for one in stored]
        elif message.calls:
            self._waiting = {}
            stored = [call.call_id for call in message.calls]
            names = [self._call(one) for one in stored]
        else:
            return None
        return None if names == stored else tuple(names)

    def _call(self, stored: str) -> str:
        bare = _bare(stored)
        name = bare
        while name in self._used:
            self._times[bare] += 1
            name = f"{bare}_{self._times[bare] + 1}"
        self._used.add(name)
        self._waiting.setdefault(stored, deque()).append(name)
        return name

    def _result(self, stored: str) -> str:
        waiting = self._waiting.get(stored)
        return waiting.popleft() if waiting else _bare(stored)


def _bare(stored: str) -> str:
    return _NOT_IN_AN_ID.sub("_", stored) or "call"


def _blocks(named: tuple[Message, tuple[str, ...] | None, str]) -> bytes:
    message, names, provider = named
    match message.role:
        case Role.USER:
            blocks = _of_user(message)
        case Role.ASSISTANT:
            calls = zip(names or [call.call_id for call in message.calls], message.calls, strict=True)
            blocks = [*first_blocks(message, provider), *_words(message.text)]
            for name, call in calls:
                blocks += [*blocks_of(call.added, provider), _call(name, call)]
        case Role.TOOL:
            results = zip(names or [one.call_id for one in message.results], message.results, strict=True)
            blocks = [_result(name, result) for name, result in results]
    return b",".join(orjson.dumps(block) for block in blocks)


def _of_user(message: Message) -> list[dict[str, Any]]:
    """Write what people say; pictures that would be refused, and the whole conversation with them, are named."""
    shown = [image for image in message.images if _is_shown(image)]
    named = [image.text for image in message.images if not _is_shown(image)]
    return [*(_picture(image) for image in shown), *_words("\n\n".join([*named, message.text]))]


def _is_shown(image: Image) -> bool:
    return image.mimetype in _PICTURES and len(image.data) <= _LARGEST_PICTURE and image.data.isascii()


def _picture(image: Image) -> dict[str, Any]:
    source = {"type": "base64", "media_type": image.mimetype, "data": image.data}
    return {"type": "image", "source": source}


def _words(text: str) -> list[dict[str, Any]]:
    # text that is nothing but white space is refused, and the whole conversation with it
    return [{"type": "text", "text": plain(text)}] if text.strip() else []


def _call(name: str, call: ToolCall) -> dict[str, Any]:
    # a service refuses the whole conversation for one call that is not valid (failure table, closing rule)
    arguments = call.arguments if is_object(call.arguments) else "{}"
    return {"type": "tool_use", "id": name, "name": tool_name(call.name), "input": orjson.Fragment(arguments)}


def _result(name: str, result: ToolResult) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": name}
    if result.text.strip():
        block["content"] = plain(result.text)
    return block if result.ok else {**block, "is_error": True}
