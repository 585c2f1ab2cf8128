"""What people like changes: they revise it, take it back, and an admin can go back to what was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.fakes.provider import ScriptedProvider, calls, says


def named(row: int) -> str:
    return handle(HandleKind.MEMORY, row)


async def asks(bot: Bot, model: ScriptedProvider, text: str, tool: str, who: str = "ann", **arguments: str) -> str:
    """Let somebody say something, and the model call a tool of its; return what the model is told."""
    model.script = [calls((tool, arguments)), says("fine")]
    await bot.says(who, f"@glassmind {text}")
    return model.requests[-1].messages[-1].results[0].text


async def holds(bot: Bot) -> Sequence[str]:
    """What the bot goes by: what is remembered and nothing newer has replaced."""
    bulletin, _ = await bot.store.memories.weightiest(MemoryReach(agent=MAIN, channel=GENERAL.channel), 10)
    return [one.body.content for one in bulletin]


async def test_a_preference_is_revised_and_taken_back_by_whoever_has_it_and_an_admin_goes_back(tmp_path: Path) -> None:
    model = ScriptedProvider(says("fine"))
    async with a_bot(tmp_path, providers={"simulated": model}) as bot:
        saved = "Ann likes green tea"
        await asks(bot, model, "I like green tea", "memory_save", content=saved, type="preference")
        told = await asks(
            bot, model, "rather coffee by now", "preference_revise", memory=named(1), content="Ann likes coffee"
        )
        assert "It has 1 relation to older memories." in told
        assert await holds(bot) == ["Ann likes coffee"]
        # nobody else takes it away, nor does what she did not speak of
        told = await asks(bot, model, "ann does not like coffee", "preference_retract", "james", memory=named(2))
        assert "may change only preferences of their own" in told
        told = await asks(bot, model, "what is the weather?", "preference_retract", memory=named(2))
        assert told.startswith("Not taken back: ann did not speak of it.")
        assert await holds(bot) == ["Ann likes coffee"]
        # without the newer one the older would hold again
        bot.clock.advance(3600)
        told = await asks(bot, model, "forget what I said about coffee", "preference_retract", memory=named(2))
        assert told == f"{named(2)} will be forgotten when this turn ends. Admins can bring it back."
        assert await holds(bot) == []
        page = "\n".join(await bot.says("root", f"!cortex memory history {named(2)}"))
        assert re.search(r"forgotten by ann, \d+ s ago", page)
        offered = "\n".join(await bot.says("root", "!cortex memory rollback 30m by ann"))
        assert "Undo 2 changes" in offered
        await bot.types("/press Undo 2 changes")
        assert await holds(bot) == ["Ann likes coffee"]
