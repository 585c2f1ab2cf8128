"""A reply as steps on a wire: what the server is going to send, as a value one can print, cut and count."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Where = Literal["headers", "first_token", "between_tokens"]
Language = Literal["openai", "anthropic"]
"""Which protocol is spoken: chat completions or messages."""
Chunks = int | tuple[str, ...]

DONE_LINE = b"data: [DONE]"
LAST_LINES = (DONE_LINE, b'event: message_stop\ndata: {"type":"message_stop"}')
HEARTBEAT = b": OPENROUTER PROCESSING\n\n"
PING = b'event: ping\ndata: {"type": "ping"}\n\n'
EVENT_STREAM = "text/event-stream; charset=utf-8"
JSON = "application/json"
HTML = "text/html; charset=UTF-8"


@dataclass(frozen=True, slots=True)
class Head:
    """Send the status line and the headers; the body is chunked when `length` is None."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Data:
    """Send these bytes of the body with one write to the socket; `token` when they carry what the model says."""

    data: bytes
    token: bool = False


@dataclass(frozen=True, slots=True)
class Raw:
    """Write bytes under HTTP: no status line, no chunk framing."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait, but never past the closing of the server."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Hang:
    """Wait for `server.release()` or the closing, with a `beat` every `heartbeat` seconds."""

    heartbeat: float | None = None
    beat: bytes = HEARTBEAT


@dataclass(frozen=True, slots=True)
class Close:
    """Close the TCP connection as it stands, by RST instead of FIN when `reset`."""

    reset: bool = False


Step = Head | Data | Raw | Pause | Hang | Close
Wire = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reply may know about the request that it answers."""

    request: Mapping[str, Any]
    at_index: int = 0
    prompt_tokens: int = 0
    language: Language = "openai"
    cached_tokens: int = 0
    written_tokens: int = 0

    @property
    def model(self) -> str:
        """Name the model that was asked for."""
        return str(self.request.get("model", "unknown"))

    @property
    def streams(self) -> bool:
        """Say whether the client wants server-sent events."""
        return self.request.get("stream") is True

    @property
    def wants_usage(self) -> bool:
        """Say whether a stream must end with a usage chunk."""
        options = self.request.get("stream_options")
        return isinstance(options, dict) and options.get("include_usage") is True


class Reply(Protocol):
    """How the server behaves towards one request: a value that turns into steps."""

    def wire(self, asked: Asked) -> Wire:
        """Lay the reply out as steps; pure."""
        ...


def encode(value: object) -> bytes:
    """Write JSON as providers do: raw UTF-8, with escapes only when there are lone surrogates."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def event(value: object, token: bool = False, name: str = "") -> Data:
    """Frame one value as a server-sent event."""
    named = f"event: {name}\n".encode() if name else b""
    return Data(named + b"data: " + encode(value) + b"\n\n", token)


def pieces(text: str, chunks: Chunks) -> tuple[str, ...]:
    """Cut a text into so many pieces, or into the very pieces given."""
    if isinstance(chunks, tuple):
        return chunks
    size = max(1, -(-len(text) // chunks))
    return tuple(text[at : at + size] for at in range(0, len(text), size))


def stream(events: Iterable[Data]) -> Wire:
    """Send events as a chunked stream."""
    return (Head(headers=(("Content-Type", EVENT_STREAM),)), *events)


def whole(body: bytes, kind: str = JSON, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Wire:
    """Send one body of known length."""
    return (Head(status, (("Content-Type", kind), *headers), len(body)), Data(body))


def is_stream(wire: Wire) -> bool:
    """Say whether the wire carries server-sent events."""
    return any(isinstance(step, Head) and dict(step.headers).get("Content-Type") == EVENT_STREAM for step in wire)


def body_bytes(wire: Wire) -> bytes:
    """Join the bytes of the body."""
    return b"".join(step.data for step in wire if isinstance(step, Data))


def body_of(
    reply: Reply, request: Mapping[str, Any], at_index: int = 0, prompt_tokens: int = 0, language: Language = "openai"
) -> bytes:
    """Render the body a reply would send, so that a test knows every byte at which to cut it."""
    return body_bytes(reply.wire(Asked(request, at_index, prompt_tokens, language)))


def split(wire: Wire, before: Where) -> tuple[Wire, Wire]:
    """Part the steps before the headers, before the first byte of the body, or after half of the tokens.

    A body without tokens, as one that is not streamed, is parted in the middle.
    """
    if before == "headers":
        return (), wire
    parts = [at for at, step in enumerate(wire) if isinstance(step, Data)]
    if not parts:
        return wire, ()
    if before == "first_token":
        return wire[: parts[0]], wire[parts[0] :]
    if len(parts) == 1:
        return _split_inside(wire, parts[0])
    spoken = [at for at, step in enumerate(wire) if isinstance(step, Data) and step.token] or parts
    after = spoken[(len(spoken) - 1) // 2] + 1
    return wire[:after], wire[after:]


def _split_inside(wire: Wire, at: int) -> tuple[Wire, Wire]:
    step = wire[at]
    assert isinstance(step, Data)
    half = len(step.data) // 2
    return (*wire[:at], Data(step.data[:half])), (Data(step.data[half:]), *wire[at + 1 :])
