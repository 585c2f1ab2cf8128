"""Shorten JSON: arrays collapse and long texts are cut, then values go, then all but the outer keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from bot.task_prompt.truncate.rung import LadderRung, count_of

_KEY = re.compile(r'"((?:[^"\\\n]|\\.){1,100}+)"\s*+:')
_HUGE_NUMBER = re.compile(r"\d{20}")
_MAX_KEYS = 200
_MAX_KEY_CHARS = 60


class _Step(NamedTuple):
    """How much stays: items of an array, characters of a text (0: its kind only), levels."""

    name: str
    items: int
    characters: int
    levels: int


_STEPS = (
    _Step("arrays", 3, 200, 12),
    _Step("first items", 1, 60, 8),
    _Step("keys", 1, 0, 6),
    _Step("outer keys", 0, 0, 2),
)


def rungs(content: str, room: int) -> Iterator[LadderRung]:
    """Yield ever less of every value; a text that is no JSON gives its keys."""
    try:
        value = orjson.loads(content)
    except ValueError:
        yield from _broken(content)
        return
    rounded = "; numbers of twenty digits and more are rounded" if _HUGE_NUMBER.search(content) else ""
    if compact := _dumped(value):
        yield LadderRung("compact", compact, f"written without spaces, nothing is left out{rounded}")
    for step in _STEPS:
        text = _dumped(_shorter(value, step, 0))
        first = "the first item" if step.items == 1 else f"the first {step.items} items"
        kept = f"{first} of arrays" if step.items else "how long arrays are"
        texts = f"{step.characters} characters of texts" if step.characters else "the kinds of values"
        yield LadderRung(
            step.name, text, f"cut: all but {kept} and {texts}, {count_of(step.levels, 'level')} deep{rounded}"
        )


def _dumped(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        # it reads deeper values than it writes
        return ""


def _shorter(value: Any, step: _Step, level: int) -> Any:
    match value:
        case dict():
            if level >= step.levels and value:
                return f"{{{count_of(len(value), 'key')}}}"
            return {key[:_MAX_KEY_CHARS]: _shorter(below, step, level + 1) for key, below in value.items()}
        case list():
            if (level >= step.levels or not step.items) and value:
                return f"[{count_of(len(value), 'item')}]"
            kept = [_shorter(below, step, level + 1) for below in value[: step.items]]
            more = len(value) - step.items
            return [*kept, f"... {more:,} more"] if more > 0 else kept
        case str() if step.characters:
            over = len(value) - step.characters
            return f"{value[: step.characters]}... {over:,} more" if over > 0 else value
        case _:
            return value if step.characters else _kind(value)


def _kind(value: Any) -> str:
    return {str: "text", bool: "true or false", int: "number", float: "number"}.get(type(value), "null")


def _broken(content: str) -> Iterator[LadderRung]:
    keys = list(dict.fromkeys(_KEY.findall(content)))
    if not keys:
        return
    shown, more = keys[:_MAX_KEYS], len(keys) - _MAX_KEYS
    listed = ", ".join(shown) + (f", ... {more:,} more" if more > 0 else "")
    yield LadderRung("keys", f"keys: {listed}", "cut: all but the names of keys; it is not valid JSON")
