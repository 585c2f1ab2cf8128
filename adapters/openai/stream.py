"""Read what a chat-completions service sends back: server-sent events or one JSON body, from bytes to a response."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from pydantic import BeforeValidator

from adapters.exchange.events import Listed, Natural, RawObject, Said, Table, Words, few, read_json
from adapters.exchange.faults import ErrorInside, NotTheProtocol
from adapters.exchange.line import Heard
from bot.domain.llm import MOST_CALLS, FinishReason, LLMResponse, Usage
from bot.domain.messages import ToolCall
from bot.ports.model import OnText

DONE = b"[DONE]"
_LONG = 65_536
"""Bytes of an event that holds more than a piece of text; it is read once, and not as objects that are thrown away."""

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


class _Function(Said):
    name: Words = None
    arguments: RawObject = None


class _CallDelta(Said):
    index: Natural = None
    id: Words = None
    function: _Function | None = None


class _CallDeltas(Said):
    items: tuple[_CallDelta, ...] = ()
    more: int = 0


class _Delta(Said):
    content: Words = None
    refusal: Words = None
    tool_calls: Annotated[_CallDeltas, BeforeValidator(few)] = _CallDeltas()


class _Choice(Said):
    delta: _Delta | None = None
    message: _Delta | None = None
    finish_reason: Words = None


class _Details(Said):
    cached_tokens: Natural = None
    reasoning_tokens: Natural = None


class _Usage(Said):
    prompt_tokens: Natural = None
    completion_tokens: Natural = None
    prompt_tokens_details: Annotated[_Details | None, Table] = None
    completion_tokens_details: Annotated[_Details | None, Table] = None


class Chunk(Said):
    """One event of a stream, or a whole body: they differ in `delta` and `message` only."""

    id: Words = None
    model: Words = None
    choices: Annotated[tuple[_Choice, ...], Listed] = ()
    usage: Annotated[_Usage | None, Table] = None
    error: Any = None


def parse_chunk(data: bytes) -> Chunk | None:
    """Read one event or body; None when it is not what the protocol allows."""
    return read_json(Chunk, data)


class _Call:
    """A tool call that is still growing."""

    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []


class Answer:
    """Grows with every chunk into the response."""

    ending = "finish_reason"

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._newest: _Call | None = None
        self._surplus = _Call()
        self._dropped = 0
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

    def take(self, data: bytes) -> Heard:
        """Add what an event brings; pieces of text are handed on at once."""
        if data == DONE:
            return Heard.END
        if len(data) > _LONG or not self._take_words(data):
            self.add(_chunk(data))
        return Heard.TOKEN

    def _take_words(self, data: bytes) -> bool:
        """Take what nearly every event is, a piece of text or the word that it ends, without looking for all else."""
        try:
            chunk = orjson.loads(data)
        except orjson.JSONDecodeError:
            return False
        if type(chunk) is not dict or chunk.get("error") or chunk.get("usage") is not None:
            return False
        choices = chunk.get("choices")
        choice = choices[0] if type(choices) is list and len(choices) == 1 else None
        if type(choice) is not dict or choice.get("message") is not None:
            return False
        delta, ends = choice.get("delta"), choice.get("finish_reason") or ""
        if type(delta) is not dict or delta.get("refusal") is not None or delta.get("tool_calls") is not None:
            return False
        words, name, model = delta.get("content"), chunk.get("id"), chunk.get("model")
        if type(ends) is not str or not (type(words) is str or (words is None and ends)):
            return False
        self._finish = ends or self._finish
        self._id = self._id or (name if type(name) is str else "")
        self._model = self._model or (model if type(model) is str else "")
        if words:
            self._text.append(words)
            self._on_text(words)
        return True

    def take_whole(self, data: bytes) -> None:
        """Add a body that was not streamed."""
        chunk = _chunk(data)
        if not chunk.choices:
            raise NotTheProtocol("a body without a choice")
        self.add(chunk)

    def add(self, chunk: Chunk) -> None:
        """Add what a chunk brings."""
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
            dropped_calls=self._dropped,
        )

    def _grow(self, delta: _Delta) -> None:
        for piece, pieces in ((delta.content, self._text), (delta.refusal, self._refusal)):
            if piece:
                pieces.append(piece)
                self._on_text(piece)
        self._dropped += delta.tool_calls.more
        for part in delta.tool_calls.items:
            call = self._call_of(part)
            if call is self._surplus:
                continue
            call.id = call.id or part.id or ""
            if part.function:
                call.name = call.name or part.function.name or ""
                call.arguments.append(part.function.arguments or "")

    def _call_of(self, part: _CallDelta) -> _Call:
        known = self._by_index.get(part.index) if part.index is not None else self._newest
        # a new id is a new call: some services give all calls of a round the index 0, or none
        if known is None or (part.id and known.id and part.id != known.id):
            known = self._begun(part)
        if part.index is not None and (known is not self._surplus or part.index in self._by_index):
            self._by_index[part.index] = known
        self._newest = known
        return known

    def _begun(self, part: _CallDelta) -> _Call:
        """Begin another call; beyond so many they are only counted, and nothing of them is kept."""
        if len(self._calls) < MOST_CALLS:
            self._calls.append(_Call())
            return self._calls[-1]
        if part.id or (part.function and part.function.name):
            self._dropped += 1
        self._surplus.id = part.id or self._surplus.id
        return self._surplus


def _chunk(data: bytes) -> Chunk:
    chunk = parse_chunk(data)
    if chunk is None:
        raise NotTheProtocol("what the protocol does not allow")
    if chunk.error:
        raise ErrorInside(chunk.error)
    return chunk


def _counted(usage: _Usage | None) -> Usage:
    if usage is None:
        return Usage()
    return Usage(
        input=usage.prompt_tokens,
        output=usage.completion_tokens,
        cached=usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else None,
        reasoning=usage.completion_tokens_details.reasoning_tokens if usage.completion_tokens_details else None,
    )
