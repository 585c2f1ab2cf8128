"""The process from start to end: a store that fails stops it in order, one that is full does not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from adapters.sqlite.engine.directory import DiskRoom
from bot.app.core import FatalFailure
from bot.domain.ledger import Outcome
from bot.domain.turn import OutboxState
from bot.errors import DeliveryError, StoreError
from tests.dialogs.bot import GENERAL, Bot, NoTable, a_bot
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import ScriptedProvider, says
from tests.inside.sending import waits_for_a_platform
from tests.inside.store import writer_of

SCRIPTED = """
[model]
name = "scripted/scripted-1"
context_window = 128000
retries = 0
[providers.scripted]
kind = "simulated"
"""


async def break_the_disk(bot: Bot, *, mend: bool = False) -> None:
    """Let every write of this process fail from now on."""
    mode = "OFF" if mend else "ON"
    await writer_of(bot.store).run_alone(lambda connection: connection.execute(f"PRAGMA query_only = {mode}"))


@asynccontextmanager
async def running(bot: Bot) -> AsyncIterator[asyncio.Task[str]]:
    """Run a bot whose keyboard nobody touches; the body types on it, and moves the clock."""
    stop, listens, bot.clock.auto = asyncio.Event(), asyncio.Event(), False

    async def listen(ears: object) -> None:
        listens.set()
        await asyncio.Event().wait()

    bot.console.run = listen
    async with asyncio.TaskGroup() as group:
        task = group.create_task(_until_the_end(bot, stop))
        await listens.wait()
        yield task
        stop.set()
    await break_the_disk(bot, mend=True)
    bot.clock.auto = True


async def _until_the_end(bot: Bot, stop: asyncio.Event) -> str:
    try:
        await asyncio.wait_for(bot.app.run(stop), 30)
    except StoreError as error:
        return str(error)
    return "ended"


@pytest.mark.parametrize("where", ["turn", "command", "delivery", "background"])
async def test_a_store_that_fails_ends_the_process_and_the_next_one_goes_on(tmp_path, where):
    scripted = ScriptedProvider(says("here I am"))
    async with a_bot(tmp_path, providers={"scripted": scripted}, more=SCRIPTED) as bot, running(bot) as run:
        await _fail_in(bot, where, run)
        said = await run
    assert said.startswith("Stopped, because the store failed; nothing is lost")
    assert "\n" not in said
    async with a_bot(tmp_path, providers={"scripted": scripted}, more=SCRIPTED) as bot:
        await bot.app.settled()
        assert await bot.store.ledger.unsettled() == []
        expected = {"turn": Outcome.REPLIED, "command": Outcome.INTERRUPTED, "delivery": Outcome.REPLIED}
        if where in expected:
            assert [one.outcome for one in await bot.store.ledger.recent(GENERAL, 9)] == [expected[where]]


async def _fail_in(bot: Bot, where: str, run: asyncio.Task[str]) -> None:
    """Break the store at one stage."""
    if where == "background":
        await break_the_disk(bot)
        while not run.done():
            bot.clock.advance(11)  # the next sign of life, as soon as somebody waits for it
            await asyncio.sleep(0)
        return
    broken = {
        "turn": (bot.store.journal, "record_request"),
        "command": (bot.store.ledger, "note"),
        "delivery": (bot.store.journal, "end_turn"),  # writes the intent of the first part too
    }
    part, name = broken[where]
    write = getattr(part, name)

    async def fails_from_here(*args):
        await break_the_disk(bot)
        return await write(*args)

    setattr(part, name, fails_from_here)
    line = "[#general] ann> @glassmind /status" if where == "command" else "[#general] ann> @glassmind hello"
    await bot.console.type(line, bot.app.manager)


async def test_a_receipt_that_cannot_be_stored_leaves_the_intent(tmp_path):
    scripted = ScriptedProvider(says("here I am"))
    async with a_bot(tmp_path, providers={"scripted": scripted}, more=SCRIPTED) as bot:
        async with running(bot) as run:
            sent = bot.console.send

            async def fails_after(message):
                receipt = await sent(message)
                await break_the_disk(bot)
                return receipt

            bot.console.send = fails_after
            await bot.console.type("[#general] ann> @glassmind hello", bot.app.manager)
            assert "Stopped" in await run
        stored = await bot.store.ledger.unsettled()
        rows = await bot.store.outbox.of_inbound(stored[0].id)
        assert [row.state for row in rows] == [OutboxState.SENDING]
        before = list(bot.lines)
    assert len([line for line in before if "here I am" in line]) == 1


async def test_what_waits_for_a_platform_goes_out_while_it_runs_and_holds_up_no_stop(tmp_path):
    loop = asyncio.get_running_loop()
    async with a_bot(tmp_path) as bot:
        async with running(bot):
            sent, is_away = bot.console.send, [True]

            async def reaches(message):
                if is_away:
                    raise DeliveryError("no connection", code="unreachable")
                return await sent(message)

            bot.console.send = reaches
            await _waits(bot, "are you there?")
            is_away.clear()
            while await bot.store.outbox.pending():
                bot.clock.advance(1)
            is_away.append(True)
            await _waits(bot, "and now?")
            begun = loop.time()
        assert loop.time() - begun < 3
        (row,) = await bot.store.outbox.pending()
        assert row.state is OutboxState.NEW


async def _waits(bot: Bot, text: str) -> None:
    """Ask something, until its answer waits for the platform."""
    await bot.console.type(f"[#general] ann> @glassmind {text}", bot.app.manager)
    while not waits_for_a_platform(bot.app.sender):
        bot.clock.advance(1)
        await asyncio.sleep(0.001)


async def test_a_full_disk_is_waited_out(tmp_path, monkeypatch):
    async with a_bot(tmp_path) as bot:
        async with running(bot) as run:
            monkeypatch.setattr(DiskRoom, "free", lambda _: -1)
            bot.clock.advance(2)
            await bot.console.type("[#general] ann> @glassmind are you there?", bot.app.manager)
            assert bot.lines[-1].startswith("glassmind did not hear that: The disk is almost full")
            await bot.types("[#general] root> @glassmind /status")
            assert any("The disk has been almost full since" in line for line in bot.lines)
            await bot.types("[#general] root> @glassmind !cortex doctor")
            assert any("store space" in line and " free in " in line for line in bot.private()), bot.lines
            await bot.types("[#general] root> !why")
            report = bot.private()[-1]
            assert "✗ The Console connection is down" in report and "The disk is almost full" in report
            assert not run.done()
            monkeypatch.setattr(DiskRoom, "free", lambda _: 1 << 40)
            bot.clock.advance(2)
            await bot.types("[#general] ann> @glassmind say good morning")
            assert bot.lines[-1] == "[#general] glassmind< good morning"
        assert run.result() == "ended"


async def test_other_failures_do_not_end_the_process():
    fatal = FatalFailure()
    await fatal.hear("a task", ValueError("a bug"))
    assert fatal.error is None
    await fatal.hear("a task", StoreError("the first"))
    await fatal.hear("a task", StoreError("what follows from it"))
    await fatal.wait()
    assert str(fatal.error) == "the first"


async def test_a_sweep_takes_old_replies_away(tmp_path):
    async with a_bot(tmp_path) as bot:
        folder = tmp_path / "outgoing"
        folder.mkdir()
        for name, days in (("reply-old.md", 31), ("reply-new.md", 29)):
            (folder / name).write_text("words")
            at = bot.clock.now() / 1000 - days * 86_400
            os.utime(folder / name, (at, at))
        await bot.app.maintenance.sweep()
        assert [path.name for path in folder.iterdir()] == ["reply-new.md"]


async def test_the_commands_are_made_known_to_every_platform_once_it_is_up(tmp_path):
    others = {"discord": FakePlatform("discord")}
    async with a_bot(tmp_path, more="[platforms.discord]\nowner_ids = [11]\nmoderator_ids = [13]") as bot:
        await bot.close()
        bot.others = others
        await bot.open()
        async with running(bot):
            await bot.app.settled()
        menu = others["discord"].menu
        assert menu is not None
        assert (menu.entries[0].name, menu.entries[-1].name) == ("help", "why")
        assert menu.tiers.everybody == {"11", "13"}


async def test_what_a_start_holds_up_by_itself_is_expected(tmp_path):
    table = NoTable()
    async with a_bot(tmp_path, counter=table) as bot:
        stalls, expected = bot.app.stalls, list[bool]()

        async def warm(texts):
            expected.append(stalls.is_expected)

        table.warm = warm
        async with running(bot):
            while not expected or stalls.is_expected:
                bot.clock.advance(1)
                await asyncio.sleep(0.01)
    assert expected == [True]
