"""Open a record by its handle; a bare one that names no record is the question that was typed (`again`)."""

from __future__ import annotations

from bot.cortex.commands.command import Command, Opening
from bot.cortex.commands.forms import HandleArgs, Typed, handle

_any = handle()


def _bare(typed: Typed) -> HandleArgs | None:
    found = _any(typed)
    return HandleArgs(handle=found.handle, question=typed.line) if found else None


OPEN = Command(
    "`open <handle>` any record, or just type its handle\n"
    "In place of `[#name]`: a message's link or handle, with `why`, `context`, `ledger`, `export`, `diff`, `cache`, "
    "`find`, `this`.",
    Opening("open", _any),
    Opening("", _bare),
)
