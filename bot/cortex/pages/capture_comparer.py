"""Find out which two contexts are meant, and compare them: the same for a chat and for the host."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.cortex.pages.cache_page import CachedPrefix
from bot.cortex.pages.context_capture import Capture
from bot.cortex.pages.diff_page import ExplainedDiff, explain_diff
from bot.domain.channel import ChannelState
from bot.domain.finding import AuditRow
from bot.domain.handles import parse_handle
from bot.domain.health import Heartbeat, ProgramStart
from bot.domain.ids import AgentId, ChannelKey
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.memory import Memory, superseded_memories
from bot.domain.snapshot import CaptureKind
from bot.domain.turn import TurnStatus
from bot.errors import UserError
from bot.inspect.diff.causes import explain
from bot.inspect.diff.change_events import (
    NO_RECORDS,
    AuditedAction,
    ChangeRecords,
    EndedTurn,
    EpochEvent,
    OrderedCommand,
)
from bot.inspect.diff.context_diff import ContextChange, ContextDiff, RequestPart, compare
from bot.inspect.diff.diff_side import MAX_OUTPUT, MODEL, DiffPiece, DiffSide, side_of
from bot.inspect.diff.shared_prefix import breaking_change, common_length, common_prefix
from bot.ports.store import Store
from bot.sentences import say

LAST, NEXT, WORKED = "last", "next", "worked"
_WHICH = {LAST: CaptureKind.SENT, NEXT: CaptureKind.NEXT, "running": CaptureKind.IN_FLIGHT}
CONTEXTS = {
    NEXT: (LAST, NEXT),
    "running": (LAST, "running"),
    LAST: (WORKED, LAST),
    WORKED: (WORKED, LAST),
}
"""The contexts that have names, with what is compared where one is named alone."""
_MAX_TURNS = 200
Captures = Callable[[ChannelKey, CaptureKind | int], Awaitable[Capture]]
"""Looks at a context for one reader, whose right to it was asked for."""
_MAX_COMMANDS, _MAX_AUDIT_ROWS = 400, 400
"""How far back is looked, in rows."""


def named_pair(first: str = "", second: str = "") -> tuple[str, str]:
    """Return the two contexts that are meant; one record alone is compared with the last request."""
    return (first, second) if second or not first else CONTEXTS.get(first, (first, LAST))


@dataclass(frozen=True)
class CaptureComparer:
    """Compares captures of one reader. `now` is the time of what was not sent (UTC ms)."""

    store: Store
    capture: Captures
    now: int

    async def usual(self, key: ChannelKey) -> tuple[str, str]:
        """Say what is compared where nothing is named: what worked with the last, or else the last with the next."""
        last = await self._last(key)
        turn = await self.store.journal.turn(last) if last else None
        failed = turn is not None and turn.status not in {TurnStatus.REPLIED, TurnStatus.RUNNING}
        return (WORKED, LAST) if failed and await self._worked(key) else (LAST, NEXT)

    async def which(self, key: ChannelKey, name: str) -> CaptureKind | int:
        """Turn a name into a context of a channel; raise UserError when there is none."""
        if which := _WHICH.get(name):
            return which
        row = await self._worked(key)
        if not row:
            raise UserError(say("pages.no-request-answered"))
        return row

    async def side(
        self, key: ChannelKey, which: CaptureKind | int, *, by_content: bool = False
    ) -> tuple[DiffSide, ChannelState]:
        """Capture a context and lay it out for a comparison."""
        seen = await self.capture(key, which)
        side = side_of(seen.inspection, seen.shown, self.now, by_content=by_content)
        return side, seen.inspection.state

    async def compared(self, before: DiffSide, after: DiffSide, state: ChannelState | None) -> ExplainedDiff:
        """Compare, and look for the causes in the records of a channel; without one, in the two alone."""
        # in a thread: two long contexts that have nothing in common take longer than anybody should wait
        diff = await asyncio.to_thread(compare, before, after)
        same_place = state is not None and before.channel == after.channel == str(state.key)
        between = await read_change_events(self.store, diff, state) if state is not None and same_place else NO_RECORDS
        return await asyncio.to_thread(explain_diff, diff, between)

    async def cached(self, key: ChannelKey, which: CaptureKind | int) -> CachedPrefix:
        """Measure what a request shares with the one before it; raise UserError when there is none."""
        row = which if isinstance(which, int) else await self._last_row(key)
        earlier = await self.store.journal.request_before(key, row)
        if earlier is None:
            raise UserError(say("pages.nothing-before"))
        after = await self.capture(key, row)
        before = await self.capture(key, earlier.id)
        sides = (side_of(seen.inspection, seen.shown, self.now) for seen in (before, after))
        prefix = await asyncio.to_thread(common_prefix, *sides)
        bodies = [seen.inspection.wire.body for seen in (before, after)]
        wire = (common_length(*bodies), len(bodies[0]), len(bodies[1])) if all(bodies) else (0, 0, 0)
        found = await asyncio.to_thread(breaking_change, prefix)
        causes: tuple[EpochEvent, ...] = ()
        if found is not None:
            causes = explain(*found, await read_change_events(self.store, found[1], after.inspection.state))
        return CachedPrefix(prefix, causes, wire, tuple(await self.store.meter.usage(key, 0)))

    async def _last_row(self, key: ChannelKey) -> int:
        found = await self.store.journal.recent_requests(key, 1)
        return found[0].id if found else 0

    async def _last(self, key: ChannelKey) -> int:
        """Return the turn of the last request."""
        found = await self.store.journal.recent_requests(key, 1)
        return found[0].record.turn if found else 0

    async def _worked(self, key: ChannelKey) -> int:
        """Return the last request that led to an answer."""
        return await self.worked_before(key)

    async def worked_before(self, key: ChannelKey, earlier_than: int = 0) -> int:
        """Return the last request that led to an answer, before a turn where one is named; 0 where none is kept."""
        for turn in await self.store.journal.recent_turns(key, _MAX_TURNS):
            if turn.status is not TurnStatus.REPLIED or (earlier_than and turn.id >= earlier_than):
                continue
            if sent := await self.store.journal.requests_of_turn(turn.id):
                return sent[-1].id
        return 0


async def read_change_events(store: Store, diff: ContextDiff, state: ChannelState) -> ChangeRecords:
    """Return what the records of a channel say about the time between the two sides; nothing is changed."""
    since, until = sorted((diff.before.at, diff.after.at))
    wanted = _Wanted(diff.changes)
    commands, audited, beat, ended, memories, edited = await asyncio.gather(
        _commands(store, state.key, since) if wanted.orders else _none(),
        _audits(store, state, since, until) if wanted.memories else _none(),
        store.heartbeat(),
        _ended(store, diff),
        _memories(store, state, diff.changes) if wanted.memories else _none(),
        _edited(store, state.key, diff.changes),
    )
    starts = await store.starts.all()
    gone = [memory.id for memory in memories if not memory.forgotten_at]
    edges = await store.memories.edges(gone, None) if gone else ()
    return ChangeRecords(
        since=since,
        until=until,
        memories=tuple(memories),
        replaced=superseded_memories(edges),
        commands=tuple(command for command in commands if since < command.at <= until),
        audits=tuple(audited),
        started=tuple(at for at in _starts(starts, beat) if since < at <= until),
        reloads=tuple(one for one in starts if one.keys and since < one.at <= until),
        edited=tuple(edited),
        settings=state.settings,
        ended=tuple(ended),
        ran_on=beat is not None and beat.started_at <= since,
    )


def _starts(starts: Sequence[ProgramStart], beat: Heartbeat | None) -> list[int]:
    """Return every start on record, oldest first; of the last one the sign of life knows too."""
    known = {start.at for start in starts if not start.keys}
    return sorted(known | {beat.started_at} if beat is not None else known)


class _Wanted:
    """Which records bear on some changes; most of what differs explains itself."""

    def __init__(self, changes: Sequence[ContextChange]) -> None:
        stable = [change for change in changes if not change.moving]
        self.memories = any(
            source.startswith("memory:")
            for change in stable
            for piece in (*change.before, *change.after)
            for source in piece.sources
        )
        named = {change.label for change in stable if change.part is RequestPart.PARAMETER}
        gone = any(change.part is RequestPart.MESSAGES and change.before for change in stable)
        self.orders = bool(named & {MODEL, MAX_OUTPUT}) or gone or any(c.part is RequestPart.SECTION for c in stable)


async def _none() -> tuple[()]:
    return ()


async def _commands(store: Store, key: ChannelKey, since: int) -> Sequence[OrderedCommand]:
    """List the commands that were followed; a command's reason is its name."""
    recent = await store.ledger.recent(key, _MAX_COMMANDS)
    return [
        OrderedCommand(stored.outcome_reason, stored.arrived_at, stored.id)
        for stored in reversed(recent)
        if stored.outcome is Outcome.COMMAND and stored.arrived_at > since and not _only_asks(stored)
    ]


def _only_asks(stored: StoredInbound) -> bool:
    """Say whether a command shows what is set, and sets nothing."""
    return stored.outcome_reason == "model" and stored.inbound.text.rstrip().casefold().endswith("model")


async def _audits(store: Store, state: ChannelState, since: int, until: int) -> Sequence[AuditedAction]:
    rows = await store.audit.newest(None, _MAX_AUDIT_ROWS)
    by_row = {row.id: row for row in rows}
    return [audited for row in reversed(rows) for audited in _done(row, by_row) if since < audited.at <= until]


def _done(row: AuditRow, rows: dict[int, AuditRow]) -> Iterator[AuditedAction]:
    body = row.body
    yield AuditedAction(body.action, body.detail, body.at, row.id)
    if undone := rows.get(row.undone_by):
        yield AuditedAction(f"undo {body.action}", body.detail, undone.body.at, undone.id)


async def _ended(store: Store, diff: ContextDiff) -> Sequence[EndedTurn]:
    found = [await store.journal.turn(turn) for turn in {diff.before.sent.turn, diff.after.sent.turn} if turn]
    return [EndedTurn(turn.id, turn.status.value) for turn in found if turn is not None]


async def _memories(store: Store, state: ChannelState, changes: Sequence[ContextChange]) -> Sequence[Memory]:
    """Return what either bulletin names, and all else in reach: what is not shown is counted there, too."""
    key = state.key
    reach = await store.memories.listed(AgentId(key.agent), key.channel, state.place.guild_id)
    found = {memory.id: memory for memory in reach}
    for name in sorted({name for change in changes for name in _names((*change.before, *change.after))}):
        parsed = parse_handle(name)
        memory = await store.memories.by_handle(parsed) if parsed else None
        if memory is not None:
            found[memory.id] = memory
    return sorted(found.values(), key=lambda memory: memory.id)


def _names(pieces: Sequence[DiffPiece]) -> Iterator[str]:
    for piece in pieces:
        yield from (source.removeprefix("memory:") for source in piece.sources if source.startswith("memory:"))


async def _edited(store: Store, key: ChannelKey, changes: Sequence[ContextChange]) -> Sequence[tuple[str, int]]:
    """Return the newest form of each message that stands on both sides of a change."""
    found = []
    for change in changes:
        new = {piece.origin.message_id for piece in change.after if piece.origin and piece.origin.message_id}
        for piece in change.before:
            name = piece.origin.message_id if piece.origin else ""
            stored = await store.ledger.by_message(key, name) if name and name in new else None
            if stored is not None:
                found.append((name, stored.id))
    return found
