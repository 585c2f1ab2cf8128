"""Write memories to a file, or offer to take those of a file in."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext


class MemoryFileArgs(CommandArgs):
    """Of which channel, or of its whole server."""

    everywhere: bool = False


def _place(typed: TypedLine) -> MemoryFileArgs | None:
    if typed.rest.casefold() in {"server", "guild"}:
        return MemoryFileArgs(everywhere=True)
    if typed.rest and not is_place(typed.rest):
        return None
    return MemoryFileArgs(where=typed.rest.strip('"'))


async def _export(talk: SessionContext, args: MemoryFileArgs, context: CommandSources) -> ThreadReply:
    return await context.memory_files.export(talk, everywhere=args.everywhere)


async def _import(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return await context.memory_files.offer_import(talk)


def _nothing(typed: TypedLine) -> CommandArgs | None:
    return CommandArgs() if not typed.rest else None


MEMORY_FILES = CortexCommand(
    "commands.memory-files",
    PageCommand("memory export", _place, "commands.title-memories-as-a-file", _export),
    PageCommand("memory import", _nothing, "commands.title-memories-of-a-file", _import),
)
