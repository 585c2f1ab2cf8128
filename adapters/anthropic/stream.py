"""Read what a Messages service sends back: server-sent events or one JSON body, from bytes to a response."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from pydantic import BeforeValidator

from adapters.anthropic.thoughts import added_blocks
from adapters.model_http.call_reader import CallPiece
from adapters.model_http.client import LifeSign
from adapters.model_http.errors import ErrorInside, NotTheProtocol
from adapters.model_http.speech import PLAIN, AnswerOptions, SpeechReader, with_thoughts
from adapters.model_http.sse import AnswerPart, Natural, RawObject, Table, Words, read_json
from bot.domain.llm import MAX_CALLS, FinishReason, LLMResponse, TokenUsage
from bot.domain.messages import ProviderData, ToolCall
from bot.domain.repairs import AnswerRepair
from bot.ports.model import OnText

_UNREADABLE_WORDS = "what the protocol does not allow"
_DONE = b"[DONE]"
"""Not of this protocol, but some that translate into it end with it."""

_FINISH = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "tool_use": FinishReason.TOOL_CALLS,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "refusal": FinishReason.CONTENT_FILTER,
}
"""`pause_turn` belongs to tools that run at the service, which are never asked for: like all others it is `other`."""


class _Block(AnswerPart):
    type: Words = None
    text: Words = None
    id: Words = None
    name: Words = None
    input: RawObject = None
    thinking: Words = None
    signature: Words = None
    data: Words = None


def _blocks(value: object) -> object:
    """Split the blocks of a whole answer into those that are read, and the number of calls beyond them."""
    items = value if isinstance(value, list) else []
    kept: list[object] = []
    calls = 0
    for item in items:
        is_call = isinstance(item, dict) and item.get("type") == "tool_use"
        calls += is_call
        if not is_call or calls <= MAX_CALLS:
            kept.append(item)
    return {"items": kept, "more": max(0, calls - MAX_CALLS)}


class _Content(AnswerPart):
    items: tuple[_Block, ...] = ()
    more: int = 0


class _Delta(AnswerPart):
    type: Words = None
    text: Words = None
    partial_json: Words = None
    thinking: Words = None
    signature: Words = None
    stop_reason: Words = None


class _Details(AnswerPart):
    thinking_tokens: Natural = None


class _Usage(AnswerPart):
    input_tokens: Natural = None
    output_tokens: Natural = None
    cache_creation_input_tokens: Natural = None
    cache_read_input_tokens: Natural = None
    output_tokens_details: Annotated[_Details | None, Table] = None

    @property
    def counts(self) -> dict[str, int | None]:
        """Every count by its name."""
        named = self.model_dump(exclude={"output_tokens_details"})
        return named | (self.output_tokens_details.model_dump() if self.output_tokens_details else {})


class MessageBody(AnswerPart):
    """A whole body, or what a stream begins with."""

    type: Words = None
    id: Words = None
    model: Words = None
    content: Annotated[_Content, BeforeValidator(_blocks)] = _Content()
    stop_reason: Words = None
    usage: Annotated[_Usage | None, Table] = None
    error: Any = None


class StreamEvent(AnswerPart):
    """One event of a stream."""

    type: Words = None
    index: Natural = None
    message: Annotated[MessageBody | None, Table] = None
    content_block: Annotated[_Block | None, Table] = None
    delta: Annotated[_Delta | None, Table] = None
    usage: Annotated[_Usage | None, Table] = None
    error: Any = None


class _Call:
    """A tool call that is still growing. `given` is what it began with; a stream begins it empty.

    `before` are the thoughts that stand right before it.
    """

    def __init__(self, block: _Block, before: list[dict[str, str]]) -> None:
        self.id = block.id or ""
        self.name = block.name or ""
        self.given = block.input or ""
        self.before = before
        self.pieces: list[str] = []


class AnthropicAnswer:
    """Grows with every event into the response."""

    ending = "stop_reason"

    def __init__(self, on_text: OnText, manner: AnswerOptions = PLAIN) -> None:
        self.speech = SpeechReader(on_text, manner)
        self._provider = manner.provider
        self._calls: list[_Call] = []
        self._by_index: dict[int | None, _Call] = {}
        self._thoughts: list[dict[str, str]] = []
        self._first_thoughts: list[dict[str, str]] = []
        self._thought_at: dict[int | None, dict[str, str]] = {}
        self._has_words = False
        self._dropped = 0
        self._stop = ""
        self._is_over = False
        self._usage: dict[str, int] = {}
        self._model = ""
        self._id = ""

    @property
    def finished(self) -> bool:
        """Whether the service said that it is over; without that, an ended stream was cut."""
        return bool(self._stop) or (self._is_over and (self.speech.is_anything or bool(self._calls)))

    @property
    def text(self) -> str:
        return self.speech.words

    def take(self, data: bytes) -> LifeSign:
        """Add what an event brings; pieces of text are handed on at once."""
        if data == _DONE:
            self._is_over = True
            return LifeSign.END
        if not data.strip():
            # some keep the line open so
            return LifeSign.NOTHING
        event = read_json(StreamEvent, data)
        if event is None or event.type is None:
            raise NotTheProtocol(_UNREADABLE_WORDS)
        return self._hear(event)

    def take_whole(self, data: bytes) -> None:
        """Add a body that was not streamed."""
        message = read_json(MessageBody, data)
        if message is None:
            raise NotTheProtocol(_UNREADABLE_WORDS)
        if message.error:
            raise ErrorInside(message.error)
        if message.type != "message":
            raise NotTheProtocol("a body without a message")
        self._begin(message)
        self._dropped += message.content.more
        for block in message.content.items:
            self._open(None, block)

    def response(self) -> LLMResponse:
        """Return what was said, as far as it came."""
        for number, call in enumerate(self._calls):
            self._hand_in(number, call)
        spoken = self.speech.end()
        calls = spoken.calls.calls
        finish = _FINISH.get(self._stop, FinishReason.OTHER if self._stop else FinishReason.STOP)
        if calls and finish is FinishReason.STOP:
            finish = FinishReason.TOOL_CALLS
        unsaid = () if self._stop or not self._is_over else (AnswerRepair.NO_FINISH,)
        return LLMResponse(
            text=spoken.words,
            calls=calls,
            finish=finish,
            usage=with_thoughts(self._counted(), spoken.thoughts),
            answered_by=self._model,
            response_id=self._id,
            dropped_calls=self._dropped + spoken.calls.dropped,
            reasoning=spoken.thoughts,
            added=self._to_send_back(calls),
            stopped_with="" if self._stop == finish else self._stop,
            repairs=(*unsaid, *spoken.repairs),
        )

    def _hand_in(self, number: int, call: _Call) -> None:
        """Let the pieces of a call be put together; what it began with is what it is where no piece came."""
        added = added_blocks(call.before)
        self.speech.calls.take(CallPiece(number, call.id, call.name, "", added))
        given = [call.given] if call.given not in ("", "{}") else []
        for piece in [*given, *filter(None, call.pieces)] or ["{}"]:
            self.speech.calls.take(CallPiece(number, arguments=piece))

    def _to_send_back(self, calls: tuple[ToolCall, ...]) -> ProviderData | None:
        """Return the thoughts that the answer begins with; they go back with calls alone."""
        added = added_blocks(self._first_thoughts) if calls else None
        return ProviderData(provider=self._provider, data=orjson.dumps(added).decode()) if added else None

    def _hear(self, event: StreamEvent) -> LifeSign:
        match event.type:
            case "error":
                raise ErrorInside(event.error)
            case "message_start":
                self._begin(event.message or MessageBody())
                # the model has begun to read: no token yet
                return LifeSign.NOTHING
            case "content_block_start":
                return self._open(event.index, event.content_block or _Block())
            case "content_block_delta":
                return self._grow(event.index, event.delta or _Delta())
            case "content_block_stop":
                self._thought_at.pop(event.index, None)
                return LifeSign.TOKEN
            case "message_delta":
                self._stop = (event.delta and event.delta.stop_reason) or self._stop
                self._count(event.usage)
                return LifeSign.TOKEN
            case "message_stop":
                self._is_over = True
                return LifeSign.END
            case _:
                # `ping`, and what may be added some day
                return LifeSign.NOTHING

    def _begin(self, message: MessageBody) -> None:
        self._id = message.id or ""
        self._model = message.model or ""
        self._stop = message.stop_reason or ""
        self._count(message.usage)

    def _open(self, index: int | None, block: _Block) -> LifeSign:
        match block.type:
            case "text":
                self._say(block.text)
            case "thinking" | "redacted_thinking":
                self._think(index, block)
                return LifeSign.THOUGHT
            case "tool_use" if len(self._calls) >= MAX_CALLS:
                # only counted: what comes for it afterwards has no place to go
                self._dropped += 1
                self._by_index.pop(index, None)
            case "tool_use":
                call = self._by_index[index] = _Call(block, self._taken_thoughts())
                self._calls.append(call)
            case _:
                return LifeSign.THOUGHT
        return LifeSign.TOKEN

    def _grow(self, index: int | None, delta: _Delta) -> LifeSign:
        match delta.type:
            case "text_delta":
                self._say(delta.text)
            case "thinking_delta" | "signature_delta":
                thought = self._thought_at.get(index)
                for key, piece in (("thinking", delta.thinking), ("signature", delta.signature)):
                    if piece and thought is not None:
                        thought[key] = thought.get(key, "") + piece
                if delta.thinking:
                    self.speech.think(delta.thinking)
                return LifeSign.THOUGHT
            case "input_json_delta":
                if index in self._by_index:
                    self._by_index[index].pieces.append(delta.partial_json or "")
            case _:
                return LifeSign.THOUGHT
        return LifeSign.TOKEN

    def _say(self, piece: str | None) -> None:
        if piece:
            if not self._has_words:
                self._first_thoughts += self._taken_thoughts()
                self._has_words = True
            self.speech.say(piece)

    def _think(self, index: int | None, block: _Block) -> None:
        kept = {"type": block.type or ""}
        kept |= {key: said for key in ("thinking", "signature", "data") if (said := getattr(block, key)) is not None}
        self._thoughts.append(kept)
        self._thought_at[index] = kept
        if block.thinking:
            self.speech.think(block.thinking)

    def _taken_thoughts(self) -> list[dict[str, str]]:
        """Return the thoughts that stand right before what comes now."""
        taken, self._thoughts = self._thoughts, []
        return taken

    def _count(self, usage: _Usage | None) -> None:
        # what comes later is the whole so far; some that translate into this protocol begin with noughts
        for name, count in (usage.counts if usage else {}).items():
            if count is not None:
                self._usage[name] = max(count, self._usage.get(name, 0))

    def _counted(self) -> TokenUsage:
        """Return the counts; the service counts what it read from the cache or kept there apart from the input."""
        cached, written = (self._usage.get(f"cache_{what}_input_tokens") for what in ("read", "creation"))
        fresh = self._usage.get("input_tokens")
        return TokenUsage(
            input=None if fresh is None else fresh + (cached or 0) + (written or 0),
            output=self._usage.get("output_tokens"),
            cached=cached,
            reasoning=self._usage.get("thinking_tokens"),
            written=written,
        )
