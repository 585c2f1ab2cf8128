"""Make of a schema that somebody else wrote one that every provider takes: bounded, plain, without references."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from bot.domain.base import JsonText, canonical_json
from bot.errors import WordedError
from bot.sentences import later
from bot.text.text import count_invisible, excerpt

MAX_SCHEMA_CHARS = 16_000
"""Characters of a whole schema; a tool that needs more is not offered."""
_MAX_NODES, _MAX_DEPTH = 1_000, 24
_MAX_DESCRIPTION_CHARS, _MAX_VALUE_CHARS, _MAX_ENUM = 300, 200, 200
_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_NUMBER_KEYS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SIZE_KEYS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_LIST_KEYS = ("anyOf", "oneOf", "allOf")
_TEXT_KEYS = ("format", "pattern")


class UnusableSchema(WordedError):
    """A schema that cannot be offered; the words say why."""


def plain_schema(text: JsonText) -> JsonText:
    """Return the schema that models see and arguments are checked against; raise UnusableSchema.

    References are written out; where one comes back to itself, anything fits. Keywords that are not known are left out.
    """
    schema = from_json(text)
    if not isinstance(schema, dict):
        raise UnusableSchema(later("mcp_servers.not-an-object"))
    made = _Plain(schema).node(schema, (), 0)
    if made.setdefault("type", "object") != "object":
        raise UnusableSchema(later("mcp_servers.arguments-not-an-object"))
    made.setdefault("properties", {})
    written = canonical_json(made)
    if len(written) > MAX_SCHEMA_CHARS:
        raise UnusableSchema(later("mcp_servers.schema-too-long", count=len(written), most=MAX_SCHEMA_CHARS))
    return written


class _Plain:
    def __init__(self, whole: Mapping[str, Any]) -> None:
        self._whole = whole
        self._left = _MAX_NODES

    def node(self, schema: Any, behind: tuple[str, ...], depth: int) -> dict[str, Any]:
        """Return one schema; `behind` are the references that led here."""
        self._left -= 1
        if self._left < 0:
            raise UnusableSchema(later("mcp_servers.too-many-parts", most=_MAX_NODES))
        if depth > _MAX_DEPTH:
            raise UnusableSchema(later("mcp_servers.nested-too-deep", most=_MAX_DEPTH))
        if not isinstance(schema, dict):
            # `true` and `false` are schemas too; hardly anything but an unclosed object is written with them
            return {}
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._followed(reference, schema, behind, depth)
        return {**_annotations(schema), **_limits(schema), **self._parts(schema, behind, depth)}

    def _followed(
        self, reference: str, schema: Mapping[str, Any], behind: tuple[str, ...], depth: int
    ) -> dict[str, Any]:
        said = _annotations(schema)
        if reference in behind:
            return said
        return {**self.node(_found(self._whole, reference), (*behind, reference), depth + 1), **said}

    def _parts(self, schema: Mapping[str, Any], behind: tuple[str, ...], depth: int) -> dict[str, Any]:
        made = self._properties(schema, behind, depth)
        for key in ("items", "additionalProperties", "not"):
            if isinstance(schema.get(key), dict):
                made[key] = self.node(schema[key], behind, depth + 1)
        if schema.get("additionalProperties") is False:
            made["additionalProperties"] = False
        for key in _LIST_KEYS:
            if isinstance(choices := schema.get(key), list) and choices:
                made[key] = [self.node(choice, behind, depth + 1) for choice in choices]
        return made

    def _properties(self, schema: Mapping[str, Any], behind: tuple[str, ...], depth: int) -> dict[str, Any]:
        properties, required = schema.get("properties"), schema.get("required")
        made: dict[str, Any] = {}
        if isinstance(properties, dict):
            for name in properties:
                if not _PROPERTY.fullmatch(name):
                    raise UnusableSchema(later("mcp_servers.refused-name", name=excerpt(name, 40)))
            made["properties"] = {name: self.node(one, behind, depth + 1) for name, one in properties.items()}
        if isinstance(required, list):
            known = made.get("properties", {})
            made["required"] = [name for name in required if isinstance(name, str) and name in known]
        return made


def _annotations(schema: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if isinstance(words := schema.get("description"), str) and words.strip():
        made["description"] = excerpt(words, _MAX_DESCRIPTION_CHARS)
    if "default" in schema and _is_plain(schema["default"]):
        made["default"] = schema["default"]
    return made


def _limits(schema: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {key: schema[key] for key in (*_NUMBER_KEYS, *_SIZE_KEYS) if _is_number(schema.get(key))}
    made |= {key: text for key in _TEXT_KEYS if isinstance(text := schema.get(key), str) and _is_plain(text)}
    kind = schema.get("type")
    if kind is not None:
        made["type"] = _type(kind)
    if "enum" in schema:
        made["enum"] = _values(schema["enum"])
    if "const" in schema:
        made["enum"] = _values([schema["const"]])
    return made


def _type(kind: Any) -> Any:
    kinds = kind if isinstance(kind, list) else [kind]
    if not kinds or not all(isinstance(one, str) and one in _TYPES for one in kinds):
        raise UnusableSchema(later("mcp_servers.unknown-type", type=excerpt(str(kind), 40)))
    return kind


def _values(values: Any) -> Sequence[Any]:
    if not isinstance(values, list) or not values:
        raise UnusableSchema(later("mcp_servers.no-values"))
    if len(values) > _MAX_ENUM or not all(map(_is_plain, values)):
        raise UnusableSchema(later("mcp_servers.values-not-shown", most=_MAX_ENUM))
    return values


def _is_plain(value: Any) -> bool:
    """Say whether a value can be shown as it is; one that has to be shown otherwise would be another value."""
    if isinstance(value, str):
        return len(value) <= _MAX_VALUE_CHARS and not count_invisible(value)
    return value is None or isinstance(value, bool) or _is_number(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _found(whole: Mapping[str, Any], reference: str) -> Any:
    """Follow a reference inside the schema; nothing is ever fetched."""
    if reference == "#":
        return whole
    if not reference.startswith("#/"):
        raise UnusableSchema(later("mcp_servers.refers-outside", reference=excerpt(reference, 60)))
    here: Any = whole
    for step in reference[2:].split("/"):
        here = here.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(here, dict) else None
    if here is None:
        raise UnusableSchema(later("mcp_servers.refers-nowhere", reference=excerpt(reference, 60)))
    return here
