"""Open a record by its handle; a bare one that names no record is the question that was typed (`again`)."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import HandleArgs, TypedLine, handle
from bot.cortex.commands.cortex_command import CortexCommand, RecordCommand

_any = handle()


def _bare(typed: TypedLine) -> HandleArgs | None:
    found = _any(typed)
    return HandleArgs(handle=found.handle, question=typed.line) if found else None


OPEN = CortexCommand(
    "commands.open",
    RecordCommand("open", _any),
    RecordCommand("", _bare),
)
