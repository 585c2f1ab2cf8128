"""The one dispatcher: who may, what it does, one acknowledgement, one outcome."""

from __future__ import annotations

from functools import partial

import structlog

from bot.diagnostics.failure_words import recorded_error, unread_part
from bot.domain.access import Authority, Caller
from bot.domain.base import digest_text
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import PLUGIN, FailReason, LedgerStage, Outcome, StageRow, StageVerdict, StoredInbound
from bot.domain.messages import AuthorKind, Inbound, OutboundAddress
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError, StoreError, UserError
from bot.messaging.commands.context import ChatCommand, CommandContext, GivenCommand
from bot.messaging.commands.table import command_of, usable
from bot.messaging.delivery.poster import has_started
from bot.messaging.policy.access import AccessPolicy
from bot.messaging.policy.command_syntax import CommandLine
from bot.ports.cortex import CommandCall
from bot.ports.delivery import Delivery
from bot.prompts import render
from bot.sentences import say, speaking

NOBODYS = "anonymous"
"""Why a command is denied which no account of a person gave."""

log = structlog.get_logger(__name__)


class CommandDispatcher:
    """Runs commands; a run ends in exactly one outcome, and in something that the person sees."""

    def __init__(self, desk: CommandContext, access: AccessPolicy, delivery: Delivery) -> None:
        self._desk = desk
        self._access = access
        self._delivery = delivery

    async def run(self, stored: StoredInbound, line: CommandLine) -> None:
        """Run a command from the check of authority to its outcome; every line of the log on the way names it."""
        with structlog.contextvars.bound_contextvars(correlation=handle(HandleKind.INBOUND, stored.id)):
            await self._run(stored, line)

    async def _run(self, stored: StoredInbound, line: CommandLine) -> None:
        caller = self._access.caller(stored.inbound.person, stored.inbound.author.name)
        command = command_of(line, caller.authority, self._desk.config, self._desk.added)
        call = GivenCommand(stored, caller, line, partial(self._tell, stored, command))
        with speaking(self._spoken(call.inbound, command)):
            await self._carry_out(call, command)

    def _spoken(self, inbound: Inbound, command: ChatCommand) -> str:
        """Return the language of the answer: its only reader's, or that of the channel where everybody reads it."""
        languages = self._desk.languages
        return languages.of(inbound.person, inbound.locale) if command.private else languages.of_answer(inbound)

    async def _carry_out(self, call: GivenCommand, command: ChatCommand) -> None:
        stored, line, caller = call.stored, call.line, call.caller
        try:
            if caller.authority < command.needs(is_dm=stored.inbound.place.is_dm):
                log.info(
                    "refused",
                    what=command.name,
                    channel=stored.inbound.channel,
                    user=stored.inbound.author.user_id,
                )
                await self._deny(call, command)
                await self._settle(stored, Outcome.COMMAND, f"{command.name} denied")
                return
            await self._note(call, command, StageVerdict.PASSED, command.name)
            await self._obey(call, command)
        except StoreError:
            raise
        except Exception as error:
            log.error("command_failed", command=line.name, error_type=type(error).__name__, exc_info=error)
            name = handle(HandleKind.INBOUND, stored.id)
            await self._settle(stored, Outcome.FAILED, f"{FailReason.INTERNAL}: {recorded_error(error)}")
            await call.answer(_apology(command, error, name))
        else:
            await self._settle(stored, Outcome.COMMAND, command.name)

    async def refuse(self, stored: StoredInbound, line: CommandLine, *, tells: bool) -> None:
        """Say to who has no name here that nobody can tell who they are; nothing is obeyed, whoever it was.

        A program that gives a command hears nothing, so that no two of them talk for ever, and neither does who did
        not address the bot.
        """
        inbound = stored.inbound
        command = command_of(line, Authority.OWNER, self._desk.config, self._desk.added)
        caller = Caller(inbound.person, inbound.author.name, Authority.EVERYONE)
        log.info(
            "refused",
            what=command.name,
            channel=inbound.channel,
            user=inbound.author.user_id,
            who=inbound.author.kind.value,
            correlation=handle(HandleKind.INBOUND, stored.id),
        )
        await self._note(
            GivenCommand(stored, caller, line, partial(self._tell, stored, command)),
            command,
            StageVerdict.STOPPED,
            NOBODYS,
        )
        await self._settle(stored, Outcome.COMMAND, f"{command.name} denied: {inbound.author.kind.value}")
        if inbound.author.kind is AuthorKind.BOT or not tells:
            return
        platform = self._desk.platforms.get(inbound.adapter)
        with speaking(self._desk.languages.of_answer(inbound)):
            text = render("anonymous", link=platform.invitation("") if platform is not None else "")
        body = NewOutbox(
            kind="command",
            to=self._delivery.home(inbound.channel),
            text=text,
            inbound=stored.id,
            replies_to=inbound.message_id,
        )
        try:
            await self._delivery.say(body)
        except DeliveryError as error:
            log.info("anonymous_not_told", channel=inbound.channel, code=error.code)

    async def cut_off(self, stored: StoredInbound, line: CommandLine | None) -> None:
        """Tell who gave a command that the process ended over it; it is not run again, since nobody knows how far."""
        tier = self._access.tier(stored.inbound.person)
        command = command_of(line, tier, self._desk.config, self._desk.added) if line else None
        platform = self._desk.platforms.get(stored.inbound.adapter)
        if command is not None and platform is not None and tier >= command.told_to:
            await has_started(platform, self._desk.clock)
            with speaking(self._spoken(stored.inbound, command)):
                await self._tell(stored, command, render("cut_off"))
        await self._settle(stored, Outcome.INTERRUPTED, say("chat_commands.stopped-before-done"))

    async def _obey(self, call: GivenCommand, command: ChatCommand) -> None:
        try:
            if command.name == "cortex":
                await self._desk.cortex().command(CommandCall(call.stored, call.caller, call.line.words))
                return
            text = await command.run(call, self._desk)
        except UserError as error:
            text = str(error)
        if text:
            await call.answer(text)

    async def _deny(self, call: GivenCommand, command: ChatCommand) -> None:
        await self._note(call, command, StageVerdict.STOPPED, "denied")
        if call.caller.authority < command.told_to and call.inbound.aside is None:
            return  # the cortex is silent towards strangers, but where nobody else sees it
        is_dm = call.inbound.place.is_dm
        usable_here = usable(call.caller.authority, self._desk.config, self._desk.added, is_dm=is_dm)
        may = ", ".join(call.typed(other.name) for other in usable_here)
        tier = command.needs(is_dm=is_dm)
        denied = "chat_commands.denied-here" if tier > command.tier else "chat_commands.denied"
        await call.answer(say(denied, command=call.typed(command.name), tier=tier.word, commands=may))

    async def _tell(self, stored: StoredInbound, command: ChatCommand, text: str) -> None:
        inbound, aside = stored.inbound, stored.inbound.aside
        if command.private and aside is None and not inbound.place.is_dm:
            aside = await self._in_private(inbound, command)
            text = text if aside else say("chat_commands.only-in-private")
        body = NewOutbox(
            kind="command",
            to=aside or self._delivery.home(inbound.channel),
            text=text,
            inbound=stored.id,
            replies_to="" if aside else inbound.message_id,
            # two programs that do the same say the same, and a command may have more than one thing to say
            answers=f"{inbound.message_id}:{digest_text(text)[:12]}",
        )
        try:
            await self._delivery.say(body)
        except DeliveryError:
            # the failure itself is on record in the outbox; a reaction may still get through
            if inbound.aside is None:
                await self._delivery.react(inbound.channel, inbound.message_id, "✅")

    async def _in_private(self, inbound: Inbound, command: ChatCommand) -> OutboundAddress | None:
        """Return where the asker alone reads; None where that is closed."""
        platform = self._desk.platforms.get(inbound.adapter)
        try:
            found = await platform.open_thread(inbound.person, command.name) if platform is not None else None
        except DeliveryError as error:
            log.info("no_private_place", command=command.name, code=error.code)
            return None
        await self._delivery.react(inbound.channel, inbound.message_id, "👀")
        return found

    async def _note(self, call: GivenCommand, command: ChatCommand, verdict: StageVerdict, reason: str) -> None:
        needs = command.needs(is_dm=call.inbound.place.is_dm)
        detail = (("command", command.name), ("needs", needs.word), ("has", call.caller.authority.word))
        origin = ((PLUGIN, command.origin),) if command.origin else ()
        row = StageRow(
            inbound=call.stored.id,
            at=self._desk.clock.now(),
            stage=LedgerStage.DECIDED,
            verdict=verdict,
            reason=reason,
            detail=(*detail, *origin),
        )
        await self._desk.store.ledger.note([row])

    async def _settle(self, stored: StoredInbound, outcome: Outcome, reason: str) -> None:
        await self._desk.store.ledger.settle([stored.settled(self._desk.clock.now(), outcome, reason)])


def _apology(command: ChatCommand, error: Exception, name: str) -> str:
    """Say that a command failed; why is for those who can do something about it, and only in private."""
    if not command.private or command.told_to < Authority.MODERATOR:
        return say("chat_commands.went-wrong", handle=name)
    why = unread_part("that", error)
    return say("chat_commands.went-wrong-why", why=why.why, handle=name) + (f"\n→ {why.fix}" if why.fix else "")
