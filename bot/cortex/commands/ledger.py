"""Show the newest messages of a channel with their outcomes, or the trail of one."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Opening, Page
from bot.cortex.commands.forms import Args, handle, place
from bot.cortex.fixes.offers import Said
from bot.cortex.pages import ledger_page
from bot.cortex.targets import texts
from bot.cortex.targets.talk import Talk


async def _ledger(talk: Talk, args: Args, context: CommandContext) -> Said:
    target = talk.target
    return Said(await ledger_page.page(context.store.ledger, target.key, texts.channel_word(target), context.clock))


LEDGER = Command(
    "`ledger [#name]` how the newest messages ended",
    Opening("ledger", handle()),
    Page("ledger", place, "ledger", _ledger, opens_messages=True),
    often=True,
)
