"""Show what the model would be told now; where a message or request is named, what it was told."""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, is_place, place, place_or_record
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.snapshot import CaptureKind
from bot.errors import UserError
from bot.sentences import say

_FORM = re.compile(r"(?:(?P<place>.*\S)\s+)?(?P<form>next|last|running|-{0,2}sent\s+(?P<handle>\S+))", re.IGNORECASE)
"""Which context of a place is meant: `#general last`, `running`, `--sent r3x7b`."""


class ContextArgs(CommandArgs):
    """Which context; `last`: the last request that was sent, `running`: the one that runs now."""

    last: bool = False
    running: bool = False

    @property
    def usual(self) -> CaptureKind:
        """Which one is shown where no request is named."""
        if self.running:
            return CaptureKind.IN_FLIGHT
        return CaptureKind.SENT if self.last else CaptureKind.NEXT


def read_context_args(typed: TypedLine) -> ContextArgs | None:
    """Read a place or a record, and which of its contexts is meant."""
    found = _FORM.fullmatch(typed.rest)
    if found is None or (found["place"] and not is_place(found["place"])):
        plain = place_or_record(typed)
        return ContextArgs(where=plain.where, question=plain.question) if plain else None
    if found["handle"]:
        # a request knows its channel
        handle = parse_handle(found["handle"])
        is_request = handle is not None and handle.kind is HandleKind.REQUEST
        return ContextArgs(where=found["handle"].lower()) if is_request else None
    form = found["form"].casefold()
    return ContextArgs(where=(found["place"] or "").strip('"'), last=form == "last", running=form == "running")


def _last(typed: TypedLine) -> ContextArgs | None:
    found = place(typed)
    return ContextArgs(where=found.where, last=True) if found else None


async def named_context(talk: SessionContext, args: ContextArgs, context: CommandSources) -> CaptureKind | int:
    """Return the request that was named; an inspection's own was cut for the eyes of whoever asked for it."""
    if not talk.meant.name:
        return args.usual
    row = await context.looking.targets.finder.request_of(talk.meant)
    stored = await context.store.journal.request(row)
    if stored is None or stored.record.kind is not ProcessKind.CHANNEL:
        raise UserError(say("cortex.not-the-channels"))
    return row


async def _context(talk: SessionContext, args: ContextArgs, context: CommandSources) -> ThreadReply:
    return await context.views.context(talk, await named_context(talk, args, context))


CONTEXT = CortexCommand(
    "commands.context",
    PageCommand("context", read_context_args, "commands.title-context", _context),
    PageCommand("last", _last, "commands.title-context", _context),
    often=True,
)
