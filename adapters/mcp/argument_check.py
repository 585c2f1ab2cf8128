"""Check arguments against a JSON schema that somebody else wrote: bounded steps, no fetching, no costly patterns."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError, UnknownType  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]
from pydantic_core import from_json
from referencing import Registry
from referencing.exceptions import Unresolvable

from bot.domain.base import JsonText
from bot.errors import ToolServerError
from bot.sentences import later
from bot.text.text import excerpt

_STEPS_AT_ONCE, _MAX_STEPS = 500, 20_000
"""Some 15 ms, in which others wait; and half a second in a thread: more is a trap, or arguments that nobody meant."""
_MAX_PROBLEMS = 8
_PLAIN_PATTERN = re.compile(r"(?:[^\\()*+?{|]|\\[dwsDWS.\-/\\]|[*+?](?![*+?{]))*")
_MAX_PATTERN_CHARS, _MAX_MATCHED_CHARS = 100, 1_000

_SCHEMA_ERRORS = (
    SchemaError,
    UnknownType,
    Unresolvable,
    RecursionError,
    TypeError,
    ValueError,
    KeyError,
    AttributeError,
)

Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]


class _StepsUsedUp(Exception):
    """The steps are used up."""


class _Steps(threading.local):
    """How many steps the check of this thread has taken, and may take."""

    taken = 0
    most = _MAX_STEPS


_steps = _Steps()


def _counting_keyword(keyword: Keyword) -> Keyword:
    def counting(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        _steps.taken += 1
        if _steps.taken > _steps.most:
            raise _StepsUsedUp
        yield from keyword(validator, value, instance, schema) or ()

    return counting


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    # a pattern of somebody else can keep Python busy for hours: groups and alternatives are left to the server
    if not isinstance(instance, str) or not isinstance(pattern, str) or len(instance) > _MAX_MATCHED_CHARS:
        return
    if len(pattern) > _MAX_PATTERN_CHARS or not _PLAIN_PATTERN.fullmatch(pattern) or sum(map(pattern.count, "*+")) > 1:
        return
    try:
        if re.search(pattern, instance) is None:
            yield ValidationError(f"does not match {excerpt(pattern, 80)}")
    except re.error:
        return


def _left_out(*_: Any) -> None:
    """Leave a keyword to the server: checking it may cost anything."""


_OWN_KEYWORDS = dict.fromkeys(("format", "uniqueItems", "patternProperties"), _left_out)
_KEYWORDS = {**Draft202012Validator.VALIDATORS, **_OWN_KEYWORDS, "pattern": _pattern}
_Validator = extend(Draft202012Validator, {name: _counting_keyword(keyword) for name, keyword in _KEYWORDS.items()})


async def misfits(schema: JsonText, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what does not fit, a line each; raise ToolServerError when the schema cannot be used."""
    try:
        try:
            return _misfits(schema, arguments, _STEPS_AT_ONCE)
        except _StepsUsedUp:
            return await asyncio.to_thread(_misfits, schema, arguments, _MAX_STEPS)
    except _StepsUsedUp:
        raise ToolServerError(later("mcp_servers.arguments-take-too-long")) from None
    except _SCHEMA_ERRORS as error:
        raise ToolServerError(later("mcp_servers.bad-schema", why=type(error).__name__)) from None


def _misfits(schema: JsonText, arguments: Mapping[str, Any], most: int) -> tuple[str, ...]:
    _steps.taken, _steps.most = 0, most
    errors = islice(_make_validator(schema).iter_errors(dict(arguments)), _MAX_PROBLEMS)
    return tuple(map(_error_line, errors))


@lru_cache(maxsize=256)
def _make_validator(schema: JsonText) -> Any:
    return _Validator(from_json(schema), registry=Registry())


def _error_line(error: ValidationError) -> str:
    where = ".".join(map(str, error.absolute_path))
    said = excerpt(error.message, 200)
    return f"`{where}`: {said}" if where else said
