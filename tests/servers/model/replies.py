"""What the model can answer: words, calls, nothing, a refusal, an error, or bytes that mean nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import messages
from .completion import CREATED, PLAUSIBLE, Call, Chunks, Completion, Deltas, Usage
from .wire import EVENT_STREAM, HTML, JSON, Asked, Close, Data, Head, Raw, Wire, encode, whole

ERROR_TYPES = {
    401: "authentication_error",
    402: "insufficient_credits",
    403: "permission_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


@dataclass(frozen=True, slots=True)
class Says:
    """Say a text, in so many chunks or in the very chunks given."""

    text: str
    chunks: Chunks = 4
    finish_reason: str | None = "stop"
    usage: Usage | None = PLAUSIBLE
    reasoning: str = ""

    def __post_init__(self) -> None:
        """Refuse chunks that do not make up the text: such a test would lie."""
        if isinstance(self.chunks, tuple) and "".join(self.chunks) != self.text:
            raise ValueError("the chunks must join to the text")

    def wire(self, asked: Asked) -> Wire:
        """Lay the text out."""
        return Completion(
            content=self.text,
            chunks=self.chunks,
            finish_reason=self.finish_reason,
            usage=self.usage,
            reasoning=self.reasoning,
        ).wire(asked)


@dataclass(frozen=True, slots=True)
class Calls:
    """Call tools by (name, arguments as the model wrote them), so the JSON may be broken, cut or absent.

    Ids are unique over the server's life unless `ids` names them; `deltas` is how a stream deals them out.
    """

    tools: Sequence[tuple[str, str]]
    text: str = ""
    ids: Sequence[str] | None = None
    finish_reason: str | None = "tool_calls"
    usage: Usage | None = PLAUSIBLE
    deltas: Deltas = "in_order"

    def wire(self, asked: Asked) -> Wire:
        """Lay the calls out."""
        ids = self.ids or [f"call_{asked.at_index}_{number}" for number in range(len(self.tools))]
        calls = zip(ids, self.tools, strict=True)
        return Completion(
            content=self.text or None,
            calls=tuple(Call(identity, name, arguments) for identity, (name, arguments) in calls),
            finish_reason=self.finish_reason,
            usage=self.usage,
            deltas=self.deltas,
        ).wire(asked)


@dataclass(frozen=True, slots=True)
class Empty:
    """Say nothing at all, as reasoning models do that spent their tokens on thinking."""

    finish_reason: str | None = "stop"
    reasoning_tokens: int = 0
    content: str | None = ""

    def wire(self, asked: Asked) -> Wire:
        """Lay the silence out."""
        usage = Usage(reasoning_tokens=self.reasoning_tokens)
        return Completion(content=self.content, finish_reason=self.finish_reason, usage=usage).wire(asked)


@dataclass(frozen=True, slots=True)
class Declines:
    """Refuse in the message's own `refusal` field."""

    text: str = "I'm sorry, I can't help with that."

    def wire(self, asked: Asked) -> Wire:
        """Lay the refusal out."""
        return Completion(refusal=self.text).wire(asked)


@dataclass(frozen=True, slots=True)
class Fails:
    """Answer with an error status; `retry_after` goes into the header as it is, seconds or an HTTP date."""

    status: int
    code: str | int | None = None
    message: str = "The server had an error while processing your request."
    retry_after: float | str | None = None
    html: bool = False
    param: str | None = None
    kind: str | None = None

    @property
    def error(self) -> dict[str, Any]:
        """Build the `error` object that OpenAI-compatible servers send."""
        kind = self.kind or ERROR_TYPES.get(self.status)
        kind = kind or ("server_error" if self.status >= 500 else "invalid_request_error")
        return {"message": self.message, "type": kind, "param": self.param, "code": self.code}

    def told(self, asked: Asked) -> dict[str, Any]:
        """Build the whole body in the server's language."""
        if asked.language == "openai":
            return {"error": self.error}
        kind = self.kind or messages.ERROR_TYPES.get(self.status, "api_error")
        identity = f"req_{asked.at_index:04}"
        return {"type": "error", "error": {"type": kind, "message": self.message}, "request_id": identity}

    def wire(self, asked: Asked) -> Wire:
        """Lay the error out, the same for streamed requests and others."""
        heads = () if self.retry_after is None else (("Retry-After", _seconds(self.retry_after)),)
        if asked.language == "anthropic":
            heads += (("request-id", f"req_{asked.at_index:04}"),)
        if self.html:
            return whole(_page(self.status, self.message), HTML, self.status, heads)
        return whole(encode(self.told(asked)), JSON, self.status, heads)


@dataclass(frozen=True, slots=True)
class Garbage:
    """Send any bytes as the body, under the content type the client expects unless `kind` says otherwise."""

    body: bytes
    status: int = 200
    kind: str | None = None

    def wire(self, asked: Asked) -> Wire:
        """Lay the bytes out."""
        if self.kind is None and asked.streams:
            return Head(self.status, (("Content-Type", EVENT_STREAM),)), Data(self.body)
        return whole(self.body, self.kind or JSON, self.status)


@dataclass(frozen=True, slots=True)
class NotHttp:
    """Write bytes that are not HTTP, and close."""

    data: bytes = b"\x15\x03\x01\x00\x02\x02\x46"  # a TLS alert, as from a port that speaks https

    def wire(self, asked: Asked) -> Wire:
        """Lay the bytes out."""
        return Raw(self.data), Close()


@dataclass(frozen=True, slots=True)
class Drops:
    """Take the request and close the connection without a byte."""

    reset: bool = False

    def wire(self, asked: Asked) -> Wire:
        """Lay the closing out."""
        return (Close(self.reset),)


@dataclass(frozen=True, slots=True)
class Lists:
    """List models, as `GET /v1/models` does."""

    models: Sequence[str]

    def wire(self, asked: Asked) -> Wire:
        """Lay the list out."""
        if asked.language == "anthropic":
            return whole(encode(messages.listed(self.models)))
        rows = [{"id": name, "object": "model", "created": CREATED, "owned_by": "test"} for name in self.models]
        return whole(encode({"object": "list", "data": rows}))


def _seconds(wait: float | str) -> str:
    return wait if isinstance(wait, str) else f"{wait:g}"


def _page(status: int, message: str) -> bytes:
    return (
        f"<!DOCTYPE html>\n<html><head><title>{status}</title></head>\n<body>"
        f"<center><h1>{status} {message}</h1></center><hr><center>cloudflare</center></body></html>\n"
    ).encode()
