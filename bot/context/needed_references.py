"""What a message refers to, seen from the conversation in which it is read: nothing twice, and nothing unnamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.context.transcript import parse_header, spoken_words
from bot.domain.messages import Inbound, Message, MessageReference, ReferenceKind, Role, TextPart, UnseenReason
from bot.domain.references import HEADER_NAMES, quotable_text

_THREAD = HEADER_NAMES[ReferenceKind.THREAD]


def with_needed_references(inbound: Inbound, history: Sequence[Message]) -> Inbound:
    """Return a message with its references as they are needed behind a conversation.

    What its platform did not tell of an answered message is told by the conversation, where that holds it. What began
    a thread stands there once.
    """
    refers = tuple(_needed(inbound, history))
    return inbound if refers == inbound.refers else inbound.replace(refers=refers)


def messages_with_pictures(history: Sequence[Message]) -> frozenset[str]:
    """Return the messages of a conversation whose pictures stand in it."""
    return frozenset(message.message_id for message in history if message.message_id and message.images)


def _needed(inbound: Inbound, history: Sequence[Message]) -> Iterator[MessageReference]:
    answers = False
    for one in inbound.refers:
        if one.kind is ReferenceKind.THREAD and _knows_thread(history, one):
            continue
        answers = answers or one.kind in {ReferenceKind.ANSWERED, ReferenceKind.STORY}
        if one.kind is ReferenceKind.ANSWERED and one.unseen is UnseenReason.NOT_TOLD:
            yield _said(one.message_id, history) or one
        else:
            yield one
    if inbound.replies_to and not answers and (found := _said(inbound.replies_to, history)) is not None:
        yield found


def _said(message_id: str, history: Sequence[Message]) -> MessageReference | None:
    for message in reversed(history):
        if message.message_id == message_id and message.role is Role.USER and message.author is not None:
            return MessageReference(
                kind=ReferenceKind.ANSWERED,
                author=message.author,
                text=quotable_text(spoken_words(message)),
                at=message.at,
                message_id=message_id,
            )
    return None


def _knows_thread(history: Sequence[Message], began: MessageReference) -> bool:
    return any(
        (message.message_id == began.message_id and message.inbound) or _tells_thread(message) for message in history
    )


def _tells_thread(message: Message) -> bool:
    last = message.parts[-1] if message.role is Role.USER and message.parts else None
    headed = parse_header(last.text) if isinstance(last, TextPart) and _THREAD in last.text else None
    return headed is not None and _THREAD in headed.header
