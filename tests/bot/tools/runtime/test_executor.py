"""Running rounds of calls."""

from __future__ import annotations

import asyncio
from time import thread_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field
from structlog.testing import capture_logs

from bot.config.tool_groups import ToolsConfig
from bot.domain.access import Authority
from bot.domain.base import JsonText
from bot.domain.channel import ProcessKind
from bot.domain.llm import ToolDefinition
from bot.errors import DamagedRow, StoreError, ToolError
from bot.tools.runtime import tool as module
from bot.tools.runtime.call_environment import CallEnvironment
from bot.tools.runtime.effects import RecordedCall, SentMessage
from bot.tools.runtime.executor import (
    CallLimits,
    Executor,
    TurnCalls,
    cut_result,
    is_object,
    read_args,
    transcript_call,
    with_unique_ids,
)
from bot.tools.runtime.lag_sampler import LagSampler, SlowStep
from bot.tools.runtime.tool import Tool, ToolArgs, ToolContext, ToolSpec, bind_tool, schema_of, tool
from bot.tools.runtime.tool_grants import ToolGrants
from tests.bot.tools.kit import call, context
from tests.fakes.clock import START, FakeClock

CHANNEL = {ProcessKind.CHANNEL}
forever = asyncio.Event


class Note(ToolArgs):
    text: str = "x"
    more: float = 0


@tool(kinds=CHANNEL)
async def echo(args: Note, ctx: ToolContext) -> str:
    await asyncio.sleep(0)
    ctx.effects.add(SentMessage(args.text, ()))
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


@tool(kinds=CHANNEL)
async def odd(args: Note) -> str:
    match args.text:
        case "exit":
            raise SystemExit(1)
        case "memory":
            raise MemoryError
        case "group":
            raise ExceptionGroup("several", [ValueError("one")])
    return {"bytes": b"abc", "number": 3}.get(args.text)


@tool(kinds=CHANNEL)
async def flood(args: Note) -> str:
    text = "x" * 30_000_000
    if args.text == "fails":
        raise ToolError(text)
    return text


@tool(kinds=CHANNEL)
async def block(args: Note) -> str:
    await asyncio.sleep(0)
    hold_up()
    return "held"


@tool(kinds=CHANNEL)
async def block_aside(args: Note) -> str:
    loop = asyncio.get_running_loop()
    loop.call_soon(hold_up)
    await asyncio.sleep(0.1)
    return "held"


@tool(kinds=CHANNEL, group="web")
async def surf(args: Note) -> str:
    return "waves"


def hold_up() -> None:
    # of the processor: how long that takes by the clock is the machine's
    end = thread_time() + 0.08
    while thread_time() < end:
        pass


SPECS = (echo, refuse, crash, unplugged, torn, hang, give_up, admins_only, workers_only, odd, flood, block, surf)
SPECS += (block_aside,)
CALLS = st.tuples(
    st.sampled_from(["echo", "refuse", "crash", "torn", "give_up", "admins_only", "surf", "odd", "nobody", "", "a b"]),
    st.sampled_from(
        ["", "{}", '{"text":"a"}', '{"text":"b"}', "[1]", "{", "null", '{"ctx":1}', '{"text":1}', "\ud800"]
    ),
)


@pytest.fixture
async def bench(monkeypatch):
    monkeypatch.setattr(module, "render", lambda name: name)
    return TurnCalls({spec.name: bind_tool(spec, {}) for spec in SPECS}, await context())


def executor(**limits: int) -> Executor:
    return Executor(FakeClock(), CallLimits(**limits))


def records(bench: TurnCalls):
    return [called.record for called in bench.context.effects.of(RecordedCall)]


async def test_fifty_calls_at_once_lose_nothing_and_keep_the_models_order(bench):
    calls = [call("echo", {"text": f"{n}"}, f"c{n}") for n in range(50)]
    done = await executor(per_round=50).run(calls, bench, 0)
    assert [r.text for r in done.results] == [f"{n}" for n in range(50)]
    assert [r.call_id for r in done.results] == [f"c{n}" for n in range(50)]
    assert [r.order_index for r in records(bench)] == list(range(50))
    assert [s.text for s in bench.context.effects.of(SentMessage)] == [f"{n}" for n in range(50)]


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
    with capture_logs():
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


async def test_a_transcript_holds_no_more_calls_than_a_provider_takes_back(bench):
    done = await executor().run([call("echo", {"text": f"{n}"}, f"c{n}") for n in range(200)], bench, 0)
    assert len(done.calls) == len(done.results) == 128 and len(records(bench)) == 200
    assert [r.ok for r in done.results] == [True] * 64 + [False] * 64
    assert "Neither were the 72 calls after this one." in done.results[-1].text


async def test_a_turn_has_only_so_many_calls(bench):
    await executor().run([call("echo", {"text": f"{n}"}, f"c{n}") for n in range(4)], bench, 0)
    done = await executor(per_turn=5).run(
        [call("echo", {"text": "a"}, "a"), call("echo", {"text": "b"}, "b")], bench, 1
    )
    assert [r.ok for r in done.results] == [True, False]
    assert "used up" in done.results[1].text


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        ("bytes", "gave 3 bytes instead of text"),
        ("number", "gave int instead of text"),
        ("nothing", "gave NoneType instead of text"),
        ("exit", "odd broke (SystemExit)"),
        ("memory", "odd broke (MemoryError)"),
        ("group", "odd broke (ExceptionGroup)"),
    ],
)
async def test_odd_results_are_said_and_recorded(bench, gives, told):
    with capture_logs():
        done = await executor().run([call("odd", {"text": gives})], bench, 0)
    assert told in done.results[0].text and not done.results[0].ok
    assert [r.result_output for r in records(bench)] == [done.results[0].text]


async def test_a_flood_is_cut_before_anybody_reads_it(bench):
    run = Executor(FakeClock(), CallLimits(result_chars=20, kept_chars=40))
    done = await run.run([call("flood", {"text": "long"})], bench, 0)
    assert done.results[0].text == f"{'x' * 20}\n[cut: 29,999,980 of 30,000,000 characters are not shown]"
    assert records(bench)[0].result_output == f"{'x' * 40}\n[cut: 29,999,960 of 30,000,000 characters are not kept]"
    # so is what it says when it fails
    done = await run.run([call("flood", {"text": "fails"})], bench, 1)
    assert len(done.results[0].text) < 100 and not done.results[0].ok


async def test_a_model_that_supplies_a_context_gets_none(bench):
    done = await executor().run([call("echo", {"ctx": {"effects": []}, "text": "mine"})], bench, 0)
    assert done.results[0].text == "mine"
    assert records(bench)[0].raw_arguments_json == '{"ctx":{"effects":[]},"text":"mine"}'


async def test_who_holds_up_everything_is_named(bench):
    bench.context.effects.add(SentMessage("before", ()))
    with capture_logs() as logs:
        await executor().run([call("echo", call_id="a"), call("block", call_id="b")], bench, 0)
    (found,) = [log for log in logs if log.get("certain") and log["tools"] == "block"]
    assert (found["event"], found["log_level"]) == ("event_loop_blocked", "warning")
    assert found["ms"] > 50 and 1 in bench.context.effects.blocked


@pytest.mark.parametrize(
    ("step", "own"),
    [
        (SlowStep(0.06, 0.055, 0), True),  # it worked all that time
        (SlowStep(0.5, 0.06, 0), True),  # it worked too long, on a machine that is busy besides
        (SlowStep(0.16, 0.0, 1), True),  # it waited for something
        (SlowStep(0.16, 0.01, 0), False),  # somebody else had the processor
    ],
)
def test_a_busy_machine_is_nobodys_doing(step, own):
    lag = LagSampler()

    async def told():
        lag.blocked("echo", step)

    asyncio.run(told())
    assert [sample.certain for sample in lag.samples] == [own]


async def test_what_a_tool_starts_beside_itself_is_noticed_too(bench):
    run = executor()
    await run.run([call("block_aside")], bench, 0)
    samples = [sample for sample in run.calling.lag.samples if not sample.certain]
    assert any("block_aside" in sample.tools and sample.ms > 50 for sample in samples)
    assert run.calling.lag._timer is None


async def test_a_group_that_is_closed_when_the_call_comes_is_closed(bench):
    open_ = ToolsConfig.model_validate({"web": {"enabled": True, "authority": "everyone"}})
    for config, ok in ((ToolsConfig(), False), (open_, True)):
        run = Executor(FakeClock(), CallLimits(), CallEnvironment(grants=ToolGrants(config)))
        (result,) = (await run.run([call("surf", call_id=str(ok))], bench, 0)).results
        assert result.ok is ok
        assert ok or result.text == "surf is not allowed here: it is off (tools.web.enabled)."


async def test_equal_calls_are_equal_however_they_are_written(bench):
    written = [
        '{"text":"a","more":1}',
        '{ "more": 1, "text": "a" }',
        '{"more":1,"text":"a"}',
        '{"text":"a", "more":1}',
    ]
    run = executor()
    texts = [(await run.run([call("echo", one)], bench, n)).results[0].text for n, one in enumerate(written)]
    assert "was not run: the same call" in texts[3]


async def test_a_result_that_comes_after_the_call_was_over_changes_nothing(bench):
    bench.context.effects.at(7).add(SentMessage("in time", ()))
    late = bench.context.effects.at(8)
    late.seal()
    late.add(SentMessage("late", ()))
    bench.context.effects.close()
    bench.context.effects.at(9).add(SentMessage("later", ()))
    assert [said.text for said in bench.context.effects.of(SentMessage)] == ["in time"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=st.lists(st.lists(CALLS, min_size=1, max_size=6), min_size=1, max_size=4))
async def test_every_call_of_any_turn_has_one_result_and_one_record(rounds):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "render", lambda name: name)
        own = TurnCalls({spec.name: bind_tool(spec, {}) for spec in SPECS}, await context())
    run = Executor(FakeClock(), CallLimits(per_round=4, per_turn=12, result_chars=30))
    made = 0
    for number, wanted in enumerate(rounds):
        with capture_logs():
            done = await run.run([call(name, text, "same") for name, text in wanted], own, number)
        made += len(wanted)
        assert [result.call_id for result in done.results] == [one.call_id for one in done.calls]
        assert len({result.call_id for result in done.results}) == len(wanted)
        assert all(result.text for result in done.results)
    kept = own.context.effects.records
    assert [record.order_index for record in kept] == list(range(made))
    asked = [(name, text) for wanted in rounds for name, text in wanted]
    assert [(record.tool_name, record.raw_arguments_json) for record in kept] == asked


async def test_a_long_result_is_cut_for_the_model_and_whole_in_the_record(bench):
    done = await executor(result_chars=10).run([call("echo", {"text": "0123456789abc"})], bench, 0)
    assert done.results[0].text == "0123456789\n[cut: 3 of 13 characters are not shown]"
    assert records(bench)[0].result_output == "0123456789abc"
    assert cut_result("short", 10) == "short"


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


class Look(ToolArgs):
    words: str = Field("", max_length=5)
    limit: int = Field(3, ge=1, le=9)


async def look(args: Look) -> str:
    return args.words


TOOL = Tool(
    ToolSpec("look", look, frozenset()),
    ToolDefinition(name="look", description="", parameters=JsonText(schema_of(Look))),
    Look,
    "args",
    None,
    {},
)

BROKEN = [
    "{", "}", "[]", "null", "42", '"text"', "words=tea", "{words: 'tea'}", '{"words": "tea"', '{"words": "tea",}',
    '```json\n{"words": "tea"}\n```', '{"words": "tea"} trailing', "{'words': 'tea'}", '{"limit": NaN}',
    '{"limit": Infinity}', '{"words": "\\ud800"}', "\x00", '{"a":' * 500, '{"words": "te\nta"}', "﻿{}",
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_no_object_is_quoted_back_and_repaired_in_the_transcript(text):
    with pytest.raises(ToolError, match="was not run"):
        read_args(TOOL, call("look", text))
    repaired = transcript_call(call("look", text))
    assert repaired.arguments == "{}"
    assert repaired.call_id == "c1"


@pytest.mark.parametrize("text", ["", "  ", "{}", '{"ctx": {"caller": "root"}}'])
def test_no_arguments_and_a_context_of_the_models_own_are_nothing(text):
    assert read_args(TOOL, call("look", text)) == Look()


def test_every_mistake_is_named():
    with pytest.raises(ToolError) as error:
        read_args(TOOL, call("look", {"words": "too long", "limit": "many", "memories": 1}))
    text = str(error.value)
    assert "`words`: " in text and "`limit`: " in text and "`memories` is not an argument" in text
    assert '"properties"' in text


def test_an_object_with_wrong_values_stays_as_it_was_written():
    wrong = call("look", {"limit": "many"})
    assert transcript_call(wrong) is wrong


def test_a_name_that_no_provider_takes_is_replaced():
    assert transcript_call(call("rm -rf /")).name == "unknown_tool"
    assert transcript_call(call("")).name == "unknown_tool"


def test_ids_are_made_unique_and_stay_so():
    calls = [call("a", call_id=i) for i in ("x", "x", "", "bad id", "call_2_1", "y" * 99)]
    named = with_unique_ids(calls, 2)
    assert [c.call_id for c in named] == ["x", "call_2_1", "call_2_2", "call_2_3", "call_2_4", "call_2_5"]
    assert with_unique_ids(calls, 2) == named


@given(st.lists(st.sampled_from(["a", "b", "", "call_0_1", "call_0_1_x", "!"]), max_size=12))
def test_any_ids_end_up_unique(ids):
    named = with_unique_ids([call("a", call_id=i) for i in ids], 0)
    assert len({c.call_id for c in named}) == len(ids)


@given(st.text(max_size=60))
def test_any_text_is_an_object_or_not(text):
    assert is_object(text) in {True, False}
