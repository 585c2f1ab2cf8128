"""Stop the bot's own messages, and those of other bots unless they are wanted."""

from __future__ import annotations

from bot.domain.ledger import GateVerdict
from bot.domain.messages import AuthorKind
from bot.messaging.gates.facts import Facts, passed, stopped

NAME = "author"
AUTOMATIC = frozenset({AuthorKind.BOT, AuthorKind.WEBHOOK, AuthorKind.CHANNEL_POST})


def check(facts: Facts) -> GateVerdict:
    """Look at what stands behind the message."""
    author = facts.inbound.author
    compared = (
        ("author_kind", author.kind.value),
        ("author_id", author.user_id),
        ("allow_bots", "on" if facts.platform.allow_bots else "off"),
    )
    if author.kind is AuthorKind.SELF:
        return stopped(NAME, "self", *compared, store_text=False)
    if author.kind in AUTOMATIC and not facts.platform.allow_bots:
        return stopped(NAME, "bot_author", *compared, store_text=False)
    return passed(NAME, *compared)
