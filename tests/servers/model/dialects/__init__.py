"""What services really send, byte for byte, written by hand from how each of them does it.

A file is what must come of it, between two lines of `+++`, and the stream. `read` is what people must read, `calls`
what must run, `thought` what was thought, `beside` words beside calls, `added` and `call_added` what must go back,
`repairs` what had to be put right.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.servers.model.wire import EVENT_STREAM, Asked, Data, Head, Language, Pause, Wire


@dataclass(frozen=True)
class Dialect:
    """One stream, and what must come of it. It can be played as a reply, in pieces of so many bytes."""

    name: str
    stream: bytes
    service: str
    protocol: Language = "openai"
    read: str = ""
    calls: list[list[str]] = field(default_factory=list)
    thought: str = ""
    beside: str = ""
    added: str = ""
    call_added: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    stopped_with: str | None = None
    size: int = 0
    pause: float = 0.0

    def wire(self, asked: Asked) -> Wire:
        """Send the stream as it is, in pieces of `size` bytes with a `pause` between them."""
        size = self.size or len(self.stream)
        pieces = [self.stream[at : at + size] for at in range(0, len(self.stream), size)]
        steps = [
            step for piece in pieces for step in (Data(piece, token=True), Pause(self.pause)) if step != Pause(0.0)
        ]
        return (Head(headers=(("Content-Type", EVENT_STREAM),)), *steps)


@cache
def dialects() -> dict[str, Dialect]:
    """Return every stream by its name."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("*.sse")):
        _, head, stream = path.read_bytes().split(b"+++\n", 2)
        found[path.stem] = Dialect(path.stem, stream, **tomllib.loads(head.decode()))
    return found
