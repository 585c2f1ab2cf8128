"""Running rounds of calls."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.errors import DamagedRow, StoreError, ToolError
from bot.tools import tool as module
from bot.tools.effects import Called, Said
from bot.tools.executor import Bench, CallLimits, Executor, cut
from bot.tools.tool import Args, ToolContext, bind, tool
from tests.bot.tools.kit import call, context
from tests.fakes.clock import START, FakeClock

CHANNEL = {ProcessKind.CHANNEL}
forever = asyncio.Event


class Note(Args):
    text: str = "x"


@tool(kinds=CHANNEL)
async def echo(args: Note, ctx: ToolContext) -> str:
    await asyncio.sleep(0)
    ctx.effects.add(Said(args.text, ()))
    return args.text


@tool(kinds=CHANNEL)
async def refuse(args: Note) -> str:
    raise ToolError("no, because of the rain")


@tool(kinds=CHANNEL)
async def crash(args: Note) -> str:
    raise ZeroDivisionError("secret detail")


@tool(kinds=CHANNEL)
async def unplugged(args: Note) -> str:
    raise StoreError("disk")


@tool(kinds=CHANNEL)
async def torn(args: Note) -> str:
    raise DamagedRow("memory", 3)


@tool(kinds=CHANNEL, timeout=0.01)
async def hang(args: Note) -> str:
    await forever().wait()
    return "never"


@tool(kinds=CHANNEL)
async def give_up(args: Note) -> str:
    raise TimeoutError


@tool(kinds=CHANNEL, authority=Authority.ADMIN)
async def admins_only(args: Note) -> str:
    return "the crown jewels"


@tool(kinds={ProcessKind.WORKER})
async def workers_only(args: Note) -> str:
    return "the hammer"


SPECS = (echo, refuse, crash, unplugged, torn, hang, give_up, admins_only, workers_only)


@pytest.fixture
async def bench(monkeypatch):
    monkeypatch.setattr(module, "render", lambda name: name)
    return Bench({spec.name: bind(spec, {}) for spec in SPECS}, await context())


def executor(**limits: int) -> Executor:
    return Executor(FakeClock(), CallLimits(**limits))


def records(bench: Bench):
    return [called.record for called in bench.context.effects.of(Called)]


async def test_fifty_calls_at_once_lose_nothing_and_keep_the_models_order(bench):
    calls = [call("echo", {"text": f"{n}"}, f"c{n}") for n in range(50)]
    done = await executor(per_round=50).run(calls, bench, 0)
    assert [r.text for r in done.results] == [f"{n}" for n in range(50)]
    assert [r.call_id for r in done.results] == [f"c{n}" for n in range(50)]
    assert [r.order_index for r in records(bench)] == list(range(50))
    assert [s.text for s in bench.context.effects.of(Said)] == [f"{n}" for n in range(50)]


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("echo", "{broken", "not JSON"),
        ("echo", {"memories": 1}, "`memories` is not an argument"),
        ("nobody", {}, 'There is no tool "nobody" here. Tools: echo, '),
        ("refuse", {}, "no, because of the rain"),
        ("crash", {}, "crash broke (ZeroDivisionError)"),
        ("torn", {}, "not the same as finding nothing"),
        ("hang", {}, "gave no result in 0.01 s"),
        ("give_up", {}, "give_up broke (TimeoutError)"),
        ("admins_only", {}, "needs the authority admin"),
        ("workers_only", {}, "not allowed here"),
    ],
)
async def test_whatever_becomes_of_a_call_it_has_a_result_and_a_record(bench, name, arguments, told):
    asked = call(name, arguments)
    done = await executor().run([asked], bench, 3)
    (result,), (record,) = done.results, records(bench)
    assert told in result.text and not result.ok
    assert "secret detail" not in result.text and "jewels" not in result.text
    assert (record.tool_name, record.raw_arguments_json, record.success) == (name, asked.arguments, False)
    assert (record.result_output, record.round_number, record.turn_summary_id) == (result.text, 3, 7)
    assert record.execution_start == record.execution_end == START


async def test_a_cancelled_round_leaves_a_record_of_every_call(bench):
    calls = [call("echo", call_id="a"), call("hang", call_id="b")]
    running = asyncio.get_running_loop().create_task(executor().run(calls, bench, 0))
    for _ in range(5):
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert [(r.tool_name, r.success, r.result_output) for r in records(bench)] == [
        ("echo", True, "x"),
        ("hang", False, "cancelled while it ran"),
    ]


async def test_too_many_calls_are_refused_readably(bench):
    done = await executor(per_round=2).run([call("echo", {"text": f"{n}"}, f"c{n}") for n in range(4)], bench, 0)
    assert [r.ok for r in done.results] == [True, True, False, False]
    assert "at most 2 calls" in done.results[3].text
    assert len(records(bench)) == 4
    done = await executor(per_turn=5).run(
        [call("echo", {"text": "a"}, "a"), call("echo", {"text": "b"}, "b")], bench, 1
    )
    assert [r.ok for r in done.results] == [True, False]
    assert "used up" in done.results[1].text


async def test_a_long_result_is_cut_for_the_model_and_whole_in_the_record(bench):
    done = await executor(result_chars=10).run([call("echo", {"text": "0123456789abc"})], bench, 0)
    assert done.results[0].text == "0123456789\n[cut: 3 of 13 characters are not shown]"
    assert records(bench)[0].result_output == "0123456789abc"
    assert cut("short", 10) == "short"


async def test_equal_calls_are_warned_of_and_then_blocked(bench):
    run = executor()
    texts = [(await run.run([call("echo")], bench, n)).results[0].text for n in range(4)]
    assert texts[0] == "x" and "the same result as before" in texts[1] and "was not run" in texts[3]
    assert [r.success for r in records(bench)] == [True, True, True, False]


async def test_the_transcript_is_one_that_providers_take_back(bench):
    done = await executor().run([call("a b", "[1]", "same"), call("echo", "{", "same")], bench, 1)
    assert [(c.name, c.arguments, c.call_id) for c in done.calls] == [
        ("unknown_tool", "{}", "same"),
        ("echo", "{}", "call_1_1"),
    ]
    assert [r.call_id for r in done.results] == ["same", "call_1_1"]
    assert [r.raw_arguments_json for r in records(bench)] == ["[1]", "{"]


async def test_a_store_that_fails_ends_more_than_the_call_and_leaves_every_record(bench):
    asked = [call("unplugged", {}, "c0"), call("echo", {"text": "1"}, "c1")]
    with pytest.raises(StoreError, match="disk"):
        await executor().run(asked, bench, 0)
    assert records(bench)[0].result_output == "the store failed"
    assert len(records(bench)) == 2
