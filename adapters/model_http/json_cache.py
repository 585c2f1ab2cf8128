"""Ready-made JSON, so that what has not changed is not serialised again; and texts that no request can fail on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass, field
from typing import NamedTuple, TypeVar

import orjson

from bot.runtime.lru_cache import LRUCache

T = TypeVar("T")

_MAX_KEPT_BYTES = 2 * 1024 * 1024
"""For some 4,000 messages of the usual length, seventy chats of sixty each; what is not kept takes 2 us to make."""
_ENTRY_BYTES = 250
"""What keeping a fragment takes besides its bytes: its name, two headers, and its place in the order."""
_MAX_KEPT_BEGINNINGS = 16
_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_MAX_NAME_CHARS = 64


class BodyBeginning(NamedTuple):
    """The beginning of a body, and its SHA-256 so far; `whole` goes on from there."""

    text: bytes
    hashed: hashlib._Hash

    def whole(self, rest: Sequence[bytes]) -> tuple[bytes, str]:
        """Return the body with its hash in hex: a system prompt that stays is hashed once, not with every request."""
        tail, hashed = b"".join(rest), self.hashed.copy()
        hashed.update(tail)
        return self.text + tail, hashed.hexdigest()


@dataclass
class JsonFragments:
    """Ready-made JSON of messages, tools and texts under their digests; the least recently used go first.

    `most_bytes` is about what all of it takes in memory.
    """

    most_bytes: InitVar[int] = _MAX_KEPT_BYTES
    _kept: LRUCache[str, bytes] = field(init=False, repr=False)
    _begun: LRUCache[str, BodyBeginning] = field(init=False, repr=False)

    def __post_init__(self, most_bytes: int) -> None:
        self._kept = LRUCache(most_size=most_bytes, size=_takes)
        self._begun = LRUCache(_MAX_KEPT_BEGINNINGS)

    def get(self, key: str, make: Callable[[T], bytes], value: T) -> bytes:
        """Return the fragment named `key`, made of `value` only when it is not kept."""
        fragment = self._kept.get(key)
        if fragment is None:
            # a copy: what orjson returns still holds the whole buffer that it was written in, many times its size
            fragment = bytes(memoryview(make(value)))
            self._kept.put(key, fragment)
        return fragment

    def beginning(self, key: str, make: Callable[[T], bytes], value: T) -> BodyBeginning:
        """Return the beginning named `key`, made of `value` only when it is not kept; the last few are."""
        begun = self._begun.get(key)
        if begun is None:
            text = make(value)
            begun = BodyBeginning(text, hashlib.sha256(text))
            self._begun.put(key, begun)
        return begun

    def __len__(self) -> int:
        return len(self._kept)


def _takes(_: str, fragment: bytes) -> int:
    return _ENTRY_BYTES + len(fragment)


def plain(text: str) -> str:
    """Return a text that JSON can hold."""
    if text.isascii():
        return str(text)
    # lone surrogates are cleaned at ingress; here only so that no request whatever can fail
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def as_json(text: str) -> bytes:
    """Write a text as JSON."""
    return orjson.dumps(plain(text))


def is_object(text: str) -> bool:
    """Say whether a text is a JSON object that every server can parse."""
    # orjson refuses NaN, lone surrogates and anything deeper than 1024, which some servers cannot parse
    try:
        return isinstance(orjson.loads(text), dict)
    except ValueError:
        return False


def tool_name(name: str) -> str:
    """Return the name of a called tool as services take it; a model may have called anything."""
    return _NOT_IN_A_NAME.sub("_", name)[:_MAX_NAME_CHARS] or "unnamed"
