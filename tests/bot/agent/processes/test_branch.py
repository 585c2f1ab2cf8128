"""Branches read, and report exactly once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.agent.processes.branch import Branch, BranchConclusion
from bot.agent.turn.turn import TurnJob, TurnLimits
from bot.config.schema import CallsConfig
from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.ids import PersonKey, UserId
from bot.domain.messages import Message, Role, TextPart
from bot.domain.snapshot import Trigger
from bot.domain.turn import CallState, TurnStatus
from bot.errors import ProviderFault, StoreError
from bot.inspect.capture.inspector import ChannelContextInspector
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.text.redaction import Redactor
from bot.tools.read_channel_context import CapturePages
from bot.tools.runtime.tool import CallOrigin
from tests.bot.agent.room import Room
from tests.fakes.channels import FakeChannels
from tests.fakes.contexts import talked
from tests.fakes.provider import calls, fails, says
from tests.fakes.reading import reading
from tests.fakes.values import KEY, channel, memory, outgoing

ADMIN = Caller(PersonKey("console", UserId("1")), "root", Authority.ADMIN)


async def captured(room: Room) -> InspectedContext:
    inspector = ChannelContextInspector(
        room.stack.contexts,
        room.journal,
        FakeChannels(room.state),
        room.directory,
        room.memories,
        room.models,
        room.answering.ask_for,
        room.clock,
    )
    return view_for_reader(await inspector.inspect(KEY), CaptureReader(reads_content=True), Redactor.of({}))


async def job(room: Room, **limits: Any) -> TurnJob:
    given = {CapturePages: reading(await captured(room))}
    question = Message(role=Role.USER, parts=(TextPart(text="why is it silent?"),), at=room.clock.now())
    return TurnJob(
        kind=ProcessKind.INSPECTION,
        state=room.state,
        trigger=Trigger(messages=(question,), at=room.clock.now()),
        tools=room.toolbox.offered(ProcessKind.INSPECTION, Authority.ADMIN, given),
        origin=CallOrigin(KEY, "console"),
        caller=ADMIN,
        channels=room.directory,
        limits=TurnLimits(**{"rounds": 12, "seconds": 5, "calls": 24, "tokens": 60_000, **limits}),
        chain=room.models.chain(),
        session=3,
    )


async def conclude(room: Room, job: TurnJob) -> BranchConclusion:
    """Think, and end the turn with the report."""
    branch = Branch(room.turns)
    found = await branch.conclude(job)
    assert await branch.end(()) is not None
    return found


def room_with_talk(*script: Any) -> Room:
    return Room(*script, state=talked(channel(), ("hi", "hello"), ("secret?", "no")))


async def test_it_reads_and_concludes_with_an_empty_history():
    room = room_with_talk(
        calls(("read_channel_context", {"channel_id": KEY.channel, "part": "history:1-2"})), says("because")
    )
    before = room.state
    found = await conclude(room, await job(room))
    await room.tasks.idle()
    assert (found.kind, found.text, found.requests, found.calls) == ("conclusion", "because", 2, 1)
    first, second = room.provider.requests
    assert [m.role for m in first.messages] == [Role.USER]
    assert "secret?" not in first.system_text + first.messages[0].text
    assert "hello" in second.messages[-1].results[0].text
    assert room.state is before
    assert room.notes.rows == []


async def test_its_requests_are_kept_under_its_own_kind_and_found_by_no_inspection():
    room = room_with_talk(says("because"))
    await conclude(room, await job(room))
    assert {r.record.kind for r in room.journal.requests} == {ProcessKind.INSPECTION}
    assert await room.journal.recent_requests(KEY, 9) == []
    assert (room.end.status, room.end.messages, room.end.settlements) == (TurnStatus.REPLIED, (), ())


@pytest.mark.parametrize("asked", ["console:#other", "", "here", "main/console:#general2", "discord:1:2"])
async def test_no_other_channel_can_be_read(asked):
    room = room_with_talk(calls(("read_channel_context", {"channel_id": asked})), says("hm"))
    await conclude(room, await job(room))
    (result,) = room.provider.requests[1].messages[-1].results
    assert not result.ok
    assert result.text == "Only the captured channel can be read here: console:#general."


async def test_there_is_no_tool_that_writes():
    room = room_with_talk(
        calls(("memory_save", {"content": "x", "type": "fact"}), ("reply", {"text": "x"}), ("skip", {})), says("hm")
    )
    room.memories.kept.clear()
    await conclude(room, await job(room))
    assert [r.ok for r in room.provider.requests[1].messages[-1].results] == [False, False, False]
    assert room.end.memories == () and room.said == [] and room.memories.kept == []


async def test_looking_into_memory_is_not_counted():
    room = room_with_talk(calls(("memory_recall", {})), says("hm"))
    await room.memories.add([memory("ann likes tea")])
    await conclude(room, await job(room))
    await room.tasks.idle()
    assert "ann likes tea" in room.provider.requests[1].messages[-1].results[0].text
    assert [m.access_count for m in room.memories.kept] == [0]


async def test_a_failure_is_a_report():
    room = room_with_talk(fails(ProviderFault.AUTH, "no key"))
    found = await conclude(room, await job(room))
    assert (found.kind, found.text) == ("failure", "provider: auth: no key")


async def test_time_that_runs_out_is_a_report():
    async def never(request):
        await asyncio.Event().wait()

    room = room_with_talk(never)
    found = await conclude(room, await job(room, seconds=0.05))
    assert (found.kind, room.end.status) == ("timeout", TurnStatus.FAILED)


async def test_a_store_that_fails_ends_more_than_the_branch():
    room = room_with_talk(says("hm"))
    wanted = await job(room)

    async def broken(*_):
        raise StoreError("disk full")

    room.journal.begin_turn = broken
    with pytest.raises(StoreError, match="disk full"):
        await conclude(room, wanted)


async def test_a_turn_is_open_until_its_report_is_kept():
    room = room_with_talk(says("because"))
    branch, owed = Branch(room.turns), (outgoing("because", "finding"),)
    assert await branch.end(owed) is None, "there is nothing to end yet"
    await branch.conclude(await job(room))
    assert room.journal.ends == []
    await branch.end(owed)
    assert (room.end.status, room.end.outbox, branch.reported) == (TurnStatus.REPLIED, owed, True)


async def test_whoever_cancels_ends_it_as_cancelled():
    async def never(request):
        await asyncio.Event().wait()

    room = room_with_talk(never)
    branch = Branch(room.turns)
    running = asyncio.get_running_loop().create_task(branch.conclude(await job(room)))
    for _ in range(20):
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await branch.end(())
    assert room.end.status is TurnStatus.CANCELLED


async def test_a_turn_that_was_begun_while_it_was_cancelled_is_ended_all_the_same():
    room, going = room_with_talk(says("hm")), asyncio.Event()
    branch, begin = Branch(room.turns), room.journal.begin_turn

    async def slow(*args):
        await going.wait()
        return await begin(*args)

    room.journal.begin_turn = slow
    running = asyncio.get_running_loop().create_task(branch.conclude(await job(room)))
    await asyncio.sleep(0)
    running.cancel()
    going.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    await branch.end(())
    assert room.end.status is TurnStatus.CANCELLED


async def test_uncached_tokens_and_calls_are_budgets():
    look = calls(("memory_recall", {"query": "x"}))
    room = room_with_talk(look)
    await conclude(room, await job(room, tokens=301))
    assert [r.tool_choice.value for r in room.provider.requests] == ["auto", "auto", "none"]
    assert 100 * len(room.provider.requests) <= 301, "the request that must answer is within the budget, too"
    room = room_with_talk(calls(*[("memory_recall", {"query": f"{n}"}) for n in range(5)]), says("enough"))
    found = await conclude(room, await job(room, calls=3))
    assert [r.ok for r in room.provider.requests[1].messages[-1].results] == [True, True, True, False, False]
    assert (found.kind, room.provider.requests[1].tool_choice.value) == ("conclusion", "none")


async def test_a_slow_look_of_an_admin_never_becomes_a_task_of_the_channel():
    room = room_with_talk(calls(("channel_recall", {"query": "secret"})), says("nothing"))
    room.turns.calling.background.rules = CallsConfig(inline_seconds=0.01)
    gate, search = asyncio.Event(), room.history.search

    async def waits(*args: Any) -> Any:
        asyncio.get_running_loop().call_later(0.05, gate.set)
        await gate.wait()
        return await search(*args)

    room.history.search = waits
    await conclude(room, await job(room))
    assert not room.turns.calling.background.going_on(KEY)
    (record,) = await room.journal.calls_of_turn(1)
    assert record.success and record.is_at is CallState.OK
