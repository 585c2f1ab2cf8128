"""R35: several processes on one database, killed, stopped and cut off from it: nothing lost, twice or in disorder.

One of them is at work, and the others stand by. Whoever ends is started again, as a service manager does it.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.sentences import say
from tests.faults.f06_full_disk import missing as cannot_mount
from tests.faults.f06_full_disk import play_apart
from tests.faults.family import Family, Figure, Size, Verdict, seed_of
from tests.faults.processes.house import errors
from tests.faults.processes.lives import Life
from tests.servers.model import Reply
from tests.servers.model.trouble import SlowBy
from tests.servers.pgbouncer import PooledServer, has_pooler
from tests.servers.postgres import PostgresServer, postgres_server, reason_for_none
from tests.servers.replication import replicated_server
from tests.servers.small_disk import LOG, TABLES, cramped_server

MANY = {Size.NIGHTLY: 10, Size.RELEASE: 200}
FAILOVERS = {Size.NIGHTLY: 2, Size.RELEASE: 10}
FULL_DISKS = {Size.NIGHTLY: 2, Size.RELEASE: 20}
WRONG_CLOCKS = {Size.NIGHTLY: 2, Size.RELEASE: 20}
POOLERS = {Size.NIGHTLY: 2, Size.RELEASE: 10}
PARTED = {Size.NIGHTLY: 2, Size.RELEASE: 10}
PLATFORMS = ("discord", "telegram")
FAILOVER = "failover"
"""How keys begin of cases in which the database's primary falls, and its replica takes its place."""
MACHINES = 3
SHARED = "roles"
"""How keys begin of cases in which the processes share the channels: some listen, and others answer."""
ROLES = ("gateway", "gateway", "worker", "worker", "worker")
FULL_DISK = "full"
"""How keys begin of cases with roles in which the database's disk, or that of its log, is full for a while."""
WRONG_CLOCK = "clock"
"""How keys begin of cases with roles in which each machine has a clock of its own, wrong by minutes."""
RANGES = "ranges"
"""How keys begin of cases with roles in which each gateway has a part of Discord's shards."""
POOLED = "pooled"
"""How keys begin of cases with roles in which a pooler in transaction mode stands before the database."""
MOST_WRONG = 300.0
"""Seconds by which a clock is wrong, ahead or behind."""
KILLS, STANDSTILLS, CUTS, RESTARTS = 5, 1, 0.5, 0.25
"""How often what happens in a case, on average; before a release that is 1,000, 200, 100 and 50."""
LONG = 0.7
"""Of ten processes that stand still, seven do for longer than a lease."""
LATE = 15.0
"""Seconds within which another one must be at work, on a machine on which others work as well."""
THINKS = 0.3
TRIES = 40
"""How often people write until the last bit of room is used up."""
NOBODY_LISTENS = say("processes.nobody-listens")
ANSWERED = "answered_s"
"""From a worker's death until its channels are answered by others."""
STANDS_BY = "standby_s"
"""From the death of the one at work until one that stands by is."""
LISTENS = "listening_s"
"""From a gateway's death until everything said is heard by another one, and answered."""
HANDED_OVER = "handover_s"
"""From the moment a process is asked to end until others have answered for it."""
FACTS = "facts_s"
"""Until a host is told why there is no answer, with the start of the command."""
FELL = "after_restart"
"""How figures begin of times in which the database itself may have been away."""
_HAD = """
    SELECT name, epoch FROM lease JOIN lease_owner ON lease_owner.id = lease.owner
    WHERE process LIKE '% {process} on %' AND NOT ended AND (name LIKE 'channel:%' OR name LIKE 'gateway:%')"""
_EPOCHS = "SELECT name, epoch FROM lease"
_AT_WRONG_TIMES = ("killed", "stands_still_for_long", "killed", "asked_to_end", "stands_still", "killed")
GOES_ON = 1.5
"""Seconds for which a process stands still that keeps its lease."""


def cases(size: Size) -> Iterable[str]:
    """Give a platform and a seed; a case stands for all that happens in it."""
    if size is Size.SLICE:
        return ["discord/slice"]
    seeds = [f"{PLATFORMS[number % 2]}/seed{number}" for number in range(MANY[size])]
    kinds = {
        SHARED: MANY,
        FAILOVER: FAILOVERS,
        f"{FAILOVER}-{SHARED}": FAILOVERS,
        FULL_DISK: FULL_DISKS,
        WRONG_CLOCK: WRONG_CLOCKS,
        POOLED: POOLERS,
    }
    return [
        *seeds,
        *(f"{PLATFORMS[number % 2]}/{kind}{number}" for kind, many in kinds.items() for number in range(many[size])),
        *(f"discord/{RANGES}{number}" for number in range(PARTED[size])),
    ]


@dataclass
class Troubles:
    """What happens to the processes of one house, and how long nobody was at work."""

    house: Any
    chance: random.Random
    is_whole: bool
    """It may last: leases end by themselves."""
    fell: str = FELL
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """What was timed, by the names of the figures."""
    counts: Counter[str] = field(default_factory=Counter)
    has_fallen: bool = False
    """The database has fallen since it was last known to be there."""
    is_timed: bool = False
    """What is timed is the bot's: the model does not think meanwhile."""

    async def play(self, doings: Iterable[str]) -> None:
        """Let people talk and trouble come, and everything come to its end."""
        answer = self.house.model.answer
        self.house.model.answer = lambda request: self._slowly(answer(request))
        await self.house.start()
        await self.house.settled()  # what was said before it was ever there is none of its business
        for room in range(2):
            await self.house.ask(f"q{room}", room)
        await self.house.settled()
        for doing in doings:
            await self.talks()
            await asyncio.sleep(self.chance.uniform(0, THINKS))
            await getattr(self, doing)()
        await self.talks()
        await self.house.settled()

    def took(self, figure: str, seconds: float) -> None:
        """Keep how long something took; apart where the database itself may have been away."""
        name = f"{self.fell}_{'facts' if figure == FACTS else 'answered'}_s" if self.has_fallen else figure
        self.seconds[name].append(round(seconds, 3))

    async def talks(self) -> None:
        for _ in range(self.chance.randint(1, 3)):
            name = f"q{len(self.house.story.asked)}"
            await self.house.ask(name, self.chance.randrange(2), self.chance.choice(("ann", "james")))

    async def killed(self) -> None:
        """One of them is killed, whichever it is."""
        number = self.chance.randrange(self.house.machines)
        await self._ends(number, signal.SIGKILL)
        self.counts["kills"] += 1

    async def asked_to_end(self) -> None:
        """The one at work gives its lease back: another one begins at once."""
        await self._ends(self.house.at_work, signal.SIGTERM)
        self.counts["stops"] += 1

    async def _ends(self, number: int, by: int) -> None:
        house, life, begun, began = self.house, self.house.lives[number], self.house.begun, time.monotonic()
        was_at_work = number == house.at_work
        house.note(f"machine {number}, {'at work' if was_at_work else 'standing by'}: signal {by}")
        life.signal(by)
        if was_at_work:
            await self._taken_over(HANDED_OVER if by == signal.SIGTERM else STANDS_BY, begun, began)
        await house.gone(life)

    async def _taken_over(self, figure: str, begun: int, began: float) -> None:
        await self.house.takeover(begun)
        spent = time.monotonic() - began
        self.house.note(f"machine {self.house.at_work} is at work after {spent:.2f} s")
        self.took(figure, spent)
        self.has_fallen = False
        assert spent <= LATE, f"late: it took {spent:.1f} s\n{self.house.told()}"

    async def stands_still(self) -> None:
        """The one at work stands still for a while, mostly for longer than its lease."""
        if self.chance.random() < LONG:
            await self.stands_still_for_long()
            return
        life = self.house.lives[self.house.at_work]
        life.signal(signal.SIGSTOP)
        self.counts["standstills"] += 1
        await asyncio.sleep(self.chance.uniform(0, GOES_ON))
        self.house.note("the one at work stands still, and goes on")
        life.signal(signal.SIGCONT)

    async def stands_still_for_long(self) -> None:
        """The one at work stands still in the middle of whatever it does, and later goes on as if nothing had been."""
        house, number = self.house, self.house.at_work
        life, begun, began = house.lives[number], house.begun, time.monotonic()
        house.note(f"machine {number} stands still")
        life.signal(signal.SIGSTOP)
        self.counts["standstills"] += 1
        if self.is_whole:
            await self._asks_why((number + 1) % house.machines)
        else:
            house.let_leases_end()
        await self._taken_over(STANDS_BY, begun, began)
        await self.talks()
        await asyncio.sleep(self.chance.uniform(0, THINKS))
        life.signal(signal.SIGCONT)
        status = await house.gone(life)
        house.note(f"machine {number} went on, and ended with {status}")
        assert status == 1, f"wrong status {status} of one that was overtaken\n{house.told()}"

    async def _asks_why(self, number: int) -> None:
        """Let a host ask why, while nobody is at work."""
        room = self.house.around.key(self.house.rooms[0]).channel
        said, spent = await self.house.command(number, "why", room)
        assert "no model used" in said or "answered" in said, f"the host is told nothing:\n{said}\n{self.house.told()}"
        self.took(FACTS, spent)

    def false_alarms(self) -> list[str]:
        """Return what the owner was told that was not so: of what listens, nothing has ever been silent for long."""
        return [text for text in self.house.private() if NOBODY_LISTENS in text]

    async def cut(self) -> None:
        """Every connection to the database is cut."""
        self.house.note("all connections are cut")
        self.house.cut()
        self.counts["cuts"] += 1

    async def restarted(self) -> None:
        """The database's server falls, and comes again."""
        self.house.note("the database falls and comes again")
        self.has_fallen = True
        await asyncio.to_thread(self.house.server.restart)
        self.counts["restarts"] += 1

    def _slowly(self, reply: Reply) -> Reply:
        return SlowBy(0.0 if self.is_timed else self.chance.uniform(0, THINKS), reply)


@dataclass
class SharedTroubles(Troubles):
    """The same among processes that share the channels: whichever it is, the others go on for it."""

    slept: list[Life] = field(default_factory=list)
    """Those that stood still for longer than a lease."""

    async def killed(self) -> None:
        """One of them is killed, whichever it is."""
        await self._is_gone(self.house.lives[self.chance.randrange(self.house.machines)], signal.SIGKILL, "kills")

    async def asked_to_end(self) -> None:
        """One of them gives back what it has: the others take it at once."""
        life = self.house.lives[self.chance.randrange(self.house.machines)]
        # of one that has slept somebody may have taken everything, which it hears just now
        fine = (0, 1) if life in self.slept else (0,)
        assert await self._is_gone(life, signal.SIGTERM, "stops") in fine, f"it ends wrongly\n{self.house.told()}"

    async def _is_gone(self, life: Life, by: int, what: str) -> int:
        house, had = self.house, await self._leases(_HAD.format(process=life.process))
        number = next(number for number, one in house.lives.items() if one is life)
        house.note(f"{ROLES[number]} {number}: signal {by}")
        began, self.is_timed = time.monotonic(), True
        life.signal(by)
        # a pooler that lost its database makes everybody wait for 15 seconds: no more is asked then
        for room in range(0 if self.has_fallen else 2):
            await house.ask(f"q{len(house.story.asked)}", room)
        status = await house.gone(life)
        self.counts[what] += 1
        await house.settled()
        spent, self.is_timed = time.monotonic() - began, False
        now = await self._leases(_EPOCHS)
        # of a database that may be away nobody learns what was had
        if self.has_fallen or any(now.get(name) != epoch for name, epoch in had.items()):
            house.note(f"others have answered after {spent:.2f} s")
            died = LISTENS if ROLES[number] == "gateway" else ANSWERED
            self.took(HANDED_OVER if by == signal.SIGTERM else died, spent)
        self.has_fallen = False
        return int(status)

    async def _leases(self, sql: str) -> Mapping[str, int]:
        """Read leases with their epochs; none where the database is away."""
        from psycopg import Error

        try:
            return dict(await asyncio.to_thread(self.house.rows, sql))
        except Error:
            return {}

    async def stands_still_for_long(self) -> None:
        """One of them stands still in the middle of whatever it does, and later goes on as if nothing had been."""
        house, number = self.house, self.chance.randrange(self.house.machines)
        life = house.lives[number]
        house.note(f"{ROLES[number]} {number} stands still")
        self.slept.append(life)
        life.signal(signal.SIGSTOP)
        self.counts["standstills"] += 1
        await self.talks()
        if self.is_whole:
            await self._asks_why((number + 1) % house.machines)
        await house.settled()
        self.has_fallen = False
        life.signal(signal.SIGCONT)
        await self.talks()

    async def stands_still(self) -> None:
        """One of them stands still for a while, mostly for longer than its lease."""
        if self.chance.random() < LONG:
            await self.stands_still_for_long()
            return
        number = self.chance.randrange(self.house.machines)
        life = self.house.lives[number]
        life.signal(signal.SIGSTOP)
        self.counts["standstills"] += 1
        await asyncio.sleep(self.chance.uniform(0, GOES_ON))
        self.house.note(f"{ROLES[number]} {number} stands still, and goes on")
        life.signal(signal.SIGCONT)


class CrampedTroubles(SharedTroubles):
    """The same, on a database that has no room now and then."""

    async def runs_full(self) -> None:
        """Somebody takes all the room of one of its disks, while people talk; later there is room again."""
        house, heard = self.house, len(self.house.log)
        house.note(f"the disk of the database's {house.server.small} is full")
        await asyncio.to_thread(house.server.fill)
        for _ in range(TRIES):
            await self.talks()
            await asyncio.sleep(self.chance.uniform(0, 2 * THINKS))
            if _says_why(house.log[heard:]):
                break
        else:
            raise AssertionError(f"nobody says that there is no room\n{house.told()}")
        await asyncio.sleep(self.chance.uniform(0, 10 * THINKS))
        house.note("there is room again")
        await asyncio.to_thread(house.server.make_room)
        self.counts["full_disks"] += 1
        await house.settled()


def _says_why(log: Iterable[dict[str, Any]]) -> bool:
    """Say whether it is logged that the disk is full, or that the server has fallen for it."""
    return any(event.get("event") == "database_away" or "disk is full" in str(event) for event in log)


def _doings(chance: random.Random) -> list[str]:
    found = ["killed"] * KILLS + ["stands_still"] * STANDSTILLS + ["asked_to_end"]
    found += ["cut"] * (chance.random() < CUTS) + ["restarted"] * (chance.random() < RESTARTS)
    chance.shuffle(found)
    return found


async def _play(key: str, directory: Path) -> Verdict:
    platform, seed = key.split("/")
    chance = random.Random(0 if seed == "slice" else seed_of(seed))
    if seed.startswith(FULL_DISK):
        return await _on_small_disk(key, directory)
    if seed.startswith(WRONG_CLOCK):
        troubles = SharedTroubles(None, chance, is_whole=True)
        return await _lived(
            platform, directory, troubles, postgres_server(), ROLES, _AT_WRONG_TIMES, ahead=_clocks(chance)
        )
    if seed.startswith(RANGES):
        troubles = SharedTroubles(None, chance, is_whole=True)
        return await _lived(platform, directory, troubles, postgres_server(), ROLES, _doings(chance), ranges=2)
    if seed.startswith(POOLED):
        if not has_pooler():
            return Verdict(n=0, counts={"no_pooler": 1})
        server = PooledServer(postgres_server().home)
        troubles = SharedTroubles(None, chance, is_whole=True, fell=f"{POOLED}_{FELL}")
        return await _lived(platform, directory, troubles, server, ROLES, _doings(chance))
    many, doings = MACHINES, _doings(chance)
    if seed == "slice":
        many, doings = 2, ["asked_to_end", "stands_still_for_long"]
    with ExitStack() as stack:
        server = postgres_server()
        if seed.startswith(FAILOVER):
            server, doings = stack.enter_context(replicated_server()), ["killed", "restarted", "asked_to_end"]
        if SHARED in seed:
            return await _lived(platform, directory, SharedTroubles(None, chance, is_whole=True), server, ROLES, doings)
        troubles = Troubles(None, chance, is_whole=seed != "slice")
        return await _lived(platform, directory, troubles, server, (), doings, many)


async def _on_small_disk(key: str, directory: Path) -> Verdict:
    """Play where a disk can be mounted that nobody else sees."""
    if cannot_mount():
        return Verdict(n=0, counts={"not_mounted": 1})
    return await play_apart("tests.faults.processes.cramped", (key, str(directory / "house")), FAMILY.seconds)


async def play_cramped(key: str, directory: Path) -> Verdict:
    """Play a case of a full disk, where nothing is lost by mounting something."""
    platform, seed = key.split("/")
    number = seed_of(seed)
    with cramped_server((TABLES, LOG)[(number + number // 2) % 2]) as server:
        troubles = CrampedTroubles(None, random.Random(number), is_whole=True)
        return await _lived(platform, directory, troubles, server, ROLES, ["runs_full", "killed", "runs_full"])


def _clocks(chance: random.Random) -> tuple[float, ...]:
    """Give each machine a clock: one goes right, and two are as far apart as they may be."""
    wrong = [0.0, MOST_WRONG, -MOST_WRONG, *(chance.uniform(-MOST_WRONG, MOST_WRONG) for _ in ROLES[3:])]
    chance.shuffle(wrong)
    return tuple(wrong)


async def _lived(
    platform: str,
    directory: Path,
    troubles: Troubles,
    server: PostgresServer,
    roles: tuple[str, ...],
    doings: Iterable[str],
    many: int = len(ROLES),
    **changes: Any,
) -> Verdict:
    from tests.faults.processes.machines import on_server

    streaming = troubles.chance.random() < 0.3
    async with on_server(platform, directory, server, many, streaming=streaming, roles=roles, **changes) as house:
        troubles.house = house
        await troubles.play(doings)
        assert await house.stop() == 0, f"it does not end as it should\n{house.told()}"
        counts = await house.adds_up()
        assert not troubles.false_alarms(), f"somebody was alarmed for nothing\n{house.told()}"
        odd = [event for event in errors(house.log) if event.get("event") == "task_failed" and _is_odd(event)]
        assert not odd, f"a task failed that should not: {odd}\n{house.told()}"
        figures: dict[str, Figure] = {**troubles.seconds, "load_average": round(os.getloadavg()[0], 2)}
        return Verdict(n=max(1, sum(troubles.counts.values())), counts={**counts, **troubles.counts}, figures=figures)


def _is_odd(event: dict[str, Any]) -> bool:
    return event.get("error_type") not in {"StoreError", "StoreAway", "LeaseLost"}


FAMILY = Family(
    "R35",
    "several processes on one database",
    cases,
    _play,
    seconds=240,
    missing=reason_for_none,
)
