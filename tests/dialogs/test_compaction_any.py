"""Whatever people talked about: a summary that fails changes nothing, and one that is made says what it stands for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.context.compaction.block import MODEL, RULES
from bot.context.tokens import by_bytes, cost, costs
from bot.domain.base import canonical_json
from bot.domain.channel import ChannelState
from bot.domain.compaction import SummaryType
from bot.domain.ledger import LedgerStage
from bot.domain.llm import FinishReason, LLMRequest, TokenUsage
from bot.errors import ProviderFault
from bot.ports.compactions import CompactionState
from tests.dialogs.bot import GENERAL, Bot, NoTable
from tests.dialogs.test_compaction import (
    WORDS,
    Cast,
    Slow,
    a_full_bot,
    compactions,
    fills,
    live,
    material,
    stored,
    sums_up,
    talk,
    types,
    until_asked,
)
from tests.dialogs.test_long_chat import PEOPLE, Story
from tests.fakes.lengths import whole_or
from tests.fakes.provider import calls, fails, says

FLAWS: list[Callable[[LLMRequest], Any]] = [
    lambda _: fails(),
    lambda _: fails(ProviderFault.AUTH, "no such key"),
    lambda _: says(""),
    lambda _: says("and so on and on it goes my friend " * 60),
    lambda request: says(" ".join(f"{word}{n}" for n, word in enumerate(material(request).split() * 3))),
    lambda _: says("They talked about", finish=FinishReason.LENGTH),
]
"""No answer, no words, a loop, more than there was, half a sentence."""


def written(state: ChannelState) -> list[str]:
    return [canonical_json(turn) for turn in state.turns]


async def emergencies(bot: Bot) -> int:
    return sum(one.body.type is SummaryType.EMERGENCY for one in await compactions(bot))


async def goes_on(bot: Bot, story: Story, number: int) -> None:
    await bot.says(story.chance.choice(PEOPLE), story.line(number))


@pytest.mark.parametrize("seed", range(whole_or(3, 1)))
async def test_a_summary_that_fails_leaves_every_byte_of_the_history(tmp_path: Path, seed: int) -> None:
    story, seen, compared = Story(Random(seed)), list[list[str]](), 0

    def writes(request: LLMRequest) -> Any:
        seen.append(written(live(bot)))
        return story.chance.choice(FLAWS)(request)

    async with a_full_bot(tmp_path / "data", Cast(writes=writes, answer=story.answer), window=9500) as bot:
        for number in range(11, 42):
            before, left_out = len(seen), await emergencies(bot)
            await goes_on(bot, story, number)
            after = written(live(bot))
            if await emergencies(bot) == left_out:
                # what was said since comes behind it
                assert all(after[: len(history)] == history for history in seen[before:])
                compared += len(seen) > before
            assert written(await stored(bot)) == after
        assert compared
        by_model = [one for one in await compactions(bot) if one.body.type is not SummaryType.EMERGENCY]
        # then it is left alone: what has to go goes without a model, which is no sign that it writes again
        assert {one.state for one in by_model} == {CompactionState.FAILED} and len(by_model) <= 3
        assert all(one.reason and not one.body.turns for one in by_model)


async def told(bot: Bot) -> list[tuple[str, str]]:
    """What the trails say of compactions, oldest first: the verdict and its reason."""
    trails = [await bot.store.ledger.trail(one.id) for one in reversed(await bot.store.ledger.recent(GENERAL, 60))]
    rows = [row for trail in trails if trail for row in trail.stages if row.stage is LedgerStage.COMPACTED]
    return [(row.verdict.value, row.reason) for row in rows]


@pytest.mark.parametrize(
    ("writes", "end"),
    [
        (sums_up, ("noted", "older turns were shortened")),
        (lambda _: says(""), ("failed", "empty: no text, twice (the model stopped with stop)")),
    ],
)
async def test_the_trail_says_when_it_began_and_how_it_ended(tmp_path: Path, writes: Any, end: tuple[str, str]) -> None:
    async with a_full_bot(tmp_path / "data", Cast(writes=writes)) as bot:
        await fills(bot, lambda found: bool(found))
        assert (await told(bot))[:2] == [("noted", "older turns are being shortened"), end]


async def test_the_trail_says_how_far_it_is(tmp_path: Path) -> None:
    def answer(request: LLMRequest) -> Any:
        asks = request.tools and not request.messages[-1].results
        return calls(("channel_recall", {"query": f"secret {WORDS}"})) if asks else says("here you are")

    many_calls = {"window": 30_000, "more": "tool_calls_percent = 1"}
    async with a_full_bot(tmp_path / "data", Cast(answer=answer), **many_calls) as bot:
        await talk(bot, 16)
        sizes = [len(done.body.taken) for done in await compactions(bot)]
        assert max(sizes) > 2
        rows = iter(await told(bot))
        for parts in sizes:
            assert next(rows) == ("noted", "older turns are being shortened")
            read = 0
            for row in rows:
                if row == ("noted", "older turns were shortened"):
                    break
                part = int(row[1].split()[0])
                assert row == ("noted", f"{part} of {parts} parts are read") and read < part < parts
                read = part
        assert list(rows) == []


async def test_the_trail_says_that_nothing_came_of_it(tmp_path: Path) -> None:
    slow = Slow()
    async with a_full_bot(tmp_path / "data", Cast(writes=slow)) as bot:
        await until_asked(bot, slow)
        assert await told(bot) == [("noted", "older turns are being shortened")]
        source = live(bot).turns[0].messages[0]
        await types(bot, f"/edit {source.message_id} never mind")
        slow.goes_on.set()
        await bot.app.settled()
        assert (await told(bot))[1:2] == [("failed", "abandoned: what it would stand for changed meanwhile")]


@pytest.mark.parametrize("seed", range(2))
async def test_a_summary_says_who_made_it_and_what_it_freed(tmp_path: Path, seed: int) -> None:
    story = Story(Random(100 + seed))

    def writes(request: LLMRequest) -> Any:
        # nothing is learnt from it, so that it is counted the same at the end
        return says(f"They talked of {story.chance.randrange(9**9)}.", usage=TokenUsage())

    def count(text: str) -> int:
        return NoTable().count(text)

    async with a_full_bot(tmp_path / "data", Cast(writes=writes, answer=story.answer), window=9500) as bot:
        for number in range(11, 36):
            await goes_on(bot, story, number)
        done = [one for one in await compactions(bot) if one.state is CompactionState.DONE]
        assert done
        for one in done:
            sides = await bot.store.compactions.sides(one.id)
            sources = {message.digest: message for message in sides.before}
            summaries = [m for m in sides.after if m.summary is not None and m.summary.compaction == one.id]
            assert summaries
            for message in summaries:
                said = message.summary
                assert said is not None and said.type is one.body.type and said.created_at >= one.body.started_at
                by_rules = one.body.type is SummaryType.EMERGENCY
                assert (said.method, said.model) == ((RULES, "") if by_rules else (MODEL, "writer/writer-1"))
                counted = by_bytes if by_rules else count
                taken = [sources[name] for name in said.sources]
                assert said.tokens_before == sum(costs(taken, counted))
                assert said.tokens_after == counted(message.text)
                assert by_rules or cost(message, count) < said.tokens_before
            assert (one.body.method, one.body.model) == (summaries[0].summary.method, summaries[0].summary.model)
            assert one.body.tokens_before == sum(m.summary.tokens_before for m in summaries if m.summary)
            assert one.body.tokens_after == sum(m.summary.tokens_after for m in summaries if m.summary)
