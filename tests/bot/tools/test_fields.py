"""Every field of the source's ToolContext and ToolCallRecord, read from inside a tool in a turn."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from bot.config import parse_config
from bot.config.config_view import ConfigView
from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.health import AdapterHealth, AdapterState
from bot.domain.messages import ImagePart
from bot.domain.snapshot import SectionFate, SectionStability, SectionTrace
from bot.ports.channels import AdapterView
from bot.ports.memories import HistorySearch, MemoryStore
from bot.ports.store import Store
from bot.text.redaction import Redactor
from bot.tools.runtime import tool as module
from bot.tools.runtime.background_tasks import BackgroundTasks
from bot.tools.runtime.effects import RequestedTools, SentFile, SentRich
from bot.tools.runtime.model_chain import ModelChain
from bot.tools.runtime.tool import ToolArgs, ToolContext, TurnView, tool
from bot.tools.runtime.toolbox import Toolbox
from tests.bot.agent.room import Room
from tests.fakes.memories import FakeMemories
from tests.fakes.provider import calls, says
from tests.fakes.values import GUILD, KEY, author, channel

CHANNEL = {ProcessKind.CHANNEL}
TOKEN = "canary-0123456789abcdef"  # not a key
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Nothing(ToolArgs):
    pass


class Field(ToolArgs):
    name: str


@tool(kinds=CHANNEL, on_demand=True)
async def extra(args: Nothing) -> str:
    return "extra"


@tool(kinds=CHANNEL)
async def stage(args: Nothing, ctx: ToolContext) -> str:
    ctx.effects.add(RequestedTools(("extra",)))
    ctx.effects.add(SentFile(PNG, "dot.png", "image/png", "https://files.example/dot.png", "p1"))
    ctx.effects.add(SentRich("a card about tea", "p2"))
    return f"staged {ctx.effects.staged}"


class Services:
    """What the tool below was handed."""

    def __init__(self, **found: Any) -> None:
        self.__dict__.update(found)


@tool(kinds=CHANNEL)
async def read(
    args: Field,
    ctx: ToolContext,
    store: Store,
    history: HistorySearch,
    memories: MemoryStore,
    background: BackgroundTasks,
    toolbox: Toolbox,
    llm: ModelChain,
) -> str:
    given = Services(
        store=store, history=history, memories=memories, background=background, toolbox=toolbox, llm=llm
    )  # fmt: skip
    return canonical_json((FIELDS | RECORD)[args.name][0](ctx, given))


@pytest.fixture(autouse=True)
def no_templates(monkeypatch):
    monkeypatch.setattr(module, "render", lambda name: f"about {name}")


def newest(ctx: ToolContext) -> Any:
    return ctx.effects.records[0]


HEALTH = AdapterHealth(name="console", state=AdapterState.UP, since=1)
Read = Callable[[ToolContext, Any], Any]
FIELDS: dict[str, tuple[Read, Any]] = {
    "platform": (lambda ctx, _: ctx.origin.platform, "console"),
    "channel_id": (lambda ctx, _: ctx.origin.key.channel, KEY.channel),
    "guild_id": (lambda ctx, _: ctx.origin.guild_id, GUILD.guild_id),
    "message_id": (lambda ctx, _: ctx.origin.message_id, "x1"),
    "adapter": (lambda ctx, _: ctx.channels.adapters()[ctx.origin.adapter].health.state.value, "up"),
    "observability_request_id": (lambda ctx, _: ctx.origin.correlation, handle(HandleKind.INBOUND, 1)),
    "user_id": (lambda ctx, _: ctx.caller.person.user_id, "77"),
    "user_name": (lambda ctx, _: ctx.caller.name, "ann"),
    "conversation_manager": (lambda ctx, _: ctx.channels.get(KEY).name, "#general"),
    "all_adapters": (lambda ctx, _: [view.name for view in ctx.channels.adapters().values()], ["console"]),
    "adapters_by_name": (lambda ctx, _: ctx.channels.adapters()["console"].capabilities.max_units, 4000),
    "injected_tools": (lambda ctx, _: ctx.effects.staged, []),
    "injected_tools_session": (lambda ctx, _: ctx.effects.injected, ["extra"]),
    "sent_files": (
        lambda ctx, _: [[len(one.data), one.filename, one.mimetype, one.file_url] for one in ctx.effects.of(SentFile)],
        [[len(PNG), "dot.png", "image/png", "https://files.example/dot.png"]],
    ),
    "sent_rich_messages": (
        lambda ctx, _: [[one.text, one.message_id] for one in ctx.effects.of(SentRich)],
        [["a card about tea", "p2"]],
    ),
    "tools_executed": (lambda ctx, _: ctx.effects.tools_executed, ["stage", "extra"]),
    "tool_call_records": (lambda ctx, _: [r.tool_name for r in ctx.effects.records], ["stage", "extra", "extra"]),
    "room_context": (lambda ctx, _: ctx.turn.snapshot.inputs.trigger.messages[-1].inbound, 1),
    "disclosed_skill_ids": (lambda ctx, _: ctx.turn.disclosed_skill_ids, []),
    "config": (
        lambda ctx, _: [ctx.turn.config["model.name"], ctx.turn.config["platforms.telegram.token"]],
        ['"simulated/simulated-1"', "(secret)"],
    ),
    "redis": (lambda _, given: given.store, "the store"),
    "message_cache": (lambda _, given: [type(given.history).__name__], ["FakeHistory"]),
    "kg_manager": (lambda _, given: isinstance(given.memories, FakeMemories), True),
    "threadweave": (lambda _, given: hasattr(given.memories, "edges"), True),
    "persona_pref_manager": (lambda _, given: hasattr(given.memories, "in_reach"), True),
    "visual_memory": (lambda _, given: hasattr(given.memories, "search"), True),
    "task_manager": (lambda _, given: given.background.rules.background_tasks, 8),
    "tool_registry": (lambda _, given: "read" in [one.name for one in given.toolbox.of(ProcessKind.CHANNEL)], True),
    "openrouter": (lambda _, given: str(given.llm.chain()[0]), "scripted/scripted-1"),
}
RECORD: dict[str, tuple[Read, Any]] = {
    "record_id": (lambda ctx, _: newest(ctx).record_id, 1000),
    "tool_name": (lambda ctx, _: newest(ctx).tool_name, "stage"),
    "raw_arguments_json": (lambda ctx, _: newest(ctx).raw_arguments_json, " { } "),
    "result_output": (lambda ctx, _: newest(ctx).result_output, "staged ('extra',)"),
    "success": (lambda ctx, _: newest(ctx).success, True),
    "execution_start": (lambda ctx, _: newest(ctx).execution_start > 0, True),
    "execution_end": (lambda ctx, _: newest(ctx).execution_end >= newest(ctx).execution_start, True),
    "duration_ms": (lambda ctx, _: newest(ctx).duration_ms >= 0, True),
    "order_index": (lambda ctx, _: [record.order_index for record in ctx.effects.records], [0, 1, 2]),
    "round_number": (lambda ctx, _: [record.round_number for record in ctx.effects.records], [0, 1, 1]),
    "turn_summary_id": (lambda ctx, _: newest(ctx).turn_summary_id, 1),
}


def test_there_are_as_many_as_the_source_has():
    assert (len(FIELDS), len(RECORD)) == (29, 11)


@pytest.mark.parametrize("name", [*FIELDS, *RECORD])
async def test_a_tool_can_read_it(name):
    text = f'[platforms.telegram]\ntoken = "{TOKEN}"'
    room = Room(
        calls(("stage", " { } ")),
        calls(("extra", {}), ("extra", {})),
        calls(("read", {"name": name, "ctx": "mine"})),
        says("ok"),
        tools=(read, stage, extra),
        extra={Store: "the store"},
        config_view=ConfigView(parse_config(text, {}), Redactor.of({"t": TOKEN})),
    )
    room.directory.states[KEY] = channel()
    can = room.delivery.capabilities("console")
    room.directory.views["console"] = AdapterView(name="console", capabilities=can, health=HEALTH)
    await room.hears(place=GUILD, author=author("77", "ann"))
    answer = room.provider.requests[3].messages[-1].results[0]
    assert answer.ok, answer.text
    assert orjson.loads(answer.text) == (FIELDS | RECORD)[name][1]


async def test_what_was_sent_stands_in_the_history_as_a_picture_or_in_words():
    for sees in (True, False):
        room = Room(calls(("stage", {})), says("there"), says("again"), tools=(stage, extra))
        room.models._limits = {}
        room.models._config = room.config.model_copy(update={"sees_images": sees})
        await room.hears()
        await room.hears("what did you send?")
        told = [message for message in room.provider.requests[-1].messages if "you_sent" in message.text]
        (note,) = told
        assert bool(note.images) is sees
        assert "a card about tea" in note.text and "dot.png" in note.text and '"id"' not in note.text
        if not sees:
            assert "[image dot.png, image/png" in note.text
        # it is there in the very next round, too, and is part of what is kept
        assert any("you_sent" in message.text for message in room.provider.requests[1].messages)
        (kept,) = [m for m in room.state.history if "you_sent" in m.text]
        assert isinstance(kept.parts[0], ImagePart)


async def test_what_is_added_is_offered_from_the_next_round_on_and_once_it_was_used_in_the_next_turn():
    room = Room(calls(("stage", {})), calls(("extra", {})), says("ok"), says("bye"), tools=(stage, extra))
    await room.hears()
    await room.hears("again")
    names = [[definition.name for definition in request.tools] for request in room.provider.requests]
    assert ["extra" in offered for offered in names] == [False, True, True, True]
    # what was offered before keeps its place, and what was sent is what was recorded and shown
    assert names[1][: len(names[0])] == names[0]
    assert [r.record.request.tools for r in room.journal.requests] == [r.tools for r in room.provider.requests]
    assert [r.tool_name for r in await room.journal.calls_of_turn(1)] == ["stage", "extra"]
    assert room.notes.rows == [], "what was sent can be assembled again"


def test_the_skills_that_were_listed_come_from_what_was_sent():
    source = "skill:tea@0a1b2c3d4e5f tea/SKILL.md"
    trace = SectionTrace(
        name="skills", stability=SectionStability.EPOCH, fate=SectionFate.KEPT, digest="d", sources=(source,)
    )

    class Sent:
        sections = (trace, trace.replace(name="identity"))

    view = TurnView(1, ProcessKind.CHANNEL, Sent())  # type: ignore[arg-type]
    assert view.disclosed_skill_ids == ("tea",)
