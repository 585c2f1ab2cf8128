"""List what can be changed in a channel, and offer each of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.cortex.commands.command_arguments import CommandArgs, HandleArgs, Reader, TypedLine, handle, is_place, place
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.fixes.rule_fixes import FixKind
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.domain.channel import ResponseMode
from bot.domain.handles import HandleKind, parse_handle
from bot.errors import UserError
from bot.sentences import say

_MODES = {
    "active": ResponseMode.ACTIVE,
    "mention-only": ResponseMode.MENTION_ONLY,
    "mention_only": ResponseMode.MENTION_ONLY,
    "quiet": ResponseMode.OBSERVE,
    "observe": ResponseMode.OBSERVE,
    "default": None,
}
_SWITCHES = {"on": True, "off": False, "enable": True, "disable": False}


class WordArgs(CommandArgs):
    """One word that says what is wanted."""

    word: str


class AnswerArgs(CommandArgs):
    """Whether everybody who waits is meant, or only the newest."""

    all: bool


class SwitchArgs(CommandArgs):
    """What is switched, on or off."""

    name: str
    on: bool


def _word(allowed: Callable[[str], bool]) -> Reader[WordArgs]:
    def read(typed: TypedLine) -> WordArgs | None:
        word, _, where = typed.rest.partition(" ")
        where = where.strip()
        if not allowed(word.casefold()) or (where and not is_place(where)):
            return None
        return WordArgs(word=word, where=where.strip('"'))

    return read


def _switch(typed: TypedLine) -> SwitchArgs | None:
    word, _, rest = typed.rest.partition(" ")
    name, _, where = rest.strip().partition(" ")
    where = where.strip()
    if word.casefold() not in _SWITCHES or not name or (where and not is_place(where)):
        return None
    return SwitchArgs(name=name.strip("`\"'"), on=_SWITCHES[word.casefold()], where=where.strip('"'))


def _all(typed: TypedLine) -> AnswerArgs | None:
    word, _, rest = typed.rest.partition(" ")
    is_all = word.casefold() == "all"
    where = rest.strip() if is_all else typed.rest
    return AnswerArgs(all=is_all, where=where.strip('"')) if not where or is_place(where) else None


async def _listed(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    found = await context.menu.listed(talk.target, talk.caller)
    where = texts.channel_word(talk.target)
    if not found:
        return ThreadReply(say("commands.nothing-to-change", place=where))
    buttons = tuple(context.buttons.fix(talk.session, one.label, one.kind, one.row) for one in found)
    return ThreadReply(say("commands.can-be-changed", place=where), buttons)


def _offer(kind: FixKind) -> Callable[[SessionContext, CommandArgs, CommandSources], Awaitable[ThreadReply]]:
    async def run(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
        return await context.menu.offer(kind, talk.session, talk.target, talk.caller, 0)

    return run


async def _answer(talk: SessionContext, args: AnswerArgs, context: CommandSources) -> ThreadReply:
    kind = FixKind.ANSWER_WAITING if args.all else FixKind.NEWEST
    return await context.menu.offer(kind, talk.session, talk.target, talk.caller, 0)


async def _mode(talk: SessionContext, args: WordArgs, context: CommandSources) -> ThreadReply:
    return await context.menu.mode(talk.session, talk.target, talk.caller, _MODES[args.word.casefold()])


async def _model(talk: SessionContext, args: WordArgs, context: CommandSources) -> ThreadReply:
    return await context.menu.model(talk.session, talk.target, "" if args.word.casefold() == "default" else args.word)


async def _tool(talk: SessionContext, args: SwitchArgs, context: CommandSources) -> ThreadReply:
    return await context.menu.tool(talk.session, talk.target, args.name, on=args.on)


async def _skill(talk: SessionContext, args: SwitchArgs, context: CommandSources) -> ThreadReply:
    return await context.menu.skill(talk.session, talk.target, args.name.lower(), on=args.on)


async def _allow(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    return await context.menu.offer(
        FixKind.ADMIT_PERSON, talk.session, talk.target, talk.caller, await _row(talk, args, context)
    )


async def _retry(talk: SessionContext, args: HandleArgs, context: CommandSources) -> ThreadReply:
    return await context.menu.offer(
        FixKind.RETRY, talk.session, talk.target, talk.caller, await _row(talk, args, context)
    )


async def _row(talk: SessionContext, args: HandleArgs, context: CommandSources) -> int:
    parsed = parse_handle(args.handle)
    stored = await context.store.ledger.by_handle(parsed) if parsed else None
    if stored is None or stored.key != talk.target.key:
        raise UserError(say("cortex.no-such-record-here"))
    return stored.id


_INBOUND = handle(HandleKind.INBOUND)
FIX = CortexCommand(
    "commands.fix",
    PageCommand("fix", place, "commands.title-fixes", _listed),
    PageCommand("fix mode", _word(_MODES.__contains__), "commands.title-another-mode", _mode),
    PageCommand(
        "fix model", _word(lambda word: word == "default" or "/" in word), "commands.title-another-model", _model
    ),
    PageCommand("fix tool", _switch, "commands.title-switch-a-tool", _tool),
    PageCommand("fix skill", _switch, "commands.title-switch-a-skill", _skill),
    PageCommand("fix new", place, "commands.title-new-conversation", _offer(FixKind.NEW)),
    PageCommand("fix compact", place, "commands.title-shorten-the-history", _offer(FixKind.COMPACT)),
    PageCommand("fix answer", _all, "commands.title-answer-who-waits", _answer),
    PageCommand("fix retry", _INBOUND, "commands.title-answer-a-message", _retry),
    PageCommand("fix allow", _INBOUND, "commands.title-let-somebody-in", _allow),
    PageCommand("fix allow", place, "commands.title-let-a-channel-in", _offer(FixKind.ADMIT_CHANNEL)),
    PageCommand("fix cooldown", place, "commands.title-ask-a-model-again", _offer(FixKind.ASK_AGAIN)),
    PageCommand("fix resume", place, "commands.title-end-a-pause", _offer(FixKind.RESUME)),
    PageCommand("fix tell", place, "commands.title-tell-a-channel", _offer(FixKind.TELL)),
)
