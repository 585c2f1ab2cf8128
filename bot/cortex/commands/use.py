"""Talk about another channel from here on."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, TypedLine, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.sentences import say


def _place(typed: TypedLine) -> CommandArgs | None:
    return place(typed) if typed.rest else None


async def _use(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    place = texts.channel_word(talk.target)
    return ThreadReply(say("commands.talk-is-about", place=place, id=talk.target.key.channel))


USE = CortexCommand("commands.use", PageCommand("use", _place, "commands.title-cortex", _use))
