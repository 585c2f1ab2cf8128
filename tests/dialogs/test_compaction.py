"""A conversation that outgrows its model: it is shortened beside the turns, can be looked at, and can be undone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.config import parse_config
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.compaction import CompactionLevel, SummaryType
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import LedgerStage, Outcome
from bot.domain.llm import FinishReason, LLMRequest, LLMResponse
from bot.domain.turn import TurnEnd, TurnStatus
from bot.errors import ProviderFault
from bot.ports.compactions import CompactionState, StoredCompaction
from tests.dialogs.bot import CONFIG, GENERAL, Bot, a_bot
from tests.dialogs.test_moves import HALL, moved
from tests.fakes import values as v
from tests.fakes.provider import ScriptedProvider, calls, fails, says

MODEL = """
[providers.scripted]
kind = "simulated"
[providers.writer]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = {window}
max_output_tokens = 300
cool_down = 0.01
retries = 0
[compaction]
summarization_model = "writer/writer-1"
{more}
"""
WORDS = " ".join(f"word{n}" for n in range(60))
Writes = Callable[[LLMRequest], Any]


def is_for_summary(request: LLMRequest) -> bool:
    return request.system_text.startswith("# What you do")


def material(request: LLMRequest) -> str:
    return request.messages[0].text


def sums_up(request: LLMRequest) -> LLMResponse:
    """A summary that keeps every secret of its material."""
    kept = dict.fromkeys(re.findall(r"secret-\d+", material(request)))
    return says(f"They talked. {' '.join(kept)}".strip())


@dataclass
class Cast:
    """The answering model and the one that writes summaries."""

    writes: Writes = sums_up
    answer: Writes = lambda request: says(f"answer {len(request.messages)}")
    told: list[LLMRequest] = field(default_factory=list)
    read: list[LLMRequest] = field(default_factory=list)

    def answers(self, request: LLMRequest) -> Any:
        self.told.append(request)
        return self.answer(request)

    def summarises(self, request: LLMRequest) -> Any:
        assert is_for_summary(request) and not request.tools
        self.read.append(request)
        return self.writes(request)


@asynccontextmanager
async def a_full_bot(data: Path, cast: Cast, window: int = 6200, more: str = "") -> AsyncIterator[Bot]:
    providers = {
        "scripted": ScriptedProvider(cast.answers),
        "writer": ScriptedProvider(cast.summarises, name="writer"),
    }
    async with a_bot(data, providers=providers, more=MODEL.format(window=window, more=more)) as bot:
        yield bot


async def talk(bot: Bot, turns: int, begin: int = 0) -> None:
    for number in range(begin, begin + turns):
        await bot.says("ann", f"@glassmind secret-{number} {WORDS}")


async def compactions(bot: Bot) -> list[StoredCompaction]:
    return list(reversed(await bot.store.compactions.recent(GENERAL, 100)))


def live(bot: Bot) -> ChannelState:
    state = bot.app.registry.get(GENERAL)
    assert state is not None
    return state


def words(state: ChannelState) -> str:
    return "\n".join(message.text for message in state.history)


async def stored(bot: Bot) -> ChannelState:
    state = await bot.store.channels.load(GENERAL)
    assert state is not None
    return state


async def test_a_full_conversation_is_shortened_and_goes_on_the_same_after_a_restart(tmp_path):
    cast = Cast()
    async with a_full_bot(tmp_path / "data", cast) as bot:
        await talk(bot, 18)
        done = await compactions(bot)
        assert done and {one.state for one in done} == {CompactionState.DONE}
        assert {one.body.type for one in done} >= {SummaryType.HALF}
        state = live(bot)
        assert await stored(bot) == state
        await bot.says("ann", "@glassmind and now?")
        told = "\n".join(message.text for message in cast.told[-1].messages)
        assert ("[SUMMARIZED]" in told or "[GOAL BATCH]" in told) and "secret-0" in told and "secret-17" in told
        before = live(bot)
        await bot.restart()
        await bot.says("ann", "@glassmind and after a restart?")
        after = live(bot)
        assert after.turns[: len(before.turns)] == before.turns
        usage = {row.kind for row in await bot.store.meter.usage(GENERAL, 0)}
        assert usage == {ProcessKind.CHANNEL, ProcessKind.COMPACTOR}
        assert await bot.store.verify() == []


@dataclass
class Slow:
    """A writer of summaries that waits to be let on."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, request: LLMRequest) -> LLMResponse:
        self.asked.set()
        await self.goes_on.wait()
        return sums_up(request)


async def until_asked(bot: Bot, slow: Slow, begin: int = 0) -> int:
    """Talk until a summary is being written; everything but that summary comes to its end."""
    number = begin
    while not slow.asked.is_set():
        await types(bot, f"[#general] ann> @glassmind secret-{number} {WORDS}")
        number += 1
    return number


async def types(bot: Bot, line: str) -> None:
    await bot.console.type(line, bot.app.manager)
    circles = bot.app.task_groups
    while circles.messaging.busy or circles.sending.busy:
        await circles.messaging.idle()
        await circles.sending.idle()
    await asyncio.sleep(0)


async def test_nobody_waits_for_a_summary_and_what_arrives_meanwhile_stays(tmp_path):
    slow = Slow()
    async with a_full_bot(tmp_path / "data", Cast(writes=slow)) as bot:
        number = await until_asked(bot, slow)
        for extra in range(3):
            await types(bot, f"[#general] ann> @glassmind meanwhile-{extra}")
        assert bot.public()[-1].startswith("[#general] glassmind< answer")
        assert not await compactions(bot) and not any(turn.is_shortened for turn in live(bot).turns)
        slow.goes_on.set()
        await bot.app.settled()
        state = live(bot)
        assert state.turns[0].is_shortened and state == await stored(bot)
        assert all(f"meanwhile-{extra}" in words(state) for extra in range(3)) and f"secret-{number - 1}" in words(
            state
        )
        # one at a time
        assert (await compactions(bot))[0].state is CompactionState.DONE


async def fills(bot: Bot, until: Callable[[list[StoredCompaction]], bool], most: int = 40) -> int:
    for number in range(most):
        await talk(bot, 1, number)
        if until(await compactions(bot)):
            return number
    raise AssertionError("it never came to that")


LOOP = says("and again we said that this is how it goes round and round " * 20)
TROUBLES: dict[str, tuple[Any, str]] = {
    "fails": (fails(), "provider: server: it broke"),
    "empty": (says(""), "empty"),
    "loops": (LOOP, "looping"),
    "longer": (says(" ".join(f"more{n}" for n in range(2000))), "longer"),
    "cut off": (says("They talked about", finish=FinishReason.LENGTH), "cut off"),
    "wants a tool": (calls(("skip", {})), "rounds"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_summary_that_cannot_be_used_leaves_the_history_as_it_is(tmp_path, trouble: str):
    answer, why = TROUBLES[trouble]
    cast = Cast(writes=lambda request: answer)
    async with a_full_bot(tmp_path / "data", cast) as bot:
        await fills(bot, lambda found: len(found) == 1)
        before = live(bot)
        (failed,) = await compactions(bot)
        assert (failed.state, failed.reason.split(":")[0]) == (CompactionState.FAILED, why.split(":")[0])
        assert not any(turn.is_shortened for turn in before.turns) and await stored(bot) == before
        turn = await bot.store.journal.turn(failed.body.turn)
        assert turn is not None and (turn.kind, turn.status.value) == (ProcessKind.COMPACTOR, "failed")
        requests = await bot.store.journal.requests_of_turn(turn.id)
        assert requests and all(request.attempts for request in requests)


async def test_after_three_failures_it_rests_says_so_and_tries_again(tmp_path):
    cast = Cast(writes=lambda request: LOOP)
    async with a_full_bot(tmp_path / "data", cast, more="rest_minutes = 10\nemergency_percent = 100") as bot:
        await fills(bot, lambda found: len(found) == 3)
        asked = len(cast.read)
        await talk(bot, 3, 50)
        assert len(cast.read) == asked == 3
        assert any("compaction failed three times in a row" in line for line in bot.private())
        await bot.says("root", "!cortex doctor")
        assert any("console:#general is left alone until" in line for line in bot.private())
        bot.clock.advance(601)
        cast.writes = sums_up
        await talk(bot, 1, 60)
        assert (await compactions(bot))[-1].state is CompactionState.DONE
        said = await bot.says("root", "!cortex doctor")
        assert not any("is left alone until" in line for line in said)


async def test_without_a_summary_the_oldest_turns_go_by_rules_in_an_emergency(tmp_path):
    cast = Cast(writes=lambda request: fails())
    async with a_full_bot(tmp_path / "data", cast, more="rest_minutes = 600") as bot:
        await fills(bot, lambda found: found[-1:] != [] and found[-1].body.type is SummaryType.EMERGENCY)
        found = (await compactions(bot))[-1]
        assert (found.state, found.body.method, found.body.model) == (CompactionState.DONE, "rules", "")
        state = live(bot)
        assert await stored(bot) == state and "left out without a summary" in state.turns[0].messages[0].text
        hits = await bot.store.history.search(GENERAL, "secret-0", 3)
        assert "secret-0" in hits[0][2]
        await talk(bot, 8, 100)
        limits = [(request.stats.total, request.stats.window) for request in await sent(bot)]
        assert all(total <= window - 300 for total, window in limits)


async def sent(bot: Bot) -> list[Any]:
    return [one.record for one in await bot.store.journal.recent_requests(GENERAL, 1000)]


async def test_what_is_larger_than_the_writers_window_is_summarised_in_pieces(tmp_path):
    cast = Cast()
    async with a_full_bot(tmp_path / "data", cast, window=40_000) as bot:
        for number in range(12):
            await bot.says("ann", f"@glassmind secret-{number} {WORDS * 25}")
        done = [one for one in await compactions(bot) if one.state is CompactionState.DONE]
        assert done and done[0].body.requests > 1
        assert "part 1 of" in material(cast.read[0]) and "secret-0" in material(cast.read[1])
        assert "secret-0" in words(live(bot)) and await stored(bot) == live(bot)


async def test_a_message_larger_than_the_window_is_a_named_failure_and_costs_no_history(tmp_path):
    async with a_full_bot(tmp_path / "data", Cast()) as bot:
        await talk(bot, 3)
        before = live(bot).turns
        await bot.says("ann", f"@glassmind {WORDS * 60}")
        (newest,) = await bot.store.ledger.recent(GENERAL, 1)
        assert newest.outcome_reason.startswith("too_large")
        assert live(bot).turns == before and not await compactions(bot)


async def test_an_unknown_window_is_guessed_small_said_and_never_off(tmp_path):
    async with a_full_bot(tmp_path / "data", Cast(), window=0) as bot:
        await talk(bot, 34)
        assert (await compactions(bot))[-1].state is CompactionState.DONE
        await bot.says("root", "!cortex doctor")
        said = "\n".join(bot.private())
        assert "window of scripted/scripted-1" in said and "I assume 8,192 tokens" in said


async def test_orphaned_tool_parts_of_an_older_version_are_compacted_with_the_rest(tmp_path):
    orphans = [
        (v.message("one"), v.result("nobody asked " + WORDS, "gone"), v.said("a")),
        (v.message("two"), v.call("skip", call_id="lost"), v.said("b")),
    ]
    async with a_full_bot(tmp_path / "data", Cast()) as bot:
        for messages in orphans:
            turn = await bot.store.journal.begin_turn(v.turn_start(GENERAL), ())
            end = {"turn": turn, "agent": GENERAL.agent, "channel": GENERAL.channel, "at": bot.clock.now()}
            await bot.store.journal.end_turn(TurnEnd(**end, status=TurnStatus.REPLIED, messages=messages))
        await talk(bot, 22)
        state = live(bot)
        assert state == await stored(bot) and state.turns[0].is_shortened
        assert not any(message.calls or message.results for message in state.history)
        assert {one.state for one in await compactions(bot)} == {CompactionState.DONE}


async def test_old_tool_calls_become_a_block_and_words_stay(tmp_path):
    def answer(request: LLMRequest) -> LLMResponse:
        if request.messages[-1].results or not request.tools:
            return says("here you are")
        return calls(("channel_recall", {"query": f"secret {WORDS}"}))

    cast = Cast(answer=answer)
    async with a_full_bot(tmp_path / "data", cast, window=30_000, more="tool_calls_percent = 1") as bot:
        await talk(bot, 16)
        done = await compactions(bot)
        assert {one.body.type for one in done} == {SummaryType.TOOL_CALLS}
        state = live(bot)
        assert state == await stored(bot)
        first = state.turns[0].messages
        assert [message.role.value for message in first] == ["user", "user", "assistant"]
        assert "secret-0" in first[0].text and first[1].summary is not None and first[2].text == "here you are"
        assert_whole(cast.told)


@pytest.mark.parametrize("whole", [True, False])
async def test_one_request_summarises_many_turns_and_each_says_whose_words_it_may_hold(tmp_path, whole):
    """Where the writer leaves one out nobody guesses which is whose: each turn is then asked for by itself."""

    def answer(request: LLMRequest) -> LLMResponse:
        if is_for_summary(request):
            return cast.summarises(request)
        if request.messages[-1].results or not request.tools:
            return says("here you are")
        return calls(("channel_recall", {"query": f"secret {WORDS}"}))

    def writes(request: LLMRequest) -> LLMResponse:
        turns = re.split(r'^\{"turn":\d+\}$', material(request), flags=re.MULTILINE)
        told = [f"Looked up {re.findall('secret-[0-9]+', turn)[0]}." for turn in turns if "secret-" in turn]
        if len(turns) == 1:
            return says(told[0])
        texts = [f"=== turn {number} ===\n{text}" for number, text in enumerate(told, 1)]
        return says("\n".join(texts if whole else texts[:-1]))

    cast = Cast(writes=writes, answer=answer)
    model = MODEL.replace("max_output_tokens = 300", "max_output_tokens = 3000").replace("writer/", "scripted/")
    more = model.format(window=40_000, more="tool_calls_percent = 1").replace(
        "scripted/writer-1", "scripted/scripted-1"
    )
    providers = {"scripted": ScriptedProvider(cast.answers), "writer": ScriptedProvider(says("x"), name="writer")}
    async with a_bot(tmp_path / "data", providers=providers, more=more) as bot:
        await talk(bot, 16)
        (done, *_) = await compactions(bot)
        state = live(bot)
        assert state == await stored(bot)
        blocks = [one for turn in state.turns for one in turn.messages if one.summary is not None]
        made = [one for one in blocks if one.summary.compaction == done.id]
        assert len(made) > 2 and done.body.requests == (1 if whole else 1 + len(made))
        for number, one in enumerate(made):
            # what it says is of its own turn, and so are its sources
            assert f"Looked up secret-{number}." in one.text and len(one.summary.turns) == 1
        if whole:
            # but whoever wrote it had read them all, and that is what it counts for
            assert {one.origins for one in made} == {made[-1].origins}
        assert_whole([one for one in cast.told if not is_for_summary(one)])


def assert_whole(requests: list[LLMRequest]) -> None:
    """No call is ever without its result, and no result without its call."""
    for request in requests:
        for asked, answered in pairwise([*request.messages, v.said("")]):
            assert {c.call_id for c in asked.calls} == {r.call_id for r in answered.results if asked.calls}
        for before, message in pairwise([v.said(""), *request.messages]):
            assert not message.results or before.calls


async def done_once(bot: Bot) -> StoredCompaction:
    await fills(bot, lambda found: bool(found) and found[-1].state is CompactionState.DONE)
    return (await compactions(bot))[-1]


async def test_an_admin_looks_undoes_and_takes_that_back(tmp_path):
    async with a_full_bot(tmp_path / "data", Cast(writes=lambda request: says("They talked."))) as bot:
        done = await done_once(bot)
        name = handle(HandleKind.COMPACTION, done.id)
        listed = "\n".join(await bot.says("root", "!cortex compactions"))
        assert f"{name} done · half" in listed and "names or numbers are not in it" in listed
        shown = "\n".join(await bot.says("root", f"!cortex open {name}"))
        assert "They talked." in shown and '"text":"@glassmind secret-0' in shown and "secret-0, " in shown
        shortened = live(bot)
        await bot.says("root", "!cortex compactions")
        await bot.types(f"/press Undo {name}")
        await bot.types(f"/press Undo {name}")
        assert any(f"✓ {name} is undone" in line for line in bot.private())
        whole = await stored(bot)
        assert not whole.turns[0].is_shortened and len(whole.turns) > len(shortened.turns)
        assert bot.app.registry.get(GENERAL) is None
        # what an admin undid is left alone while there is room
        before = len(await compactions(bot))
        await bot.says("ann", "@glassmind so?")
        again = [one for one in (await compactions(bot))[before:] if set(one.body.taken) & set(done.body.taken)]
        assert all(one.body.level not in {CompactionLevel.EARLY, CompactionLevel.BACKGROUND} for one in again)
        if not again:
            await bot.says("root", "!cortex undo")
            await bot.types("/press Undo a")
            assert (await stored(bot)).turns[0].is_shortened
        audit = await bot.store.audit.newest(None, 20)
        assert any(row.body.action == "reverse compaction" and row.body.detail == name for row in audit)


async def test_an_undo_that_something_newer_stands_on_is_refused(tmp_path):
    async with a_full_bot(tmp_path / "data", Cast()) as bot:
        await fills(bot, lambda found: bool(found) and found[-1].body.type is SummaryType.GOAL_BATCH)
        inner = handle(HandleKind.COMPACTION, (await compactions(bot))[0].id)
        said = await bot.says("root", f"!cortex compactions undo {inner}")
        assert any("cannot be undone" in line for line in said)


@pytest.mark.parametrize("change", ["/edit {} please forget it", "/delete {}"])
async def test_what_was_said_otherwise_later_is_not_told_any_more(tmp_path, change: str):
    cast = Cast()
    async with a_full_bot(tmp_path / "data", cast) as bot:
        done = await done_once(bot)
        source = (await bot.store.compactions.sides(done.id)).before[0]
        assert "secret-0" in source.text and "secret-0" in words(live(bot))
        await bot.says("ann", "hm")
        await bot.types(change.format(source.message_id))
        found = await bot.store.compactions.get(done.id)
        assert (
            found is not None
            and found.state is CompactionState.UNDONE
            and "a message that it stands for" in found.reason
        )
        assert "secret-0" not in words(await stored(bot))
        await bot.says("ann", "@glassmind what was it?")
        assert all("secret-0" not in message.text for message in cast.told[-1].messages)
        assert not [hit for hit in await bot.store.history.search(GENERAL, "secret-0", 50) if "secret-0 " in hit[2]]
        assert live(bot) == await stored(bot)


async def test_an_edit_while_a_summary_is_written_abandons_it(tmp_path):
    slow = Slow()
    cast = Cast(writes=slow)
    async with a_full_bot(tmp_path / "data", cast) as bot:
        await until_asked(bot, slow)
        source = live(bot).turns[0].messages[0]
        await types(bot, f"/edit {source.message_id} never mind")
        slow.goes_on.set()
        await bot.app.settled()
        first = (await compactions(bot))[0]
        assert first.state is CompactionState.ABANDONED
        assert "secret-0" not in words(await stored(bot))
        cast.writes = sums_up
        await bot.says("ann", "@glassmind go on")
        assert live(bot) == await stored(bot) and "secret-0" not in words(live(bot))


async def test_a_fresh_start_while_a_summary_is_written(tmp_path):
    slow = Slow()
    async with a_full_bot(tmp_path / "data", Cast(writes=slow)) as bot:
        await until_asked(bot, slow)
        await types(bot, "[#general] root> @glassmind /new")
        slow.goes_on.set()
        await bot.app.settled()
        assert [one.state for one in await compactions(bot)] == [CompactionState.ABANDONED]
        await bot.says("ann", "@glassmind hello again")
        assert len(live(bot).turns) == 1 and live(bot) == await stored(bot)


async def test_killed_while_a_summary_is_written_nothing_is_lost(tmp_path):
    slow = Slow()
    cast = Cast(writes=slow)
    async with a_full_bot(tmp_path / "data", cast) as bot:
        await until_asked(bot, slow)
        before = live(bot)
        world = bot.console.world
        await bot.dies()
        await bot.open()
        bot.console.world.next_id = world.next_id
        assert (await stored(bot)).turns == before.turns and not await compactions(bot)
        assert not await bot.store.journal.running_turns()
        slow.goes_on.set()
        await bot.says("ann", "@glassmind still there?")
        assert live(bot).turns[0].is_shortened and live(bot) == await stored(bot)


async def test_owners_hear_of_it_if_they_want_to_and_the_trail_tells_it(tmp_path):
    async with a_full_bot(tmp_path / "data", Cast(), more='notice = "all"') as bot:
        done = await done_once(bot)
        said = "\n".join(bot.private())
        assert (
            "#general: shortening" in said
            and f"`!cortex compactions undo {handle(HandleKind.COMPACTION, done.id)}`" in said
        )
        trails = [await bot.store.ledger.trail(one.id) for one in await bot.store.ledger.recent(GENERAL, 3)]
        rows = [row for trail in trails if trail for row in trail.stages if row.stage is LedgerStage.COMPACTED]
        assert rows and dict(rows[0].detail)["type"] == "half"


async def test_switched_off_nothing_is_shortened(tmp_path):
    async with a_full_bot(tmp_path / "data", Cast(), more="enabled = false") as bot:
        await talk(bot, 15)
        assert not await compactions(bot)


async def test_a_move_while_a_summary_is_written(tmp_path):
    slow = Slow()
    async with a_full_bot(tmp_path / "data", Cast(writes=slow)) as bot:
        await until_asked(bot, slow)
        await bot.app.manager.receive([moved()], None)
        slow.goes_on.set()
        await bot.app.settled()
        await bot.says("ann", "@glassmind after the move", "#hall")
        state, kept = bot.app.registry.get(HALL), await bot.store.channels.load(HALL)
        assert state is not None and state == kept
        assert "secret-0" in words(state) and "after the move" in words(state)
        assert await bot.store.verify() == []


async def test_who_writes_summaries_can_be_changed_while_it_runs(tmp_path):
    async with a_full_bot(tmp_path / "data", Cast()) as bot:
        await fills(bot, lambda found: len(found) == 1)
        more = MODEL.format(window=6200, more="").replace("writer-1", "writer-2")
        text = CONFIG.format(data=bot.data, ambient=bot.ambient, more=more)
        assert await bot.app.running.reload(lambda: parse_config(text, {})) == ("compaction.summarization_model",)
        await fills(bot, lambda found: len(found) == 2)
        assert [one.body.model for one in await compactions(bot)] == ["writer/writer-1", "writer/writer-2"]
        summaries = [m.summary for m in live(bot).history if m.summary is not None]
        assert {one.model for one in summaries} <= {"writer/writer-1", "writer/writer-2"}


async def test_the_simulation_shortens_too(tmp_path):
    window = "[model]\ncontext_window = 5600\nmax_output_tokens = 300"
    async with a_bot(tmp_path / "data", more=window) as bot:
        await talk(bot, 16)
        done = (await compactions(bot))[-1]
        assert (done.state, done.body.model) == (CompactionState.DONE, "simulated/simulated-1")
        assert "ann: @glassmind secret-0" in words(live(bot)) and live(bot) == await stored(bot)


async def test_a_text_that_turns_out_too_large_is_read_in_smaller_parts(tmp_path):
    cast = Cast(writes=lambda request: sums_up(request) if len(material(request)) < 14_000 else TOO_LARGE)
    async with a_full_bot(tmp_path / "data", cast, window=20_000) as bot:
        for number in range(12):
            await bot.says("ann", f"@glassmind secret-{number} {WORDS * 12}")
        done = (await compactions(bot))[0]
        assert done.state is CompactionState.DONE and done.body.requests >= 2
        assert max(len(material(request)) for request in cast.read) >= 14_000
        assert "secret-0" in words(live(bot))


TOO_LARGE = fails(ProviderFault.CONTEXT_LENGTH, "too many tokens")


class Small:
    """A model that reads less than its window is believed to be, in characters of what is said."""

    def __init__(self, reads: int) -> None:
        self.reads = reads
        self.refused = 0

    def __call__(self, request: LLMRequest) -> Any:
        if sum(len(message.text) for message in request.messages) <= self.reads:
            return says(f"answer {len(request.messages)}")
        self.refused += 1
        return TOO_LARGE


async def test_a_conversation_that_the_service_finds_too_long_is_shortened_and_answered(tmp_path):
    small = Small(20_000)
    async with a_full_bot(tmp_path / "data", Cast(answer=small), window=40_000) as bot:
        while not small.refused:
            await bot.says("ann", f"@glassmind {WORDS * 6}")
            assert len(bot.lines) < 100
        (newest,) = await bot.store.ledger.recent(GENERAL, 1)
        assert newest.outcome is Outcome.REPLIED, newest.outcome_reason
        refused, answered = (await bot.store.journal.recent_requests(GENERAL, 2))[::-1]
        assert [one.fault for one in refused.attempts] == ["context_length"]
        assert answered.record.dropped_turns and not refused.record.dropped_turns
        assert [one.state for one in await compactions(bot)] == [CompactionState.DONE]
        assert await stored(bot) == live(bot)
        for _ in range(2):
            await bot.says("ann", "@glassmind and now?")
        assert small.refused == 1


async def test_what_is_too_long_after_it_was_shortened_is_said_so_after_one_more_try(tmp_path):
    small = Small(100_000)
    async with a_full_bot(tmp_path / "data", Cast(answer=small), window=40_000) as bot:
        await talk(bot, 6)
        small.reads = 0
        await bot.says("ann", "@glassmind are you there?")
        assert small.refused == 2
        assert any("this is more text than the model can read at once" in line for line in bot.lines[-3:])
        (newest,) = await bot.store.ledger.recent(GENERAL, 1)
        assert newest.outcome_reason.startswith("too_large: context_length: too many tokens")


async def test_nothing_is_tried_again_where_nothing_can_be_left_out(tmp_path):
    small = Small(0)
    async with a_full_bot(tmp_path / "data", Cast(answer=small), window=40_000) as bot:
        await bot.says("ann", "@glassmind are you there?")
        assert small.refused == 1
