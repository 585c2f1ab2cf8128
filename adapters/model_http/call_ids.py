"""The names of tool calls as a service takes them: spelt its way, and each only once in a request.

Other services number the calls of every round from nought, and a conversation may have begun there.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from collections.abc import Callable
from functools import lru_cache

from bot.domain.messages import Message, Role

Spell = Callable[[str, int], str]
"""Writes a stored id in a service's way; the number says how often that was taken already in the request."""

_NOT_PLAIN = re.compile(r"[^a-zA-Z0-9_-]")
_NINE = re.compile(r"[a-zA-Z0-9]{9}")
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def plain_id(stored: str, times: int) -> str:
    """Write letters, digits, `_` and `-` as they are."""
    bare = _NOT_PLAIN.sub("_", stored) or "call"
    return f"{bare}_{times + 1}" if times else bare


@lru_cache(maxsize=8192)
def nine_id(stored: str, times: int) -> str:
    """Write nine letters and digits; an id that is so already stays, and others are always written alike."""
    if not times and _NINE.fullmatch(stored):
        return stored
    name = f"{times}:{stored}".encode("utf-8", "surrogatepass")
    number = int.from_bytes(hashlib.blake2b(name, digest_size=8).digest())
    return "".join(_DIGITS[number // 62**place % 62] for place in range(9))


class CallIds:
    """Names the calls of one request, and their results after them."""

    def __init__(self, spell: Spell) -> None:
        self._spell = spell
        self._used: set[str] = set()
        self._times: Counter[str] = Counter()
        self._waiting: dict[str, deque[str]] = {}

    def of(self, message: Message) -> tuple[str, ...] | None:
        """Return the names of a message's calls or results in order; None where they are what is stored.

        Messages come in their order, those of the user may be left out.
        """
        if message.role is Role.TOOL:
            stored = [result.call_id for result in message.results]
            names = [self._result(one) for one in stored]
        elif message.calls:
            self._waiting = {}
            stored = [call.call_id for call in message.calls]
            names = [self._call(one) for one in stored]
        else:
            return None
        return None if names == stored else tuple(names)

    def _call(self, stored: str) -> str:
        first = name = self._spell(stored, 0)
        while name in self._used:
            self._times[first] += 1
            name = self._spell(stored, self._times[first])
        self._used.add(name)
        self._waiting.setdefault(stored, deque()).append(name)
        return name

    def _result(self, stored: str) -> str:
        waiting = self._waiting.get(stored)
        return waiting.popleft() if waiting else self._spell(stored, 0)
