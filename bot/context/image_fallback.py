"""What a model that sees nothing reads in the place of pictures: what they are."""

from __future__ import annotations

from bot.domain.channel import Turn
from bot.domain.messages import Image, Message, Text
from bot.domain.snapshot import ContextInputs


def in_words(inputs: ContextInputs) -> ContextInputs:
    """Return the inputs with every picture put into words; the very same ones when there is none."""
    state, trigger = inputs.state, inputs.trigger
    lately = any(message.images for message in (*state.ambient, *trigger.messages, *inputs.rounds))
    if not lately and not any(turn.has_images for turn in state.turns):
        return inputs
    turns = tuple(_turn_in_words(turn) if turn.has_images else turn for turn in state.turns)
    # model_copy: everything is validated already, and a message without pictures stays the same object
    told = state.model_copy(update={"turns": turns, "ambient": _all_in_words(state.ambient)})
    asked = trigger.model_copy(update={"messages": _all_in_words(trigger.messages)})
    return inputs.model_copy(update={"state": told, "trigger": asked, "rounds": _all_in_words(inputs.rounds)})


def _turn_in_words(turn: Turn) -> Turn:
    # not model_copy: it would carry numbers of the seen messages along
    return Turn(id=turn.id, messages=_all_in_words(turn.messages))


def _all_in_words(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    return tuple(_in_words(message) if message.images else message for message in messages)


def _in_words(message: Message) -> Message:
    # not model_copy: it would carry the cached digest of the seen message along
    return Message(
        role=message.role,
        parts=tuple(Text(text=part.text) if isinstance(part, Image) else part for part in message.parts),
        author=message.author,
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
    )
