"""People who write to a bot in private chats, and what their answers took: the load, apart from how it travels."""

from __future__ import annotations

import asyncio
import re
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

Json = dict[str, Any]
MARK = re.compile(r"mark-(\d+)-(\d+)")
WORDS = "the quick brown fox jumps over a lazy dog while gray pigeons watch from the wet roof".split()  # noqa: SIM905
FIRST_PERSON = 5_000_000_001
FIRST_GROUP = -1_002_000_000_000
CALL = "@bench_bot"
GIVE_UP = 20.0
"""Seconds without any answer after which whatever is still owed counts as lost."""
REST = 0.5
"""Seconds in which a bot does what it does after an answer; its CPU is counted."""


def prose(words: int, seed: int) -> str:
    """Return words that differ from seed to seed."""
    return " ".join(WORDS[(seed * 7 + n * (3 + seed % 5)) % len(WORDS)] for n in range(words))


def cpu_ms(pid: int) -> float:
    """Return the CPU time of all threads of a process, in milliseconds (the kernel's own clock of that process)."""
    return time.clock_gettime_ns((~pid << 3) | 2) / 1e6


@dataclass
class Queue:
    """The updates that wait for the bot, with the offset rules of getUpdates."""

    waiting: list[tuple[int, bytes]] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    last: int = 0

    def put(self, kind: str, body: Json) -> None:
        self.last += 1
        self.waiting.append((self.last, orjson.dumps({"update_id": self.last, kind: body})))
        self.came.set()

    async def take(self, offset: int, seconds: float) -> list[bytes]:
        """Drop what is confirmed, then return up to a hundred updates, or none after so many seconds."""
        self.waiting = [one for one in self.waiting if one[0] >= offset]
        if not self.waiting and seconds > 0:
            self.came.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self.came.wait()
            except TimeoutError:
                return []
        return [body for _, body in self.waiting[:100]]


@dataclass
class Chats:
    """Everybody who writes. `said` maps what waits for an answer to the time at which it was written."""

    queue: Queue = field(default_factory=Queue)
    said: dict[tuple[int, int], float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    twice: int = 0
    documents: int = 0
    largest: int = 0
    heard: Callable[[int, int], None] = lambda person, number: None
    offered: Callable[[int, str, str], None] = lambda message, label, data: None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    message_id: int = 0

    def write(self, person: int, number: int, text: str = "") -> None:
        """Let somebody write their next message."""
        said = text or f"mark-{person}-{number}: {prose(25, person + number)}"
        who = FIRST_PERSON + person
        name = {"id": who, "first_name": f"Person {person}"}
        message = {
            "message_id": self.number(),
            "date": int(time.time()),  # noqa: TID251 - the bench is a part of the world outside
            "chat": {**name, "type": "private"},
            "from": {**name, "is_bot": False, "language_code": "en"},
            "text": said,
        }
        self.said[person, number] = time.perf_counter()
        self.queue.put("message", message)

    def write_in(self, group: int, person: int, number: int, *, to_bot: bool) -> None:
        """Let somebody write in a group; what is not meant for the bot is only overheard."""
        if to_bot:
            self.said[group, number] = time.perf_counter()
            text = f"{CALL} mark-{group}-{number}: {prose(25, number)}"
        else:
            text = f"message {number}: {prose(25, group + number)}"
        entities = [{"type": "mention", "offset": 0, "length": len(CALL)}] if to_bot else []
        message = {
            "message_id": self.number(),
            "date": int(time.time()),  # noqa: TID251 - the bench is a part of the world outside
            "chat": {"id": FIRST_GROUP - group, "title": f"Group {group}", "type": "supergroup"},
            "from": {"id": FIRST_PERSON + person, "first_name": f"Person {person}", "is_bot": False},
            "text": text,
            "entities": entities,
        }
        self.queue.put("message", message)

    def number(self) -> int:
        self.message_id += 1
        return self.message_id

    def press(self, person: int, message: int, data: str) -> None:
        """Let somebody press a button in their private chat."""
        who = {"id": FIRST_PERSON + person, "first_name": f"Person {person}"}
        shown = {"message_id": message, "date": 1_790_000_000, "chat": {**who, "type": "private"}, "text": "x"}
        pressed = {"id": f"press-{self.number()}", "from": {**who, "is_bot": False}, "chat_instance": "1"}
        self.queue.put("callback_query", {**pressed, "message": shown, "data": data})

    def answered(self, text: str) -> None:
        """Take an answer of the bot."""
        found = MARK.search(text)
        if found is None:
            return
        person, number = int(found[1]), int(found[2])
        since = self.said.pop((person, number), None)
        if since is None:
            self.twice += 1
            return
        self.took.append((time.perf_counter() - since) * 1000)
        self.changed.set()
        self.heard(person, number)

    def document(self, chat: int, size: int) -> None:
        """Take a file of the bot, which is the answer to everything that waits in a private chat."""
        self.documents += 1
        self.largest = max(self.largest, size)
        for waiting in [one for one in self.said if one[0] == chat - FIRST_PERSON]:
            self.took.append((time.perf_counter() - self.said.pop(waiting)) * 1000)
        self.changed.set()

    async def until(self, count: int) -> None:
        """Wait until so many were answered, or nothing comes any more."""
        while len(self.took) < count:
            self.changed.clear()
            try:
                async with asyncio.timeout(GIVE_UP):
                    await self.changed.wait()
            except TimeoutError:
                return

    def forget(self) -> None:
        """Begin a new count."""
        self.said.clear()
        self.took.clear()
        self.twice = self.documents = self.largest = 0
        self.heard = lambda person, number: None
        self.offered = lambda message, label, data: None


async def crowd(chats: Chats, pid: int, people: Sequence[int], messages: int) -> Json:
    """Let everybody write at once; each writes again as soon as the answer is there."""
    chats.forget()

    def go_on(person: int, number: int) -> None:
        if number + 1 < messages:
            chats.write(person, number + 1)

    chats.heard = go_on
    total, cpu, began = len(people) * messages, cpu_ms(pid), time.perf_counter()
    for person in people:
        chats.write(person, 0)
    await chats.until(total)
    wall = time.perf_counter() - began
    await asyncio.sleep(REST)
    return {
        "cpu_ms": (cpu_ms(pid) - cpu) / total,
        "per_second": len(chats.took) / wall,
        "lost": total - len(chats.took),
        "twice": chats.twice,
        **latencies(chats.took),
    }


async def beside_proofs(chats: Chats, pid: int, people: Sequence[int], messages: int, owner: int, line: str) -> Json:
    """Let a crowd write while an owner has one thing proven after the other, by a line to type; without it: alone."""
    chats.forget()
    proofs = 0

    def go_on(person: int, number: int) -> None:
        if person in left and number + 1 < messages:
            chats.write(person, number + 1)

    def offered(message: int, label: str, data: str) -> None:
        nonlocal proofs
        if label == "Prove it":
            chats.press(owner, message, data)
        elif label.startswith("Keep as a check"):
            # the verdict is there
            proofs += 1
            chats.write(owner, proofs, line)

    left = frozenset(people)
    if line:
        chats.offered = offered
        chats.write(owner, 0, line)
    chats.heard = go_on
    total, cpu, began = len(people) * messages, cpu_ms(pid), time.perf_counter()
    for person in people:
        chats.write(person, 0)
    await chats.until(total)
    wall = time.perf_counter() - began
    chats.offered = lambda message, label, data: None
    cost = (cpu_ms(pid) - cpu) / total
    lost = total - len(chats.took)
    await asyncio.sleep(REST)
    return {
        "cpu_ms": cost,
        "per_second": total / wall,
        "lost": lost,
        "proofs": proofs,
        "took": list(chats.took),
        **latencies(chats.took),
    }


async def alone(chats: Chats, pid: int, person: int, messages: int) -> Json:
    """Let one person write, wait for the answer, and write again; say what each message cost, too."""
    chats.forget()
    costs: list[float] = []
    for number in range(messages):
        before = cpu_ms(pid)
        chats.write(person, number)
        await chats.until(number + 1)
        if len(chats.took) != number + 1:
            break
        # what follows an answer belongs to it; the next message is not written before that is over
        await _rested(pid)
        costs.append(cpu_ms(pid) - before)
    return {"lost": messages - len(chats.took), "costs": costs, **latencies(chats.took)}


async def says(chats: Chats, person: int, number: int, text: str) -> Json:
    """Let somebody say something, and wait for the answer."""
    chats.forget()
    chats.write(person, number, f"mark-{person}-{number}: {text}")
    await chats.until(1)
    return {"lost": 1 - len(chats.took)}


async def exports(chats: Chats, person: int, count: int) -> Json:
    """Ask for an export again and again; the first is told apart."""
    chats.forget()
    for number in range(count):
        chats.write(person, number, "!cortex export")
        await chats.until(number + 1)
        await asyncio.sleep(0.05)
    first, *others = chats.took or [0.0]
    return {"first_ms": first, "lost": count - len(chats.took), **latencies(others)}


async def groups(chats: Chats, pid: int, many: int, each: int, at_once: int) -> Json:
    """Let people talk in many groups, and ask the bot something in each at the end; so many questions wait at once."""
    chats.forget()
    waiting = iter(range(many))

    def go_on(*_: int) -> None:
        group = next(waiting, None)
        if group is not None:
            for number in range(each - 1):
                chats.write_in(group, number % 7, number, to_bot=False)
            chats.write_in(group, 0, each - 1, to_bot=True)

    chats.heard = go_on
    cpu, began = cpu_ms(pid), time.perf_counter()
    for _ in range(at_once):
        go_on()
    await chats.until(many)
    wall = time.perf_counter() - began
    await asyncio.sleep(REST)
    cost = (cpu_ms(pid) - cpu) / (many * each)
    lost = many - len(chats.took)
    return {
        "cpu_ms": cost,
        "per_second": many * each / wall,
        "lost": lost,
        "twice": chats.twice,
        **latencies(chats.took),
    }


async def crowd_and_exports(
    chats: Chats, pid: int, people: Sequence[int], messages: int, owner: int, exported: int
) -> Json:
    """Let a crowd write while an export is made again and again."""
    chats.forget()
    left = dict.fromkeys(people, messages - 1)

    def go_on(person: int, number: int) -> None:
        if left.get(person, 0):
            left[person] -= 1
            chats.write(person, number + 1)

    chats.heard = go_on
    for person in people:
        chats.write(person, 0)
    for number in range(exported):
        chats.write(owner, number, "!cortex export")
        while chats.documents <= number and (owner, number) in chats.said:
            before = len(chats.took)
            await chats.until(before + 1)
            if len(chats.took) == before:
                break  # nothing comes any more: it counts as lost
    await chats.until(len(people) * messages + exported)
    lost = len(people) * messages + exported - len(chats.took)
    return {"lost": lost, "twice": chats.twice, "documents": chats.documents, "largest": chats.largest}


async def _rested(pid: int) -> None:
    """Return when a process has done nothing for some milliseconds, but for its own timers."""
    before = cpu_ms(pid)
    for _ in range(50):
        await asyncio.sleep(0.004)
        now = cpu_ms(pid)
        if now - before < 0.3:
            return
        before = now


def latencies(took: Sequence[float]) -> Json:
    """Return the usual percentiles, in milliseconds."""
    if len(took) < 2:
        return {"p50_ms": took[0] if took else 0.0, "p99_ms": took[0] if took else 0.0, "max_ms": max(took, default=0)}
    cuts = statistics.quantiles(took, n=100, method="inclusive")
    return {"p50_ms": cuts[49], "p99_ms": cuts[98], "max_ms": max(took)}


Scenario = Callable[..., Awaitable[Json]]
SCENARIOS: dict[str, Scenario] = {
    "crowd": crowd,
    "beside_proofs": beside_proofs,
    "alone": alone,
    "says": says,
    "exports": exports,
    "groups": groups,
    "crowd_and_exports": crowd_and_exports,
}
