"""Cut a stream into server-sent events, and read values out of JSON that may hold anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from json import JSONEncoder
from typing import Annotated, TypeVar

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

_MAX_COUNT = 2**48
"""A service that counts more does not count; sums of such numbers still fit into any store."""

_LOOKED_AT_CHARS = 256
"""How many parts of one event are read; no model writes so many at once, and each would be an object."""
_MARK = b"\xef\xbb\xbf"
"""What some put before UTF-8; it may stand before the first line alone."""
_ANY_JSON = JSONEncoder(separators=(",", ":"))
_LINE_END = re.compile(rb"\r\n|\r|\n")
_SURROGATES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\."
)


class SseParser:
    """Cuts bytes into the data of server-sent events, however they were cut on the way.

    https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
    """

    def __init__(self) -> None:
        self._is_first = True
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._after_cr = False
        self.fields = 0

    def feed(self, chunk: bytes) -> Iterable[bytes]:
        """Take more bytes; return the data of every event that they complete."""
        if chunk.endswith(b"\n\n") and b"\r" not in chunk and not (self._line or self._data or self._after_cr):
            return self._whole(chunk)
        return self._cut(chunk)

    def _cut(self, chunk: bytes) -> Iterator[bytes]:
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

    def _whole(self, events: bytes) -> list[bytes]:
        """Take events that are whole, as nearly all arrive; each is one line as a rule."""
        found: list[bytes] = []
        for event in events.split(b"\n\n"):
            if event.startswith(b"data:") and b"\n" not in event:
                self.fields += 1
                found.append(event[5:].removeprefix(b" "))
            elif event:
                for line in (*event.split(b"\n"), b""):
                    found += self._take(line)
        return found

    def _take(self, line: bytes) -> Iterator[bytes]:
        if not line:
            if self._data:
                yield b"\n".join(self._data)
                self._data.clear()
            return
        if self._is_first:
            line, self._is_first = line.removeprefix(_MARK), False
        name, _, value = line.partition(b":")
        if name == b"data":
            self.fields += 1
            self._data.append(value.removeprefix(b" "))


def _natural(value: object) -> object:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_COUNT else None


def _listed(value: object) -> object:
    return value if isinstance(value, list) else []


def _table(value: object) -> object:
    return value if isinstance(value, dict) else None


def _words(value: object) -> object:
    return value if isinstance(value, str) else None


def json_text(value: object) -> str:
    """Write what was read from JSON as JSON again, also what only some can write: half characters, endless numbers."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return _ANY_JSON.encode(value)


def _raw_object(value: object) -> object:
    # an object where others send its text
    return json_text(value) if isinstance(value, dict | list) else _words(value)


def split_list(value: object) -> object:
    """Split a list that may have no end into as much as is looked at, and the number of the rest."""
    items = value if isinstance(value, list) else []
    return {"items": items[:_LOOKED_AT_CHARS], "more": max(0, len(items) - _LOOKED_AT_CHARS)}


Natural = Annotated[int | None, BeforeValidator(_natural)]
Words = Annotated[str | None, BeforeValidator(_words)]
RawObject = Annotated[str | None, BeforeValidator(_raw_object)]
Listed = BeforeValidator(_listed)
"""Before a list: whatever is none is an empty one."""
Table = BeforeValidator(_table)
"""Before a model: whatever is no table is absent."""


class AnswerPart(BaseModel):
    """Part of an answer; services add keys at will, and null stands for absent.

    How to check one is worked out later, because a start reads no answers.
    """

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True, defer_build=True)


S = TypeVar("S", bound=AnswerPart)


def read_json(model: type[S], data: bytes) -> S | None:
    """Read one event or body; None when it is not what the protocol allows."""
    try:
        return model.model_validate_json(data)
    except ValidationError:
        pass
    # half a character costs that character and not the answer, as bytes and as an escape
    data = data.decode("utf-8", "replace").encode()
    try:
        return model.model_validate_json(_SURROGATES.sub(_whole_character, data))
    except ValidationError:
        return None


def _whole_character(found: re.Match[bytes]) -> bytes:
    escape = found.group()
    return b"\\ufffd" if len(escape) == 6 else escape
