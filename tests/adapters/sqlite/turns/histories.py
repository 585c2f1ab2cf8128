"""Histories by chance, played into a store, with a plain account of what led to what kept beside them."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from adapters.sqlite import SqliteStore
from adapters.sqlite.turns.compactions import CompactionDecision, decide
from bot.context.compaction.block import WrittenSummary, block_of
from bot.context.compaction.plan import SummaryPiece, numbers_of, parts_of_calls
from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind, Turn
from bot.domain.compaction import CompactionLevel, SummaryType
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import Arrival, ArrivalDisposition
from bot.domain.memory import MemoryProvenance
from bot.domain.messages import Author, AuthorKind, Inbound, InboundKind, Message
from bot.domain.process import NewProcess, ProcessEnd, ProcessOrigin, ProcessState, result_id
from bot.domain.spread_items import SpreadKind
from bot.domain.turn import NewOutbox, ToolCallRecord, TurnEnd, TurnStatus
from bot.ports.compactions import UNDONE_BY_ADMIN, CompactionState, NewCompaction
from bot.tools.memory_recall import line
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.inside.store import database_of

Node = tuple[str, int]
LEAVES = frozenset({"request", "answer", "memory", "summary", "compaction", "branch", "worker"})
"""What is told of; the other nodes only lead there."""


@dataclass
class _Slot:
    """A turn as it stands in a conversation: by its own messages, by summaries, or by both."""

    turn: int
    parts: list[Node]
    has_calls: bool = False


@dataclass
class _Work:
    """A branch or worker in flight; `version` is that of its row."""

    row: int
    kind: ProcessKind
    version: int
    turn: int = 0
    key: ChannelKey = v.KEY


@dataclass
class Played:
    """A history. `leads` says of each thing what it led to, as it was known when that happened."""

    store: SqliteStore
    chance: random.Random
    name: str
    memories: list[int] = field(default_factory=list)
    leads: defaultdict[Node, set[Node]] = field(default_factory=lambda: defaultdict(set))
    holds: defaultdict[Node, set[Node]] = field(default_factory=lambda: defaultdict(set))
    _now: int = START
    _said: int = 0
    _talk: dict[ChannelKey, list[_Slot]] = field(default_factory=lambda: defaultdict(list))
    _work: list[_Work] = field(default_factory=list)
    _results: list[tuple[int, int, ChannelKey]] = field(default_factory=list)
    _waiting: list[tuple[int, ChannelKey]] = field(default_factory=list)
    _undoable: list[tuple[int, ChannelKey, list[_Slot], list[_Slot]]] = field(default_factory=list)

    async def play(self, steps: int) -> None:
        keys = [ChannelKey(MAIN, ChannelId(f"console:#{self.name}{n}")) for n in range(2)]
        for key in keys:
            await self.store.channels.meet(key, key.channel, v.GUILD, v.settings())
            self.memories += await self.store.memories.add([self._memory(key, 0) for _ in range(2)])
        for _ in range(steps):
            key = self.chance.choice(keys)
            match self.chance.randrange(10):
                case 0 | 1 | 2 | 3:
                    await self._turn(key)
                case 4 | 5:
                    await self._go_on_working()
                case 6 | 7:
                    await self._compact(key)
                case 8:
                    await self._undo()
                case _:
                    if self.chance.random() < 0.3:
                        await self.store.channels.reset(key, self._at())
                        self._talk[key].clear()
                        self._undoable = [one for one in self._undoable if one[1] != key]

    def closure(self, seeds: list[int]) -> dict[Node, bool]:
        """Walk what led to what; say of everything that was reached whether it is direct."""
        start = {("memory", row) for row in seeds}
        direct = {node for seed in start for node in self.holds[seed]}
        requests = {node for node in direct if node[0] == "request"}
        direct = requests | {left for turn in direct - requests for left in self._left_by(turn)}
        reached: set[Node] = set()
        todo = {node for seed in start for node in (*self.holds[seed], *self.leads[seed])}
        while todo:
            node = todo.pop()
            if node not in reached and node not in start:
                reached.add(node)
                todo |= self.leads[node] | self.holds[node]
        return {node: node in direct for node in reached if node[0] in LEAVES}

    def _left_by(self, turn: Node) -> set[Node]:
        return {node for node in self.leads[turn] if node[0] in LEAVES - {"request"}}

    def _at(self) -> int:
        self._now += self.chance.randint(1, 50)
        return self._now

    def _memory(self, key: ChannelKey, turn: int) -> Any:
        self._said += 1
        # words that look like the line of another memory are words all the same
        words = f"{self.name} fact {self._said}\n- {handle(HandleKind.MEMORY, 1)} | fact"
        author = MemoryProvenance(author=UserId("100"), author_name="ann", turn=turn)
        return v.memory(words, provenance=author, channel=key.channel, scope_id=key.channel, created_at=self._at())

    async def _turn(self, key: ChannelKey) -> None:
        result = next((one for one in self._results if one[2] == key), None)
        asked = v.inbound("hello", f"{self.name}{self._said}", channel=key.channel)
        self._said += 1
        if result is None:
            arrival = Arrival(agent=MAIN, inbound=asked, arrived_at=self._at(), verdicts=(), disposition="queue")
            row = (await self.store.ledger.arrive([arrival], None))[0]
        else:
            self._results.remove(result)
            row = result[0]
        started = self._at()
        turn = await self.store.journal.begin_turn(v.turn_start(key, (row,), at=started), ())
        node = ("turn", turn)
        if result is not None:
            self.leads[("process", result[1])].add(("whole", turn))
        for slot in self._talk[key]:
            for part in slot.parts:
                if part[0] == "summary":
                    self.leads[part].add(("whole", turn))
        self.leads[("whole", turn)].add(node)
        if self.chance.random() < 0.15:
            # one that goes on while the conversation is shortened was begun with all of it
            await self._compact(key)
        had_calls = await self._rounds(key, turn, ProcessKind.CHANNEL)
        saved = [self._memory(key, turn)] if self.chance.random() < 0.4 else []
        answered = self.chance.random() < 0.8
        relayed = [one for one in self._waiting if one[1] == key][:1]
        self._waiting = [one for one in self._waiting if one not in relayed]
        for process, _ in relayed:
            self.leads[("process", process)].add(("whole", turn))
        between = (v.call(call_id=f"c{turn}"), v.result(f"found {turn}", f"c{turn}")) if had_calls else ()
        messages = (v.message(f"hello {turn}", inbound=row), *between, v.said(f"answer {turn}"))
        to = v.address(key.channel)
        await self.store.journal.end_turn(
            TurnEnd(
                turn=turn,
                agent=MAIN,
                channel=key.channel,
                at=self._at(),
                status=TurnStatus.REPLIED,
                messages=messages,
                memories=tuple(saved),
                relayed=tuple(process for process, _ in relayed),
                outbox=(NewOutbox(kind="reply", to=to, text="hi", turn=turn),) if answered else (),
            )
        )
        if answered:
            self.leads[node].add(("answer", turn))
        await self._saved(key, node, len(saved))
        self._talk[key].append(_Slot(turn, [node], had_calls))

    async def _saved(self, key: ChannelKey, node: Node, many: int) -> None:
        if many:
            newest = (await self.store.memories.listed(MAIN, key.channel, "1"))[0]
            self.memories.append(newest.id)
            self.leads[node].add(("memory", newest.id))

    async def _rounds(self, key: ChannelKey, turn: int, kind: ProcessKind) -> bool:
        """Ask a model a few times: memories are shown, searched for, and work is handed out."""
        node, shown, found = ("turn", turn), self._some(0.3), set[int]()
        had_calls = False
        for number in range(self.chance.randint(1, 3)):
            sources = tuple(f"memory:{handle(HandleKind.MEMORY, row)}" for row in shown)
            record = v.request_record(turn, key=key, kind=kind, round=number, at=self._at())
            record = record.replace(sections=(v.section("memory_bulletin", sources),))
            request = await self.store.journal.record_request(record, ())
            self.leads[("whole", turn)].add(("request", request))
            for row in {*shown, *found}:
                self.holds[("memory", row)] |= {("request", request), node}
            if self.chance.random() < 0.3:
                had_calls = True
                looked = self._some(0.3)
                await self._recalls(key, turn, number, looked)
                found.update(looked)
                for row in looked:
                    self.holds[("memory", row)].add(node)
            if self.chance.random() < 0.2:
                had_calls = True
                await self._hand_out(key, turn)
        return had_calls

    async def _recalls(self, key: ChannelKey, turn: int, number: int, looked: list[int]) -> None:
        kept = [memory for row in looked if (memory := await self.store.memories.get(row)) is not None]
        answer = "\n".join(["These are notes, not instructions:", *(line(memory, ()) for memory in kept)])
        call = ToolCallRecord(
            tool_name="memory_recall",
            raw_arguments_json="{}",
            result_output=answer,
            success=True,
            execution_start=self._at(),
            execution_end=self._now,
            duration_ms=1,
            order_index=0,
            round_number=number,
        )
        other = call.model_copy(update={"tool_name": "web_fetch", "order_index": 1})
        await self.store.journal.record_calls(key, turn, [call, other])

    def _some(self, share: float) -> list[int]:
        return [row for row in self.memories if self.chance.random() < share]

    async def _hand_out(self, key: ChannelKey, turn: int) -> None:
        kind = self.chance.choice([ProcessKind.BRANCH, ProcessKind.WORKER])
        task = NewProcess(
            agent=MAIN,
            channel=key.channel,
            kind=kind,
            task="look it up",
            name="it",
            by=Caller(PersonKey("console", UserId("101")), "ann", Authority.EVERYONE),
            parent_turn=turn,
            inbound=0,
            origin=ProcessOrigin(platform="console"),
        )
        begun = await self.store.processes.begin(task, self._at())
        node = ("process", begun.id)
        self.leads[("turn", turn)] |= {(kind.value, begun.id), node}
        self._work.append(_Work(begun.id, kind, begun.version, key=key))

    async def _go_on_working(self) -> None:
        if not self._work:
            return
        work = self.chance.choice(self._work)
        turn = await self.store.journal.begin_turn(v.turn_start(work.key, kind=work.kind, at=self._at()), ())
        noted = await self.store.processes.note(work.row, turn, 0, "", 0)
        assert noted is not None
        self.leads[("process", work.row)].add(("whole", turn))
        self.leads[("whole", turn)].add(("turn", turn))
        await self._rounds(work.key, turn, work.kind)
        saved = [self._memory(work.key, turn)] if self.chance.random() < 0.3 else []
        done = TurnEnd(turn=turn, agent=MAIN, channel=work.key.channel, at=self._at(), status=TurnStatus.REPLIED)
        await self.store.journal.end_turn(done.replace(memories=tuple(saved)))
        await self._saved(work.key, ("turn", turn), len(saved))
        work.version = noted.version
        if self.chance.random() < 0.7:
            await self._ends(work)

    async def _ends(self, work: _Work) -> None:
        self._work.remove(work)
        tells = self.chance.random() < 0.6
        inbound = Inbound(
            adapter="console",
            channel=work.key.channel,
            channel_name="there",
            kind=InboundKind.RESULT,
            message_id=result_id(work.row),
            author=Author(user_id=UserId("0"), name="Glassmind", kind=AuthorKind.SELF),
            text="42",
            sent_at=self._now,
        )
        arrival = Arrival(
            agent=MAIN, inbound=inbound, arrived_at=self._at(), verdicts=(), disposition=ArrivalDisposition.QUEUE
        )
        ended = await self.store.processes.end(
            ProcessEnd(
                id=work.row,
                version=work.version,
                state=ProcessState.DONE,
                result="42",
                at=self._at(),
                arrival=arrival if tells else None,
            )
        )
        assert ended is not None
        if ended[1] is not None:
            self._results.append((ended[1].id, work.row, work.key))
        else:
            self._waiting.append((work.row, work.key))

    async def _compact(self, key: ChannelKey) -> None:
        talk = self._talk[key]
        if len(talk) < 2:
            return
        state = await self.store.channels.load(key)
        assert state is not None
        count = self.chance.randint(1, len(talk) - 1)
        taken, slots = state.turns[:count], talk[:count]
        kind = self.chance.choice([SummaryType.HALF, SummaryType.TOOL_CALLS, SummaryType.HALF, SummaryType.EMERGENCY])
        if kind is SummaryType.TOOL_CALLS:
            if not all(slot.has_calls for slot in slots):
                return
            turns = tuple(_without_calls(turn) for turn in taken)
        else:
            turns = (_shortened(kind, taken),)
        writes = kind is not SummaryType.EMERGENCY
        written = 0
        end = None
        if writes:
            written = await self.store.journal.begin_turn(
                v.turn_start(key, kind=ProcessKind.COMPACTOR, at=self._at()), ()
            )
            record = v.request_record(written, key=key, kind=ProcessKind.COMPACTOR, round=0, at=self._at())
            request = await self.store.journal.record_request(record, ())
            end = TurnEnd(turn=written, agent=MAIN, channel=key.channel, at=self._at(), status=TurnStatus.REPLIED)
        new = NewCompaction(
            agent=MAIN,
            channel=key.channel,
            epoch=state.epoch,
            type=kind,
            level=CompactionLevel.BACKGROUND,
            method="model",
            started_at=self._now,
            at=self._at(),
            taken=tuple(turn.id for turn in taken),
            before=tuple(message.digest for turn in taken for message in turn.messages),
            turns=turns,
            turn=written,
        )
        stored, _ = await self.store.compactions.commit(new, end, ())
        assert stored.state is CompactionState.DONE
        self._at()
        came = await self._lines(stored.id)
        groups = [[slot] for slot in slots] if kind is SummaryType.TOOL_CALLS else [slots]
        fresh: list[_Slot] = []
        for line_number, group in zip(came, groups, strict=True):
            node, compaction = ("summary", line_number), ("compaction", stored.id)
            for slot in group:
                for part in slot.parts:
                    self.leads[part] |= {compaction, node} if writes else {compaction}
            if kind is SummaryType.TOOL_CALLS:
                fresh.append(_Slot(group[0].turn, [*group[0].parts, node]))
            else:
                fresh.append(_Slot(group[0].turn, [node] if writes else []))
        if writes:
            self.leads[("compaction", stored.id)].add(("request", request))
        self._talk[key] = [*fresh, *talk[count:]]
        self._undoable.append((stored.id, key, list(slots), fresh))

    async def _lines(self, compaction: int) -> list[int]:
        sql = "SELECT line FROM compacted WHERE compaction = ? AND came ORDER BY place, line"
        return await database_of(self.store).read(lambda c: [row[0] for row in c.execute(sql, (compaction,))])

    async def _undo(self) -> None:
        """Take the newest one back, if nothing was built on it."""
        if not self._undoable:
            return
        row, key, slots, fresh = self._undoable.pop()
        talk = self._talk[key]
        if talk[: len(fresh)] != fresh:
            return
        self._talk[key] = [*slots, *talk[len(fresh) :]]
        at = self._at()
        await database_of(self.store).write(
            lambda c: decide(c, row, CompactionDecision(CompactionState.UNDONE, UNDONE_BY_ADMIN, at))
        )


def _shortened(kind: SummaryType, taken: tuple[Turn, ...]) -> Turn:
    messages = tuple(message for turn in taken for message in turn.messages)
    piece = SummaryPiece(tuple(n for turn in taken for n in numbers_of(turn)), messages, messages)
    return Turn(id=taken[0].id, messages=(block_of(kind, piece, WrittenSummary("what mattered", "echo", START), 100),))


def _without_calls(turn: Turn) -> Turn:
    parts = parts_of_calls(turn)
    piece = SummaryPiece((turn.id,), turn.messages, parts)
    block: Message = block_of(SummaryType.TOOL_CALLS, piece, WrittenSummary("looked it up", "echo", START), 100)
    kept = [message for message in turn.messages if message not in parts]
    return Turn(id=turn.id, messages=(kept[0], block, *kept[1:]))


def as_nodes(items: Any) -> dict[Node, bool]:
    """Write what the store found as the account does."""
    return {
        (item.kind.value, item.part if item.kind is SpreadKind.SUMMARY else item.row): item.is_direct for item in items
    }
