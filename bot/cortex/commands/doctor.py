"""Probe everything that can be probed."""

from __future__ import annotations

import re

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, Typed, place
from bot.cortex.doctor import doctor
from bot.cortex.fixes.offers import Said
from bot.cortex.targets.talk import Talk
from bot.cortex.targets.unheard_places import NOT_SHOWN

_PUBLIC_NAME = re.compile(r"@[a-z]\w{3,31}", re.ASCII | re.IGNORECASE)


def _place(typed: Typed) -> Args | None:
    """Read a place, and a public name too: a chat that nothing ever came from has no other on some platforms."""
    return Args(where=typed.rest) if _PUBLIC_NAME.fullmatch(typed.rest) else place(typed)


async def _doctor(talk: Talk, args: Args, context: CommandContext) -> Said:
    return Said(doctor.as_text(await doctor.examine(context.patients, talk.target.key.channel)))


DOCTOR = Command(
    "`doctor [#name]` every part, probed",
    Page("doctor", _place, "doctor", _doctor, unheard=NOT_SHOWN),
    often=True,
)
