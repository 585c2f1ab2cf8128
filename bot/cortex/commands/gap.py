"""Show what people saw that the model does not, and the other way round, turn by turn, or of one turn."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, place_or_record
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.gap_page import GapPages, named_turn
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.domain.snapshot import CaptureKind
from bot.sentences import say


async def _gap(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    capture = await context.looking.capture(talk.caller, talk.target, CaptureKind.NEXT)
    page = await GapPages(context.store).page(capture.inspection, await named_turn(context.store, talk.meant))
    head = say("commands.two-sides", place=texts.channel_word(talk.target))
    return ThreadReply(f"{head}\n{context.redactor.redact(page).text}")


GAP = CortexCommand(
    "commands.gap",
    PageCommand("gap", place_or_record, "commands.title-what-only-one-side-knows", _gap),
)
