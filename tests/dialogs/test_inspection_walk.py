"""An inspection ends in exactly one report, wherever the process is killed on the way, and however often."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from adapters.simulated import create as simulated
from adapters.sqlite.outbox import of_turn
from adapters.sqlite.rows import select
from bot.cortex.texts import CUT_OFF
from bot.domain.channel import ProcessKind
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from bot.domain.turn import OutboxState, StoredOutbox, StoredTurn, TurnStatus
from bot.errors import DeliveryError
from tests.dialogs.bot import Bot, NoTable, a_bot
from tests.dialogs.test_ledger_walk import SCRIPTED, Killed, never_takes
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.provider import ScriptedProvider, calls, says

EVERY = 1 if os.environ.get("FAULTS") else 6
"""Which kills of a start after a kill are looked at; all of them by `make faults-kills`."""
REPORT = "I looked, and the sky is blue."


async def looks(request: LLMRequest) -> LLMResponse:
    """Look something up, then conclude; a channel gets its answer at once."""
    if "reply" in {tool.name for tool in request.tools}:
        return says("yes")
    seen = request.messages[-1].role is Role.TOOL
    return says(REPORT) if seen else calls(("memory_recall", {"query": "sky"}))


def scripted() -> dict[str, ScriptedProvider]:
    return {"scripted": ScriptedProvider(looks)}


@asynccontextmanager
async def restarted(image: Path, directory: Path, *, idempotent: bool) -> AsyncIterator[tuple[Bot, Killed]]:
    """Start on what a killed process left, and take an image at every step of the start as well."""
    providers = {"simulated": simulated("simulated", {}), **scripted()}
    bot, taken = Bot(image, FakeClock(), FakeEntropy(), providers, NoTable(), SCRIPTED), []

    async def look() -> None:
        bot.console.capabilities = bot.console.capabilities.replace(idempotent_sends=idempotent)
        taken.append(Killed(bot, directory))

    await bot.open(look)
    try:
        await bot.app.settled()
        yield bot, taken[0]
    finally:
        await bot.close()


async def inspections(bot: Bot) -> list[tuple[StoredTurn, list[StoredOutbox]]]:
    """Every inspection that was begun, with what was said about it."""
    read = bot.store._database.read
    tail = f"WHERE kind = '{ProcessKind.INSPECTION}' ORDER BY id"
    rows = [row["id"] for row in await read(lambda connection: select(connection, "turn", tail))]
    turns = [turn for row in rows if (turn := await bot.store.journal.turn(row)) is not None]
    instance = bot.store.instance
    return [(turn, await read(partial(of_turn, turn=turn.id, instance=instance))) for turn in turns]


def printed(lines: tuple[str, ...], text: str) -> int:
    return sum(text in line for line in lines)


async def reported_once(bot: Bot, before: tuple[str, ...], *, idempotent: bool) -> list[str]:
    """Check that each inspection has its one report, on record and on the terminal; return how they ended."""
    ends = []
    for turn, said in await inspections(bot):
        assert turn.status is not TurnStatus.RUNNING
        (row,) = said
        lines = (*before, *bot.lines)
        text = CUT_OFF if turn.status is TurnStatus.INTERRUPTED else REPORT
        assert text in row.body.text
        assert printed(lines, CUT_OFF) + printed(lines, REPORT) == printed(lines, text)
        if row.state is OutboxState.UNCERTAIN:
            assert not idempotent and printed(lines, text) <= 1
        else:
            assert row.state is OutboxState.SENT
            assert printed(lines, text) == 1 or (idempotent and printed(lines, text) <= 3), "the nonce is known"
        ends.append(text)
    assert await bot.store.journal.running_turns() == []
    assert await bot.store.outbox.pending() == []
    return ends


@pytest.mark.timeout(180)
@pytest.mark.parametrize("idempotent", [True, False])
async def test_a_kill_at_any_step_leaves_one_report_also_when_the_start_is_killed(tmp_path, idempotent):
    async with a_bot(tmp_path / "data", providers=scripted(), more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        killed = Killed(bot, tmp_path)
        await bot.says("root", "!cortex what is wrong here?")
        assert printed(tuple(bot.lines), REPORT) == 1
    assert len(killed.images) > 10
    ends: Counter[str] = Counter()
    for number, (image, before) in enumerate(killed.images):
        async with restarted(image, tmp_path / f"again-{number}", idempotent=idempotent) as (bot, again):
            ends.update(await reported_once(bot, before, idempotent=idempotent))
        for second, later in again.images[1::EVERY]:  # the first is the sign of life: nothing has happened yet
            async with restarted(second, tmp_path / "not looked at", idempotent=idempotent) as (bot, _):
                await reported_once(bot, (*before, *later), idempotent=idempotent)
            shutil.rmtree(second)
            shutil.rmtree(tmp_path / "not looked at")
        shutil.rmtree(image)
    assert ends[CUT_OFF] > 3 and ends[REPORT] > 1


async def test_a_report_that_nobody_can_be_reached_with_stays_in_the_outbox(tmp_path):
    async with a_bot(tmp_path / "data", providers=scripted(), more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        killed = Killed(bot, tmp_path)
        await bot.says("root", "!cortex what is wrong here?")
    image = next(image for image, _ in killed.images if is_inspecting(image))
    providers = {"simulated": simulated("simulated", {}), **scripted()}
    bot = Bot(image, FakeClock(), FakeEntropy(), providers, NoTable(), SCRIPTED)

    async def look() -> None:
        bot.console.send = never_takes(DeliveryError("closed", code="50007", permanent=True))

    await bot.open(look)
    await bot.app.settled()
    ((turn, (row,)),) = await inspections(bot)
    assert (turn.status, row.state, row.body.text) == (TurnStatus.INTERRUPTED, OutboxState.DEAD, CUT_OFF)
    await bot.close()


def is_inspecting(image: Path) -> bool:
    raw = sqlite3.connect(image / "glassmind.db")
    found = raw.execute("SELECT 1 FROM turn WHERE kind = 'inspection' AND status = 'running'").fetchone()
    raw.close()
    return found is not None
