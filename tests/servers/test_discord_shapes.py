"""Every shape of event passes through the gateway and the real library; those that end it are marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from tests.servers.discord import World
from tests.servers.discord.shapes import Scene, Shape, shapes
from tests.servers.discord_client import Stage, a_stage

TEXT = "!cortex why"


def built() -> list[Shape]:
    world = World()
    me, ann = world.bot(), world.person("Ann")
    return shapes(Scene.of(world.guild("Kitchen", ann, me).channel("support"), ann, me, TEXT))


SHAPES = built()
READABLE = [shape for shape in SHAPES if not shape.breaks]


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


def here(stage) -> dict[str, Shape]:
    return {shape.name: shape for shape in shapes(Scene.of(stage.support, stage.ann, stage.me, TEXT))}


async def test_the_library_takes_every_shape_that_is_not_marked(stage):
    told = [shape for shape in here(stage).values() if not shape.breaks]
    for shape in told:
        stage.server.gateway.push(shape.event, shape.data)
    stage.server.gateway.push("END", {})
    await stage.client.hears("socket_event_type", len(told) + 3)
    assert stage.client.told("gone") == []
    created = [shape for shape in told if shape.event == "MESSAGE_CREATE"]
    assert len(stage.client.told("message")) == len(created)


@pytest.mark.parametrize("name", [shape.name for shape in SHAPES if shape.breaks])
async def test_a_marked_shape_ends_the_library(stage, name):
    shape = here(stage)[name]
    stage.server.gateway.push(shape.event, shape.data)
    assert await stage.client.hears("gone") is not None


def test_there_is_one_of_each():
    assert max(Counter(shape.name for shape in SHAPES).values()) == 1
    assert len(SHAPES) > 90
    assert {shape.event for shape in SHAPES} >= {"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"}
    numbers = [shape.data["id"] for shape in SHAPES if shape.event == "MESSAGE_CREATE" and "id" in shape.data]
    assert len(set(numbers)) == len(numbers)


def test_what_counts_is_exactly_the_persons_own_plain_words():
    """Say over the wire form what may be a command, and compare it with what each shape claims."""
    for shape in SHAPES:
        data = shape.data if shape.event == "MESSAGE_CREATE" else {}
        author = data.get("author") or {"bot": True}
        whole = {"id", "channel_id"} <= set(data)
        own = not author.get("bot") and "webhook_id" not in data and data.get("type") in (0, 19)
        carried = "message_snapshots" in data or data.get("flags", 0) & (1 | 2 | 16384)
        starts = (data.get("content") or "").startswith(TEXT)
        assert shape.counts == bool(whole and own and not carried and starts), shape.name


def test_the_words_follow_the_scene():
    spoken = [shape for shape in SHAPES if TEXT in str(shape.data)]
    assert len(spoken) > 70
    assert {shape.name for shape in SHAPES if shape.counts} >= {"plain message", "private message", "reply"}
