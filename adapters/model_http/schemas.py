"""Schemas of tools without the keywords that a service refuses; what a tool takes is checked by us in any case."""

from __future__ import annotations

from typing import Any

import orjson

SPARED_KEYWORDS = frozenset(
    {
        *("additionalProperties", "$schema", "$id", "$comment", "title", "default", "examples", "format", "pattern"),
        *("minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "patternProperties", "nullable"),
        *("propertyNames", "unevaluatedProperties", "unevaluatedItems", "dependentRequired", "dependentSchemas"),
        *("if", "then", "else", "not", "contains", "prefixItems", "const", "contentEncoding", "contentMediaType"),
        *("deprecated", "readOnly", "writeOnly", "strict"),
    }
)
"""Keywords that say nothing about where a value stands: without them a model knows less, and calls as before."""
_OF_NAMES = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
"""Under these stand names of values, which may be called like a keyword."""
_OF_VALUES = frozenset({"enum", "const", "default", "examples", "required"})


def without_keywords(schema: str, keywords: frozenset[str]) -> str:
    """Return the text of a schema without these keywords, wherever they stand; the very same where there are none."""
    if not keywords or not any(f'"{keyword}"' in schema for keyword in keywords):
        return schema
    try:
        return orjson.dumps(_without(orjson.loads(schema), keywords)).decode()
    except RecursionError:
        return schema


def _without(value: Any, keywords: frozenset[str]) -> Any:
    if isinstance(value, list):
        return [_without(one, keywords) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _inside(key, one, keywords) for key, one in value.items() if key not in keywords}


def _inside(key: str, value: Any, keywords: frozenset[str]) -> Any:
    if key in _OF_VALUES:
        return value
    if key in _OF_NAMES and isinstance(value, dict):
        return {name: _without(one, keywords) for name, one in value.items()}
    return _without(value, keywords)
