"""Say whether requests of a channel are kept, or offer to change that."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, Typed, is_place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk


class RecordArgs(Args):
    """What is wanted; None: to know."""

    record: bool | None = None


def _on_or_off(typed: Typed) -> RecordArgs | None:
    word, _, place = typed.rest.partition(" ")
    place = place.strip()
    if word.casefold() not in {"", "on", "off"} or (place and not is_place(place)):
        return None
    return RecordArgs(record=None if not word else word.casefold() == "on", where=place.strip('"'))


async def _record(talk: Talk, args: RecordArgs, context: CommandContext) -> Said:
    return await context.privacy.record(talk, args.record)


RECORD = Command(
    "`record [off|on] [#name]` whether requests of a channel are kept",
    Page("record", _on_or_off, "recording", _record),
)
