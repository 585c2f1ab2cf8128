"""Workers: segments that go on from an account, an outcome that has to be earned, and what they begin with."""

from __future__ import annotations

from pathlib import Path

from bot.domain.ledger import LedgerStage, Outcome
from bot.domain.process import ProcessState, StoredProcess
from bot.domain.turn import TurnStatus
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, answered, asked, done, kind_of
from tests.dialogs.online import types_on
from tests.dialogs.test_resuming import is_killed
from tests.fakes.provider import ScriptedProvider, calls, says

RESULT = '"is":"result"'
TASK = "Count the chairs in the hall and say how many there are."


def orders(request):
    """The channel: lets a worker do it, and reads out what comes back."""
    text = asked(request)
    if RESULT in text:
        return says("It came back.")
    return says("A worker is at it.") if done(request) else calls(("spawn_worker", {"task": TASK, "name": "chairs"}))


def hands_in(result: str = "there are 40", outcome: str = "done"):
    return calls(("finish", {"outcome": outcome, "result": result}))


async def the_worker(bot: Bot) -> StoredProcess:
    (process,) = await bot.store.processes.of_channel(GENERAL, 5)
    return process


async def test_a_worker_knows_its_task_and_the_message_it_comes_from_and_nothing_else_of_the_conversation(
    tmp_path: Path,
) -> None:
    minds = Minds(channel=orders, worker=lambda _: hands_in())
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "my secret is tulip")
        await bot.says("ann", "@glassmind how many chairs are there?")
        (request,) = minds.of("worker")
        (message,) = request.messages
        assert TASK in message.text and "## Request" in message.text
        assert "@glassmind how many chairs are there?" in message.text and "tulip" not in message.text
        process = await the_worker(bot)
        assert (process.state, process.result, process.segment) == (ProcessState.DONE, "there are 40", 1)
        assert "there are 40" in asked(minds.of("channel")[-1])


async def test_a_segment_goes_on_from_the_account_of_the_one_before(tmp_path: Path) -> None:
    def works(request):
        if "segment 2 of at most 10" in asked(request):
            return hands_in()
        if request.tool_choice == "none":
            return says("Rows 1 to 15 are counted: 30 chairs. Rows 16 to 20 are left.")
        return calls(("list_all_tools", {"query": f"row {done(request)}"}))

    minds = Minds(channel=orders, worker=works)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind how many chairs are there?")
        process = await the_worker(bot)
        assert (process.state, process.segment, len(process.turns)) == (ProcessState.DONE, 2, 2)
        requests = minds.of("worker")
        assert len(requests) == 16
        second = requests[-1]
        assert len(second.messages) == 1, "nothing of the first segment but its account"
        assert "30 chairs. Rows 16 to 20 are left." in second.messages[0].text and TASK in second.messages[0].text
        turns = [await bot.store.journal.turn(number) for number in process.turns]
        assert [turn.status for turn in turns if turn] == [TurnStatus.REPLIED, TurnStatus.REPLIED]


async def test_words_without_an_outcome_are_asked_for_once_and_then_count_as_failed(tmp_path: Path) -> None:
    minds = Minds(channel=orders, worker=lambda _: says("I think about 40."))
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind how many chairs are there?")
        process = await the_worker(bot)
        assert (process.state, process.result) == (ProcessState.FAILED, "I think about 40.")
        assert "never called `finish`" in process.reason
        first, second = minds.of("worker")
        assert "call `finish` now" not in asked(first) and "call `finish` now" in asked(second)


async def test_what_a_worker_says_of_itself_is_told_as_it_is(tmp_path: Path) -> None:
    minds = Minds(channel=orders, worker=lambda _: hands_in("the hall is locked", "failed"))
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind how many chairs are there?")
        process = await the_worker(bot)
        assert (process.state, process.result) == (ProcessState.FAILED, "the hall is locked")
        told = asked(minds.of("channel")[-1])
        assert "has failed" in told and "the hall is locked" in told


async def test_a_worker_that_was_cut_off_goes_on_and_calls_nothing_twice(tmp_path: Path) -> None:
    minds = Minds(channel=orders)

    async def holds(request):
        if kind_of(request) != "worker":
            return await minds(request)
        minds.requests.append(("worker", request))
        if not done(request):
            return calls(("list_all_tools", {}), text="I look what there is")
        if not minds.goes_on.is_set():
            minds.waiting.set()
            await minds.goes_on.wait()
        return hands_in()

    providers = {"scripted": ScriptedProvider(holds)}
    async with a_bot(tmp_path / "data", providers=providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind how many chairs are there?")
        await minds.waiting.wait()
        await answered(bot)
        minds.goes_on.set()
        await is_killed(bot)
        process = await the_worker(bot)
        assert (process.state, process.result, len(process.turns)) == (ProcessState.DONE, "there are 40", 2)
        made = [call.tool_name for n in process.turns for call in await bot.store.journal.calls_of_turn(n)]
        assert made == ["list_all_tools", "finish"]
        last = minds.of("worker")[-1]
        assert [message.role for message in last.messages] == ["user", "assistant", "tool"]
        assert sum("It came back." in line for line in bot.lines) == 1


async def test_one_that_dies_again_and_again_is_given_up_with_a_word(tmp_path: Path) -> None:
    minds = Minds(channel=orders, holds={"worker"})
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind how many chairs are there?")
        await minds.waiting.wait()
        await answered(bot)
        for _ in range(2):
            minds.waiting.clear()
            await bot.dies()
            await bot.open()
            await minds.waiting.wait()
        await bot.dies()
        await bot.open()
        await bot.app.settled()
        process = await the_worker(bot)
        assert process.state is ProcessState.FAILED and process.reason.startswith("interrupted")
        assert sum("It came back." in line for line in bot.lines) == 1


async def test_what_earlier_work_found_is_given_to_who_is_told_its_name(tmp_path: Path) -> None:
    def channel(request):
        text = asked(request)
        if "go on" in text:
            process = names[0]
            return says("ok") if done(request) else calls(("spawn_worker", {"task": f"Paint what {process} counted."}))
        return orders(request)

    names: list[str] = []
    minds = Minds(channel=channel, worker=lambda _: hands_in())
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind how many chairs are there?")
        names.append((await the_worker(bot)).handle)
        await bot.says("ann", "@glassmind go on")
        second = minds.of("worker")[-1].messages[0].text
        assert f"result of {names[0]}" in second and "there are 40" in second


async def test_the_trail_of_the_question_and_the_bill_of_the_channel_hold_it_all(tmp_path: Path) -> None:
    minds = Minds(channel=orders, worker=lambda _: hands_in())
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind how many chairs are there?")
        process = await the_worker(bot)
        asked_row = await bot.store.ledger.inbound(process.body.inbound)
        assert asked_row is not None and asked_row.outcome is Outcome.REPLIED
        trail = await bot.store.ledger.trail(asked_row.id)
        assert trail is not None
        work = [(row.reason, dict(row.detail)["process"]) for row in trail.stages if row.stage is LedgerStage.PROCESS]
        assert work == [("began", process.handle), ("done", process.handle)]
        usage = await bot.store.meter.usage(GENERAL, 0)
        assert {row.kind for row in usage} == {"channel", "worker"}


FILES = '[tools.files]\nenabled = true\nauthority = "everyone"\n'


async def test_done_without_having_done_anything_is_failed(tmp_path: Path) -> None:
    minds = Minds(channel=orders, worker=lambda _: hands_in())
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED + FILES) as bot:
        await bot.says("ann", "@glassmind how many chairs are there?")
        process = await the_worker(bot)
        assert (process.state, process.reason) == (ProcessState.FAILED, "it said done and had done nothing")
        assert process.result == "there are 40", "what it wrote is kept all the same"


async def test_a_worker_begins_with_the_files_that_it_is_told_of(tmp_path: Path) -> None:
    def channel(request):
        text = asked(request)
        if RESULT in text:
            return says("It came back.")
        wish = {"task": "Count the chairs.", "files": ["*.md"]} if "again" in text else {"task": "Write the list."}
        return says("sent") if done(request) else calls(("spawn_worker", wish))

    def works(request):
        if done(request):
            return hands_in()
        return calls(("file_write", {"path": "chairs.md", "content": "# Chairs\nforty in the hall\n"}))

    minds = Minds(channel=channel, worker=works)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED + FILES) as bot:
        await bot.says("ann", "@glassmind begin")
        assert (await the_worker(bot)).state is ProcessState.DONE
        await bot.says("ann", "@glassmind again")
        first = minds.of("worker")[-1].messages[0].text
        assert "## chairs.md" in first and "forty in the hall" in first
