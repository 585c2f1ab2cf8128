"""Models that never come to an end, let loose on inspections, talks and conversations: each ends within its limits."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs

from bot.agent.processes.branch import Branch
from bot.cortex.inspection.inspection_briefing import InspectionQuestion
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.domain.channel import ProcessKind
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.llm import LLMRequest, LLMResponse, TokenUsage
from bot.domain.turn import ToolCallRecord
from tests.bot.cortex.chat import ADMIN, GENERAL, Chat, chat, config, dm_of
from tests.fakes.provider import calls, says
from tests.faults.confirming import person_of
from tests.faults.family import Verdict

KEY = ChannelKey(MAIN, GENERAL)
RUNS = 10
"""In one case."""
GRACE = 2.0
"""Seconds of real time that ending a run may take on a busy machine, beside the limit itself."""
NOT_RUN = "Not run: "
NOTHING = says('{"findings":[],"summary":"All is well."}')


@dataclass(frozen=True)
class Limits:
    """What one question may take, as the configuration says."""

    rounds: int = 12
    calls: int = 24
    seconds: float = 90.0
    tokens: int = 60_000


USUAL = Limits()
CONFIGURED = (USUAL, USUAL, Limits(rounds=3), Limits(calls=5), Limits(tokens=20_000), Limits(seconds=0.3))
Wanted = list[tuple[str, Any]]


def _recall(number: int) -> tuple[str, Any]:
    return "memory_recall", {"query": f"tea {number}"}


MANNERS: Mapping[str, Callable[[random.Random, int], Wanted]] = {
    "never_stops": lambda _, n: [_recall(n)],
    "ping_pong": lambda _, n: [_recall(0)] if n % 2 else [("channel_recall", {"query": "tea"})],
    "the_same": lambda _, n: [_recall(0)],
    "alternates": lambda _, n: [("memory_recall", {"query": "tea", "limit": 1 + n % 2})],
    "many_at_once": lambda chance, n: [_recall(100 * n + m) for m in range(chance.choice((5, 30, 100)))],
    "anything": lambda chance, n: [
        chance.choice([_recall(n), ("retrieve_tool_call_log", {}), ("nothing", {}), ("memory_recall", "{")])
        for _ in range(chance.randrange(1, 5))
    ],
}


class Runaway:
    """One model. It always wants more, also when it may not call any more; each request costs it what `size` says."""

    def __init__(self, chance: random.Random, manner: str, size: int, pause: float) -> None:
        self.chance, self.manner, self.size, self.pause = chance, manner, size, pause
        self.tokens: list[int] = []

    async def __call__(self, request: LLMRequest) -> LLMResponse:
        if self.pause:
            await asyncio.sleep(self.pause)
        used = self.size + self.chance.randrange(100)
        self.tokens.append(used)
        wanted = MANNERS[self.manner](self.chance, len(self.tokens))
        text = self.chance.choice(["", "", "let me see"])
        return calls(*wanted, text=text, usage=TokenUsage(input=used, output=10, cached=0))


class Watched:
    """A bot on which models are let loose, and what they took."""

    def __init__(self, bot: Chat, limits: Limits, chance: random.Random) -> None:
        self.bot, self.limits, self.chance = bot, limits, chance
        self.passed: list[str] = []

    async def run(self, number: int) -> None:
        """Let one loose."""
        chance = self.chance
        manner = list(MANNERS)[number % len(MANNERS)]
        pause = self.limits.seconds / 4 if self.limits.seconds < 1 else 0.0
        model = Runaway(chance, manner, chance.choice((100, 3000, 9000, 25_000)), pause)
        self.bot.provider.script[:] = [model]
        began = time.perf_counter()
        turn = await (self._inspects() if number % 2 else self._talks())
        seconds = time.perf_counter() - began
        made = await self.bot.store.journal.calls_of_turn(turn)
        self._judge(f"{manner} of {model.size}, {'inspection' if number % 2 else 'talk'}", model, made, seconds)

    def _judge(self, name: str, model: Runaway, made: Any, seconds: float) -> None:
        limits, taken = self.limits, [record for record in made if _was_taken(record)]
        # what a request costs is known when it is answered: the first may cost all, and so may the one that must answer
        tokens, most = sum(model.tokens), max(limits.tokens, 2 * (model.size + 100))
        for what, spent, limit in (
            ("rounds", len(model.tokens), limits.rounds),
            ("calls", len(taken), limits.calls),
            ("tokens", tokens, most),
            ("seconds", seconds, limits.seconds + GRACE),
        ):
            if spent > limit:
                self.passed.append(f"{name}: {spent} {what} of {limit}")

    async def _inspects(self) -> int:
        bot = self.bot
        desk = bot.cortex
        target = await desk.targets.of(KEY)
        assert target is not None
        caller = bot.access.caller(person_of(ADMIN), "admin")
        session = await desk.threads.open(bot.platform, caller, target, "t")
        diagnosis = await desk.inquiry.diagnosis(target, EvidenceQuery())
        branches = desk.inquiry.inspecting.branches
        branch: Branch = branches.branch()
        report = await branches.report(InspectionQuestion(caller, target, session.id, "what?", "", diagnosis), branch)
        await branch.end(())
        assert report.conclusion.kind in ("failure", "timeout", "conclusion"), report
        return branch.number

    async def _talks(self) -> int:
        bot = self.bot
        before = len(bot.private)
        await bot.dm("what is it that keeps you silent?", ADMIN)
        assert len(bot.private) > before, "the admin got no report"
        session = await bot.store.sessions.of_thread(person_of(ADMIN), dm_of(ADMIN), "")
        assert session is not None
        last = await bot.store.journal.last_of_session(KEY, ProcessKind.CORTEX, session.id)
        return last.record.turn if last is not None else 0


def _was_taken(record: ToolCallRecord) -> bool:
    return not record.result_output.startswith(NOT_RUN)


async def play_models(seed: int, directory: Path) -> Verdict:
    """Let ten loose on one bot, one after the other."""
    chance = random.Random(seed)
    limits = CONFIGURED[seed % len(CONFIGURED)]
    table = {"rounds": limits.rounds, "calls": limits.calls, "seconds": limits.seconds, "tokens": limits.tokens}
    with capture_logs() as logs:
        async with chat(directory, says("yes"), settings=config(directory / "data", cortex=table)) as bot:
            await bot.hears("are you there?")
            bot.provider.script[:] = [NOTHING]
            await bot.hears("!cortex why isn't this responding", ADMIN)
            watched = Watched(bot, limits, chance)
            for number in range(RUNS):
                await watched.run(number)
                bot.clock.advance(60)
    broken = [line for line in logs if line["log_level"] in ("error", "critical")]
    assert not broken, broken[:2]
    return Verdict(n=RUNS, counts={"passed": len(watched.passed)}, trouble="\n".join(watched.passed[:5]))
