"""Show what people saw that the model does not, and the other way round, turn by turn, or of one turn."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, place_or_record
from bot.cortex.fixes.offers import Said
from bot.cortex.pages.gap_page import Gaps, turn_meant
from bot.cortex.targets import texts
from bot.cortex.targets.talk import Talk
from bot.domain.snapshot import CaptureKind


async def _gap(talk: Talk, args: Args, context: CommandContext) -> Said:
    capture = await context.looking.capture(talk.caller, talk.target, CaptureKind.NEXT)
    page = await Gaps(context.store).page(capture.inspection, await turn_meant(context.store, talk.meant))
    head = f"{texts.channel_word(talk.target)}: what people saw and the model is not told, and the other way round"
    return Said(f"{head}\n{context.redactor.redact(page).text}")


GAP = Command(
    "`gap [#name]` what people saw that the model does not know, and the other way round",
    Page("gap", place_or_record, "what only one side knows", _gap),
)
