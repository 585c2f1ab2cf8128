"""Measure workers that share a bot on a server: `python -m tests.bench.workers` prints JSON, and takes four minutes.

10,000 channels talk, so that four workers have them: memory of the gateway and the workers together, and of the server
beside them. Then one worker after the other is killed, or stands still, while people write in channels of it: how long
it takes from then until each of them is answered. Meanwhile an owner asks in private why, about a channel whose worker
is gone: how long until the first facts are there. `python -m tests.bench.workers 1000 5` takes 1,000 channels, 5 ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench._chats import FIRST_GROUP, FIRST_PERSON, GIVE_UP, cpu_ms, latencies
from tests.bench._machines import OWNER, Machines, load, machines, pss_mib, server_pids
from tests.bench.floor import rss_mib
from tests.servers.postgres import started

CHANNELS, WORKERS, ENDS, ASKED_IN, WHYS = 10_000, 4, 16, 25, 7
AT_ONCE = 100
"""Channels in which people talk at the same time."""
MEMORY = ("shared_buffers=128MB", "max_connections=60", "jit=off", "listen_addresses=", "max_wal_size=2GB")
MAX_MIB, MAX_TAKEOVER_MS, MAX_FACTS_MS = 1024, 6000, 1000
FACTS = "rules only"
"""Stands in a report that no model was asked for."""
_REST = 2.0


@dataclass
class Ends:
    """What people and the owner waited for, in milliseconds."""

    shared: Machines
    chance: random.Random
    answers: list[float] = field(default_factory=list)
    facts: list[float] = field(default_factory=list)
    lost: int = 0
    twice: int = 0
    ended: int = 0
    number: int = 10

    async def talk(self, groups: Sequence[int]) -> None:
        """Let somebody ask the bot something in each of these groups, so many at once."""
        chats, left = self.shared.loopback.chats, iter(groups)
        chats.forget()
        self.number += 1

        def go_on(*_: int) -> None:
            group = next(left, None)
            if group is not None:
                chats.write_in(group, group % 7, self.number, to_bot=True)

        chats.heard = go_on
        for _ in range(AT_ONCE):
            go_on()
        before = -1
        while before < len(chats.took) < len(groups):
            before = len(chats.took)
            await chats.until(len(groups))
        self.lost += len(groups) - len(chats.took)
        self.twice += chats.twice

    async def one_ends(self, by: signal.Signals) -> None:
        """Let a worker be killed or stand still while people write in its channels, and the owner ask about them."""
        shared = self.shared
        held = await shared.held()
        private = f"channel:telegram:{FIRST_PERSON + OWNER}"
        able = [pid for pid, names in held.items() if pid in shared.workers and private not in names]
        if not able:
            raise SystemExit(f"all channels are with one worker, at a load of {load()}:\n{shared.said()}")
        pid = max(able, key=lambda pid: (len(held[pid]) >= ASKED_IN, self.chance.random()))
        its_own = [_group(name) for name in held[pid] if "telegram:-" in name]
        groups = self.chance.sample(its_own, min(ASKED_IN, len(its_own)))
        shared.loopback.chats.forget()
        self.number += 1
        os.kill(pid, by)
        for group in groups:
            shared.loopback.chats.write_in(group, group % 7, self.number, to_bot=True)
        async with asyncio.TaskGroup() as waits:
            waits.create_task(shared.loopback.chats.until(len(groups)))
            for group in groups[:WHYS]:
                self.facts.append(await self.why(group))
        took = shared.loopback.chats.took
        self.answers += took
        self.lost += len(groups) - len(took)
        self.twice += shared.loopback.chats.twice
        shared.end(pid)
        shared.begin_worker()

    async def why(self, group: int) -> float:
        """Ask in private why, about a group; return for how long the owner waited for the first facts."""
        told = asyncio.Event()
        platform, chats = self.shared.loopback.platform, self.shared.loopback.chats

        said: list[str] = []

        def heard(chat: int, text: str) -> bool:
            said.append(text)
            if chat == FIRST_PERSON + OWNER and FACTS in text:
                told.set()
            return chat == FIRST_PERSON + OWNER

        platform.on_text = heard
        began = time.perf_counter()
        chats.write(OWNER, 0, f"!cortex why telegram:{FIRST_GROUP - group}")
        chats.said.pop((OWNER, 0))
        try:
            async with asyncio.timeout(GIVE_UP):
                await told.wait()
        except TimeoutError:
            raise SystemExit(f"no report: {said}\n{self.shared.said()}") from None
        platform.on_text = None
        return (time.perf_counter() - began) * 1000


def _group(name: str) -> int:
    return FIRST_GROUP - int(name.rpartition(":")[2])


def memory(shared: Machines) -> dict[str, float]:
    """Say what everything takes: each process by itself, and what they share counted once."""
    server = server_pids(shared.server)
    workers = [rss_mib(pid) for pid in shared.workers]
    return {
        "gateway_rss_mib": rss_mib(shared.gateway.pid) if shared.gateway else 0,
        "largest_worker_rss_mib": max(workers),
        "rss_mib": sum(map(rss_mib, shared.pids)),
        "peak_rss_mib": sum(rss_mib(pid, "VmHWM") for pid in shared.pids),
        "pss_mib": sum(map(pss_mib, shared.pids)),
        "server_pss_mib": sum(map(pss_mib, server)),
        "server_processes": len(server),
    }


async def measure(home: Path, channels: int, ends: int) -> dict[str, float]:
    server = started(MEMORY)
    if isinstance(server, str):
        print(server, file=sys.stderr)
        return {}
    began = time.perf_counter()
    async with machines(server, home, WORKERS) as shared:
        done = Ends(shared, random.Random(7))
        before = memory(shared)
        print(f"all there after {time.perf_counter() - began:.1f} s", file=sys.stderr)
        await done.talk(range(WORKERS * 2))  # what a start loads later
        began, used = time.perf_counter(), sum(map(cpu_ms, shared.pids))
        await done.talk(range(channels))
        took = time.perf_counter() - began
        cost = (sum(map(cpu_ms, shared.pids)) - used) / channels
        await asyncio.sleep(_REST)
        print(f"talked after {time.perf_counter() - began:.1f} s", file=sys.stderr)
        done.ended += shared.replace_ended()
        held = [len(names) for names in (await shared.held()).values()]
        figures = {
            "channels": channels,
            "channels_held": sum(held),
            "most_of_one_worker": max(held),
            "least_of_one_worker": min(held),
            "turns_per_s": channels / took,
            "turn_cpu_ms": cost,
            "talk_load": load(),
            "start_rss_mib": before["rss_mib"],
            **memory(shared),
        }
        await done.why(0)  # so that somebody has the owner's private chat
        began = time.perf_counter()
        for number in range(ends):
            await done.one_ends(signal.SIGSTOP if number % 2 else signal.SIGKILL)
            done.ended += shared.replace_ended()
            # whoever came new gets some, too
            await done.talk(random.Random(number).sample(range(channels), AT_ONCE))
        return {
            **figures,
            "lost": done.lost,
            "twice": done.twice,
            "ends": ends,
            "ended_by_themselves": done.ended,
            "takeovers": len(done.answers),
            **{f"takeover_{name}": value for name, value in latencies(done.answers).items()},
            "first_facts": len(done.facts),
            **{f"first_facts_{name}": value for name, value in latencies(done.facts).items()},
            "ends_s": time.perf_counter() - began,
            "ends_load": load(),
            "end_rss_mib": memory(shared)["rss_mib"],
        }


def main() -> None:
    channels, ends = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (CHANNELS, ENDS)
    with tempfile.TemporaryDirectory() as directory:
        figures = asyncio.run(measure(Path(directory), channels, ends))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}, indent=2))


if __name__ == "__main__":
    main()
