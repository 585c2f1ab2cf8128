"""The gates, in the order in which a message meets them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.domain.access import Authority
from bot.domain.ledger import ArrivalDisposition, GateVerdict
from bot.domain.messages import EventKind, Inbound, InboundKind, PlatformEvent
from bot.messaging.policy.gates import (
    addressing,
    author,
    budget,
    command,
    content,
    loop,
    mode,
    pause,
    place,
    rate,
    sender,
)
from bot.messaging.policy.gates.facts import GateFacts

Gate = Callable[[GateFacts], GateVerdict]

GATES: tuple[Gate, ...] = (
    author.check,
    command.check,
    place.check,
    sender.check,
    pause.check,
    mode.check,
    content.check,
    addressing.check,
    rate.check,
    budget.check,
    loop.check,
)
FOR_COMMANDS: tuple[Gate, ...] = (author.check, command.check, place.check, sender.check, rate.check_command)
"""A command is stopped by no pause, mode, addressing or budget, and by no count of messages: it has its own."""
FOR_EDITS: tuple[Gate, ...] = (author.check, place.check, sender.check)
"""An edit never starts a turn or a command; it only may be stored, or not."""
FOR_WELCOMES: tuple[Gate, ...] = (place.check,)
"""Nobody wrote it, so only the place counts. Every other event is no more than noted, or has to be followed."""

_OVERHEARD = frozenset({addressing.NAME, mode.NAME})


def judge(facts: GateFacts, added: Sequence[Gate] = ()) -> tuple[GateVerdict, ...]:
    """Ask the gates up to the first that stops the message; later ones are not asked. `added` are those of plugins."""
    verdicts: list[GateVerdict] = []
    for gate in _asked(facts, added):
        verdicts.append(gate(facts))
        if not verdicts[-1].passed:
            break
    return tuple(verdicts)


def would(facts: GateFacts, added: Sequence[Gate] = ()) -> tuple[GateVerdict, ...]:
    """Ask every gate, whatever the others say; for a dry run."""
    return tuple(gate(facts) for gate in (*GATES, *_of_plugins(facts, added)))


def dispose(facts: GateFacts, verdicts: tuple[GateVerdict, ...]) -> ArrivalDisposition:
    """Say what follows from the verdicts."""
    if facts.inbound.event is not None and all(verdict.passed for verdict in verdicts):
        return _of_event(facts.inbound.event, is_dm=facts.inbound.place.is_dm)
    stopped = next((verdict for verdict in verdicts if not verdict.passed), None)
    if stopped is not None:
        overheard = stopped.gate in _OVERHEARD and not facts.inbound.place.is_dm
        if overheard:
            # nobody may remember it where nothing is to be recorded
            return ArrivalDisposition.AMBIENT if facts.settings.unrecorded is None else ArrivalDisposition.NOTE
        return ArrivalDisposition.DROP
    if facts.inbound.kind is not InboundKind.MESSAGE:
        return ArrivalDisposition.AMEND
    return ArrivalDisposition.COMMAND if _is_command(facts) else ArrivalDisposition.QUEUE


def _is_command(facts: GateFacts) -> bool:
    return facts.command is not None or facts.nobodys_command is not None


def _asked(facts: GateFacts, added: Sequence[Gate]) -> tuple[Gate, ...]:
    match facts.inbound.kind:
        case InboundKind.DELETE | InboundKind.RESULT:
            return ()
        case InboundKind.EDIT:
            return FOR_EDITS
        case InboundKind.MESSAGE:
            return FOR_COMMANDS if _is_command(facts) else (*GATES, *_of_plugins(facts, added))
        case InboundKind.EVENT:
            return FOR_WELCOMES if _is_welcome(facts.inbound) else ()


def _of_event(event: PlatformEvent, *, is_dm: bool) -> ArrivalDisposition:
    match event.kind:
        case EventKind.JOINED:
            # in a private chat people begin, with /start
            return ArrivalDisposition.NOTE if is_dm else ArrivalDisposition.EVENT
        case EventKind.MOVED:
            return ArrivalDisposition.EVENT
        case _:
            return ArrivalDisposition.NOTE


def _is_welcome(inbound: Inbound) -> bool:
    return inbound.event is not None and inbound.event.kind is EventKind.JOINED and not inbound.place.is_dm


def _of_plugins(facts: GateFacts, added: Sequence[Gate]) -> Sequence[Gate]:
    # they come last, and never between those who steer the bot and the cortex that answers them in private
    return () if facts.inbound.place.is_dm and facts.tier >= Authority.MODERATOR else added
