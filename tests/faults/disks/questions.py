"""Everything that a store can be asked, and whether two answers to it are the same but for what is missing."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.domain.channel import ChannelState
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import InboundTrail
from bot.domain.memory import MemoryReach
from bot.domain.messages import Message, ToolResult
from bot.domain.tool_pairing import NO_CALL, NO_RESULT
from bot.errors import DamagedRow, StoreError
from bot.ports.compactions import CompactionSides

Ask = Callable[[Any], Awaitable[Any]]
Answers = Mapping[str, Any]
ALL = 10_000
SUMS = ("counts", "usage")
"""What is added up from indexes without a look at each row: there an alarm of the doctor has to do."""
EACH = 12
"""Rows of a kind that are asked for one by one."""


@dataclass(frozen=True)
class Questions:
    """What is asked, by name."""

    asks: Mapping[str, Ask]

    async def ask(self, store: Any) -> Answers:
        """Return every answer; where the store refused, its error."""
        found: dict[str, Any] = {}
        for name, ask in self.asks.items():
            try:
                found[name] = await ask(store)
            except (StoreError, DamagedRow) as error:
                found[name] = error
        return found

    def unseen(self, found: Answers, right: Answers, *, is_told: bool, grows: bool = False) -> str:
        """Say which answer holds what was not stored, or lacks something without a word; empty when none does.

        `is_told`: the store has named damage. `grows`: a bot has lived on with it, and only what lasts is compared.
        """
        for name, answer in found.items():
            if isinstance(answer, Exception) or answer == right[name] or (grows and not name.startswith(_LASTING)):
                continue
            if not is_less(answer, right[name]) and not (is_told and name in SUMS):
                return f"{name}: {answer!r:.700} instead of {right[name]!r:.700}"
            if not is_told:
                return f"{name} lacks something, and nothing says so: {answer!r:.300}"
        return ""


async def questions_of(store: Any, path: Path) -> Questions:
    """Find what there is to be asked of a store that is well."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
        keys = [ChannelKey(AgentId(row[0]), ChannelId(row[1])) for row in raw.execute(_KEYS)]
        asks = {name: ask for key in keys for name, ask in _of_channel(key).items()}
        asks |= {
            f"{name} {row}": ask
            for name, (table, make) in _BY_ROW.items()
            for row in _rows(raw, table)
            for ask in (make(row),)
        }
        asks |= {f"proposal {row[0]}": _proposal(row[0]) for row in raw.execute("SELECT secret_id FROM proposal")}
        asks |= {f"cursor {row}": _cursor(*row) for row in raw.execute("SELECT adapter, stream FROM cursor")}
        asks |= {f"ratio {row[0]}": _ratio(row[0]) for row in raw.execute("SELECT model FROM ratio")}
    return Questions({**asks, **_WHOLE})


_KEYS = "SELECT DISTINCT agent, channel FROM channel UNION SELECT DISTINCT agent, channel FROM inbound"
_WHOLE: Mapping[str, Ask] = {
    "audit": lambda s: s.audit.newest(None, ALL),
    "unsettled": lambda s: s.ledger.unsettled(),
    "pending": lambda s: s.outbox.pending(),
    "running turns": lambda s: s.journal.running_turns(),
    "unrelayed": lambda s: s.processes.unrelayed(),
    "usage": lambda s: s.meter.usage(None, 0),
    "counts": lambda s: s.ledger.counts(None, 0),
    "known channels": lambda s: s.channels.known(),
    "opted out": lambda s: s.opt_outs.opted_out(),
    "erasures": lambda s: s.erasures.unfinished(),
    "starts": lambda s: s.starts.all(),
    "heartbeat": lambda s: s.heartbeat(),
    "memories of": lambda s: s.erasures.memories_of(PersonKey("console", UserId("101"))),
}
_LASTING = ("request ", "calls ", "memory ", "edges ", "compaction ", "cursor ", "ratio ", "opted out")
"""What is answered as before when a bot has lived on with the store."""
_BY_ROW: Mapping[str, tuple[str, Callable[[int], Ask]]] = {
    "trail": ("inbound", lambda row: lambda s: s.ledger.trail(row)),
    "chunks": ("inbound", lambda row: lambda s: s.outbox.of_inbound(row)),
    "request": ("request", lambda row: lambda s: s.journal.request(row)),
    "turn": ("turn", lambda row: lambda s: s.journal.turn(row)),
    "calls": ("turn", lambda row: lambda s: s.journal.calls_of_turn(row)),
    "requests": ("turn", lambda row: lambda s: s.journal.requests_of_turn(row)),
    "memory": ("memory", lambda row: lambda s: s.memories.get(row)),
    "edges": ("memory", lambda row: lambda s: s.memories.edges([row], None)),
    "used in": ("memory", lambda row: lambda s: s.memories.requests_with(row, ALL)),
    "session": ("session", lambda row: lambda s: s.sessions.get(row)),
    "process": ("process", lambda row: lambda s: s.processes.get(row)),
    "compaction": ("compaction", lambda row: lambda s: s.compactions.sides(row)),
}


def _rows(raw: sqlite3.Connection, table: str) -> Sequence[int]:
    """Return rows from all over a table."""
    rows = [row[0] for row in raw.execute(f"SELECT id FROM {table} ORDER BY id")]
    return rows[:: max(1, len(rows) // EACH)]


def _of_channel(key: ChannelKey) -> dict[str, Ask]:
    name = key.channel
    reach = MemoryReach(agent=MAIN, channel=key.channel)
    return {
        f"{name} recent": lambda s: s.ledger.recent(key, ALL),
        f"{name} state": lambda s: s.channels.load(key),
        f"{name} memories": lambda s: s.memories.in_reach(reach),
        f"{name} found memories": lambda s: s.memories.search(reach, "tea memory", ALL),
        f"{name} found": lambda s: s.history.search(key, "tea text", ALL),
        f"{name} turns": lambda s: s.journal.recent_turns(key, ALL),
        f"{name} requests": lambda s: s.journal.recent_requests(key, 5),
        f"{name} compactions": lambda s: s.compactions.recent(key, ALL),
        f"{name} processes": lambda s: s.processes.of_channel(key, ALL),
    }


def _proposal(secret: str) -> Ask:
    return lambda s: s.offers.get(secret)


def _cursor(adapter: str, stream: str) -> Ask:
    return lambda s: s.ledger.cursor(adapter, stream)


def _ratio(model: str) -> Ask:
    async def ask(store: Any) -> float | None:
        ratio: float = await store.meter.learned_ratio(model)
        return None if ratio == 1.0 else ratio  # nothing learned

    return ask


def is_less(answer: Any, right: Any) -> bool:
    """Say whether an answer lacks something and holds nothing else."""
    if isinstance(answer, InboundTrail) and isinstance(right, InboundTrail):
        return answer.inbound == right.inbound and set(answer.stages) < set(right.stages)
    if isinstance(answer, ChannelState) and isinstance(right, ChannelState):
        known = {message.digest for message in right.history}
        stored = {result for message in right.history for result in message.results}
        return all(message.digest in known or _stands_in(message, stored) for message in answer.history)
    if isinstance(answer, CompactionSides) and isinstance(right, CompactionSides):
        return is_less(answer.before, right.before) and is_less(answer.after, right.after)
    if isinstance(answer, list | tuple) and isinstance(right, list | tuple):
        return all(entry in right for entry in answer)
    return answer is None


def _stands_in(message: Message, stored: Set[ToolResult]) -> bool:
    """Say whether a message says that a call, or its result, is missing; a result without its call keeps its words."""
    if message.calls:
        return all(call.arguments == NO_CALL for call in message.calls)
    results = message.results
    return bool(results) and all(result.text == NO_RESULT or result in stored for result in results)
