"""Read what a chat-completions service sends back: server-sent events or one JSON body, from bytes to a response."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from bot.domain.llm import FinishReason, LLMResponse, Usage
from bot.domain.messages import ToolCall
from bot.ports.model import OnText

DONE = b"[DONE]"
LARGEST = 64 * 1024 * 1024
"""No answer of a model comes near; a server that never stops must not fill the memory."""

_MOST_COUNTED = 2**48
"""A service that counts more does not count; sums of such numbers still fit into any store."""

_LINE_END = re.compile(rb"\r\n|\r|\n")
_SURROGATES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\."
)

_FINISH = {
    "stop": FinishReason.STOP,
    "end_turn": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "tool_calls": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
}


class Events:
    """Cuts bytes into the data of server-sent events, however they were cut on the way.

    https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
    """

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._after_cr = False
        self.fields = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Take more bytes; yield the data of every event that they complete."""
        at = 0
        if chunk and self._after_cr and chunk.startswith(b"\n"):
            at = 1
        if chunk:
            self._after_cr = chunk.endswith(b"\r")
        for end in _LINE_END.finditer(chunk, at):
            line = b"".join([*self._line, chunk[at : end.start()]])
            self._line.clear()
            at = end.end()
            yield from self._take(line)
        if at < len(chunk):
            self._line.append(chunk[at:])

    def rest(self) -> Iterator[bytes]:
        """Yield what the end of the stream left without its blank line; it may be cut anywhere."""
        yield from self._take(b"".join(self._line))
        self._line.clear()
        yield from self._take(b"")

    def _take(self, line: bytes) -> Iterator[bytes]:
        if not line:
            if self._data:
                yield b"\n".join(self._data)
                self._data.clear()
            return
        name, _, value = line.partition(b":")
        if name == b"data":
            self.fields += 1
            self._data.append(value.removeprefix(b" "))


def _natural(value: object) -> object:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_COUNTED else None


Natural = Annotated[int | None, BeforeValidator(_natural)]


def _listed(value: object) -> object:
    return value if isinstance(value, list) else []


def _table(value: object) -> object:
    return value if isinstance(value, dict) else None


def _words(value: object) -> object:
    return value if isinstance(value, str) else None


def _raw_arguments(value: object) -> object:
    # some local servers send the object itself instead of its text
    return orjson.dumps(value).decode() if isinstance(value, dict | list) else _words(value)


Words = Annotated[str | None, BeforeValidator(_words)]


class _Heard(BaseModel):
    """Part of an answer; services add keys at will, and null stands for absent."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)


class _Function(_Heard):
    name: Words = None
    arguments: Annotated[str | None, BeforeValidator(_raw_arguments)] = None


class _CallDelta(_Heard):
    index: Natural = None
    id: Words = None
    function: _Function | None = None


class _Delta(_Heard):
    content: Words = None
    refusal: Words = None
    tool_calls: Annotated[list[_CallDelta], BeforeValidator(_listed)] = []


class _Choice(_Heard):
    delta: _Delta | None = None
    message: _Delta | None = None
    finish_reason: Words = None


class _Details(_Heard):
    cached_tokens: Natural = None
    reasoning_tokens: Natural = None


class _Usage(_Heard):
    prompt_tokens: Natural = None
    completion_tokens: Natural = None
    prompt_tokens_details: Annotated[_Details | None, BeforeValidator(_table)] = None
    completion_tokens_details: Annotated[_Details | None, BeforeValidator(_table)] = None


class Chunk(_Heard):
    """One event of a stream, or a whole body: they differ in `delta` and `message` only."""

    id: Words = None
    model: Words = None
    choices: Annotated[list[_Choice], BeforeValidator(_listed)] = []
    usage: Annotated[_Usage | None, BeforeValidator(_table)] = None
    error: Any = None


def parse_chunk(data: bytes) -> Chunk | None:
    """Read one event or body; None when it is not what the protocol allows."""
    try:
        return Chunk.model_validate_json(data)
    except ValidationError:
        pass
    if b"\\u" not in data:
        return None
    try:
        # half a character, as some servers stream it, costs that character and not the answer
        return Chunk.model_validate_json(_SURROGATES.sub(_whole_character, data))
    except ValidationError:
        return None


def _whole_character(found: re.Match[bytes]) -> bytes:
    escape = found.group()
    return b"\\ufffd" if len(escape) == 6 else escape


class _Call:
    """A tool call that is still growing."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []


class Answer:
    """Grows with every chunk into the response."""

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._finish = ""
        self._usage: _Usage | None = None
        self._model = ""
        self._id = ""

    @property
    def finished(self) -> bool:
        """Whether the service said why it stopped; without that, an ended stream was cut."""
        return bool(self._finish)

    @property
    def text(self) -> str:
        """The words so far."""
        return "".join(self._text) or "".join(self._refusal)

    def take(self, chunk: Chunk) -> None:
        """Add what a chunk brings; pieces of text are handed on at once."""
        self._id = self._id or chunk.id or ""
        self._model = self._model or chunk.model or ""
        self._usage = chunk.usage or self._usage
        for choice in chunk.choices[:1]:
            if delta := choice.delta or choice.message:
                self._grow(delta)
            self._finish = choice.finish_reason or self._finish

    def response(self) -> LLMResponse:
        """Return what was said, as far as it came."""
        calls = tuple(
            ToolCall(call_id=call.id or f"call_{number}", name=call.name, arguments="".join(call.arguments))
            for number, call in enumerate(self._calls)
        )
        finish = _FINISH.get(self._finish, FinishReason.OTHER)
        return LLMResponse(
            text=self.text,
            calls=calls,
            finish=FinishReason.TOOL_CALLS if calls and finish is FinishReason.STOP else finish,
            usage=_counted(self._usage),
            answered_by=self._model,
            response_id=self._id,
        )

    def _grow(self, delta: _Delta) -> None:
        for piece, pieces in ((delta.content, self._text), (delta.refusal, self._refusal)):
            if piece:
                pieces.append(piece)
                self._on_text(piece)
        for part in delta.tool_calls:
            call = self._call_of(part)
            call.id = call.id or part.id or ""
            if part.function:
                call.name = call.name or part.function.name or ""
                call.arguments.append(part.function.arguments or "")

    def _call_of(self, part: _CallDelta) -> _Call:
        known = self._by_index.get(part.index) if part.index is not None else (self._calls or [None])[-1]  # type: ignore[list-item]
        # a new id is a new call: some services give all calls of a round the index 0, or none
        if known is None or (part.id and known.id and part.id != known.id):
            known = _Call()
            self._calls.append(known)
        if part.index is not None:
            self._by_index[part.index] = known
        return known


def _counted(usage: _Usage | None) -> Usage:
    if usage is None:
        return Usage()
    return Usage(
        input=usage.prompt_tokens,
        output=usage.completion_tokens,
        cached=usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else None,
        reasoning=usage.completion_tokens_details.reasoning_tokens if usage.completion_tokens_details else None,
    )
