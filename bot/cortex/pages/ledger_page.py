"""How the newest messages of a channel ended, without their words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.cortex.targets.record_lookup import outcome_word, trail_line
from bot.cortex.words.fix_preview import effect
from bot.domain.ids import ChannelKey
from bot.domain.ledger import InboundTrail, OutcomeCount, StoredInbound
from bot.domain.messages import AuthorKind
from bot.ports.clock import Clock
from bot.ports.ledger import Ledger
from bot.sentences import say
from bot.text.figures import exact_number

_MAX_TRAILS = 15
_DAY_MS = 86_400_000


async def newest(ledger: Ledger, key: ChannelKey, limit: int = _MAX_TRAILS) -> tuple[InboundTrail, ...]:
    """Return the newest trails of a channel; what the bot itself wrote is no message to it."""
    rows = await ledger.recent(key, limit)
    if len(rows) == limit and any(_is_own(row) for row in rows):
        # a platform that tells the bot of its own words tells of about one for each that it answers
        rows = await ledger.recent(key, 3 * limit)
    found = [row for row in rows if not _is_own(row)]
    return tuple(InboundTrail(inbound=stored, stages=()) for stored in found[:limit])


def _is_own(stored: StoredInbound) -> bool:
    return stored.inbound.author.kind is AuthorKind.SELF


async def page(ledger: Ledger, key: ChannelKey, name: str, clock: Clock) -> str:
    """Write the newest messages and the refusal receipts of the last day."""
    trails = await newest(ledger, key)
    counts = await ledger.counts(key, clock.now() - _DAY_MS)
    lines = [say("pages.newest", place=name, count=len(trails)), *(trail_line(trail) for trail in trails)]
    if not trails:
        lines = [say("pages.no-messages", place=name)]
    return "\n".join((*lines, effect(counts), *_reasons(counts)))


def _reasons(counts: Sequence[OutcomeCount]) -> list[str]:
    ordered = sorted((c for c in counts if c.reason), key=lambda c: -c.count)[:6]
    return [f"{exact_number(c.count)} × {outcome_word(c.outcome)}: {c.reason}" for c in ordered]
