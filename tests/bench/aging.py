"""Measure a bot as it grows old: `python -m tests.bench.aging --minutes 60` prints JSON, and a line a minute meanwhile.

Steady traffic on Telegram, half of it in groups and half in private chats, every other message in a group for the bot,
edits, and now and then an admin who looks into it; the defaults of the configuration but for the rates (off).
`--rate` plays the same messages faster: 18,000 messages at 20 a second are the hour in a quarter of one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from tests.bench.floor import HERE, environment, rss_mib
from tests.servers.model import Says, model_server
from tests.servers.telegram import World, telegram_server

CONFIG = """
[bot]
data_dir = "{data}"
log_level = "warning"
[model]
name = "bench/bench"
context_window = 128000
max_output_tokens = 1000
[providers.bench]
kind = "openai"
base_url = "{model}"
api_key = "sk-0123456789abcdef0123"
[platforms.telegram]
token = "{token}"
base_url = "{bot_api}"
file_url = "{files}"
owner_ids = [{owner}]
[limits]
user_per_minute = 0
channel_per_minute = 0
"""
ANSWER = "An answer of ordinary length, which says something about the question. " * 3
MOST_WORDS = 40
IN_GROUP = 10
EDITED, LOOKED_INTO = 0.02, 0.01
MOST_KEPT = 400
"""Messages that the loopback server remembers of a chat."""
PEOPLE = 60


class Minute(NamedTuple):
    """What a bot takes at a moment, and how long its loop stood still at worst since the moment before."""

    sent: int
    rss_mib: float
    most_mib: float
    stall_ms: float
    own_stall_ms: float
    garbage_ms: float
    fds: int
    threads: int
    database_mib: float

    def __str__(self) -> str:
        return (
            f"{self.sent:6} messages  {self.rss_mib:6.1f} MiB (most {self.most_mib:.1f})  longest stall "
            f"{self.stall_ms:5.1f} ms ({self.own_stall_ms:.1f} of its own work)  longest look for garbage "
            f"{self.garbage_ms:.1f} ms  {self.fds} fds  {self.threads} threads  {self.database_mib:.0f} MiB of database"
        )


@dataclass
class Bot:
    """A bot in a process of its own, and the directory where it lives."""

    process: asyncio.subprocess.Process
    home: Path

    async def minute(self, sent: int) -> Minute:
        """Ask how it is."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(b"longest\n")
        late, own, garbage = map(float, (await self.process.stdout.readline()).split())
        pid = self.process.pid
        return Minute(
            sent=sent,
            rss_mib=rss_mib(pid),
            most_mib=rss_mib(pid, "VmHWM"),
            stall_ms=late,
            own_stall_ms=own,
            garbage_ms=garbage,
            fds=len(os.listdir(f"/proc/{pid}/fd")),
            threads=int(rss_mib(pid, "Threads") * 1024),
            database_mib=sum(file.stat().st_size for file in self.home.glob("data/glassmind.db*")) / 2**20,
        )


@asynccontextmanager
async def a_bot(home: Path, config: str, tree: Path = HERE) -> AsyncIterator[Bot]:
    """Run the bot of a tree."""
    path = home / "config.toml"
    path.write_text(config, encoding="utf-8")
    path.chmod(0o600)
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "tests.bench._telegram_bot", str(path))
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, cwd=tree, env=environment())
    try:
        yield Bot(process, home)
    finally:
        await process.communicate(b"stop\n")


class Town:
    """People who talk in groups and in private, the same ones in the same order each time."""

    def __init__(self, chats: int) -> None:
        self.world = World(clock=time.time)  # noqa: TID251 - the bot beside it lives by this clock
        self.bot = self.world.bot("bench_bot")
        self.bot.privacy = False
        self.owner = self.world.person("Root", "root")
        self._people = [self.world.person(f"P{number}", f"p{number}") for number in range(PEOPLE)]
        self._chats, self._sent = chats, 0
        self._groups = [
            self.world.supergroup(f"group {number}", self.owner, *self._people[number : number + IN_GROUP], self.bot)
            for number in range(chats // 2)
        ]
        self._dice = random.Random(7)
        self.world.dm(self.owner).is_started = True

    def speak(self) -> None:
        """Let somebody say something; now and then they edit it, and an admin looks into the bot."""
        dice, world = self._dice, self.world
        place = dice.randrange(self._chats)
        words = f"message {self._sent} " + "blah " * dice.randrange(MOST_WORDS)
        self._sent += 1
        if place < len(self._groups):
            who, chat = self._people[place + dice.randrange(IN_GROUP)], self._groups[place]
            said = world.say(chat, who, f"@{self.bot.username} {words}" if dice.random() < 0.5 else words)
        else:
            who = self._people[place]
            chat = world.dm(who)
            said = world.say(chat, who, words)
        if dice.random() < EDITED:
            world.edit(said, f"{said.text} edited")
        if dice.random() < LOOKED_INTO:
            group = dice.choice(self._groups).id
            look = dice.choice(["!cortex status", f"!cortex context telegram:{group}", f"!cortex why telegram:{group}"])
            world.say(world.dm(self.owner), self.owner, look)
        if len(chat.messages) > MOST_KEPT:
            for number in list(chat.messages)[: MOST_KEPT // 2]:
                del chat.messages[number]


async def grow_old(messages: int, rate: float, chats: int, home: Path) -> list[Minute]:
    """Let people write so many messages at a rate; return how the bot was, thirty times and more."""
    town = Town(chats)
    moments: list[Minute] = []
    async with model_server() as model, telegram_server(town.world) as telegram:
        model.answer = lambda _: Says(ANSWER)
        config = CONFIG.format(
            data=home / "data",
            model=model.base_url,
            token=town.bot.token,
            bot_api=telegram.base_url,
            files=telegram.base_file_url,
            owner=town.owner.id,
        )
        async with a_bot(home, config) as bot:
            await _polled(town)
            await bot.minute(0)
            began = time.monotonic()
            every = max(1, min(round(rate * 60), messages // 60))
            for sent in range(1, messages + 1):
                town.speak()
                if sent % every == 0:
                    moments.append(await bot.minute(sent))
                    print(moments[-1], file=sys.stderr, flush=True)
                    telegram.forget_calls()
                    model.received.clear()
                await asyncio.sleep(max(0, began + sent / rate - time.monotonic()))
    return moments


async def _polled(town: Town) -> None:
    async with asyncio.timeout(60):
        while not town.bot.inlet.is_polled:  # noqa: ASYNC110 - the server says it in no other way
            await asyncio.sleep(0.02)


def figures(moments: Sequence[Minute]) -> dict[str, float]:
    """Sum an hour up: the end, how much it grew by over its last half, and the worst moments.

    The growth is the median of all slopes between two moments (Theil and Sen): what is given back to the system once in
    a while, and needed again a minute later, moves a line through all of them more than an hour of talk does.
    """
    late = moments[len(moments) // 2 :]
    slope = statistics.median(
        (later.rss_mib - one.rss_mib) / (later.sent - one.sent) for one, later in combinations(late, 2)
    )
    return {
        "messages": moments[-1].sent,
        "rss_end_mib": moments[-1].rss_mib,
        "rss_most_mib": moments[-1].most_mib,
        "last_half_grew_mib": slope * (late[-1].sent - late[0].sent),
        "longest_stall_ms": max(one.stall_ms for one in moments[1:]),
        "longest_own_stall_ms": max(one.own_stall_ms for one in moments[1:]),
        "longest_garbage_ms": max(one.garbage_ms for one in moments),
        "fds": moments[-1].fds,
        "threads": moments[-1].threads,
        "database_mib": moments[-1].database_mib,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.aging")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--rate", type=float, default=5, help="messages a second")
    parser.add_argument("--chats", type=int, default=50)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        messages = round(args.minutes * 60 * args.rate)
        moments = asyncio.run(grow_old(messages, args.rate, args.chats, Path(home)))
    print(json.dumps({name: round(value, 3) for name, value in figures(moments).items()}))


if __name__ == "__main__":
    main()
