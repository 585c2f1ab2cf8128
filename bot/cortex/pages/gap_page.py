"""Read what is on record of a channel's newest turns, and say what people saw that the model does not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.context.usage_figures import counted_by
from bot.cortex.targets.target_parser import ParsedTarget
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import ArrivalDisposition, StoredInbound
from bot.domain.messages import AuthorKind
from bot.domain.snapshot import SectionFate
from bot.domain.turn import StoredOutbox, StoredTurn
from bot.errors import UserError
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.visibility_gap import ToldMessages, TurnGap, TurnTrail, gap_text, turn_gaps
from bot.ports.store import Store
from bot.sentences import say

_MAX_TURNS = 6
_MAX_MESSAGES = 80


class GapPages:
    """Reads; the request that both sides are compared by was captured before."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def lines(self, inspection: ContextCapture) -> tuple[str, ...]:
        """Write what lies between both sides: the newest turn first, then what the model is told beside all turns."""
        found = await self._found(inspection.key, inspection)
        return (*(gap_text(gap) for gap in reversed(found)), _sections(inspection))

    async def page(self, inspection: ContextCapture, turn: str) -> str:
        """Write it for a person, or that of one turn by its handle; raise UserError for one that is too old."""
        lines = await self.lines(inspection)
        if not turn:
            return "\n".join(lines)
        found = next((line for line in lines if line.startswith(turn)), None)
        if found is None:
            raise UserError(say("pages.only-last-turns", count=_MAX_TURNS, handle=turn))
        return found

    async def _found(self, key: ChannelKey, inspection: ContextCapture) -> tuple[TurnGap, ...]:
        turns = sorted(await self._store.journal.recent_turns(key, _MAX_TURNS), key=lambda turn: turn.id)
        heard = [one for one in await self._store.ledger.recent(key, _MAX_MESSAGES) if _is_news(one)]
        trails = [await self._trail(turn, some) for turn, some in _since(turns, sorted(heard, key=lambda one: one.id))]
        state = inspection.state
        told = ToldMessages(inspection.request.messages, state.turns, frozenset(inspection.dropped_turns))
        return turn_gaps(trails, told)

    async def _trail(self, turn: StoredTurn | None, heard: Sequence[StoredInbound]) -> TurnTrail:
        outbox, asked = (
            self._store.outbox,
            [one.id for one in heard if one.turn or one.disposition in _ANSWERED_DISPOSITIONS],
        )
        # asked for at once: one after the other, each would wait for a thread of its own
        sent: Sequence[Sequence[StoredOutbox]] = await asyncio.gather(*map(outbox.of_inbound, asked))
        calls = await self._store.journal.calls_of_turn(turn.id) if turn else ()
        return TurnTrail(turn, tuple(heard), tuple(row for rows in sent for row in rows), tuple(calls))


async def named_turn(store: Store, meant: ParsedTarget) -> str:
    """Return the handle of the turn that is meant by itself or by a message of it; empty when only a channel is."""
    if not meant.name:
        return ""
    stored = await store.ledger.inbound(meant.inbound) if meant.inbound else None
    if stored is None or not stored.turn:
        raise UserError(say("pages.no-turn-behind", name=meant.name))
    return handle(HandleKind.TURN, stored.turn)


_ANSWERED_DISPOSITIONS = frozenset({ArrivalDisposition.QUEUE, ArrivalDisposition.COMMAND, ArrivalDisposition.EVENT})


def _is_news(stored: StoredInbound) -> bool:
    """Leave out what the platform tells the bot of its own words."""
    return stored.inbound.author.kind is not AuthorKind.SELF


def _since(
    turns: Sequence[StoredTurn], heard: Sequence[StoredInbound]
) -> list[tuple[StoredTurn | None, list[StoredInbound]]]:
    """Give each turn what arrived since the one before; what came before the oldest may be another turn's."""
    ends = [max(turn.inbounds, default=0) for turn in turns]
    first = min(turns[0].inbounds, default=0) - 1 if len(turns) == _MAX_TURNS else 0
    found: list[tuple[StoredTurn | None, list[StoredInbound]]] = []
    for turn, end in zip(turns, ends, strict=True):
        own = set(turn.inbounds)
        found.append((turn, [one for one in heard if first < one.id <= end or one.id in own]))
        first = max(first, end)
    rest = [one for one in heard if one.id > first]
    return [*found, *([(None, rest)] if rest else [])]


def _sections(inspection: ContextCapture) -> str:
    kept = [f"{one.name} {one.tokens}" for one in inspection.numbers.sections if one.fate is SectionFate.KEPT]
    counted = counted_by(inspection.numbers.stats)
    return say("pages.only-model-reads", sections=", ".join(kept), counted=counted)
