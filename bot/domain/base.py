"""Hold the two ideas that every stored value shares: it never changes, and its content is its name."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, NewType, Self

import orjson
from pydantic import BaseModel, ConfigDict

Digest = NewType("Digest", str)
JsonText = NewType("JsonText", str)


# one encoder for all: json.dumps makes a new one for every value
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


if TYPE_CHECKING:
    kept = cached_property
else:

    class kept(cached_property):
        """A property that is found once, without the lock of Python 3.11: whoever finds it too finds the same."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            found = instance.__dict__[self.attrname] = self.func(instance)
            return found


class FrozenModel(BaseModel):
    """A value: immutable, closed to unknown fields, compared by content.

    How to check and write one is worked out when that is first needed, because a start needs few of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, ignored_types=(kept,))

    def replace(self, **changes: Any) -> Self:
        """Return a validated copy; unlike `model_copy(update=...)`, bad values are refused."""
        current = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_validate({**current, **changes})

    def lighten(self) -> None:
        """Share the names of the fields that were given with other values: each has a set of them, up to 728 bytes.

        For values that stay in memory by the thousand. The set is only read: who changes a copy changes its own.
        """
        given = self.__pydantic_fields_set__
        object.__setattr__(self, "__pydantic_fields_set__", _GIVEN.setdefault(frozenset(given), given))


_GIVEN: dict[frozenset[str], set[str]] = {}
"""The sets that are shared; as many as there are ways in which our own code and our own JSON give fields."""


def complete_values() -> None:
    """Work out now how to check and write every value (0.1 s), so that no message waits; call it from a thread."""
    waiting: list[type[BaseModel]] = [BaseModel]
    for kind in waiting:
        if kind.model_config.get("defer_build"):
            # one that another thread is just defining is not whole yet
            with suppress(AttributeError):
                kind.model_rebuild()
        waiting += kind.__subclasses__()


def canonical_json(value: Any) -> JsonText:
    """Render a value so that equal content always gives equal text (sorted keys, no spaces, UTF-8 as it is)."""
    data = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return JsonText(_CANONICAL.encode(data))


def canonical_words(value: BaseModel) -> JsonText:
    """Render a value that holds no fractions: the same text as `canonical_json`, several times as fast."""
    data = value.model_dump(mode="json")
    try:
        return JsonText(orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode())
    except orjson.JSONEncodeError:
        # half characters, numbers beyond 64 bits: what the other writes is what counts
        return canonical_json(data)


def digest_text(text: str) -> Digest:
    """Name a text by its content: BLAKE2b, 16 bytes, 32 hex digits."""
    return Digest(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest())


def digest(value: Any) -> Digest:
    """Name a value by the digest of its canonical JSON."""
    return digest_text(canonical_json(value))


def digest_chain(*parts: str) -> Digest:
    """Name a sequence of names; used for requests and message lists, so that nothing is serialised again."""
    return digest_text("\x1f".join(parts))


def quarter_bytes(text: str) -> int:
    """Return a quarter of a text's UTF-8 bytes, rounded up; a token is at least one byte, and about four in English."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // 4)
