"""What is read in the place of messages that a service does not let through: who wrote, and that it is not sent."""

from __future__ import annotations

from bot.domain.channel import ChannelState, LeftOut, Turn
from bot.domain.messages import Message, Role, Text
from bot.domain.snapshot import ContextInputs
from bot.prompts import render


def without_withheld(inputs: ContextInputs) -> ContextInputs:
    """Return the inputs with a note for every message that is left out; the very same ones where none is."""
    names = names_of(inputs.state.settings.left_out)
    if not names:
        return inputs
    state = inputs.state
    turns = tuple(_turn(turn, names) for turn in state.turns)
    # model_copy: everything is validated already, and a message that is sent stays the same object
    told = state.model_copy(update={"turns": turns, "ambient": _all(state.ambient, names)})
    return inputs.model_copy(update={"state": told})


def sent_of(messages: tuple[Message, ...], left_out: tuple[LeftOut, ...]) -> tuple[Message, ...]:
    """Return messages as a model may read them: with a note in the place of each that is left out."""
    names = names_of(left_out)
    return _all(messages, names) if names else messages


def names_of(left_out: tuple[LeftOut, ...]) -> frozenset[tuple[int, str]]:
    """Say by what a message is known that is left out: its row and its words. One that was edited is another."""
    return frozenset((one.inbound, one.digest) for one in left_out)


def candidates(state: ChannelState) -> tuple[Message, ...]:
    """Return the messages of a conversation that may be left out: what people wrote, oldest first."""
    known = names_of(state.settings.left_out)
    return tuple(
        message
        for message in state.history
        if message.role is Role.USER and message.inbound and (message.inbound, message.digest) not in known
    )


def _turn(turn: Turn, names: frozenset[tuple[int, str]]) -> Turn:
    if not any(_is_withheld(message, names) for message in turn.messages):
        return turn
    # not model_copy: it would carry numbers of the whole messages along
    return Turn(id=turn.id, messages=_all(turn.messages, names))


def _all(messages: tuple[Message, ...], names: frozenset[tuple[int, str]]) -> tuple[Message, ...]:
    return tuple(_note(message) if _is_withheld(message, names) else message for message in messages)


def _is_withheld(message: Message, names: frozenset[tuple[int, str]]) -> bool:
    return bool(message.inbound) and (message.inbound, message.digest) in names


def _note(message: Message) -> Message:
    # not model_copy: it would carry the cached digest of the words along
    return Message(
        role=message.role,
        parts=(Text(text=render("withheld")),),
        author=message.author,
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
    )
