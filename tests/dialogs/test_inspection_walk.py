"""An inspection that was cut off by a kill ends in exactly one report, also where nobody can be reached with it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from adapters.simulated import create as simulated
from adapters.sqlite.engine.sealed_rows import select
from adapters.sqlite.turns.outbox import of_turn
from bot.domain.channel import ProcessKind
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from bot.domain.turn import OutboxState, StoredOutbox, StoredTurn, TurnStatus
from bot.errors import DeliveryError
from bot.sentences import say
from tests.dialogs.bot import Bot, NoTable, a_bot
from tests.dialogs.killed import Killed
from tests.dialogs.stores import ask_behind
from tests.dialogs.test_ledger_walk import SCRIPTED, never_takes
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.inside.store import database_of

REPORT = "I looked, and the sky is blue."


async def looks(request: LLMRequest) -> LLMResponse:
    """Look something up, then conclude; a channel gets its answer at once."""
    if "reply" in {tool.name for tool in request.tools}:
        return says("yes")
    seen = request.messages[-1].role is Role.TOOL
    return says(REPORT) if seen else calls(("memory_recall", {"query": "sky"}))


def scripted() -> dict[str, ScriptedProvider]:
    return {"scripted": ScriptedProvider(looks)}


async def inspections(bot: Bot) -> list[tuple[StoredTurn, list[StoredOutbox]]]:
    """Every inspection that was begun, with what was said about it."""
    read = database_of(bot.store).read
    tail = f"WHERE kind = '{ProcessKind.INSPECTION}' ORDER BY id"
    rows = [row["id"] for row in await read(lambda connection: select(connection, "turn", tail))]
    turns = [turn for row in rows if (turn := await bot.store.journal.turn(row)) is not None]
    instance = bot.store.instance
    return [(turn, await read(partial(of_turn, turn=turn.id, instance=instance))) for turn in turns]


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
    assert (turn.status, row.state) == (TurnStatus.INTERRUPTED, OutboxState.DEAD)
    assert row.body.text == "\n".join((say("cortex.cut-off"), say("cortex.may-go-on")))
    await bot.close()


async def test_nobody_is_done_with_who_asked_before_it_is_on_record_that_a_report_is_owed(tmp_path):
    async with a_bot(tmp_path / "data", providers=scripted(), more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")
        killed = Killed(bot, tmp_path)
        await bot.says("root", "!cortex what is wrong here?")
    done = [image for image, _ in killed.images if is_command_settled(image)]
    assert done
    assert all(has_inspection(image) for image in done)


def is_command_settled(image: Path) -> bool:
    return has(image, "SELECT 1 FROM inbound WHERE disposition = 'command' AND outcome = 'command'")


def has_inspection(image: Path) -> bool:
    return has(image, "SELECT 1 FROM turn WHERE kind = 'inspection'")


def has(image: Path, sql: str) -> bool:
    return bool(ask_behind(image, sql))


def is_inspecting(image: Path) -> bool:
    return has(image, "SELECT 1 FROM turn WHERE kind = 'inspection' AND status = 'running'")
