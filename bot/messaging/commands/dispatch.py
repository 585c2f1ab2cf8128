"""The one dispatcher: who may, what it does, one acknowledgement, one outcome."""

from __future__ import annotations

import structlog

from bot.domain.access import Authority
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import FailReason, Outcome, Settlement, Stage, StageRow, StoredInbound, Verdict
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError, StoreError, UserError
from bot.messaging.access import Access
from bot.messaging.command_line import CommandLine
from bot.messaging.commands.desk import Call, Command, Desk
from bot.messaging.commands.table import BY_NAME, usable
from bot.messaging.door import CommandCall
from bot.ports.delivery import Delivery

log = structlog.get_logger(__name__)


class Commands:
    """Runs commands; a run ends in exactly one outcome, and in something that the person sees."""

    def __init__(self, desk: Desk, access: Access, delivery: Delivery) -> None:
        self._desk = desk
        self._access = access
        self._delivery = delivery

    async def run(self, stored: StoredInbound, line: CommandLine) -> None:
        """Run a command from the check of authority to its outcome."""
        caller = self._access.caller(stored.inbound.person, stored.inbound.author.name)
        call, command = Call(stored, caller, line), BY_NAME[line.name]
        try:
            if caller.authority < command.tier:
                await self._deny(call, command)
                await self._settle(stored, Outcome.COMMAND, f"{command.name} denied")
                return
            await self._note(call, Verdict.PASSED, command.name)
            await self._obey(call, command)
        except StoreError:
            raise
        except Exception as error:
            log.error("command_failed", command=line.name, error_type=type(error).__name__, exc_info=error)
            name = handle(HandleKind.INBOUND, stored.id)
            await self._settle(stored, Outcome.FAILED, f"{FailReason.INTERNAL}: {type(error).__name__}")
            await self._say(call, f"Something went wrong inside me. It is on record as {name}; tell an admin.")
        else:
            await self._settle(stored, Outcome.COMMAND, command.name)

    async def _obey(self, call: Call, command: Command) -> None:
        try:
            if command.name == "cortex":
                await self._desk.door.command(CommandCall(call.stored, call.caller, call.line.words))
                return
            text = await command.run(call, self._desk)
        except UserError as error:
            text = str(error)
        if text:
            await self._say(call, text)

    async def _deny(self, call: Call, command: Command) -> None:
        await self._note(call, Verdict.STOPPED, "denied")
        if command.tier >= Authority.ADMIN and call.inbound.aside is None:
            return  # the cortex is silent towards strangers, but where nobody else sees it
        may = ", ".join(call.typed(other.name) for other in usable(call.caller.authority))
        await self._say(call, f"{call.typed(command.name)} is for {command.tier.word}s and above. You may use: {may}")

    async def _say(self, call: Call, text: str) -> None:
        inbound = call.inbound
        body = NewOutbox(
            kind="command",
            to=inbound.aside or self._delivery.home(inbound.channel),
            text=text,
            inbound=call.stored.id,
            replies_to="" if inbound.aside else inbound.message_id,
        )
        try:
            await self._delivery.say(body)
        except DeliveryError:
            # the failure itself is on record in the outbox; a reaction may still get through
            if inbound.aside is None:
                await self._delivery.react(inbound.channel, inbound.message_id, "✅")

    async def _note(self, call: Call, verdict: Verdict, reason: str) -> None:
        command = BY_NAME[call.line.name]
        detail = (("command", command.name), ("needs", command.tier.word), ("has", call.caller.authority.word))
        row = StageRow(
            inbound=call.stored.id,
            at=self._desk.clock.now(),
            stage=Stage.DECIDED,
            verdict=verdict,
            reason=reason,
            detail=detail,
        )
        await self._desk.store.ledger.note([row])

    async def _settle(self, stored: StoredInbound, outcome: Outcome, reason: str) -> None:
        at = self._desk.clock.now()
        await self._desk.store.ledger.settle([Settlement(inbound=stored.id, at=at, outcome=outcome, reason=reason)])
