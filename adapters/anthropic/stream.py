"""Read what a Messages service sends back: server-sent events or one JSON body, from bytes to a response."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator

from adapters.exchange.events import Natural, RawObject, Said, Table, Words, read_json
from adapters.exchange.faults import ErrorInside, NotTheProtocol
from adapters.exchange.line import Heard
from bot.domain.llm import MOST_CALLS, FinishReason, LLMResponse, Usage
from bot.domain.messages import ToolCall
from bot.ports.model import OnText

_UNREADABLE = "what the protocol does not allow"
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


class _Block(Said):
    type: Words = None
    text: Words = None
    id: Words = None
    name: Words = None
    input: RawObject = None


def _blocks(value: object) -> object:
    """Split the blocks of a whole answer into those that are read, and the number of calls beyond them."""
    items = value if isinstance(value, list) else []
    kept: list[object] = []
    calls = 0
    for item in items:
        is_call = isinstance(item, dict) and item.get("type") == "tool_use"
        calls += is_call
        if not is_call or calls <= MOST_CALLS:
            kept.append(item)
    return {"items": kept, "more": max(0, calls - MOST_CALLS)}


class _Content(Said):
    items: tuple[_Block, ...] = ()
    more: int = 0


class _Delta(Said):
    type: Words = None
    text: Words = None
    partial_json: Words = None
    stop_reason: Words = None


class _Details(Said):
    thinking_tokens: Natural = None


class _Usage(Said):
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


class Message(Said):
    """A whole body, or what a stream begins with."""

    type: Words = None
    id: Words = None
    model: Words = None
    content: Annotated[_Content, BeforeValidator(_blocks)] = _Content()
    stop_reason: Words = None
    usage: Annotated[_Usage | None, Table] = None
    error: Any = None


class Event(Said):
    """One event of a stream."""

    type: Words = None
    index: Natural = None
    message: Annotated[Message | None, Table] = None
    content_block: Annotated[_Block | None, Table] = None
    delta: Annotated[_Delta | None, Table] = None
    usage: Annotated[_Usage | None, Table] = None
    error: Any = None


class _Call:
    """A tool call that is still growing. `given` is what it began with; a stream begins it empty."""

    def __init__(self, block: _Block) -> None:
        self.id = block.id or ""
        self.name = block.name or ""
        self.given = block.input or ""
        self.pieces: list[str] = []

    @property
    def arguments(self) -> str:
        """What the model wrote; a call without arguments has no piece at all."""
        return "".join(self.pieces) or self.given or "{}"


class Answer:
    """Grows with every event into the response. What the model thinks is not kept."""

    ending = "stop_reason"

    def __init__(self, on_text: OnText) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int | None, _Call] = {}
        self._dropped = 0
        self._stop = ""
        self._usage: dict[str, int] = {}
        self._model = ""
        self._id = ""

    @property
    def finished(self) -> bool:
        """Whether the service said why it stopped; without that, an ended stream was cut."""
        return bool(self._stop)

    @property
    def text(self) -> str:
        """The words so far."""
        return "".join(self._text)

    def take(self, data: bytes) -> Heard:
        """Add what an event brings; pieces of text are handed on at once."""
        if data == _DONE:
            return Heard.END
        event = read_json(Event, data)
        if event is None or event.type is None:
            raise NotTheProtocol(_UNREADABLE)
        return self._hear(event)

    def take_whole(self, data: bytes) -> None:
        """Add a body that was not streamed."""
        message = read_json(Message, data)
        if message is None:
            raise NotTheProtocol(_UNREADABLE)
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
        calls = tuple(
            ToolCall(call_id=call.id or f"call_{number}", name=call.name, arguments=call.arguments)
            for number, call in enumerate(self._calls)
        )
        finish = _FINISH.get(self._stop, FinishReason.OTHER)
        return LLMResponse(
            text=self.text,
            calls=calls,
            finish=FinishReason.TOOL_CALLS if calls and finish is FinishReason.STOP else finish,
            usage=self._counted(),
            answered_by=self._model,
            response_id=self._id,
            dropped_calls=self._dropped,
        )

    def _hear(self, event: Event) -> Heard:
        match event.type:
            case "error":
                raise ErrorInside(event.error)
            case "message_start":
                self._begin(event.message or Message())
                # the model has begun to read: no token yet
                return Heard.NOTHING
            case "content_block_start":
                return self._open(event.index, event.content_block or _Block())
            case "content_block_delta":
                return self._grow(event.index, event.delta or _Delta())
            case "content_block_stop":
                return Heard.TOKEN
            case "message_delta":
                self._stop = (event.delta and event.delta.stop_reason) or self._stop
                self._count(event.usage)
                return Heard.TOKEN
            case "message_stop":
                return Heard.END
            case _:
                # `ping`, and what may be added some day
                return Heard.NOTHING

    def _begin(self, message: Message) -> None:
        self._id = message.id or ""
        self._model = message.model or ""
        self._stop = message.stop_reason or ""
        self._count(message.usage)

    def _open(self, index: int | None, block: _Block) -> Heard:
        match block.type:
            case "text":
                self._say(block.text)
            case "tool_use" if len(self._calls) >= MOST_CALLS:
                # only counted: what comes for it afterwards has no place to go
                self._dropped += 1
                self._by_index.pop(index, None)
            case "tool_use":
                call = self._by_index[index] = _Call(block)
                self._calls.append(call)
            case _:
                return Heard.THOUGHT
        return Heard.TOKEN

    def _grow(self, index: int | None, delta: _Delta) -> Heard:
        match delta.type:
            case "text_delta":
                self._say(delta.text)
            case "input_json_delta":
                if index in self._by_index:
                    self._by_index[index].pieces.append(delta.partial_json or "")
            case _:
                return Heard.THOUGHT
        return Heard.TOKEN

    def _say(self, piece: str | None) -> None:
        if piece:
            self._text.append(piece)
            self._on_text(piece)

    def _count(self, usage: _Usage | None) -> None:
        # what comes later is the whole so far; some that translate into this protocol begin with noughts
        for name, count in (usage.counts if usage else {}).items():
            if count is not None:
                self._usage[name] = max(count, self._usage.get(name, 0))

    def _counted(self) -> Usage:
        """Return the counts; the service counts what it read from the cache or kept there apart from the input."""
        cached, written = (self._usage.get(f"cache_{what}_input_tokens") for what in ("read", "creation"))
        fresh = self._usage.get("input_tokens")
        return Usage(
            input=None if fresh is None else fresh + (cached or 0) + (written or 0),
            output=self._usage.get("output_tokens"),
            cached=cached,
            reasoning=self._usage.get("thinking_tokens"),
            written=written,
        )
