"""Work that is handed out: branches and workers, and how their results come back to the channel, once."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from bot.agent.turn.limits import RETURN_PAUSE
from bot.domain.channel import ResponseMode
from bot.domain.ledger import Outcome
from bot.domain.llm import ToolChoice
from bot.domain.process import ProcessState, process_of
from bot.domain.turn import TurnStatus
from bot.errors import ProviderError, ProviderFault
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, answered, asked, done, kind_of, until
from tests.dialogs.online import types_on
from tests.dialogs.test_resuming import is_killed
from tests.fakes.provider import ScriptedProvider, calls, says

RESULT = '"is":"result"'


def relays(request):
    """The channel: hands the question to a branch, and says what comes back."""
    if RESULT in asked(request):
        return says("It is 42." if "42" in asked(request) else "I looked into it.")
    return says("Let me see.") if done(request) else calls(("branch", {"task": "find the number", "name": "number"}))


async def test_a_branch_thinks_and_the_channel_says_what_it_found(tmp_path: Path) -> None:
    minds = Minds(channel=relays, branch=lambda _: says("the number is 42"))
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        said = await bot.says("ann", "@glassmind what is the number?")
        assert [line.partition("< ")[2] for line in said if "glassmind<" in line] == ["Let me see.", "It is 42."]
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert (process.state, process.result) == (ProcessState.DONE, "the number is 42")
        assert process.relayed_at and process.row
        stored = await bot.store.ledger.inbound(process.row)
        assert stored is not None and stored.outcome is Outcome.REPLIED
        thought = minds.of("branch")[0]
        assert "what is the number?" in thought.messages[-2].text
        assert "find the number" in thought.messages[-1].text
        state = bot.app.registry.get(GENERAL)
        assert state is not None and not state.running and not state.finished


async def test_a_worker_of_a_branch_goes_on_after_a_restart_and_is_told_of_once(tmp_path: Path) -> None:
    def thinks(request):
        return says("a worker is at it") if done(request) else calls(("spawn_worker", {"task": "multiply 6 by 7"}))

    def channel(request):
        if RESULT not in asked(request):
            return relays(request)
        if "a worker is at it" in asked(request):
            return calls(("skip", {"reason": "nothing yet", "category": "nothing_to_add"}))
        return says("It is 42.")

    def works(request):
        return calls(("finish", {"outcome": "done", "result": "42"}))

    minds = Minds(channel=channel, branch=thinks, worker=works, holds={"worker"})
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind what is the number?")
        await minds.waiting.wait()

        async def branch_is_told_of() -> bool:
            *_, branch = await bot.store.processes.of_channel(GENERAL, 5)
            return bool(branch.relayed_at)

        # a branch that is killed before it knows of its worker may hand the work out again
        await until(branch_is_told_of)
        await answered(bot)
        minds.goes_on.set()
        minds.holds.clear()
        said = await is_killed(bot)
        answers = [line.partition("< ")[2] for line in bot.lines if "glassmind<" in line]
        assert answers == ["Let me see.", "It is 42."], said
        worker, branch = await bot.store.processes.of_channel(GENERAL, 5)
        assert worker.body.parent_process == branch.id
        assert (worker.state, worker.result) == (ProcessState.DONE, "42")
        assert worker.body.inbound == branch.body.inbound
        assert not await bot.store.processes.unrelayed()


def answers(bot) -> list[str]:
    return [line.partition("< ")[2] for line in bot.lines if "] glassmind< " in line]


def hands_out(*wanted):
    """The channel: calls these once, says what came of the calls, and afterwards what comes back."""

    def channel(request):
        text = asked(request)
        if RESULT in text:
            return says("back: " + re.findall(r"```\n(.*)\n```", text)[-1])
        if "@glassmind" in text and not done(request):
            return calls(*wanted) if wanted else says("nothing")
        return says("sent: " + " | ".join(r.text for r in request.messages[-1].results))

    return channel


async def test_a_failure_comes_back_like_a_conclusion(tmp_path: Path) -> None:
    def breaks(_):
        raise ProviderError("it broke", fault=ProviderFault.BAD_REQUEST)

    minds = Minds(channel=relays, branch=breaks)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind what is the number?")
        assert answers(bot) == ["Let me see.", "I looked into it."]
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert process.state is ProcessState.FAILED and "it broke" in process.reason
        told = asked(minds.of("channel")[-1])
        assert "has failed" in told and "It left no text." in told


async def test_what_a_branch_wrote_before_its_time_was_up_is_kept(tmp_path: Path) -> None:
    minds = Minds(channel=relays)

    async def slowly(request):
        if kind_of(request) != "branch":
            return await minds(request)
        if not done(request):
            return calls(("memory_recall", {}), text="so far I know that it is even")
        await asyncio.sleep(30)
        raise AssertionError

    providers = {"scripted": ScriptedProvider(slowly)}
    async with a_bot(tmp_path / "data", providers=providers, more=SCRIPTED + "[work]\nbranch_seconds = 0.2\n") as bot:
        await bot.says("ann", "@glassmind what is the number?")
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert process.state is ProcessState.TIMEOUT
        assert process.result == "so far I know that it is even"
        assert "ran out of time" in asked(minds.of("channel")[-1])
        assert answers(bot) == ["Let me see.", "I looked into it."]


async def test_siblings_come_back_together(tmp_path: Path) -> None:
    minds = Minds(
        channel=hands_out(("branch", {"task": "one"}), ("branch", {"task": "two"})),
        branch=lambda r: says("uno" if asked(r).endswith("one") else "due"),
    )
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        bot.clock.auto = False
        await types_on(bot, "[#general] ann> @glassmind count")

        async def both_are_back() -> bool:
            return len(await bot.store.processes.unrelayed()) == 2 and not bot.app.mind.work.roster.of(GENERAL)

        await until(both_are_back)
        bot.clock.advance(RETURN_PAUSE)
        await bot.app.settled()
        assert answers(bot)[1:] in (["back: uno"], ["back: due"])
        newest = minds.of("channel")[-1]
        assert sum(RESULT in message.text for message in newest.messages) == 2
        rows = [row for row in await bot.store.ledger.recent(GENERAL, 9) if process_of(row.inbound)]
        assert sorted(row.outcome for row in rows) == [Outcome.REPLIED, Outcome.SUPERSEDED]
        assert not await bot.store.processes.unrelayed()


async def test_more_than_may_run_is_refused_in_plain_words(tmp_path: Path) -> None:
    minds = Minds(channel=hands_out(("branch", {"task": "one"}), ("branch", {"task": "two"})))
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED + "[work]\nbranches = 1\n") as bot:
        await bot.says("ann", "@glassmind count")
        assert "is thinking about it" in answers(bot)[0]
        assert "Not started: as many branches as may run for this channel, 1, are running" in answers(bot)[0]
        assert len(await bot.store.processes.of_channel(GENERAL, 9)) == 1


async def test_beyond_three_returns_a_result_waits_until_it_is_said_in_the_next_turn(tmp_path: Path) -> None:
    def channel(request):
        if RESULT in asked(request):
            number = asked(request).count("x") + 1
            return says("again") if done(request) else calls(("branch", {"task": "x" * number}))
        if "what now" in asked(request):
            return says("Now I say it.")
        return says("sent") if done(request) else calls(("branch", {"task": "x"}))

    minds = Minds(channel=channel, branch=lambda r: says("found " + asked(r)[-4:]))
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind go")
        assert answers(bot) == ["sent", "again", "again", "again"]
        (waiting,) = await bot.store.processes.unrelayed()
        assert waiting.waits and waiting.row == 0
        await bot.restart()
        await bot.says("ann", "@glassmind what now?")
        status = next(m.text for m in minds.of("channel")[-1].messages if "what now" in m.text)
        assert f"nobody was told yet; tell them now: branch {waiting.handle}" in status
        assert waiting.result in status
        assert not await bot.store.processes.unrelayed()
        await bot.says("ann", "@glassmind what now? once more")
        assert "nobody was told yet" not in minds.of("channel")[-1].messages[-1].text


async def test_a_result_turn_has_three_rounds(tmp_path: Path) -> None:
    def channel(request):
        if RESULT not in asked(request):
            return relays(request)
        if request.tool_choice is ToolChoice.NONE:
            return says("enough")
        return calls(("memory_recall", {"query": str(done(request))}))

    minds = Minds(channel=channel)
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind what is the number?")
        assert answers(bot) == ["Let me see.", "enough"]
        assert sum(RESULT in asked(request) for request in minds.of("channel")) == 3


@pytest.mark.parametrize("how", ["stop", "cancel"])
async def test_what_is_stopped_keeps_what_it_wrote_and_says_nothing(tmp_path: Path, how: str) -> None:
    def channel(request):
        text = asked(request)
        if "enough" in text:
            running = re.search(r"branch (b\w{4,5}) since", text)
            assert running is not None
            stops = calls(("cancel", {"id": running[1]}))
            return says(request.messages[-1].results[0].text) if done(request) else stops
        return relays(request)

    def thinks(request):
        return calls(("memory_recall", {}), text="halfway there") if not done(request) else says("never")

    minds = Minds(channel=channel, branch=thinks)

    async def holds(request):
        if kind_of(request) == "branch" and done(request):
            minds.waiting.set()
            await asyncio.sleep(30)
        return await minds(request)

    providers = {"scripted": ScriptedProvider(holds)}
    async with a_bot(tmp_path / "data", providers=providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind what is the number?")
        await minds.waiting.wait()
        said = await bot.says("ann", "@glassmind /stop" if how == "stop" else "@glassmind enough of that")
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert (process.state, process.result) == (ProcessState.CANCELLED, "halfway there")
        assert not await bot.store.processes.unrelayed()
        assert ("Stopped, along with 1" in said[-1]) if how == "stop" else ("halfway there" in said[-1])
        state = bot.app.registry.get(GENERAL)
        assert state is not None and not state.running
        turn = await bot.store.journal.turn(process.turn)
        assert turn is not None and turn.status is TurnStatus.CANCELLED


async def test_the_status_shows_what_runs(tmp_path: Path) -> None:
    minds = Minds(channel=relays, holds={"branch"})
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind what is the number?")
        await minds.waiting.wait()
        state = bot.app.registry.get(GENERAL)
        assert state is not None
        (running,) = state.running
        assert (running.task, running.kind) == ("number", "branch")
        minds.channel = lambda _: says("hello")
        await types_on(bot, "[#general] bo> @glassmind hello")

        async def greeted() -> bool:
            return any("hello" in asked(request) for request in minds.of("channel"))

        await until(greeted)
        assert f"- Running: branch {running.id} since" in minds.of("channel")[-1].messages[-1].text
        minds.goes_on.set()
        await bot.app.settled()


async def test_a_branch_that_died_is_reported_as_interrupted(tmp_path: Path) -> None:
    minds = Minds(channel=relays, holds={"branch"})
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind what is the number?")
        await minds.waiting.wait()
        await answered(bot)
        await is_killed(bot)
        assert answers(bot) == ["Let me see.", "I looked into it."]
        (process,) = await bot.store.processes.of_channel(GENERAL, 5)
        assert process.state is ProcessState.FAILED and process.reason.startswith("interrupted")


@pytest.mark.parametrize(("hush", "talk"), [("pause", "resume"), ("quiet", "active")])
async def test_a_silent_channel_hears_of_results_when_it_talks_again(tmp_path: Path, hush: str, talk: str) -> None:
    minds = Minds(channel=relays, branch=lambda _: says("the number is 42"), holds={"branch"})
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await types_on(bot, "[#general] ann> @glassmind what is the number?")
        await minds.waiting.wait()
        await types_on(bot, f"[#general] root> @glassmind /{hush}")

        async def is_silent() -> bool:
            settings = bot.app.manager.book.of(GENERAL)
            return settings.pause is not None or settings.mode is ResponseMode.OBSERVE

        await until(is_silent)
        minds.goes_on.set()
        await bot.app.settled()
        assert "It is 42." not in answers(bot)
        (waiting,) = await bot.store.processes.unrelayed()
        assert waiting.waits
        minds.channel = lambda _: says("42, by the way")
        await bot.says("root", f"@glassmind /{talk}")
        await bot.says("ann", "@glassmind and?")
        assert "the number is 42" in minds.of("channel")[-1].messages[-1].text
        assert not await bot.store.processes.unrelayed()


async def test_a_result_in_a_private_chat_answers_what_it_goes_back_to(tmp_path: Path) -> None:
    minds = Minds(channel=relays, branch=lambda _: says("the number is 42"))
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "what is the number?", "dm")
        assert [line.partition("< ")[2] for line in bot.lines if "glassmind<" in line] == ["Let me see.", "It is 42."]
        asked_with = bot.console.world.said[0].message_id
        key = GENERAL._replace(channel="console:dm:101")
        (process,) = await bot.store.processes.of_channel(key, 5)
        replies = await bot.store.outbox.of_inbound(process.row)
        assert [row.body.replies_to for row in replies] == [asked_with]


async def test_two_channels_share_nothing(tmp_path: Path) -> None:
    minds = Minds(channel=relays, branch=lambda r: says("the number is 42"))
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED + "[work]\nbranches = 1\n") as bot:
        await types_on(bot, "[#general] ann> @glassmind what is the number?")
        await types_on(bot, "[#hall] bo> @glassmind what is the number?")
        await bot.app.settled()
        hall = GENERAL._replace(channel="console:#hall")
        for key in (GENERAL, hall):
            (process,) = await bot.store.processes.of_channel(key, 5)
            assert process.relayed_at
        assert sum("It is 42." in line for line in bot.lines) == 2
        branches = minds.of("branch")
        assert [sum("what is the number?" in m.text for m in request.messages) for request in branches] == [1, 1]
