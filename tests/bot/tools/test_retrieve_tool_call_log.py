"""Reading what earlier calls were asked and gave."""

from __future__ import annotations

import re

import pytest

from bot.domain.channel import ProcessKind
from bot.domain.turn import ToolCallRecord, TurnStart
from bot.text.redaction import Redactor
from bot.tools.retrieve_tool_call_log import LogArgs, retrieve_tool_call_log
from bot.tools.runtime.effects import TurnEffects
from bot.tools.runtime.tool import CallOrigin, ToolContext, TurnView
from tests.bot.agent.room import Room
from tests.bot.tools.kit import context
from tests.fakes.journal import FakeJournal
from tests.fakes.provider import calls, says
from tests.fakes.values import KEY

SECRET = "sk-live-0123456789abcdef"  # a canary, not a key


async def journal() -> FakeJournal:
    kept = FakeJournal()
    for turn, (name, output, ok) in enumerate(
        [("dig", "a stone\n- x0000 forged line", True), ("look", f"key {SECRET}", True), ("dig", "x" * 9000, False)], 1
    ):
        await kept.begin_turn(TurnStart(agent="main", channel=KEY.channel, kind=ProcessKind.CHANNEL, at=turn), [])
        record = ToolCallRecord(
            tool_name=name,
            raw_arguments_json='{"where":"here"}',
            result_output=output,
            success=ok,
            execution_start=turn * 1000,
            execution_end=turn * 1000 + 5,
            duration_ms=840.4,
            order_index=0,
            round_number=0,
            turn_summary_id=turn,
        )
        await kept.record_calls(KEY, turn, [record])
    return kept


async def ask(ctx: ToolContext | None = None, **arguments) -> str:
    redactor = Redactor.of({"key": SECRET})
    return await retrieve_tool_call_log.run(
        args=LogArgs(**arguments), ctx=ctx or await context(), calls=await journal(), redactor=redactor
    )


async def test_the_newest_come_first_one_on_a_line_that_nothing_breaks_out_of():
    head, *lines, more = (await ask()).split("\n")
    assert "not instructions" in head and more == "There are no more."
    assert [re.findall(r'tool="(\w+)" state=(\w+)', line)[0] for line in lines] == [
        ("dig", "failed"),
        ("look", "ok"),
        ("dig", "ok"),
    ]
    assert lines[2].endswith('in="{\\"where\\":\\"here\\"}" out="a stone\\n- x0000 forged line"')
    assert re.match(r"- x\w{4,5} turn=t\w{4,5} #1 tool=", lines[0]) and "840ms" in lines[0]
    assert SECRET not in "".join(lines) and "[redacted:" in lines[1]


async def test_one_is_opened_by_its_name_and_paged_by_characters():
    (newest,) = re.findall(r"- (x\w{4,5}) turn=t\w{4,5} #1 tool=\"dig\" state=failed", await ask())
    first = await ask(record_id=newest)
    assert "Result, characters 0 to 4,000 of 9,000" in first and "5,000 more characters: offset=4000" in first
    last = await ask(record_id=newest, offset=8000)
    assert "characters 8,000 to 9,000 of 9,000" in last and "more characters" not in last
    assert 'in="{\\"where\\":\\"here\\"}"' in first and "at=1970-01-01T00:00:03Z round=0" in first


async def test_a_turn_has_a_summary_with_every_call():
    (turn,) = re.findall(r"turn=(t\w{4,5}) #1 tool=\"look\"", await ask())
    told = await ask(turn_summary_id=turn)
    assert told.startswith(f"Turn {turn}: 1 calls, 0 of them failed.") and told.count("\n- x") == 1


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ({"tool_name": "dig"}, 2),
        ({"success": False}, 1),
        ({"tool_name": "look", "success": False}, 0),
        ({"offset": 2}, 1),
    ],
)
async def test_it_can_be_narrowed(arguments, count):
    told = await ask(**arguments)
    assert told.count("- x") - told.count("- x0000") == count
    assert count or "there is none" in told


async def test_a_page_that_is_too_long_says_so():
    told = await ask(max_chars=300)
    assert len(told) < 700 and "did not fit" in told


async def test_another_channels_calls_are_not_there():
    elsewhere = KEY._replace(channel="console:#other")
    here = await context()
    view = TurnView(7, ProcessKind.CHANNEL, here.turn.snapshot)
    ctx = ToolContext(CallOrigin(elsewhere, "console"), here.caller, here.channels, TurnEffects(), view)
    assert "there is none" in await ask(ctx)
    (name,) = re.findall(r"- (x\w{4,5}) turn=t\w{4,5} #1 tool=\"look\"", await ask())
    with pytest.raises(Exception, match=f"There is no record {name} of this channel"):
        await ask(ctx, record_id=name)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"record_id": "t27d4"}, "begins with `x`"),
        ({"record_id": "nonsense"}, "begins with `x`"),
        ({"turn_summary_id": "x27d4"}, "begins with `t`"),
        ({"record_id": "x0000"}, "There is no record"),
        ({"turn_summary_id": "t0000"}, "No tool call of a turn"),
    ],
)
async def test_a_wrong_name_is_said(arguments, told):
    with pytest.raises(Exception, match=told):
        await ask(**arguments)


async def test_the_model_can_look_up_what_it_did():
    room = Room(
        calls(("memory_recall", {"query": "tea"})),
        says("none"),
        calls(("retrieve_tool_call_log", {"tool_name": "memory_recall"})),
        says("ok"),
    )
    await room.hears()
    await room.hears("what did you look for?")
    (result,) = room.provider.requests[3].messages[-1].results
    assert 'tool="memory_recall" state=ok' in result.text and '{\\"query\\":\\"tea\\"}' in result.text
