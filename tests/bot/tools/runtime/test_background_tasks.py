"""Calls that take longer than a turn waits."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.agent.turn.turn import TurnLimits
from bot.config.schema import CallsConfig
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.turn import CallState, ToolCallRecord
from bot.errors import StoreError, ToolError
from bot.tools.runtime import tool as module
from bot.tools.runtime.background_tasks import BackgroundTask, BackgroundTasks, TaskOwner
from bot.tools.runtime.effects import SentMessage
from bot.tools.runtime.tool import ToolArgs, ToolContext, tool
from tests.bot.agent.room import Room
from tests.fakes.provider import calls, says
from tests.fakes.values import KEY, channel

CHANNEL = {ProcessKind.CHANNEL}
QUICK = CallsConfig(inline_seconds=0.02)
GATES: dict[str, asyncio.Event] = {}


class Which(ToolArgs):
    gate: str = "a"
    ends: str = "well"


@tool(kinds=CHANNEL, timeout=60)
async def slow(args: Which, ctx: ToolContext) -> str:
    while True:
        try:
            await GATES.setdefault(args.gate, asyncio.Event()).wait()
            break
        except asyncio.CancelledError:
            if args.ends != "stubborn" or "end" in GATES:
                raise
    if args.ends == "badly":
        ctx.effects.add(SentMessage("late", ()))
        raise ToolError("it went badly")
    return f"what {args.gate} gave"


@tool(kinds=CHANNEL, timeout=60, no_background=True)
async def patient(args: Which) -> str:
    await GATES.setdefault(args.gate, asyncio.Event()).wait()
    return "waited for"


@tool(kinds=CHANNEL, timeout=60, authority=Authority.ADMIN)
async def secret_slow(args: Which) -> str:
    await GATES.setdefault(args.gate, asyncio.Event()).wait()
    return "the crown jewels"


@tool(kinds=CHANNEL)
async def open_gate(args: Which) -> str:
    GATES[args.gate].set()
    return "open"


TOOLS = (slow, patient, secret_slow, open_gate)


@pytest.fixture(autouse=True)
def no_templates(monkeypatch):
    monkeypatch.setattr(module, "render", lambda name: f"about {name}")
    GATES.clear()


def make(*script, **more) -> Room:
    return Room(*script, **{"calls": QUICK, "tools": TOOLS, **more})


def results(room: Room, request: int) -> list[str]:
    """What the tools of the round before a request gave."""
    return [result.text for result in room.provider.requests[request].messages[-1].results]


def task_of(request) -> str:
    """The newest task that the model was told of."""
    return re.findall(r"task (x\w{4,5})", request.messages[-1].results[-1].text)[-1]


async def records(room: Room, turn: int = 1):
    return await room.journal.calls_of_turn(turn)


async def test_a_slow_call_becomes_a_task_that_can_be_awaited():
    room = make(
        calls(("slow", {}), ("open_gate", {"gate": "b"})),
        lambda request: calls(("check_task", {"task": task_of_slow(request)}), ("open_gate", {})),
        lambda request: calls(("await_result", {"task": named[-1]})),
        says("done"),
    )
    GATES["b"] = asyncio.Event()
    named: list[str] = []

    def task_of_slow(request) -> str:
        named.append(re.findall(r"task (x\w{4,5})", request.messages[-1].results[0].text)[0])
        return named[-1]

    await room.hears()
    assert "goes on in the background" in results(room, 1)[0] and results(room, 1)[1] == "open"
    assert f"{named[0]} (slow) is RUNNING" in results(room, 2)[0]
    assert f"{named[0]} (slow) is COMPLETED" in results(room, 3)[0] and "what a gave" in results(room, 3)[0]
    kept = [(r.tool_name, r.success, r.is_at, r.result_output[:11]) for r in await records(room)]
    assert kept[0] == ("slow", True, CallState.OK, "what a gave")
    assert [name for name, *_ in kept] == ["slow", "open_gate", "check_task", "open_gate", "await_result"]
    assert len({r.record_id for r in await records(room)}) == 5
    assert room.said == ["done"]


async def test_what_is_still_running_when_the_turn_ends_can_be_asked_for_in_the_next():
    room = make(
        calls(("slow", {"ends": "badly"})),
        says("it takes a while"),
        calls(("check_task", {})),
        lambda request: calls(
            ("check_task", {"task": re.findall(r"\bx\w{4,5}", request.messages[-1].results[0].text)[0]})
        ),
        says("oh"),
    )
    await room.channel.take([room.arrives()])
    assert [r.is_at for r in await records(room)] == [CallState.RUNNING]
    assert (await records(room))[0].execution_start > 0
    GATES["a"].set()
    await room.tasks.idle()
    (kept,) = await records(room)
    assert (kept.is_at, kept.result_output) == (CallState.FAILED, "it went badly")
    # what it did after the turn was over is left out: nobody reads it any more
    assert room.said == ["it takes a while"] and room.journal.ends[0].reason == ""
    await room.hears("and?")
    assert "FAILED" in results(room, 3)[0]
    assert "it went badly" in results(room, 4)[0]


async def test_a_task_is_its_owners_alone():
    room = make(calls(("slow", {})), says("later"))
    await room.channel.take([room.arrives()])
    (task,) = room.turns.calling.background.of(TaskOwner(room.state.key))
    other = make(
        calls(("check_task", {"task": task.id}), ("await_result", {"task": task.id}), ("check_task", {})),
        says("nothing"),
        state=channel(id="console:#other"),
    )
    other.turns.calling.background.adopt(task)
    await other.hears(channel="console:#other")
    one, two, three = results(other, 1)
    assert f"There is no task '{task.id}' here" in one and "There is no task" in two
    assert three == "Nothing runs in the background, and nothing has ended there lately."
    await room.tasks.close()


async def test_who_may_not_use_a_tool_may_not_read_what_it_gave():
    tiers = [Authority.ADMIN, Authority.EVERYONE]
    room = make(
        calls(("secret_slow", {})),
        says("later"),
        lambda request: calls(("await_result", {"task": task.id})),
        says("no"),
        authority=Authority.ADMIN,
    )
    await room.channel.take([room.arrives()])
    (task,) = room.turns.calling.background.of(TaskOwner(room.state.key))
    GATES["a"].set()
    await room.tasks.idle()
    object.__setattr__(room.channel._shared, "authority", lambda person: tiers[1])
    await room.hears()
    assert "may not use" in results(room, 3)[0] and "jewels" not in results(room, 3)[0]


async def test_a_call_that_may_not_go_on_is_waited_for():
    room = make(calls(("patient", {})), says("good"))
    asyncio.get_running_loop().call_later(0.1, lambda: GATES["a"].set())
    await room.hears()
    assert results(room, 1) == ["waited for"]
    assert [r.is_at for r in await records(room)] == [CallState.OK]


async def test_a_task_that_is_not_wanted_any_more_is_stopped():
    room = make(
        calls(("slow", {})),
        lambda request: calls(("cancel", {"id": task_of(request)}), ("slow", {"gate": "b"})),
        says("stopped"),
    )
    await room.channel.take([room.arrives()])
    assert re.fullmatch(r"x\w{4,5} \(slow\) is CANCELLED\.", results(room, 2)[0])
    background = room.turns.calling.background
    assert [task.record.order_index for task in background.running(room.state.key)] == [2]
    await background.cancel(background.running(room.state.key))
    kept = {record.order_index: record.is_at.value for record in await records(room)}
    assert kept == {0: "cancelled", 1: "ok", 2: "cancelled"}


async def test_there_is_room_for_a_few_tasks():
    rules = CallsConfig(inline_seconds=0.02, background_tasks=1)
    room = make(calls(("slow", {}), ("slow", {"gate": "b"})), says("one of two"), calls=rules)
    await room.channel.take([room.arrives()])
    one, two = results(room, 1)
    assert "goes on in the background" in one
    assert "1 tasks go on in the background already" in two
    assert [r.is_at for r in await records(room)] == [CallState.RUNNING, CallState.FAILED]
    await room.tasks.close()


async def test_tasks_are_cancelled_when_the_bot_stops_and_their_records_say_so():
    room = make(calls(("slow", {})), says("later"))
    await room.channel.take([room.arrives()])
    await room.tasks.close()
    (kept,) = await records(room)
    assert (kept.is_at, kept.success, kept.result_output) == (CallState.CANCELLED, False, "cancelled while it ran")


async def test_waiting_ends_before_the_turn_does():
    limits = TurnLimits(rounds=10, seconds=0.4)
    room = make(
        calls(("slow", {})), lambda request: calls(("await_result", {"task": task_of(request)})), says("not yet"),
        limits=limits,
    )  # fmt: skip
    await room.channel.take([room.arrives()])
    assert "This turn has no more time" in results(room, 2)[0]
    assert room.said == ["not yet"]
    await room.tasks.close()


async def test_what_will_not_stop_is_left_behind_and_the_turn_goes_on(monkeypatch):
    monkeypatch.setattr("bot.tools.runtime.background_tasks.STOP_SECONDS", 0.02)
    monkeypatch.setattr("bot.runtime.tasks.MAX_GOODBYE_SECONDS", 0.02)
    rules = CallsConfig(inline_seconds=0.02, background_tasks=0)
    room = make(calls(("slow", {"ends": "stubborn"})), says("never mind"), calls=rules)
    await room.channel.take([room.arrives()])
    (kept,) = await records(room)
    assert "it did not stop when told to" in kept.result_output and not kept.success
    assert room.said == ["never mind"]
    GATES["end"] = asyncio.Event()
    left = [work for work in room.tasks._running if work.get_name() == "tool slow"]
    await room.tasks.close()
    for work in left:
        work.cancel()
    await asyncio.wait(left)


async def test_a_task_has_its_time():
    rules = CallsConfig(inline_seconds=0.02, background_seconds=0.1)
    room = make(calls(("slow", {})), says("later"), calls=rules)
    await room.hears()
    (kept,) = await records(room)
    assert (kept.is_at, kept.result_output) == (CallState.FAILED, "slow gave no result in 0.1 s and was stopped.")


async def test_without_words_nothing_of_a_task_is_kept_but_that_it_was():
    room = make(calls(("slow", {})), says("later"))
    object.__setattr__(room.turns, "keeps", lambda key: False)
    await room.channel.take([room.arrives()])
    GATES["a"].set()
    await room.tasks.idle()
    (kept,) = await records(room)
    assert (kept.tool_name, kept.result_output, kept.is_at) == ("slow", "", CallState.OK)


async def test_a_store_that_fails_later_is_reported():
    heard: list[BaseException] = []

    async def hear(name: str, error: BaseException) -> None:
        heard.append(error)

    async def broken(record) -> None:
        raise StoreError("disk")

    room = make(calls(("slow", {})), says("later"))
    room.tasks._on_failure = hear
    await room.channel.take([room.arrives()])
    room.journal.amend_call = broken
    GATES["a"].set()
    await room.tasks.idle()
    assert [str(error) for error in heard] == ["disk"]


async def test_a_turn_that_is_stopped_while_a_task_is_put_on_record_leaves_one_record_of_it():
    room = make(calls(("slow", {})), says("never"))
    keep, gate, begun = room.journal.record_calls, asyncio.Event(), asyncio.Event()

    async def slowly(*args):
        begun.set()
        await gate.wait()
        return await keep(*args)

    room.journal.record_calls = slowly
    turn = room.tasks.spawn("turn", room.channel.take([room.arrives()]))
    await begun.wait()
    assert room.channel.stop()
    await asyncio.sleep(0)
    gate.set()
    await asyncio.wait([turn])
    await room.tasks.idle()
    (kept,) = await records(room)
    assert (kept.is_at, kept.order_index) == (CallState.CANCELLED, 0)
    assert room.end.status.value == "cancelled"


async def test_what_goes_on_in_private_is_neither_seen_nor_stopped_with_the_conversation():
    background, never = BackgroundTasks(), asyncio.Event()
    record = ToolCallRecord(
        record_id=1, tool_name="slow", raw_arguments_json="{}", result_output="", success=True,
        execution_start=0, execution_end=0, duration_ms=0.0, order_index=0, round_number=0,
    )  # fmt: skip
    tool_ = make(says("yes")).toolbox.of(ProcessKind.CHANNEL)[0]
    work = background.start("slow", never.wait())
    mine = TaskOwner(KEY, 7, is_private=True)
    background.adopt(BackgroundTask(mine, tool_, record, work))  # type: ignore[arg-type]
    assert background.of(mine) and not background.running(KEY)
    for stranger in (TaskOwner(KEY), TaskOwner(KEY, 7), TaskOwner(KEY, 8, is_private=True)):
        assert not background.of(stranger) and background.get(stranger, handle(HandleKind.CALL, 1)) is None
    work.cancel()
