"""Every shape of update passes through the server and the real library, and nothing of it is lost on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest
import telegram

from tests.servers.telegram import World
from tests.servers.telegram.shapes import Scene, Shape, shapes
from tests.servers.telegram_client import ALL, Stage, a_stage

TEXT = "!cortex why"


def built() -> list[Shape]:
    world = World()
    ann, bot = world.person("Ann", "ann"), world.bot()
    group, news = world.supergroup("kitchen", ann, bot), world.channel("news", ann)
    return shapes(Scene(group.json(), ann.user(), bot.user(), news.json(), TEXT))


SHAPES = built()


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


async def test_the_library_understands_every_shape(stage):
    for shape in SHAPES:
        stage.world.push(shape.update)
    updates = await stage.updates(allowed_updates=ALL)
    assert len(updates) == len(SHAPES)
    for shape, update in zip(SHAPES, updates, strict=True):
        part = getattr(update, shape.kind)
        assert part is not None, shape.name
        assert not update.api_kwargs and not part.api_kwargs, shape.name


def test_every_kind_of_update_is_there():
    assert {shape.kind for shape in SHAPES} >= set(telegram.constants.UpdateType)
    assert max(Counter(shape.name for shape in SHAPES).values()) == 1
    assert len(SHAPES) > 60


def test_what_counts_is_exactly_the_persons_own_plain_words():
    """Say over the wire form what may be a command, and compare it with what each shape claims."""
    for shape in SHAPES:
        message = shape.update.get("message", {})
        sender = message.get("from", {})
        strange = ("sender_chat", "forward_origin", "is_automatic_forward", "via_bot", "sender_business_bot")
        own = bool(sender) and not sender["is_bot"] and not any(name in message for name in strange)
        code = any(entity["type"] in ("pre", "code") for entity in message.get("entities", ()))
        starts = message.get("text", "").startswith(TEXT)
        assert shape.counts == (own and starts and not code), shape.name


def test_the_words_follow_the_scene():
    spoken = [shape for shape in SHAPES if TEXT in str(shape.update)]
    assert len(spoken) > 45
    assert {shape.name for shape in SHAPES if shape.counts} >= {"plain message", "private message", "reply"}
