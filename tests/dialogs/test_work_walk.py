"""Whatever is handed out comes back once, wherever the process is killed on the way."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from bot.domain.channel import ProcessKind
from bot.domain.ledger import Outcome
from bot.domain.process import ProcessState, process_of
from bot.domain.turn import OutboxState
from tests.dialogs.bot import GENERAL, Bot, NoTable, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, asked, done
from tests.dialogs.test_ledger_walk import Killed
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.provider import calls, says

FOUND, CUT, SENT = "It is 42.", "It was cut off.", "Let me see."


def channel(request):
    text = asked(request)
    if '"is":"result"' not in text:
        return says(SENT) if done(request) else calls(("branch", {"task": "find the number"}))
    if "interrupted" in text:
        return says(CUT)
    if "42" in text:
        return says(FOUND)
    return says("") if done(request) else calls(("skip", {"reason": "not yet", "category": "nothing_to_add"}))


def branch(request):
    return says("a worker is at it") if done(request) else calls(("spawn_worker", {"task": "multiply"}))


def worker(request):
    if not done(request):
        return calls(("list_all_tools", {}), text="looking")
    return calls(("finish", {"outcome": "done", "result": "the number is 42"}))


def minds() -> Minds:
    return Minds(channel=channel, branch=branch, worker=worker)


def said(lines: tuple[str, ...]) -> Counter[str]:
    return Counter(line.partition("< ")[2] for line in lines if "] glassmind< " in line)


@pytest.mark.timeout(240)
async def test_a_kill_at_any_step_tells_of_each_result_once(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data", providers=minds().providers, more=SCRIPTED) as bot:
        killed = Killed(bot, tmp_path)
        await bot.says("ann", "@glassmind what is the number?")
        assert said(tuple(bot.lines)) == {SENT: 1, FOUND: 1}
    assert len(killed.images) > 25
    seen: Counter[str] = Counter()
    for image, lines in killed.images[:: 1 if os.environ.get("FAULTS") else 4]:
        bot = Bot(image, FakeClock(), FakeEntropy(), minds().providers, NoTable(), SCRIPTED)
        await bot.open()
        try:
            await bot.app.settled()
            seen += await told_once(bot, lines)
        finally:
            await bot.close()
        shutil.rmtree(image)
    assert seen[FOUND] > 4 and seen[CUT]


async def told_once(bot: Bot, before: tuple[str, ...]) -> Counter[str]:
    """Check that all that was handed out is over, each result was read in one turn, and nothing was said twice."""
    lines = said((*before, *bot.lines))
    assert set(lines) <= {SENT, FOUND, CUT}
    rows = await bot.store.ledger.recent(GENERAL, 50)
    if not rows:
        return Counter()  # killed before the question was kept: the platform hands it over again
    replies = [one for row in rows for one in await bot.store.outbox.of_inbound(row.id)]
    # a message that was sent and not noted before the kill is sent again under its own name, which platforms know
    assert all(count == 1 for count in Counter(one.body.text for one in replies).values()), replies
    assert all(one.state is OutboxState.SENT for one in replies)
    assert lines[FOUND] or lines[CUT]
    processes = await bot.store.processes.of_channel(GENERAL, 50)
    assert processes and all(process.is_over for process in processes)
    assert not await bot.store.processes.unrelayed()
    for kind in (ProcessKind.BRANCH, ProcessKind.WORKER):
        done = [one for one in processes if one.body.kind is kind and one.state is not ProcessState.CANCELLED]
        assert len(done) <= 1, "nothing is handed out twice"
    assert all(row.outcome in {Outcome.REPLIED, Outcome.SKIPPED, Outcome.SUPERSEDED} for row in rows), rows
    results = [process_of(row.inbound) for row in rows if process_of(row.inbound)]
    assert len(set(results)) == len(results)
    assert not await bot.store.ledger.unsettled()
    assert not await bot.store.journal.running_turns()
    return lines
