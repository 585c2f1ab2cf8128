"""Which process may call what, and what the models are told of it."""

from __future__ import annotations

import pytest

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.tools.read_channel_context import CapturePages
from bot.tools.runtime.executor import Executor, TurnCalls
from bot.tools.toolsets import CAPTURED_NEEDS, TOOLSETS
from tests.bot.agent.room import Room
from tests.bot.tools.kit import call, context
from tests.fakes.clock import FakeClock
from tests.fakes.provider import says

EVERY = [(kind, spec) for kind, specs in TOOLSETS.items() for spec in specs]
IDS = [f"{kind}-{spec.name}" for kind, spec in EVERY]


@pytest.mark.parametrize(("kind", "spec"), EVERY, ids=IDS)
async def test_every_tool_is_denied_to_whoever_lacks_a_right(kind, spec):
    room = Room(says(""))
    (bound,) = [tool for tool in room.toolbox.tools[kind] if tool.name == spec.name]
    lacking = [(other, Authority.OWNER) for other in ProcessKind if other not in spec.kinds]
    lacking += [(kind, tier) for tier in Authority if tier < spec.authority]
    for process, tier in lacking:
        bench = TurnCalls({spec.name: bound}, await context(authority=tier))
        bench.context = bench.context.__class__(
            bench.context.origin,
            bench.context.caller,
            bench.context.channels,
            bench.context.effects,
            bench.context.turn._replace(kind=process),
        )
        (result,) = (await Executor(FakeClock()).run([call(spec.name)], bench, 0)).results
        assert not result.ok and "not allowed here" in result.text


def test_inspections_only_read():
    assert all(spec.read_only for spec in TOOLSETS[ProcessKind.INSPECTION])
    # in the talk with an admin these only propose
    writing = [spec.name for spec in TOOLSETS[ProcessKind.CORTEX] if not spec.read_only]
    assert writing == ["memory_save", "memory_delete", "reload_tools", "spawn_worker"]
    assert not any(spec.read_only for spec in TOOLSETS[ProcessKind.CHANNEL][:4])


def test_a_kind_that_is_not_listed_gets_nothing():
    room = Room(says(""))
    for kind in set(ProcessKind) - set(TOOLSETS):
        assert room.toolbox.offered(kind, Authority.OWNER) == ()


@pytest.mark.parametrize(("kind", "spec"), EVERY, ids=IDS)
def test_what_a_model_is_told_of_a_tool(kind, spec, snapshot):
    room = Room(says(""))
    (bound,) = [tool for tool in room.toolbox.tools[kind] if tool.name == spec.name]
    assert bound.definition.description == snapshot(name="description")
    assert bound.definition.parameters == snapshot(name="parameters")


def test_a_capture_is_handed_in_by_its_process():
    assert CapturePages in CAPTURED_NEEDS
