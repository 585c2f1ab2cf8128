"""How tools are written and bound."""

from __future__ import annotations

import functools
from typing import Literal

import orjson
import pytest
from pydantic import BaseModel, Field

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.errors import ConfigError
from bot.tools.runtime import tool as module
from bot.tools.runtime.tool import ToolArgs, ToolContext, ToolSpec, bind_tool, schema_of, tool
from tests.bot.tools.kit import context

CHANNEL = {ProcessKind.CHANNEL}


class Shape(BaseModel):
    title: str = "x"
    sides: int


class Wish(ToolArgs):
    """What is wanted."""

    title: str = Field(description="A name.")
    kind: Literal["a", "b"] = "a"
    shapes: tuple[Shape, ...] = ()


class Clockwork:
    pass


class Oracle:
    async def ask(self, args: Wish, *, ctx: ToolContext, clockwork: Clockwork) -> str:
        return f"{args.title} {ctx.turn.number} {type(clockwork).__name__}"


async def plain(args: Wish, ctx: ToolContext, clockwork: Clockwork) -> str:
    return f"{args.title} {ctx.turn.number} {type(clockwork).__name__}"


async def keyword_only(args: Wish, *, clockwork: Clockwork, room: ToolContext, **rest: object) -> str:
    return f"{args.title} {room.turn.number} {type(clockwork).__name__}{rest or ''}"


def logged(run):
    @functools.wraps(run)
    async def inner(*args, **kwargs):
        return await run(*args, **kwargs)

    return inner


async def with_more(args: Wish, more: str, ctx: ToolContext, clockwork: Clockwork) -> str:
    return f"{args.title} {ctx.turn.number} {type(clockwork).__name__}"


@pytest.fixture(autouse=True)
def no_templates(monkeypatch):
    monkeypatch.setattr(module, "render", lambda name: f"about {name}")


FORMS = {
    "function": plain,
    "keyword-only": keyword_only,
    "decorated": logged(plain),
    "bound method": Oracle().ask,
    "partial": functools.partial(with_more, more="x"),
}


@pytest.mark.parametrize("run", FORMS.values(), ids=FORMS)
async def test_every_form_of_function_gets_what_it_asks_for_and_shows_only_its_arguments(run):
    bound = bind_tool(tool(kinds=CHANNEL)(run), {Clockwork: Clockwork()})
    assert await bound.call(Wish(title="t"), await context()) == "t 7 Clockwork"
    schema = orjson.loads(bound.definition.parameters)
    assert set(schema["properties"]) == {"title", "kind", "shapes"}


def test_the_schema_has_nothing_that_only_the_check_needs_and_no_references_and_is_always_the_same():
    schema = orjson.loads(schema_of(Wish))
    assert schema == {
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": {"type": "string", "description": "A name."},
            "kind": {"type": "string", "enum": ["a", "b"]},
            "shapes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["sides"],
                    "properties": {"title": {"type": "string"}, "sides": {"type": "integer"}},
                },
            },
        },
    }
    assert schema_of(Wish) == schema_of(Wish)


def test_an_unmet_need_stops_the_start_with_both_names():
    with pytest.raises(ConfigError, match=r"tool `plain`: needs `clockwork: Clockwork`"):
        bind_tool(tool(kinds=CHANNEL)(plain), {})


def test_what_a_process_captures_is_handed_in_when_it_begins():
    bound = bind_tool(tool(kinds=CHANNEL)(plain), {}, captured={Clockwork})
    with pytest.raises(ConfigError, match="clockwork"):
        bound.supplied({})
    assert bound.supplied({Clockwork: Clockwork()}).missing == {}


def test_a_tool_without_arguments_or_with_a_ctx_argument_is_refused():
    async def nothing(ctx: ToolContext) -> str:
        return ""

    class Sly(ToolArgs):
        ctx: str

    async def sly(args: Sly) -> str:
        return ""

    for run in (nothing, sly):
        run.__globals__.update(Sly=Sly)
        with pytest.raises(ConfigError):
            bind_tool(tool(kinds=CHANNEL)(run), {})
    plain.__globals__.pop("Sly")


def test_nothing_is_allowed_that_is_not_named():
    spec: ToolSpec = tool(kinds=CHANNEL, authority=Authority.ADMIN)(plain)
    bound = bind_tool(spec, {Clockwork: Clockwork()})
    assert bound.allows(ProcessKind.CHANNEL, Authority.OWNER)
    assert not bound.allows(ProcessKind.CHANNEL, Authority.MODERATOR)
    assert not any(bound.allows(kind, Authority.OWNER) for kind in ProcessKind if kind is not ProcessKind.CHANNEL)


def test_the_context_stays_small():
    assert len(ToolContext.__dataclass_fields__) <= 5
