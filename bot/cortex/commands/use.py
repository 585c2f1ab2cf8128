"""Talk about another channel from here on."""

from __future__ import annotations

from bot.cortex.commands.command import Command, CommandContext, Page
from bot.cortex.commands.forms import Args, Typed, place
from bot.cortex.fixes.offers import Said
from bot.cortex.targets import texts
from bot.cortex.targets.talk import Talk


def _place(typed: Typed) -> Args | None:
    return place(typed) if typed.rest else None


async def _use(talk: Talk, args: Args, context: CommandContext) -> Said:
    return Said(f"From here on this is about {texts.channel_word(talk.target)} ({talk.target.key.channel}).")


USE = Command("`use #name` talk about another channel", Page("use", _place, "cortex", _use))
