"""A group chat that goes on and on: it never outgrows its model, nothing in it comes apart, and what was said is found.

A slice of it runs with every other test; `make soak` plays all of it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.domain.compaction import SummaryType
from bot.domain.llm import LLMRequest
from bot.ports.compactions import CompactionState
from tests.dialogs.bot import GENERAL, Bot
from tests.dialogs.test_compaction import Cast, a_full_bot, assert_whole, compactions, live, material, stored
from tests.fakes.provider import calls, fails, says

TURNS = int(os.environ.get("SOAK", "60"))
WINDOW, ROOM = 14_000, 13_700
FACT, CODE = 10, "7431-K"
PEOPLE = ["ann", "james", "bo", "mod"]
TOPICS = ["the garden", "friday's dinner", "the server", "a book about whales", "Änne's birthday", "票", "the budget"]


@dataclass
class Story:
    """What people do, and what the models answer; the same for the same seed."""

    chance: Random = field(default_factory=lambda: Random(7))
    counts: Counter[str] = field(default_factory=Counter)

    def line(self, number: int) -> str:
        if number == FACT:
            return f"@glassmind remember for later that the code of the vault is {CODE}"
        topic, words = self.chance.choice(TOPICS), self.chance.choice([5, 20, 60, 150])
        filler = " ".join(
            self.chance.choice(["and", "then", "maybe", "no", "42", "because", topic]) for _ in range(words)
        )
        return f"@glassmind about {topic}: {filler}"

    def answer(self, request: LLMRequest) -> Any:
        """Use tools, fail, keep silent, answer: as it comes."""
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
        match self.chance.randrange(12):
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
            case _:
                return says(f"answer {name}: " + "well " * self.chance.choice([3, 20, 80]))

    def write(self, request: LLMRequest) -> Any:
        """A poor summary: the first words of each line, as far as there is room; now and then none at all."""
        if self.chance.random() < 0.1:
            return fails()
        text = re.search(r"`{3,}\n(.*)\n`{3,}$", material(request), re.DOTALL)
        lines = text[1].splitlines() if text else []
        heard = [" ".join(re.sub(r"[^\w .-]", " ", line).split()[-6:]) for line in lines]
        return says("\n".join(heard)[:900])


async def step(bot: Bot, story: Story, number: int) -> None:
    chance = story.chance
    for _ in range(chance.choice([0, 0, 1, 3])):
        await bot.says(chance.choice(PEOPLE), f"by the way, {chance.choice(TOPICS)} {number}")
    await bot.says("ann" if number == FACT else chance.choice(PEOPLE), story.line(number))
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
            records = [one.record for one in await bot.store.journal.recent_requests(GENERAL, 20 * TURNS)]
            assert len(records) >= TURNS
            fullest = max(record.stats.total for record in records)
            assert fullest <= ROOM
            answer = await bot.says("bo", "@glassmind what was the code of the vault?")
            assert any(CODE in line for line in answer if line.startswith("[#general] glassmind<"))
            await bot.restart()
            await bot.says("ann", "@glassmind good night")
            assert live(bot) == await stored(bot)
            found = Counter((one.body.type, one.state) for one in await compactions(bot))
            assert found[SummaryType.HALF, CompactionState.DONE] and found[SummaryType.TOOL_CALLS, CompactionState.DONE]
            assert await bot.store.verify() == []
            _tell(records, fullest, found)
    assert not [log for log in logs if log["event"] in {"drift", "task_failed", "turn_broke", "turn_end_broke"}]


def _tell(records: list[Any], fullest: int, found: Counter[Any]) -> None:
    cut = sum(bool(record.dropped_turns) for record in records)
    print(f"{len(records)} requests, the fullest {fullest} of {ROOM} tokens, {cut} left turns out")
    print(", ".join(f"{count} {kind.value} {state.value}" for (kind, state), count in sorted(found.items())))
