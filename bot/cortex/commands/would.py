"""Run the gates dry: would this person be answered?"""

from __future__ import annotations

import re

from bot.cortex.commands.command_arguments import USER, CommandArgs, TypedLine, is_place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.words.stage_lines import gate_line
from bot.domain.ids import UserId, platform_of
from bot.domain.messages import Author, Inbound
from bot.errors import UserError
from bot.ports.store import Store
from bot.sentences import say
from bot.text.text import one_line_name

_FORM = re.compile(rf"({USER})\s+\"([^\"]*)\"(?:\s+(\S+))?")
_NUMBER = re.compile(r"<@!?(\d{1,20})>|(\d{1,20})")
_MAX_MESSAGES = 200


class WouldArgs(CommandArgs):
    """Somebody, and what they might write."""

    user: str
    text: str


def _message(typed: TypedLine) -> WouldArgs | None:
    found = _FORM.fullmatch(typed.rest)
    if found is None or (found[3] and not is_place(found[3])):
        return None
    return WouldArgs(user=found[1], text=found[2], where=found[3] or "")


async def _would(talk: SessionContext, args: WouldArgs, context: CommandSources) -> ThreadReply:
    target, author = talk.target, await _author(context.store, talk.target, args.user)
    inbound = Inbound(
        adapter=platform_of(target.key.channel),
        channel=target.key.channel,
        channel_name=target.name,
        place=target.place,
        message_id="0",
        author=author,
        text=args.text,
        sent_at=context.clock.now(),
    )
    verdicts = context.would(inbound)
    lines = [say("commands.dry-run", place=texts.channel_word(target), user=author.user_id)]
    for verdict in verdicts:
        lines.append(f"{'✓' if verdict.passed else '✗'} {gate_line(verdict)}")
    stopped = next((verdict.gate for verdict in verdicts if not verdict.passed), "")
    lines.append(say("commands.would-stop", gate=stopped) if stopped else say("commands.would-reach-model"))
    return ThreadReply("\n".join(lines))


async def _author(store: Store, target: TargetChannel, user: str) -> Author:
    number = _NUMBER.fullmatch(user)
    if number:
        return Author(user_id=UserId(number[1] or number[2]), name=say("commands.someone"))
    name = one_line_name(user.lstrip("@")).casefold()
    for stored in await store.ledger.recent(target.key, _MAX_MESSAGES):
        author = stored.inbound.author
        if one_line_name(author.name).casefold() == name:
            return author
    raise UserError(say("commands.unknown-person"))


WOULD = CortexCommand(
    "commands.would",
    PageCommand("would", _message, "commands.title-dry-run-of-the-gates", _would),
)
