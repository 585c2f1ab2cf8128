"""Show the newest messages of a channel with their outcomes, or the trail of one."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, handle, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand, RecordCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages import ledger_page
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext


async def _ledger(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    target = talk.target
    return ThreadReply(
        await ledger_page.page(context.store.ledger, target.key, texts.channel_word(target), context.clock)
    )


LEDGER = CortexCommand(
    "commands.ledger",
    RecordCommand("ledger", handle()),
    PageCommand("ledger", place, "commands.title-ledger", _ledger, opens_messages=True),
    often=True,
)
