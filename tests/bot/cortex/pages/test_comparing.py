"""The event behind a change is found in the records of a bot that really lived through it."""

from __future__ import annotations

import re

from bot.config import LoadedConfig
from bot.domain.handles import HandleKind, handle
from bot.domain.health import ProgramStart
from bot.domain.messages import InboundKind
from tests.bot.cortex.chat import ADMIN, OWNER, Chat, PatientClock, chat, config
from tests.fakes.provider import fails, says


def r(row: int) -> str:
    return handle(HandleKind.REQUEST, row)


async def told(bot: Chat, line: str = "diff") -> str:
    """Ask, and return the rows of the first message that are not about what every request renders anew."""
    await bot.hears(f"!cortex {line}", OWNER)
    first = next(sent.text for sent in reversed(bot.private) if sent.text[0] in "≠=")
    return "\n".join(row for row in first.splitlines() if row[:1] in "+−~↕")


async def test_an_admin_who_forgets_a_memory_and_takes_it_back(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        row = await bot.remembers()
        await bot.hears("hello")
        name = handle(HandleKind.MEMORY, row)
        await bot.hears(f"!cortex memory forget {name}", OWNER)
        bot.clock.advance(1)
        await bot.presses("Forget")
        forgotten = (await bot.store.audit.newest(None, 1))[0]
        by = f"memory forgotten {handle(HandleKind.AUDIT, forgotten.id)}"
        assert re.search(rf"− memory_bulletin -\d+ · {by}", await told(bot))
        bot.clock.advance(1)
        await bot.hears("hello again")
        bot.clock.advance(1)
        await bot.hears("!cortex undo", OWNER)
        await bot.presses("Undo")
        undone = (await bot.store.audit.newest(None, 1))[0]
        assert undone.body.action.startswith("undo")
        assert f"memory restored {handle(HandleKind.AUDIT, undone.id)}" in await told(bot)


async def test_a_mode_that_an_admin_set(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        bot.clock.advance(1)
        ordered = await bot.inbound(await bot.hears("!mention-only", ADMIN))
        assert "~ silence_rules" in (rows := await told(bot))
        assert f"· mode {handle(HandleKind.INBOUND, ordered.id)}" in rows


async def test_a_fresh_start(tmp_path):
    async with chat(tmp_path, says("yes"), says("no"), says("hm")) as bot:
        await bot.hears("hello")
        await bot.hears("hello again")
        bot.clock.advance(1)
        ordered = await bot.inbound(await bot.hears("!new", ADMIN))
        bot.clock.advance(1)
        await bot.hears("so?")
        assert f"fresh start {handle(HandleKind.INBOUND, ordered.id)}" in await told(bot, f"diff {r(2)} last")


async def test_a_message_that_its_author_changed(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        said = await bot.hears("do you like tea?")
        bot.clock.advance(5)
        changed = {"kind": InboundKind.EDIT, "edit": bot.clock.now(), "text": "do you like coffee?"}
        await bot.manager.receive([said.replace(**changed)], None)
        await bot.settled()
        row = (await bot.inbound(said)).id
        assert row == 2
        rows = await told(bot)
        assert f"~ messages 1 → 1-3 +8 · edit {handle(HandleKind.INBOUND, row)}; new messages t" in rows
        await bot.hears('!cortex find "coffee"', OWNER)
        assert "next only" in bot.last


async def test_another_persona_after_a_restart(tmp_path):
    clock, data = PatientClock(), tmp_path / "data"
    async with chat(tmp_path, says("yes"), clock=clock) as bot:
        await bot.hears("hello")
    clock.advance(60)
    cross = config(data, bot={"name": "Glass", "data_dir": str(data), "persona": "You are cross."})
    async with chat(tmp_path, says("no"), settings=cross, clock=clock) as bot:
        clock.advance(1)
        await bot.hears("hello?")
        rows = await told(bot, f"diff {r(1)} {r(2)}")
        assert "~ identity" in rows and "· config" in rows
        assert "config: bot.name, bot.persona, read at a start" in bot.last


async def test_a_model_that_stood_in(tmp_path):
    model = {"name": "scripted/scripted-1", "fallbacks": ["scripted/scripted-2"], "context_window": 128_000}
    settings = config(tmp_path / "data", model={**model, "retries": 0, "cool_down": 0.001})
    async with chat(tmp_path, says("yes"), fails(), says("still here"), settings=settings) as bot:
        await bot.hears("hello")
        bot.clock.advance(1)
        await bot.hears("and now?")
        last = await bot.store.journal.request(3)
        assert last is not None and last.record.fallback_of == 2
        rows = await told(bot, f"diff {r(1)} {r(3)}")
        assert f"~ parameter model · model {r(2)}" in rows


async def test_a_turn_that_was_lost(tmp_path):
    async with chat(tmp_path, says("yes"), fails(), says("no")) as bot:
        await bot.hears("hello")
        await bot.hears("are you there?")
        bot.clock.advance(1)
        await bot.hears("so?")
        rows = await told(bot, f"diff {r(2)} {r(3)}")
        assert rows and "unknown" not in rows


async def test_an_older_start_is_named_however_many_came_after_it(tmp_path):
    clock, data = PatientClock(), tmp_path / "data"
    async with chat(tmp_path, says("yes"), clock=clock) as bot:
        await bot.hears("hello")
    cross = config(data, bot={"name": "Glass", "data_dir": str(data), "persona": "You are cross."})
    for number in range(3):
        clock.advance(60)
        async with chat(tmp_path, says("no"), settings=cross, clock=clock) as bot:
            clock.advance(1)
            if number in (0, 2):
                await bot.hears("hello?")
            if number == 2:
                rows = await told(bot, f"diff {r(1)} {r(2)}")
                assert "~ identity" in rows and "· config" in rows
                assert "config: bot.name, bot.persona, read at a start" in bot.last
                starts = [start.at for start in await bot.store.starts.all()]
                assert len(starts) == len(set(starts)) == 4


async def test_a_reload_is_on_record_with_what_it_took(tmp_path):
    usual = config(tmp_path / "data", providers={"scripted": {"kind": "simulated"}})
    shorter = usual.model.model_copy(update={"max_output_tokens": 777})
    async with chat(tmp_path, says("yes"), settings=usual.model_copy(deep=True)) as bot:
        bot.clock.advance(1)
        wanted = LoadedConfig(config=usual.model_copy(update={"model": shorter}), origins={}, secrets={})
        assert await bot.app.running.reload(lambda: wanted) == ("model.max_output_tokens",)
        *_, reloaded = await bot.store.starts.all()
        assert reloaded == ProgramStart(at=bot.clock.now(), keys=("model.max_output_tokens",))
