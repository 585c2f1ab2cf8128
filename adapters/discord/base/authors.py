"""Who stands behind a message: only a person who speaks for themselves is one."""

from __future__ import annotations

from functools import lru_cache

import discord

from adapters.discord.base.places import NAME
from bot.domain.ids import UserId
from bot.domain.messages import Author, AuthorKind
from bot.text.text import clean


def author_of_user(user: discord.abc.User, me: int) -> Author:
    kind = AuthorKind.SELF if user.id == me else AuthorKind.PERSON
    if kind is AuthorKind.PERSON and (user.bot or getattr(user, "system", False)):
        kind = AuthorKind.BOT
    return _make_author(user.id, user.display_name, kind)


@lru_cache(maxsize=4096)
def _make_author(number: int, name: str, kind: AuthorKind) -> Author:
    """Put together what is the same for every message of somebody."""
    return Author(user_id=UserId(str(number)), name=clean(name).text, kind=kind)


def author_of(message: discord.Message, me: int) -> Author:
    """Say who wrote a message; a webhook borrows its name, unless the bot itself sent through it."""
    author = author_of_user(message.author, me)
    if message.webhook_id is None or author.kind is AuthorKind.SELF:
        return author
    # what an application answers to an interaction comes by a webhook too, under the application's own account
    is_application = message.application_id is not None and message.application_id == message.webhook_id
    kind = AuthorKind.BOT if is_application else AuthorKind.WEBHOOK
    return author.replace(kind=AuthorKind.CHANNEL_POST if message.flags.is_crossposted else kind)


def is_not_typed(message: discord.Message) -> bool:
    """Say whether the author did not type these words here: forwarded, or published from another channel."""
    flags = message.flags
    reference = message.reference
    is_forward = reference is not None and reference.type is discord.MessageReferenceType.forward
    return bool(message.message_snapshots) or flags.forwarded or flags.crossposted or flags.is_crossposted or is_forward


def own_author(me: int) -> Author:
    """Name the bot itself."""
    return Author(user_id=UserId(str(me)), name=NAME, kind=AuthorKind.SELF)


def unknown_author() -> Author:
    """Stand for somebody whom Discord does not name."""
    return Author(user_id=UserId("0"), name="Discord", kind=AuthorKind.WEBHOOK)
