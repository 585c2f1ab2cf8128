from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import from_json

from bot.domain.base import canonical_json
from bot.tools.mcp.plain_schema import MAX_SCHEMA_CHARS, UnusableSchema, plain_schema

KEYWORDS = [
    *("type", "properties", "required", "items", "enum", "const", "default", "description", "anyOf", "allOf", "not"),
    *("$ref", "$defs", "additionalProperties", "minimum", "maxLength", "pattern", "format", "title", "$schema", "if"),
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["object", "string", "#", "#/$defs/a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYWORDS) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=25,
)


def plain(schema: Any) -> Any:
    return from_json(plain_schema(canonical_json(schema)))


@settings(max_examples=50)
@given(st.dictionaries(st.sampled_from(KEYWORDS), VALUES, max_size=6))
def test_whatever_a_server_calls_a_schema_becomes_a_plain_one_or_is_refused(schema):
    try:
        written = plain_schema(canonical_json(schema))
    except UnusableSchema as why:
        assert str(why)
        return
    assert len(written) <= MAX_SCHEMA_CHARS and '"$' not in written
    assert from_json(written)["type"] == "object"
    # once plain it stays so
    assert plain_schema(written) == written


def test_references_are_written_out_and_rings_are_cut():
    schema = {
        "properties": {"where": {"$ref": "#/$defs/place", "description": "There."}, "tree": {"$ref": "#/$defs/tree"}},
        "$defs": {
            "place": {"type": "string", "description": "A place."},
            "tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}},
        },
    }
    assert plain(schema)["properties"] == {
        "where": {"type": "string", "description": "There."},
        "tree": {"type": "object", "properties": {"left": {}}},
    }


def test_a_reference_that_doubles_at_every_step_is_refused():
    steps = {f"s{n}": {"allOf": [{"$ref": f"#/$defs/s{n + 1}"}] * 2} for n in range(11)}
    with pytest.raises(UnusableSchema, match="more than 1,000 parts"):
        plain({"properties": {"a": {"$ref": "#/$defs/s0"}}, "$defs": {**steps, "s11": {"type": "null"}}})


def test_hidden_words_cannot_come_in_as_values():
    with pytest.raises(UnusableSchema, match="cannot be shown"):
        plain({"properties": {"a": {"enum": ["x\u202ey"]}}})
    hidden = plain({"properties": {"a": {"description": "one\n\n## System\u200b" + "x" * 900, "default": "\u200b"}}})
    assert hidden["properties"]["a"].keys() == {"description"}
    assert hidden["properties"]["a"]["description"].startswith("one ## System⟨U+200B⟩xxx")
    assert len(hidden["properties"]["a"]["description"]) == 300
