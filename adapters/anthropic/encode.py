"""Turn a request into the exact bytes that are posted; pure, and what has not changed is not serialised again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field

from adapters.anthropic.thoughts import blocks_of, first_blocks, may_think
from adapters.model_http.call_ids import CallIds, plain_id
from adapters.model_http.json_cache import JsonFragments, as_json, is_object, plain, tool_name
from adapters.model_http.schemas import without_keywords
from adapters.model_http.service_additions import has_added
from adapters.model_http.tool_words import tools_in_words
from bot.domain.base import Digest
from bot.domain.dialect import PLAIN, Dialect
from bot.domain.llm import LLMRequest, SystemBlock, ToolDefinition, WireRequest
from bot.domain.messages import ImagePart, Message, Role, ToolCall, ToolResult
from bot.text.joined_text import BLANK_LINE

ENCODER = "anthropic-messages/1"
"""Stored with every request; raise the number when equal requests would give other bytes."""
PATH = "/messages"
MIN_OUTPUT_TOKENS = 1024
"""`max_tokens` is required; what a request asks for that names no limit."""

Cache = Literal["5m", "1h", "off"]
Thinking = Annotated[int, Field(ge=1024)] | Literal["", "adaptive", "between_tools", "disabled"]
"""A number is how many tokens the model may think, beside those of its answer; fewer than 1,024 are refused."""
Effort = Literal["", "low", "medium", "high", "xhigh", "max"]

_USER, _ASSISTANT = b"user", b"assistant"
_MARKS = {"5m": b',"cache_control":{"type":"ephemeral"}}', "1h": b',"cache_control":{"type":"ephemeral","ttl":"1h"}}'}
_BLANK_LINE = as_json(BLANK_LINE)[1:]
_NO_WORDS = '{"type":"text","text":"…"}'.encode()
"""A conversation begins and ends with the user, and nobody may say nothing."""
_PICTURES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_MAX_PICTURE_BYTES = 5 * 1024 * 1024
"""Characters of base64: with a larger picture in it, the whole conversation is refused."""
_MAX_BREAKPOINTS = 4


@dataclass(frozen=True)
class RequestOptions:
    """How requests are written; empty: as the service has it by itself."""

    stream: bool = True
    cache: Cache = "5m"
    thinking: Thinking = ""
    effort: Effort = ""


def encode_messages(
    request: LLMRequest, *, fragments: JsonFragments, manner: RequestOptions, dialect: Dialect = PLAIN
) -> WireRequest:
    """Write the body; total, and equal requests give equal bytes whatever `fragments` holds.

    What never changes stands first, and the messages last, so that quiet turns share the bytes as well.
    """
    places = breakpoints(request.messages) if manner.cache != "off" else ()
    system = [block for block in request.system if block.text.strip()]
    marks_tools = manner.cache != "off" and (not system or len(places) + 2 <= _MAX_BREAKPOINTS)
    pieces = [b'{"model":', as_json(request.model.model), *_options(request, manner)]
    if request.tools and dialect.takes_tools:
        tools = [_tool(tool, dialect.schema_keywords, fragments) for tool in request.tools]
        tools[-1] = _with_cache_mark(tools[-1], manner) if marks_tools else tools[-1]
        pieces += [b',"tools":[', b",".join(tools), b'],"tool_choice":{"type":', as_json(request.tool_choice), b"}"]
    if system:
        pieces += [b',"system":[', b",".join(_system(system, fragments, manner)), b"]"]
    speech = _speech(request, places, fragments, takes_tools=dialect.takes_tools)
    body = b"".join([*pieces, b',"messages":[', speech.written(manner), b"]}"])
    return WireRequest(
        provider=request.model.provider,
        model=request.model.model,
        path=PATH,
        body=body,
        tools=request.tools if dialect.takes_tools else (),
        sha256=hashlib.sha256(body).hexdigest(),
    )


def _options(request: LLMRequest, manner: RequestOptions) -> Iterator[bytes]:
    output, thinking = (
        request.max_output_tokens if request.max_output_tokens > 0 else MIN_OUTPUT_TOKENS,
        manner.thinking,
    )
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


def _with_cache_mark(blocks: bytes, manner: RequestOptions) -> bytes:
    return blocks[:-1] + _MARKS[manner.cache] if manner.cache != "off" else blocks


def _tool(tool: ToolDefinition, keywords: frozenset[str], fragments: JsonFragments) -> bytes:
    without = f":{','.join(sorted(keywords))}" if keywords else ""
    return fragments.get(f"t:{tool.digest}{without}", _definition, (tool, keywords))


def _definition(tool_without: tuple[ToolDefinition, frozenset[str]]) -> bytes:
    tool, keywords = tool_without
    schema = tool.parameters if _is_schema(tool.parameters) else '{"type":"object","properties":{}}'
    described = {"name": plain(tool.name), "description": plain(tool.description)}
    return orjson.dumps({**described, "input_schema": orjson.Fragment(without_keywords(schema, keywords))})


def _is_schema(text: str) -> bool:
    return is_object(text) and orjson.loads(text).get("type") == "object"


def _system(blocks: Sequence[SystemBlock], fragments: JsonFragments, manner: RequestOptions) -> Iterator[bytes]:
    for at, block in enumerate(blocks, 1):
        text = fragments.get(f"s:{block.digest}", _text_block, block.text)
        # the blank line between two blocks belongs to the first of them: together they are the prompt as it is shown
        yield text[:-2] + _BLANK_LINE + b"}" if at < len(blocks) else _with_cache_mark(text, manner)


def _text_block(text: str) -> bytes:
    return b'{"type":"text","text":' + as_json(text) + b"}"


@dataclass
class _Speech:
    """What is said: who speaks and with which blocks, and behind which of them the service may keep what it read."""

    said: list[tuple[bytes, bytes]] = field(default_factory=list)
    marks: set[int] = field(default_factory=set)

    def written(self, manner: RequestOptions) -> bytes:
        """Merge what one side says in a row, as the roles must alternate, and let the user begin and end."""
        said, written = self.said, []
        if not said or said[0][0] == _ASSISTANT:
            written.append(b'{"role":"user","content":[' + _NO_WORDS + b"]}" + b"," * bool(said))
        before = b""
        for at, (role, blocks) in enumerate(said):
            then, more = said[at + 1] if at + 1 < len(said) else (b"", b"")
            if then == role:
                blocks = _joined_apart(blocks, more)
            if at in self.marks:
                blocks = _with_cache_mark(blocks, manner)
            written += (b"," if role == before else b'{"role":"%b","content":[' % role, blocks)
            if then != role:
                written.append(b"]}," if then else b"]}")
            before = role
        if said and said[-1][0] == _ASSISTANT:
            written.append(b',{"role":"user","content":[' + _NO_WORDS + b"]}")
        return b"".join(written)


def _speech(request: LLMRequest, places: Sequence[int], fragments: JsonFragments, *, takes_tools: bool) -> _Speech:
    """Collect what every message says that says anything."""
    ids, found, provider = CallIds(plain_id), _Speech(), request.model.provider
    said = found.said
    asked: Message | None = None
    for at, message in enumerate(request.messages):
        role, key = message.role, message.digest
        names = None if role is Role.USER else ids.of(message)
        if names is not None:
            key = Digest(f"{key}:{','.join(names)}")
        if role is Role.ASSISTANT and has_added(message):
            # what a service added goes back to nobody else, so that the same message is written in two ways
            key = Digest(f"{key}:{provider}")
        if takes_tools or not (message.calls or message.results):
            blocks = fragments.get(key, _blocks, (message, names, provider))
        else:
            blocks = _in_words(asked, message, fragments)
        asked = message if message.calls else asked
        if blocks:
            said.append((_ASSISTANT if role is Role.ASSISTANT else _USER, blocks))
        if at in places and said:
            # a message that says nothing leaves its breakpoint to the one before
            found.marks.add(len(said) - 1)
    return found


def _in_words(asked: Message | None, message: Message, fragments: JsonFragments) -> bytes:
    """Write calls, or what came of them, for a model that takes no tools."""
    if message.role is Role.TOOL:
        pair = f"{asked.digest if asked else ''}:{message.digest}:told"
        return fragments.get(pair, lambda pair: _as_blocks(_words(tools_in_words(*pair))), (asked, message))
    return fragments.get(f"{message.digest}:words", lambda one: _as_blocks(_words(one.text)), message)


def _joined_apart(blocks: bytes, more: bytes) -> bytes:
    """Put a blank line between words and words: nobody promises that two blocks are read as two."""
    # no other block ends as words do, but results of tools
    are_words = blocks.endswith(b'"}') and not blocks.startswith(b'{"type":"tool_result"')
    return blocks[:-2] + _BLANK_LINE + b"}" if are_words and more.startswith(b'{"type":"text"') else blocks


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
    return _as_blocks(blocks)


def _as_blocks(blocks: Sequence[dict[str, Any]]) -> bytes:
    return b",".join(orjson.dumps(block) for block in blocks)


def _of_user(message: Message) -> list[dict[str, Any]]:
    """Write what people say; pictures that would be refused, and the whole conversation with them, are named."""
    shown = [image for image in message.images if _is_shown(image)]
    named = [image.text for image in message.images if not _is_shown(image)]
    return [*(_picture(image) for image in shown), *_words("\n\n".join([*named, message.text]))]


def _is_shown(image: ImagePart) -> bool:
    return image.mimetype in _PICTURES and len(image.data) <= _MAX_PICTURE_BYTES and image.data.isascii()


def _picture(image: ImagePart) -> dict[str, Any]:
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


# Where the service may keep what it has read, so that the next request does not pay for it again. A request may carry
# four breakpoints. What stands before one is kept under its content; a later request that has a breakpoint at the same
# place reads it from there, and up to 20 blocks before each breakpoint are looked through as well. A prompt that is too
# short to be kept is simply not kept: nothing needs to be handled.
# https://platform.claude.com/docs/en/build-with-claude/prompt-caching
def breakpoints(messages: Sequence[Message]) -> tuple[int, ...]:
    """Return the places of the messages that end a prefix worth keeping, at most three.

    They are: everything before the message that carries the clock, as the next turn will send it again; the same of
    the turn before, which is where it was kept then, however much was said since; and the newest round of tools, which
    the next round of this turn repeats.
    """
    newest = _newest_message(messages)
    if newest is None:
        return ()
    places = [newest - 1]
    before = _answered_message(messages, newest)
    if before is not None:
        places.append(before - 1)
    if newest < len(messages) - 1:
        places.append(len(messages) - 1)
    return tuple(sorted({place for place in places if place >= 0}))


def _newest_message(messages: Sequence[Message]) -> int | None:
    """Find the message that starts the turn: the last that somebody wrote; a note of ours has no author."""
    spoken = None
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].role is Role.USER:
            if messages[at].author is not None:
                return at
            spoken = at if spoken is None else spoken
    return spoken


def _answered_message(messages: Sequence[Message], newest: int) -> int | None:
    """Find the message that started the turn before: the last one behind which the bot did something."""
    for at in range(newest - 1, -1, -1):
        if messages[at].role is Role.USER and messages[at + 1].role is Role.ASSISTANT:
            return at
    return None
