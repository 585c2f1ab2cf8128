"""Stop the bot's own messages, and those of other bots unless they are wanted."""

from __future__ import annotations

from bot.domain.ledger import GateVerdict
from bot.domain.messages import AuthorKind, Inbound
from bot.messaging.policy.gates.facts import GateFacts, passed, stopped

NAME = "author"
AUTOMATIC = frozenset({AuthorKind.BOT, AuthorKind.WEBHOOK, AuthorKind.CHANNEL_POST})


def speaks_through_channel(inbound: Inbound) -> bool:
    """Say whether it stands in a group under the name of a channel, rather than in that channel."""
    author = inbound.author
    return author.kind is AuthorKind.CHANNEL_POST and author.user_id != inbound.place.guild_id


def is_automatic(inbound: Inbound) -> bool:
    """Say whether a program may have written it: who chooses to write as their channel is a person."""
    return inbound.author.kind in AUTOMATIC and not inbound.as_channel


def check(facts: GateFacts) -> GateVerdict:
    """Look at what stands behind the message."""
    author = facts.inbound.author
    compared = (
        ("author_kind", author.kind.value),
        ("author_id", author.user_id),
        ("allow_bots", "on" if facts.platform.allow_bots else "off"),
    )
    if author.kind is AuthorKind.SELF:
        return stopped(NAME, "self", *compared, store_text=False)
    # a post that its channel's group was sent is not answered; what it orders is, so that somebody knows
    is_post = facts.nobodys_command is None or not speaks_through_channel(facts.inbound)
    if is_automatic(facts.inbound) and is_post and not facts.platform.allow_bots:
        return stopped(NAME, "bot_author", *compared, store_text=False)
    return passed(NAME, *compared)
