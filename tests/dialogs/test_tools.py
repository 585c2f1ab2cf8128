"""Tools as people and models meet them, in the whole bot."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import LedgerStage, Outcome
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from bot.domain.turn import CallState, ToolCallRecord
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.test_recap import SCRIPTED
from tests.fakes.clock import START
from tests.fakes.provider import ScriptedProvider, calls, says

QUICK = SCRIPTED + "\n[calls]\ninline_seconds = 0.05\n"


def asked(request: LLMRequest) -> str:
    return [m for m in request.messages if m.role is Role.USER and m.author][-1].parts[-1].text


def results(request: LLMRequest) -> list[str]:
    return [result.text for result in request.messages[-1].results]


async def librarian(request: LLMRequest) -> LLMResponse:
    """Search when told to, and look at what became of a search when asked."""
    told = "\n".join(text for message in request.messages for text in message.texts)
    task = re.findall(r"task (x\w{4,5})", told)
    if request.messages[-1].results:
        return says(f"tool said: {results(request)[-1]}")
    if "search" in asked(request):
        return calls(("channel_recall", {"query": "tea"}))
    return calls(("check_task", {"task": task[-1] if task else "x0000"}))


def librarians() -> dict[str, ScriptedProvider]:
    return {"scripted": ScriptedProvider(librarian)}


async def slowed(bot: Bot) -> asyncio.Event:
    """Let searches wait for a gate."""
    gate, history = asyncio.Event(), bot.store.history
    search = history.search

    async def waits(*args):
        await gate.wait()
        return await search(*args)

    history.search = waits
    return gate


async def test_a_search_that_takes_long_goes_on_and_is_asked_for_later(tmp_path: Path):
    async with a_bot(tmp_path / "data", providers=librarians(), more=QUICK) as bot:
        gate = await slowed(bot)
        await bot.console.type("[#general] ann> @glassmind search for tea", bot.app.manager)
        line = await bot.prints("[#general] glassmind<")
        assert "channel_recall takes longer than 0.05 s and goes on in the background as task x" in line
        (running,) = await bot.store.journal.calls_of_turn(1)
        assert running.is_at is CallState.RUNNING
        gate.set()
        await bot.app.settled()
        (over,) = await bot.store.journal.calls_of_turn(1)
        assert (over.record_id, over.is_at) == (running.record_id, CallState.OK)
        (line, *_) = await bot.says("ann", "@glassmind and?")
        assert "(channel_recall) is COMPLETED after" in line


async def test_the_status_tells_of_calls_that_go_on_until_their_end_was_seen(tmp_path: Path):
    providers = {"scripted": ScriptedProvider(librarian)}
    async with a_bot(tmp_path / "data", providers=providers, more=QUICK) as bot:

        async def status() -> str:
            # as the next turn would have it
            found = await bot.app.inspector.inspect(GENERAL)
            return found.status

        gate = await slowed(bot)
        await bot.console.type("[#general] ann> @glassmind search for tea", bot.app.manager)
        await bot.prints("[#general] glassmind<")
        assert re.search(r"- Goes on in the background: task x\w{4,5} \(channel_recall\) since ", await status())
        gate.set()
        await bot.app.settled()
        assert re.search(r"you have not looked yet .*\(channel_recall\) since \S+: COMPLETED", await status())
        await bot.says("ann", "@glassmind and?")
        asked_of = providers["scripted"].requests[-2].messages[-1].text
        assert ": COMPLETED" in asked_of
        assert "COMPLETED" not in await status() and "background" not in await status()


async def test_what_the_bot_was_stopped_in_is_said_to_be_unknown(tmp_path: Path):
    async with a_bot(tmp_path / "data", providers=librarians(), more=QUICK) as bot:
        await bot.says("ann", "@glassmind search for tea")
        record = ToolCallRecord(
            tool_name="channel_recall",
            raw_arguments_json="{}",
            result_output="",
            success=False,
            execution_start=START,
            execution_end=START,
            duration_ms=0,
            order_index=1,
            round_number=1,
            state=CallState.RUNNING,
        )
        (row,) = await bot.store.journal.record_calls(GENERAL, 1, [record])
        await bot.restart()
        # the name of the task stands in the conversation; nobody guesses what came of it
        (line, *_) = await bot.says("ann", f"@glassmind what of task {handle(HandleKind.CALL, row)}?")
        assert "is UNKNOWN" in line and "Nobody knows whether it was done" in line


async def test_a_file_goes_out_once_and_stands_in_the_history_after_a_restart(tmp_path: Path):
    script = [
        calls(("send_file", {"filename": "tea.md", "content": "# Tea", "caption": "Here."})),
        says("That is all."),
    ]
    providers = {"scripted": ScriptedProvider(*script, says("I sent tea.md."))}
    async with a_bot(tmp_path / "data", providers=providers, more=SCRIPTED) as bot:
        said = await bot.says("ann", "@glassmind write me a file")
        assert "Here." in "\n".join(said) and said[-1].endswith("< That is all.")
        (one,) = await bot.store.ledger.recent(GENERAL, 9)
        assert one.outcome is Outcome.REPLIED
        trail = await bot.store.ledger.trail(one.id)
        assert [row.reason for row in trail.stages if row.stage is LedgerStage.TOOL] == ["send_file"]
        await bot.restart()
        await bot.says("ann", "@glassmind what did you send?")
        (request, *_) = await bot.store.journal.recent_requests(GENERAL, 1)
        (note,) = [m.text for m in request.record.request.messages if "you_sent" in m.text]
        assert '"file":"tea.md"' in note and '"is":"program"' in note


async def test_a_tool_that_is_named_in_a_text_is_not_called_and_the_log_tells_what_was(tmp_path: Path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind call memory_recall {broken")
        await bot.says("ann", "@glassmind call nobody {}")
        said = await bot.says("ann", '@glassmind call retrieve_tool_call_log {"limit": 5}')
        kept = [record for turn in (1, 2, 3) for record in await bot.store.journal.calls_of_turn(turn)]
        assert [(r.tool_name, r.raw_arguments_json, r.success) for r in kept] == [
            ("memory_recall", "{broken", False),
            ("nobody", "{}", False),
            ("request_tool_injection", '{"names":["retrieve_tool_call_log"]}', True),
            ("retrieve_tool_call_log", '{"limit": 5}', True),
        ]
        assert 'tool="nobody" state=failed' in kept[3].result_output and said


async def test_the_catalogue_does_not_name_what_is_of_no_use(tmp_path: Path):
    async with a_bot(tmp_path / "data") as bot:
        said = await bot.says("ann", '@glassmind call list_all_tools {"query": "skill"}')
        assert "No tool fits" in "\n".join(said)
        said = await bot.says("ann", '@glassmind call request_tool_injection {"names": ["activate_skill"]}')
        assert "is no tool that can be used here" in "\n".join(said)


async def test_of_too_many_calls_in_one_answer_some_are_run_and_all_is_told(tmp_path: Path) -> None:
    """A model that asks for a hundred thousand things costs no more than one that asks for as many as are taken."""

    def greedy(request: LLMRequest) -> LLMResponse:
        if request.messages[-1].results:
            return says("done")
        return calls(*[("channel_recall", {"query": f"tea {n}"}) for n in range(5_000)])

    model = ScriptedProvider(greedy)
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=SCRIPTED) as bot:
        said = await bot.says("ann", "@glassmind go")
        assert said == ["[#general] glassmind< done"]
        told = results(model.requests[-1])
        assert len(told) == 64 == len(model.requests[-1].messages[-2].calls), "each call that goes back has its result"
        assert told[-1].endswith(
            "4,936 more tool calls of the same answer were not run: at most 64 are taken. "
            "Ask again for what you still need."
        )
        newest = next(one for one in await bot.store.ledger.recent(GENERAL, 5) if one.outcome is Outcome.REPLIED)
        trail = await bot.store.ledger.trail(newest.id)
        (row,) = [row for row in trail.stages if row.reason == "too many calls"]
        assert (row.stage, row.detail) == (LedgerStage.TOOL, (("dropped", "4936"),))
        (turn,) = await bot.store.journal.recent_turns(GENERAL, 1)
        assert len(await bot.store.journal.calls_of_turn(turn.id)) == 64
        assert "4,936 tool calls of one answer were too many, and did not run." in "\n".join(
            await bot.says("root", "!cortex why")
        )
