"""A group chat that goes on and on: it never outgrows its model, nothing in it comes apart, and what was said is found.

People interrupt it: they write on while it answers, stop it, look into it, and its process is killed in a turn.
A slice of it runs with every other test; `make soak` plays all of it.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.domain.channel import ProcessKind
from bot.domain.compaction import SummaryType
from bot.domain.llm import LLMRequest
from bot.domain.turn import RequestRecord, TurnStatus
from bot.ports.compactions import CompactionState
from tests.dialogs.bot import Bot
from tests.dialogs.minds import kind_of, until
from tests.dialogs.online import types_on
from tests.dialogs.test_compaction import Cast, a_full_bot, assert_whole, compactions, live, material, stored
from tests.fakes.provider import calls, fails, says

TURNS = int(os.environ.get("SOAK", "40"))
WINDOW, ROOM = 14_000, 13_700
FACT, CODE = 10, "7431-K"
PEOPLE = ["ann", "james", "bo", "mod"]
TOPICS = ["the garden", "friday's dinner", "the server", "a book about whales", "Änne's birthday", "票", "the budget"]


@dataclass
class Story:
    """What people do, and what the models answer; the same for the same seed."""

    chance: Random = field(default_factory=lambda: Random(7))
    counts: Counter[str] = field(default_factory=Counter)
    holds: bool = False
    hung: asyncio.Event = field(default_factory=asyncio.Event)
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    def line(self, number: int) -> str:
        if number == FACT:
            return f"@glassmind remember for later that the code of the vault is {CODE}"
        topic, words = self.chance.choice(TOPICS), self.chance.choice([5, 20, 60, 150])
        filler = " ".join(
            self.chance.choice(["and", "then", "maybe", "no", "42", "because", topic]) for _ in range(words)
        )
        return f"@glassmind about {topic}: {filler}"

    async def answer(self, request: LLMRequest) -> Any:
        """Use tools, fail, keep silent, answer: as it comes; a turn that is to be interrupted waits for that."""
        if kind_of(request) != "channel":
            return says("I looked into it.") if request.messages[-1].results else calls(("memory_recall", {}))
        if self.holds:
            self.hung.set()
            await self.goes_on.wait()
        return self._answer(request)

    def _answer(self, request: LLMRequest) -> Any:
        newest = request.messages[-1]
        if newest.results:
            found = next((r.text for r in newest.results if CODE in r.text), "")
            return says(f"It is {CODE}, I looked it up." if found else "Done; " + "so " * self.chance.choice([2, 30]))
        if "what was the code of the vault" in newest.text:
            told = "\n".join(message.text for message in request.messages[:-1])
            self.counts["asked"] += 1
            return says(f"It is {CODE}.") if CODE in told else calls(("channel_recall", {"query": "code vault"}))
        self.counts["turns"] += 1
        return self._anything()

    def _anything(self) -> Any:
        name = f"x{self.counts['turns']}"
        match self.chance.randrange(13):
            case 0:
                return calls(("channel_recall", {"query": self.chance.choice(TOPICS)}), ids=[name])
            case 1:
                wanted = [("memory_save", {"content": f"a note {name}", "type": "fact"}), ("react", {"emoji": "👍"})]
                return calls(*wanted, ids=[f"{name}a", f"{name}b"])
            case 2:
                return calls(("reply", {"text": f"a moment, {name}"}), ids=[name])
            case 3:
                return calls(("skip", {"reason": "nothing to say", "category": "irrelevant"}), ids=[name])
            case 4:
                return fails()
            case 5:
                return says("")
            case 6:
                return calls(
                    ("branch", {"task": f"think about {self.chance.choice(TOPICS)}", "name": name}), ids=[name]
                )
            case _:
                return says(f"answer {name}: " + "well " * self.chance.choice([3, 20, 80]))

    def write(self, request: LLMRequest) -> Any:
        """A poor summary: the first words of each line, as far as there is room; now and then none at all."""
        if self.chance.random() < 0.1:
            return fails()
        text = re.search(r"`{3,}\n(.*)\n`{3,}$", material(request), re.DOTALL)
        lines = text[1].splitlines() if text else []
        heard = [" ".join(re.sub(r"[^\w .-]", " ", line).split()[-6:]) for line in lines]
        return says("\n".join(heard)[:400])


async def step(bot: Bot, story: Story, number: int) -> None:
    chance = story.chance
    for _ in range(chance.choice([0, 0, 1, 3])):
        await bot.says(chance.choice(PEOPLE), f"by the way, {chance.choice(TOPICS)} {number}")
    line = f"[#general] {'ann' if number == FACT else chance.choice(PEOPLE)}> {story.line(number)}"
    if (interrupts := INTERRUPTIONS.get(number % 20)) is not None:
        await interrupted(bot, story, line, interrupts)
    else:
        await bot.types(line)
    match chance.randrange(40):
        case 0:
            await bot.restart()
        case 1:
            said = [message for message in live(bot).history if message.message_id and message.inbound]
            changed = chance.choice(said)
            if CODE not in changed.text:
                bot.console.world.speaker = changed.author.name if changed.author else "ann"
                await bot.types(chance.choice(["/edit {} I take that back", "/delete {}"]).format(changed.message_id))
        case 2:
            await bot.says("root", "@glassmind /pause a moment")
            await bot.says("ann", "@glassmind are you there?")
            await bot.says("root", "@glassmind /resume")


Interrupts = Callable[[Bot, Story], Awaitable[None]]


async def somebody_writes_on(bot: Bot, story: Story) -> None:
    await types_on(bot, f"[#general] {story.chance.choice(PEOPLE)}> @glassmind and one thing more")


async def it_is_stopped(bot: Bot, story: Story) -> None:
    await types_on(bot, "[#general] root> @glassmind /stop")


async def somebody_looks_into_it(bot: Bot, story: Story) -> None:
    await types_on(bot, "[#general] root> !cortex what is it doing there?")


async def it_is_killed(bot: Bot, story: Story) -> None:
    world = bot.console.world
    await bot.dies()
    bot.clock.advance(1)
    story.holds = False

    async def look() -> None:
        for part in fields(world):
            setattr(bot.console.world, part.name, getattr(world, part.name))

    await bot.open(look)


INTERRUPTIONS: dict[int, Interrupts] = {
    4: somebody_writes_on,
    8: it_is_stopped,
    12: it_is_killed,
    16: somebody_looks_into_it,
}


async def interrupted(bot: Bot, story: Story, line: str, interrupts: Interrupts) -> None:
    """Type a line, and let something happen while a model thinks about it."""

    async def hung_or_settled() -> bool:
        return story.hung.is_set() or not await bot.store.ledger.unsettled()

    story.holds = True
    story.hung.clear()
    story.goes_on.clear()
    await types_on(bot, line)
    # a model that is cooling down is not asked: then there is nothing to interrupt
    await until(hung_or_settled)
    if story.hung.is_set():
        story.counts[interrupts.__name__] += 1
        await interrupts(bot, story)
    story.holds = False
    story.goes_on.set()
    await bot.app.settled()
    bot.clock.advance(1)


async def every_request(bot: Bot) -> list[RequestRecord]:
    """Return all that was ever sent, by whatever process."""
    found: list[RequestRecord] = []
    while (stored := await bot.store.journal.request(len(found) + 1)) is not None:
        found.append(stored.record)
    return found


def assert_none_outgrows_its_model(records: Sequence[RequestRecord]) -> None:
    for record in records:
        room = record.stats.window - record.request.max_output_tokens
        assert record.stats.total <= room, f"a request of a {record.kind} has {record.stats.total} of {room} tokens"


@pytest.mark.timeout(3600)
async def test_a_chat_without_end(tmp_path: Path):
    story = Story()
    cast = Cast(writes=story.write, answer=story.answer)
    with capture_logs() as logs:
        async with a_full_bot(tmp_path / "data", cast, window=WINDOW) as bot:
            for number in range(1, TURNS + 1):
                await step(bot, story, number)
            for request in cast.told:
                assert_whole([request])
            records = await every_request(bot)
            kinds = Counter(record.kind for record in records)
            assert kinds[ProcessKind.CHANNEL] >= TURNS
            assert all(kinds[kind] for kind in (ProcessKind.BRANCH, ProcessKind.INSPECTION, ProcessKind.COMPACTOR))
            assert len(records) >= len(cast.told) + len(cast.read)
            assert_none_outgrows_its_model(records)
            fullest = max(record.stats.total for record in records if record.kind is ProcessKind.CHANNEL)
            assert fullest <= ROOM
            assert all(story.counts[one.__name__] for one in INTERRUPTIONS.values())
            answer = await bot.says("bo", "@glassmind what was the code of the vault?")
            assert any(CODE in line for line in answer if line.startswith("[#general] glassmind<"))
            await bot.restart()
            await bot.says("ann", "@glassmind good night")
            assert live(bot) == await stored(bot)
            found = Counter((one.body.type, one.state) for one in await compactions(bot))
            assert found[SummaryType.HALF, CompactionState.DONE] and found[SummaryType.TOOL_CALLS, CompactionState.DONE]
            assert await bot.store.verify() == []
            turns = [turn for n in range(1, 4 * TURNS) if (turn := await bot.store.journal.turn(n)) is not None]
            ends = Counter(turn.status for turn in turns)
            assert ends[TurnStatus.CANCELLED] and ends[TurnStatus.INTERRUPTED] and not ends[TurnStatus.RUNNING]
            assert not await bot.store.ledger.unsettled()
            _tell(records, fullest, found)
            print(", ".join(f"{count} {what}" for what, count in sorted((*kinds.items(), *story.counts.items()))))
    assert not [log for log in logs if log["event"] in {"drift", "task_failed", "turn_broke", "turn_end_broke"}]


def _tell(records: list[Any], fullest: int, found: Counter[Any]) -> None:
    cut = sum(bool(record.dropped_turns) for record in records)
    print(f"{len(records)} requests, the fullest {fullest} of {ROOM} tokens, {cut} left turns out")
    print(", ".join(f"{count} {kind.value} {state.value}" for (kind, state), count in sorted(found.items())))
