"""What a message points to, as Discord delivers it: answers, forwards, the words a thread began with, and links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import discord

from adapters.discord.base.attachments import attachments_of
from adapters.discord.base.authors import author_of
from bot.domain.messages import MessageReference, ReferenceKind, UnseenReason
from bot.domain.references import link_previews, quotable_text, reference_of_links

_NO_TITLES = frozenset({"gifv"})
"""Kinds of embeds whose title says nothing of what people see."""


def references_of(message: discord.Message, me: int) -> tuple[MessageReference, ...]:
    """List what a message points to; an event of the platform points to nothing."""
    found: list[MessageReference] = []
    if message.type is discord.MessageType.reply and message.reference is not None:
        found.append(_answer_reference(message.reference, me))
    if message.message_snapshots:
        found.append(_forward_reference(message))
    if message.embeds and message.webhook_id is None and not message.author.bot:
        found += reference_of_links(_links(message.embeds))
    return tuple(found)


def thread_beginning(starter: discord.Message, me: int) -> MessageReference:
    """Tell of the message that a thread began with."""
    return _message_reference(ReferenceKind.THREAD, starter, me)


def words_of(message: discord.Message) -> str:
    """Return everything that a message says to people: its words, what it forwards, cards and polls of programs."""
    words = [message.content, *(snapshot.content for snapshot in message.message_snapshots)]
    if message.webhook_id is not None or message.author.bot:
        cards = [one for one in message.embeds if one.type == "rich"]
        words += [text for one in cards for text in (one.title, one.description, *_facts(one)) if text]
        words += _poll_words(message.poll) if message.poll is not None else ()
    return "\n\n".join(word for word in words if word)


def _facts(card: discord.Embed) -> Iterator[str]:
    for one in card.fields:
        yield f"{one.name}: {one.value}"


def _poll_words(poll: discord.Poll) -> tuple[str, ...]:
    return (poll.question, " / ".join(answer.text for answer in poll.answers))


def _answer_reference(reference: discord.MessageReference, me: int) -> MessageReference:
    answered = reference.resolved
    if isinstance(answered, discord.Message):
        return _message_reference(ReferenceKind.ANSWERED, answered, me)
    # null: it is gone; absent: Discord did not look for it (https://discord.com/developers/docs/resources/message)
    unseen = UnseenReason.DELETED if isinstance(answered, discord.DeletedReferencedMessage) else UnseenReason.NOT_TOLD
    return MessageReference(kind=ReferenceKind.ANSWERED, message_id=str(reference.message_id or ""), unseen=unseen)


def _message_reference(kind: ReferenceKind, message: discord.Message, me: int) -> MessageReference:
    forwarded = message.message_snapshots
    return MessageReference(
        kind=kind,
        author=author_of(message, me),
        text=quotable_text(words_of(message)),
        at=_ms(message.created_at.timestamp()),
        message_id=str(message.id),
        attachments=attachments_of(message),
        links=link_previews(_links(message.embeds)),
        origin_at=_ms(forwarded[0].created_at.timestamp()) if forwarded else 0,
    )


def _forward_reference(message: discord.Message) -> MessageReference:
    """Tell that words were forwarded; Discord says when they were written, and keeps back by whom and where."""
    snapshot = message.message_snapshots[0]
    return MessageReference(
        kind=ReferenceKind.FORWARDED,
        at=_ms(snapshot.created_at.timestamp()),
        # where somebody forwards with words of their own, both are told apart
        text=quotable_text(snapshot.content) if message.content else "",
        links=link_previews(_links(snapshot.embeds)),
    )


def _links(embeds: Iterable[discord.Embed]) -> Iterator[tuple[str, str]]:
    """Yield the addresses that Discord has unfolded, with the titles that it found there."""
    for embed in embeds:
        if embed.url and embed.type != "rich":
            yield embed.url, _title(embed)


def _title(embed: discord.Embed) -> str:
    site = embed.provider.name if embed.provider else ""
    title = "" if embed.type in _NO_TITLES else embed.title or ""
    return " · ".join(part for part in (title, site) if part)


def _ms(seconds: float) -> int:
    return max(round(seconds * 1000), 0)
