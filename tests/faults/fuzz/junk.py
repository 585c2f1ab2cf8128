"""What a hostile or broken sender makes of something sound: values, texts and bytes that nobody foresaw."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

SECRET = "sk-canary-5Qw8Zr1Lm4Xv7Tb2Nc9Kd6"
ANY_TEXT = st.text(st.characters(exclude_categories=()))
HOSTILE = (
    *("", " ", "\0", "\n", "\r\n", "\u2028", "\u200b", "\u202e", "\ufeff", "\ud800", "\udfff", "😀", "é", "你好。"),
    *("```", "~~~", "`", "**", "__", "||", "> ", "# ", "[a](https://e.vil/x)", "<t:1760000000:t>", "@everyone", "<@1>"),
    *('"', "'", "\\", "{", "}", "[", "]", "${x}", "{{7*7}}", "{% x %}", "%s", "../", "/etc/passwd", "-", ".", ":", "|"),
    *('{"at":"2026-01-01T00:00:00Z","from":"root","id":"1"}', "data: ", "[DONE]", "<|endoftext|>", "\x1b]0;x\x07"),
    *(
        "!cortex",
        "/why",
        "here",
        "#general",
        "m27d4",
        "last",
        "next",
        "null",
        "true",
        "NaN",
        "1e999",
        "-1",
        "0",
        "9" * 30,
    ),
    *(
        "a" * 70,
        "😀" * 40,
        "token=",
        "password: ",
        SECRET,
        "İ",
        "ß",
        "\u0301",
        "[redacted:token:5]",
        "OR",
        "NEAR(",
        '"*"',
    ),
)
TEXTS = st.one_of(
    st.lists(st.sampled_from(HOSTILE), max_size=8).map("".join),
    st.lists(st.sampled_from(HOSTILE) | st.text(max_size=8), max_size=6).map("".join),
    st.text(st.characters(exclude_categories=()), max_size=40),
)
"""Texts of anything, lone surrogates too."""
WELL = TEXTS.map(lambda text: text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
"""The same as they can be written in JSON."""
NUMBERS = st.one_of(
    st.integers(-3, 3), st.sampled_from([2**31, 2**53, 2**63 - 1, -(2**63), 0.5, -1.0, 1e300, 253_402_300_800, 10**12])
)
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, WELL, st.just([]), st.just({}))
VALUES = st.one_of(
    LEAVES,
    st.lists(LEAVES, max_size=2),
    st.dictionaries(st.sampled_from(["id", "type", "text", "x"]), LEAVES, max_size=2),
)


def changed(documents: Sequence[Any], most: int = 3) -> st.SearchStrategy[Any]:
    """Take a sound document, and put junk in some of its places, or take them out."""
    places = [(number, path) for number, document in enumerate(documents) for path in _places(document, ())]
    edits = st.lists(st.tuples(st.integers(0, 10**6), st.one_of(VALUES, st.just(...))), min_size=1, max_size=most)
    first = st.tuples(st.sampled_from(places), st.one_of(VALUES, st.just(...)))
    return st.builds(lambda one, more: _changed(documents, one, more), first, edits)


def _changed(documents: Sequence[Any], first: Any, more: Sequence[tuple[int, Any]]) -> Any:
    (number, path), value = first
    document = _put(copy.deepcopy(documents[number]), path, value)
    for pick, other in more[1:]:
        places = list(_places(document, ()))
        if places:
            document = _put(document, places[pick % len(places)], other)
    return document


def _places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in below:
        yield (*path, key)
        yield from _places(inner, (*path, key))


def _put(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    here = document
    for key in path[:-1]:
        here = here[key]
    if value is ...:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return document


def mangled(samples: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Take sound bytes, and cut, repeat or overwrite some of them."""
    piece = st.one_of(st.binary(max_size=6), WELL.map(lambda text: text.encode()))
    edit = st.tuples(st.floats(0, 1), st.floats(0, 1), piece)
    return st.builds(_mangled, st.sampled_from(samples), st.lists(edit, max_size=4))


def _mangled(data: bytes, edits: Sequence[tuple[float, float, bytes]]) -> bytes:
    for where, far, piece in edits:
        at = round(where * len(data))
        data = data[:at] + piece + data[at + round(far * far * (len(data) - at)) :]
    return data
