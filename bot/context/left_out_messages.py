"""What is read in the place of what a service does not let through: that something stood there, and is not sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.domain.channel import LeftOutMessage, ProcessKind, Turn
from bot.domain.messages import Message, MessagePart, ProviderData, Role, TextPart
from bot.domain.snapshot import ContextInputs, ContextSnapshot
from bot.prompts import render


class LeftOutCandidate(NamedTuple):
    """A message that may be left out, and the turn in which it stands (0: what was overheard is in none yet)."""

    message: Message
    turn: int


def without_withheld(inputs: ContextInputs) -> ContextInputs:
    """Return the inputs with a note for everything that is left out; the very same ones where nothing is."""
    names = names_of(inputs.state.settings.left_out)
    if not names:
        return inputs
    state = inputs.state
    turns = tuple(_turn(turn, names) for turn in state.turns)
    # model_copy: everything is validated already, and a message that is sent stays the same object
    told = state.model_copy(update={"turns": turns, "ambient": _all(state.ambient, names)})
    return inputs.model_copy(update={"state": told, "rounds": _all(inputs.rounds, names)})


def sent_of(messages: tuple[Message, ...], left_out: tuple[LeftOutMessage, ...]) -> tuple[Message, ...]:
    """Return messages as a model may read them: with a note in the place of each that is left out."""
    names = names_of(left_out)
    return _all(messages, names) if names else messages


def names_of(left_out: tuple[LeftOutMessage, ...]) -> frozenset[tuple[int, str]]:
    """Say by what a message is known that is left out: its row and its words. One that was edited is another."""
    return frozenset((one.inbound, one.digest) for one in left_out)


def candidates(snapshot: ContextSnapshot, turn: int) -> tuple[LeftOutCandidate, ...]:
    """Return what of a request may be left out, oldest first: all but the newest message; `turn` makes the request."""
    inputs = snapshot.inputs
    known = names_of(inputs.state.settings.left_out)
    return tuple(one for one in _told(snapshot, turn) if not _is_withheld(one.message, known))


def _told(snapshot: ContextSnapshot, number: int) -> Iterator[LeftOutCandidate]:
    inputs = snapshot.inputs
    # an inspection reads other people's talk through its tools
    if inputs.kind is not ProcessKind.INSPECTION:
        sent = (turn for turn in inputs.state.turns if turn.id not in snapshot.dropped_turns)
        yield from (LeftOutCandidate(message, turn.id) for turn in sent for message in turn.messages)
        yield from (LeftOutCandidate(message, 0) for message in inputs.state.ambient)
    yield from (LeftOutCandidate(message, number) for message in inputs.rounds)


def _turn(turn: Turn, names: frozenset[tuple[int, str]]) -> Turn:
    if not any(_is_withheld(message, names) for message in turn.messages):
        return turn
    # not model_copy: it would carry numbers of the whole messages along
    return Turn(id=turn.id, messages=_all(turn.messages, names))


def _all(messages: tuple[Message, ...], names: frozenset[tuple[int, str]]) -> tuple[Message, ...]:
    return tuple(_note(message) if _is_withheld(message, names) else message for message in messages)


def _is_withheld(message: Message, names: frozenset[tuple[int, str]]) -> bool:
    return (message.inbound, message.digest) in names


def _note(message: Message) -> Message:
    # not model_copy: it would carry the cached digest of the words along
    return Message(
        role=message.role,
        parts=_parts(message),
        author=message.author,
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
        summary=message.summary,
    )


def _parts(message: Message) -> tuple[MessagePart, ...]:
    """Say what stood there, in the same shape: a call stays, without its arguments, and keeps a result."""
    note = render("withheld", role=message.role.value)
    if message.role is Role.TOOL:
        return tuple(result.replace(text=note) for result in message.results)
    if not message.calls:
        return (TextPart(text=note),)
    # what a service wants back beside its calls it does not do without
    added = [part for part in message.parts if isinstance(part, ProviderData)]
    return (*added, TextPart(text=note), *(call.replace(arguments="{}") for call in message.calls))
