"""What can go wrong with any reply on its way: a wrapper around the reply, and wrappers nest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .completion import envelope
from .replies import Fails, Says
from .wire import (
    DONE_LINE,
    HEARTBEAT,
    LAST_LINES,
    PING,
    Asked,
    Close,
    Data,
    Hang,
    Head,
    Pause,
    Reply,
    Step,
    Where,
    Wire,
    event,
    is_stream,
    split,
)

LATE = Says("late")


@dataclass(frozen=True, slots=True)
class Hangs:
    """Stop at a point of the reply until `server.release()` sends the rest, or the server closes.

    In a stream, `heartbeat` sends a comment or a ping every so many seconds, which keeps a read timeout from firing.
    """

    before: Where = "headers"
    reply: Reply = LATE
    heartbeat: float | None = None

    def __post_init__(self) -> None:
        """Refuse a heartbeat where no body has begun."""
        if self.heartbeat is not None and self.before == "headers":
            raise ValueError("a heartbeat needs headers: hang before first_token or between_tokens")

    def wire(self, asked: Asked) -> Wire:
        """Lay the reply out with the hang in it."""
        sent, rest = split(self.reply.wire(asked), self.before)
        beats = self.heartbeat if is_stream(sent) else None
        return (*sent, Hang(beats, PING if asked.language == "anthropic" else HEARTBEAT), *rest)


@dataclass(frozen=True, slots=True)
class SlowBy:
    """Wait so many seconds at a point of the reply."""

    seconds: float
    reply: Reply
    before: Where = "headers"

    def wire(self, asked: Asked) -> Wire:
        """Lay the reply out with the pause in it."""
        sent, rest = split(self.reply.wire(asked), self.before)
        return (*sent, Pause(self.seconds), *rest)


@dataclass(frozen=True, slots=True)
class Cut:
    """Close the TCP connection after so many bytes of the body (chunk framing not counted).

    At 0 the headers went out; at the full length only the end of the HTTP message is missing; beyond it,
    nothing is cut.
    """

    at_byte: int
    reply: Reply
    reset: bool = False

    def wire(self, asked: Asked) -> Wire:
        """Lay the reply out up to the cut."""
        kept: list[Step] = []
        left = self.at_byte
        for step in self.reply.wire(asked):
            if not isinstance(step, Data):
                kept.append(step)
                continue
            kept.append(replace(step, data=step.data[:left]))
            left -= len(step.data)
            if left <= 0:
                return (*kept, Close(self.reset))
        return tuple(kept)


@dataclass(frozen=True, slots=True)
class NoDone:
    """End the stream without `[DONE]`, or without `message_stop`."""

    reply: Reply

    def wire(self, asked: Asked) -> Wire:
        """Leave the last event out."""
        steps = self.reply.wire(asked)
        return tuple(step for step in steps if not (isinstance(step, Data) and step.data.strip() in LAST_LINES))


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Send half of a stream, then an error inside it, as aggregators do after a 200 is out.

    A request that is not streamed gets the error's own status.
    """

    error: Fails
    reply: Reply

    def wire(self, asked: Asked) -> Wire:
        """Put the error event where the second half was."""
        steps = self.reply.wire(asked)
        if not is_stream(steps):
            return self.error.wire(asked)
        sent, _ = split(steps, "between_tokens")
        if asked.language == "anthropic":
            return (*sent, event(self.error.told(asked), name="error"))
        choice = {"index": 0, "delta": {"content": ""}, "finish_reason": "error"}
        error = {"code": self.error.code or self.error.status, "message": self.error.message}
        chunk = envelope(asked, "chat.completion.chunk") | {"error": error, "choices": [choice]}
        return (*sent, event(chunk), Data(DONE_LINE + b"\n\n"))


@dataclass(frozen=True, slots=True)
class Dribbles:
    """Write the body a few bytes at a time, across characters and lines."""

    size: int
    reply: Reply

    def wire(self, asked: Asked) -> Wire:
        """Cut every write into small ones."""
        return tuple(part for step in self.reply.wire(asked) for part in self._parts(step))

    def _parts(self, step: Step) -> Wire:
        if not isinstance(step, Data):
            return (step,)
        starts = range(0, len(step.data), self.size)
        return tuple(replace(step, data=step.data[at : at + self.size]) for at in starts)


@dataclass(frozen=True, slots=True)
class Crlf:
    """End SSE lines with CR LF, or with a lone CR, both of which the standard allows."""

    reply: Reply
    newline: bytes = b"\r\n"

    def wire(self, asked: Asked) -> Wire:
        """Rewrite the ends of lines; JSON holds no bare newline, so nothing else changes."""
        steps = self.reply.wire(asked)
        return _each_event(steps, lambda data: data.replace(b"\n", self.newline))


@dataclass(frozen=True, slots=True)
class Spaceless:
    """Write `data:{` without the space, which the standard allows."""

    reply: Reply

    def wire(self, asked: Asked) -> Wire:
        """Take the space out of every event."""
        return _each_event(self.reply.wire(asked), _spaceless)


@dataclass(frozen=True, slots=True)
class Commented:
    """Send a keep-alive comment before every event."""

    reply: Reply
    comment: bytes = HEARTBEAT

    def wire(self, asked: Asked) -> Wire:
        """Put the comments in."""
        return _each_event(self.reply.wire(asked), lambda data: self.comment + data)


@dataclass(frozen=True, slots=True)
class Headed:
    """Answer with headers of the test's choice, such as a skewed `Date`; they replace those of the reply."""

    headers: Mapping[str, str]
    reply: Reply

    def wire(self, asked: Asked) -> Wire:
        """Put the headers in."""
        return tuple(self._headed(step) if isinstance(step, Head) else step for step in self.reply.wire(asked))

    def _headed(self, head: Head) -> Head:
        named = {name.lower() for name in self.headers}
        kept = tuple(pair for pair in head.headers if pair[0].lower() not in named)
        return replace(head, headers=(*kept, *self.headers.items()))


def _spaceless(data: bytes) -> bytes:
    return data.replace(b"event: ", b"event:", 1).replace(b"data: ", b"data:", 1)


def _each_event(wire: Wire, rewrite: Callable[[bytes], bytes]) -> Wire:
    if not is_stream(wire):
        return wire
    return tuple(replace(step, data=rewrite(step.data)) if isinstance(step, Data) else step for step in wire)
