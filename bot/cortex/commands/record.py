"""Say whether requests of a channel are kept, or offer to change that."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


class RecordArgs(CommandArgs):
    """What is wanted; None: to know."""

    record: bool | None = None


def _on_or_off(typed: TypedLine) -> RecordArgs | None:
    word, _, place = typed.rest.partition(" ")
    place = place.strip()
    if word.casefold() not in {"", "on", "off"} or (place and not is_place(place)):
        return None
    return RecordArgs(record=None if not word else word.casefold() == "on", where=place.strip('"'))


async def _record(talk: SessionContext, args: RecordArgs, context: CommandSources) -> ThreadReply:
    return await context.privacy.record(talk, args.record)


RECORD = CortexCommand(
    "commands.record",
    PageCommand("record", _on_or_off, "commands.title-recording", _record),
)
