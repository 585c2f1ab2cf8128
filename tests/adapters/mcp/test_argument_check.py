"""Arguments against a schema that somebody else wrote: what fits, and that no schema can keep us busy."""

from __future__ import annotations

import time
from typing import Any

import pytest

from bot.domain.base import canonical_json
from bot.errors import ToolServerError

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")


async def misfits(schema: Any, arguments: dict[str, Any]) -> tuple[str, ...]:
    from adapters.mcp.argument_check import misfits as check

    return await check(canonical_json(schema), arguments)


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "arguments", "said"),
    [
        (of(a={"type": "integer"}), {"a": "x"}, "`a`: 'x' is not of type 'integer'"),
        (of(a={"type": "array", "items": {"type": "string"}}), {"a": ["x", 1]}, "`a.1`: 1 is not of type 'string'"),
        ({**of(), "required": ["b"]}, {}, "'b' is a required property"),
        (of(a={"enum": ["x", "y"]}), {"a": "z"}, "`a`: 'z' is not one of ['x', 'y']"),
        (of(a={"pattern": "^[a-z]+$"}), {"a": "A"}, "`a`: does not match ^[a-z]+$"),
    ],
)
async def test_what_does_not_fit_is_said(schema, arguments, said):
    assert await misfits(schema, arguments) == (said,)
    assert await misfits(of(a={}, b={}), arguments) == ()


@pytest.mark.parametrize("pattern", ["^(a+)+$", "(a|aa)+$", "^a*a*a*b", "[", "(?=a)", "a{1000,2000}", "a" * 200])
async def test_costly_patterns_are_left_to_the_server(pattern):
    began = time.process_time()
    assert await misfits(of(a={"pattern": pattern}), {"a": "a" * 900 + "!"}) == ()
    assert time.process_time() - began < 0.5


async def test_a_schema_that_would_take_forever_is_given_up():
    schema = of(a={"items": {"anyOf": [{"allOf": [{"type": "integer"}] * 40}, {"type": "null"}]}})
    with pytest.raises(ToolServerError, match="take too long to check"):
        await misfits(schema, {"a": [1] * 20_000})


@pytest.mark.parametrize(
    "schema",
    [{"$ref": "http://127.0.0.1:9/x"}, {"$ref": "#/nowhere"}, {"$ref": "#"}, {"type": 5}, {"type": "x"}, {"allOf": 5}],
)
async def test_a_schema_that_is_none_is_said_to_be_so(schema):
    with pytest.raises(ToolServerError, match="its schema cannot be used"):
        await misfits(schema, {"x": 1})
