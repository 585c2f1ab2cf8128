"""Looking shows what the model gets, of any known channel, and leaves no trace."""

from __future__ import annotations

import pytest

from bot.domain.base import digest
from bot.domain.health import QueueHealth
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.snapshot import CaptureKind, CountMethod
from bot.errors import UserError
from bot.inspect.capture.inspector import PLACEHOLDER, placeholder
from tests.fakes.contexts import Looking, Stack, ask, limits, says, talked, trigger
from tests.fakes.counter import WordCounter
from tests.fakes.memories import FakeMemories
from tests.fakes.values import KEY, MAIN, channel, memory
from tests.fakes.wires import FakeWires

OTHER = ChannelKey(MAIN, ChannelId("console:#ops"))


def looking(**changes) -> Looking:
    return Looking(talked(channel(), ("hi", "hello"), ("and?", "so")), **changes)


async def test_the_next_request_is_exact_up_to_the_message():
    look = looking()
    inspection = await look.inspector.inspect(KEY)
    real = trigger(says("are you there?", 9), at=look.clock.now() + 5000)
    turn = await look.stack.contexts.snapshot(ask(look.state, real))
    replaced = look.stack.contexts.assembled(inspection.snapshot.inputs.replace(trigger=real))
    assert replaced.digest == turn.digest
    assert PLACEHOLDER in inspection.request.messages[-1].text
    assert "exact up to the unknown message" in inspection.note
    assert inspection.numbers.stats.tokenizer.name == "words"
    assert inspection.wire.body and inspection.wire.sha256 == look.wires.encode(inspection.request).sha256


class NeverWarm(WordCounter):
    """A table that is never loaded."""

    async def warm(self, texts):
        assert self.ready, "a preview waits for no table"


@pytest.mark.parametrize("window", [128_000, 100])
async def test_a_preview_counts_by_bytes_until_the_table_is_there(window):
    counter = NeverWarm()
    look = looking(stack=Stack(counter=counter), limit=limits(window, 50))
    snapshot = await look.inspector.preview(KEY)
    assert snapshot is not None and snapshot.stats.tokenizer.method is CountMethod.BYTES
    counter.ready = True
    known = await look.inspector.preview(KEY)
    assert known is not None and known.stats.tokenizer.name == "words"


async def test_a_preview_of_what_was_never_heard_of_is_none():
    assert await looking().inspector.preview(OTHER) is None


async def test_an_inactive_channel_is_read_from_the_store():
    look = looking()
    look.stack.channels.states[OTHER] = talked(channel(OTHER, "#ops"), ("deploy", "done"))
    inspection = await look.inspector.inspect(OTHER)
    assert inspection.state.name == "#ops" and "deploy" in inspection.request.messages[0].text
    assert look.directory.get(OTHER) is None


async def test_a_channel_that_was_never_heard_of_is_said_to_be_so():
    with pytest.raises(UserError, match="never heard anything in console:#ops"):
        await looking().inspector.inspect(OTHER)


async def test_what_was_sent_is_shown_as_it_was_sent():
    look = looking()
    row = await look.send()
    look.state = talked(look.state, ("more", "talk"))
    for which in (CaptureKind.SENT, row):
        inspection = await look.inspector.inspect(KEY, which)
        record = (await look.stack.journal.request(row)).record
        assert inspection.digest == record.digest and inspection.stored.id == row
        assert inspection.wire.sha256 == record.wire_sha256 and inspection.wire.note == ""
        assert inspection.usage.input == 777
        assert inspection.note == f"sent: request {inspection.handle} as it went out"
        assert inspection.numbers.stats.tokenizer.name == "words"
    assert "more" not in inspection.request.model_dump_json()


async def test_an_encoder_that_writes_differently_now_is_said():
    look = looking()
    await look.send()
    sha = look.wires.encode((await look.stack.journal.request(1)).record.request).sha256
    look.wires = FakeWires(version=2)
    inspection = await look.inspector.inspect(KEY, CaptureKind.SENT)
    assert inspection.wire.sha256 == sha and inspection.wire.encoder == "fake/1"
    assert "fake/1 wrote the bytes that were sent; fake/2 writes the same request differently" in inspection.note


async def test_without_its_provider_a_request_is_still_shown():
    look = looking()
    look.wires.broken = True
    inspection = await look.inspector.inspect(KEY)
    assert inspection.wire.body == b"" and "bytes cannot be shown" in inspection.note
    assert inspection.request.messages


async def test_a_request_of_another_channel_is_refused_and_a_missing_one_too():
    look = looking()
    row = await look.send()
    look.stack.channels.states[OTHER] = channel(OTHER, "#ops")
    with pytest.raises(UserError, match="another channel"):
        await look.inspector.inspect(OTHER, row)
    with pytest.raises(UserError, match="The bot has sent no request"):
        await look.inspector.inspect(OTHER, CaptureKind.SENT)
    with pytest.raises(UserError, match="The bot has sent no request"):
        await look.inspector.inspect(KEY, 99)


async def test_the_round_that_runs_now_is_shown_with_its_rounds():
    look = looking()
    with pytest.raises(UserError, match="in flight"):
        await look.inspector.inspect(KEY, CaptureKind.IN_FLIGHT)
    look.directory.flying[KEY] = await look.stack.contexts.snapshot(ask(look.state))
    inspection = await look.inspector.inspect(KEY, CaptureKind.IN_FLIGHT)
    assert inspection.digest == look.directory.flying[KEY].digest
    assert inspection.note == "in flight: the request of the round that runs now"


async def test_looking_leaves_no_trace():
    look = looking(stack=Stack(memories=FakeMemories(memory("Ann likes tea."))))
    await look.send()
    before = (digest(look.directory.get(KEY)), list(look.stack.memories.kept), list(look.stack.journal.requests))
    first = await look.inspector.inspect(KEY)
    for which in (CaptureKind.NEXT, CaptureKind.SENT):
        await look.inspector.inspect(KEY, which)
    after = (digest(look.directory.get(KEY)), list(look.stack.memories.kept), list(look.stack.journal.requests))
    assert after == before
    assert (await look.inspector.inspect(KEY)).digest == first.digest


async def test_the_memories_that_a_request_names_come_with_it_also_when_they_are_forgotten_since():
    look = looking(stack=Stack(memories=FakeMemories(memory("Ann likes tea."), memory("Bob likes coffee."))))
    await look.send()
    look.stack.memories.forget(1)
    assert {m.id for m in (await look.inspector.inspect(KEY, CaptureKind.SENT)).memories} == {1, 2}
    assert {m.id for m in (await look.inspector.inspect(KEY)).memories} == {2}


async def test_the_status_says_what_waits_and_what_runs():
    look = looking()
    look.directory.queues[KEY] = QueueHealth(
        waiting=2, oldest_wait_ms=5000, running_turn=3, running_ms=61_000, running_what="request to simulated/echo"
    )
    status = (await look.inspector.inspect(KEY)).status
    assert "- Last turn: replied at" in status
    assert "- Queue: 2 waiting, the oldest for 5 s" in status
    assert "- Now: request to simulated/echo for 1 min" in status


def test_a_placeholder_is_marked():
    assert placeholder(0).placeholder and placeholder(0).messages[0].inbound == 0
