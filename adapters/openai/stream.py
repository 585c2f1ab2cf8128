"""Read what a chat-completions service sends back: server-sent events or one JSON body, from bytes to a response."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import orjson
from pydantic import BeforeValidator, ConfigDict

from adapters.model_http.call_reader import CallPiece
from adapters.model_http.client import LifeSign
from adapters.model_http.errors import ErrorInside, NotTheProtocol
from adapters.model_http.speech import PLAIN, AnswerOptions, SpeechReader, with_thoughts
from adapters.model_http.sse import (
    AnswerPart,
    Listed,
    Natural,
    RawObject,
    Table,
    Words,
    json_text,
    read_json,
    split_list,
)
from bot.domain.llm import FinishReason, LLMResponse, TokenUsage
from bot.domain.messages import ProviderData
from bot.domain.repairs import AnswerRepair
from bot.ports.model import OnText

DONE = b"[DONE]"
_LONG_CHARS = 65_536
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
_ADDED_KEYS = frozenset({"extra_content", "provider_specific_fields"})
"""What services add to a call or to a message and want back; so is whatever is signed or encrypted."""
_BESIDE_CALLS_KEYS = ("reasoning_content", "reasoning_details", "thinking_blocks")
"""Thoughts that a service wants back, and only with the calls that they came with."""
_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "reasoning_text")
"""Where services put what a model thinks; they say the same where there are several."""
_THINKING_PARTS = frozenset({"thinking", "reasoning", "thought", "reasoning.text", "reasoning.summary"})


class _Function(AnswerPart):
    name: Words = None
    arguments: RawObject = None


class _CallDelta(AnswerPart):
    model_config = ConfigDict(extra="allow")

    index: Natural = None
    id: Words = None
    type: Any = None
    function: Annotated[_Function | None, Table] = None


class _CallDeltas(AnswerPart):
    items: tuple[_CallDelta, ...] = ()
    more: int = 0


class _Delta(AnswerPart):
    model_config = ConfigDict(extra="allow")

    role: Any = None
    content: Any = None
    refusal: Words = None
    tool_calls: Annotated[_CallDeltas, BeforeValidator(split_list)] = _CallDeltas()
    function_call: Annotated[_Function | None, Table] = None


class _Choice(AnswerPart):
    delta: _Delta | None = None
    message: _Delta | None = None
    finish_reason: Words = None


class _Details(AnswerPart):
    cached_tokens: Natural = None
    reasoning_tokens: Natural = None


class _Usage(AnswerPart):
    prompt_tokens: Natural = None
    completion_tokens: Natural = None
    prompt_tokens_details: Annotated[_Details | None, Table] = None
    completion_tokens_details: Annotated[_Details | None, Table] = None


class ChatChunk(AnswerPart):
    """One event of a stream, or a whole body: they differ in `delta` and `message` only."""

    id: Words = None
    model: Words = None
    choices: Annotated[tuple[_Choice, ...], Listed] = ()
    usage: Annotated[_Usage | None, Table] = None
    error: Any = None


def parse_chunk(data: bytes) -> ChatChunk | None:
    """Read one event or body; None when it is not what the protocol allows."""
    return read_json(ChatChunk, data)


class OpenAIAnswer:
    """Grows with every chunk into the response."""

    ending = "finish_reason"

    def __init__(self, on_text: OnText, manner: AnswerOptions = PLAIN) -> None:
        self.speech = SpeechReader(on_text, manner)
        self._provider = manner.provider
        self._refusal: list[str] = []
        self._on_text = on_text
        self._added: dict[str, Any] = {}
        self._dropped = 0
        self._finish = ""
        self._is_over = False
        self._usage: _Usage | None = None
        self._model = ""
        self._id = ""

    @property
    def finished(self) -> bool:
        """Whether the service said that it is over; without that, an ended stream was cut.

        Some never say why they stopped. Their end of the stream counts, where what came can be an answer.
        """
        speech = self.speech
        return bool(self._finish) or (
            self._is_over and speech.calls.are_whole and (speech.is_anything or bool(self._refusal))
        )

    @property
    def text(self) -> str:
        return self.speech.words or "".join(self._refusal)

    def take(self, data: bytes) -> LifeSign:
        """Add what an event brings; pieces of text are handed on at once."""
        if data == DONE:
            self._is_over = True
            return LifeSign.END
        if len(data) > _LONG_CHARS or not self._take_words(data):
            match data.strip():
                case b"" | b"null":
                    # some keep the line open so
                    return LifeSign.NOTHING
                case b"[DONE]":
                    return self.take(DONE)
            self.add(_chunk(data))
        return LifeSign.TOKEN

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
        if type(delta) is not dict:
            return False
        for key, value in delta.items():
            if value and key != "content" and key != "role":
                return False
        words, name, model = delta.get("content"), chunk.get("id"), chunk.get("model")
        if type(ends) is not str or not (type(words) is str or (words is None and ends)):
            return False
        if ends:
            self._finish = ends
        if not self._id and type(name) is str:
            self._id = name
        if not self._model and type(model) is str:
            self._model = model
        if words:
            self.speech.say(words)
        return True

    def take_whole(self, data: bytes) -> None:
        """Add a body that was not streamed."""
        chunk = _chunk(data)
        if not chunk.choices:
            raise NotTheProtocol("a body without a choice")
        self.add(chunk)

    def add(self, chunk: ChatChunk) -> None:
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
        spoken = self.speech.end()
        calls = spoken.calls.calls
        finish = _FINISH.get(self._finish, FinishReason.OTHER if self._finish else FinishReason.STOP)
        if calls and finish is FinishReason.STOP:
            finish = FinishReason.TOOL_CALLS
        unsaid = () if self._finish or not self._is_over else (AnswerRepair.NO_FINISH,)
        return LLMResponse(
            text=spoken.words or "".join(self._refusal),
            calls=calls,
            finish=finish,
            usage=with_thoughts(_counted(self._usage), spoken.thoughts),
            answered_by=self._model,
            response_id=self._id,
            dropped_calls=self._dropped + spoken.calls.dropped,
            reasoning=spoken.thoughts,
            added=self._to_send_back(bool(calls)),
            stopped_with="" if self._finish == finish else self._finish,
            repairs=(*unsaid, *spoken.repairs),
        )

    def _grow(self, delta: _Delta) -> None:
        self._think(delta)
        if isinstance(delta.content, str):
            if delta.content:
                self.speech.say(delta.content)
        elif isinstance(delta.content, list):
            for is_thought, piece in _parts(delta.content):
                (self.speech.think if is_thought else self.speech.say)(piece)
        if delta.refusal:
            self._refusal.append(delta.refusal)
            self._on_text(delta.refusal)
        self._dropped += delta.tool_calls.more
        for part in delta.tool_calls.items:
            function = part.function or _Function()
            self.speech.calls.take(
                CallPiece(
                    part.index,
                    part.id or "",
                    function.name or "",
                    function.arguments or "",
                    {key: value for key, value in _extra(part) if _is_added(key)} if part.model_extra else None,
                )
            )
        if delta.function_call is not None:
            function = delta.function_call
            self.speech.calls.take(CallPiece(0, "", function.name or "", function.arguments or ""))

    def _think(self, delta: _Delta) -> None:
        """Take what is thought, as words to read and as what has to go back."""
        if not delta.model_extra:
            return
        extra = dict(_extra(delta))
        for key in _THOUGHTS:
            if thought := "".join(piece for _, piece in _parts(extra.get(key))):
                self.speech.think(thought)
                break
        else:
            for key in ("reasoning_details", "thinking_blocks"):
                for _, piece in _parts(extra.get(key)):
                    self.speech.think(piece)
        for key, value in extra.items():
            if value and (key in _BESIDE_CALLS_KEYS or _is_added(key)):
                _gather(self._added, key, value)

    def _to_send_back(self, has_calls: bool) -> ProviderData | None:
        keys = [key for key in self._added if has_calls or key not in _BESIDE_CALLS_KEYS]
        if not keys:
            return None
        added = {key: self._added[key] for key in keys}
        return ProviderData(provider=self._provider, data=json_text(added))


def _extra(said: _Delta | _CallDelta) -> Iterator[tuple[str, Any]]:
    """Yield what a service says beyond the protocol."""
    yield from ((key, value) for key, value in (said.model_extra or {}).items() if value is not None)


def _is_added(key: str) -> bool:
    return key in _ADDED_KEYS or "signature" in key.lower() or "encrypted" in key.lower()


def _parts(value: Any, *, thought: bool = False) -> Iterator[tuple[bool, str]]:
    """Yield the texts in a content that may be a text, a part or a list of parts, and whether each is a thought."""
    if isinstance(value, str):
        yield from [(thought, value)] if value else []
    elif isinstance(value, list):
        for one in value:
            yield from _parts(one, thought=thought)
    elif isinstance(value, dict):
        thought = thought or value.get("type") in _THINKING_PARTS
        for key in ("text", "thinking", "reasoning", "summary", "content"):
            if isinstance(value.get(key), str | list):
                yield from _parts(value[key], thought=thought)
                return


def _gather(have: dict[str, Any], key: str, value: Any) -> None:
    """Add a piece of what has to go back whole: texts are joined, and what is numbered is joined by its number."""
    old = have.get(key)
    if isinstance(old, str) and isinstance(value, str):
        have[key] = old + value
    elif isinstance(old, dict) and isinstance(value, dict):
        have[key] = {**old, **value}
    elif isinstance(value, list):
        items = have.setdefault(key, [])
        if not isinstance(items, list):
            return
        for one in value:
            last = items[-1] if items else None
            if isinstance(last, dict) and isinstance(one, dict) and _continues(last, one):
                _extend(last, one)
            else:
                items.append(dict(one) if isinstance(one, dict) else one)
    else:
        have[key] = value


def _continues(last: Mapping[str, Any], one: Mapping[str, Any]) -> bool:
    """Say whether a part goes on with the one before: services send a part in pieces, under its number."""
    same = last.get("type") == one.get("type") and last.get("index") == one.get("index")
    return same and ("index" in one or last.get("signature") is None) and _may_be_same(last.get("id"), one.get("id"))


def _may_be_same(one: Any, other: Any) -> bool:
    return one is None or other is None or one == other


def _extend(last: dict[str, Any], one: Mapping[str, Any]) -> None:
    for key, value in one.items():
        old = last.get(key)
        if key in ("text", "summary", "data", "thinking") and isinstance(old, str) and isinstance(value, str):
            last[key] = old + value
        elif value is not None:
            last[key] = value


def _chunk(data: bytes) -> ChatChunk:
    chunk = parse_chunk(data)
    if chunk is None:
        raise NotTheProtocol("what the protocol does not allow")
    if chunk.error:
        raise ErrorInside(chunk.error)
    return chunk


def _counted(usage: _Usage | None) -> TokenUsage:
    if usage is None:
        return TokenUsage()
    return TokenUsage(
        input=usage.prompt_tokens,
        output=usage.completion_tokens,
        cached=usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else None,
        reasoning=usage.completion_tokens_details.reasoning_tokens if usage.completion_tokens_details else None,
    )
