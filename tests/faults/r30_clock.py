"""R30: a leap of the clock wipes nothing, and with an honest clock everything that is due goes on time."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.fakes.platform import FakePlatform
from tests.faults.family import Family, Size, Verdict
from tests.inside.store import database_of

HOUR, DAY = 3600.0, 86_400.0
LEAPS = {Size.SLICE: 2, Size.NIGHTLY: 60, Size.RELEASE: 300}
HONEST = {Size.SLICE: 1, Size.NIGHTLY: 20, Size.RELEASE: 100}
RETENTION = """
[retention]
ambient_hours = {ambient}
messages_days = {messages}
requests_days = {requests}
records_days = {records}
audit_days = {audit}
"""
TABLES = ("inbound", "history", "request", "memory", "audit", "outbox", "tool_call", "turn", "stage", "checkpoint")
WORDS = ("inbound.text", "request.head", "outbox.text", "memory.content")


class World:
    """A bot that has lived for some days, by a clock that was right."""

    def __init__(self, bot: Bot, chance: random.Random) -> None:
        self.bot = bot
        self.chance = chance
        self.said = 0

    async def lives(self, days: float) -> None:
        """Let people talk and sweeps run for a while."""
        until = self.bot.clock.at + days * DAY * 1000
        while self.bot.clock.at < until:
            self.said += 1
            await self.bot.says("ann", f"@glassmind say word {self.said}")
            await self.bot.says("root", "!cortex why")
            (self.bot.data / "outgoing").mkdir(exist_ok=True)
            (self.bot.data / "outgoing" / f"{self.said}.txt").write_text("sent")
            self.bot.clock.advance(self.chance.uniform(1 * HOUR, 9 * HOUR))
            assert await self.bot.app.maintenance.sweep(), "an honest clock was doubted"

    async def holds(self) -> dict[str, set[Any]]:
        """Return everything that stands, by where it stands."""

        def work(connection: Any) -> dict[str, set[Any]]:
            rows = {table: {r[0] for r in connection.execute(f"SELECT id FROM {table}")} for table in TABLES}
            for name in WORDS:
                table, column = name.split(".")
                found = connection.execute(f"SELECT id FROM {table} WHERE {column} IS NOT NULL")
                rows[name] = {row[0] for row in found}
            return rows

        kept: dict[str, set[Any]] = await database_of(self.bot.store).read(work)
        for folder in ("backups", "outgoing"):
            kept[folder] = {path.name for path in (self.bot.data / folder).glob("*") if ".db-" not in path.name}
        return kept

    async def gone(self, before: dict[str, set[Any]]) -> list[str]:
        """Name what stood before and stands no more."""
        now = await self.holds()
        return [f"{name}: {len(rows - now[name])} of {len(rows)}" for name, rows in before.items() if rows - now[name]]


def _leap(chance: random.Random, now: int) -> int:
    """Return ms: years or days, ahead or back, to 1970 and no further, past 2038, to the year 2100."""
    leap = chance.choice(
        (
            round(chance.uniform(1.2, 30) * DAY * 1000),
            round(chance.uniform(30, 4000) * DAY * 1000),
            -round(chance.uniform(1.2, 4000) * DAY * 1000),
            3_600_000 - now,
            2_147_483_646_000 - now,
            4_102_444_799_000 - now,
        )
    )
    return max(leap, 3_600_000 - now)


async def _leaps(bot: Bot, leap: int, when: str, looks: int) -> None:
    """Set the clock; a sweep that is under way goes by the moment at which it began."""
    clock = bot.clock
    if when != "in a sweep":
        clock.at += leap
        if when == "before a start":
            await bot.restart()
        return
    left = iter(range(looks))

    def now() -> int:
        if next(left, None) is None and clock.__dict__.pop("now", None):
            clock.at += leap
        return clock.at

    clock.now = now  # type: ignore[method-assign]
    await bot.app.maintenance.sweep()
    if clock.__dict__.pop("now", None):
        clock.at += leap


async def _lept(chance: random.Random, directory: Path) -> Verdict:
    keep = {name: 0.5 if chance.random() < 0.3 else chance.uniform(1, 40) for name in ("messages", "requests")}
    ambient, records, audit = chance.uniform(2, 72), chance.uniform(1, 90), chance.uniform(1, 400)
    more = RETENTION.format(**keep, ambient=ambient, records=records, audit=audit)
    their = FakePlatform("discord")
    trials, trouble = 0, []
    async with a_bot(directory, more=more) as bot:
        world = World(bot, chance)
        await world.lives(chance.uniform(0.5, 2))
        before = await world.holds()
        if chance.random() < 0.5:
            bot.others = {"discord": their}
        leapt = 0
        for _ in range(chance.randint(1, 4)):
            leap = _leap(chance, bot.clock.at)
            when = chance.choice(("before a start", "while it runs", "in a sweep"))
            await _leaps(bot, leap, when, chance.randint(1, 6))
            leapt += leap
            # a platform says what time it really is, or nothing
            their.ahead_ms = -leapt if chance.random() < 0.5 and abs(leapt) > 1.2 * DAY * 1000 else None
            for _ in range(chance.randint(1, 3)):
                is_wrong = abs(leapt) > 1.2 * DAY * 1000
                swept = await bot.app.maintenance.sweep()
                await bot.app.maintenance.beat()
                trials += 1
                if swept and is_wrong:
                    trouble.append(f"swept {when} of {leapt / DAY / 1000:+.1f} days")
                if gone := await world.gone(before):
                    trouble.append(f"{when}, {leapt / DAY / 1000:+.1f} days: {'; '.join(gone)}")
                if chance.random() < 0.3:
                    await bot.says("ann", "@glassmind say something meanwhile")
                bot.clock.advance(60)
            if trouble:
                break
        # the clock is put right
        bot.clock.at -= leapt
        their.ahead_ms = 0 if bot.others else None
        if not await bot.app.maintenance.sweep():
            trouble.append("the clock is right again, and nothing is swept")
    return Verdict(n=trials, counts={"wiped": 0}, trouble="\n".join(trouble[:3]))


async def _honest(chance: random.Random, directory: Path) -> Verdict:
    days = chance.uniform(0.5, 3)
    more = RETENTION.format(ambient=12, messages=days, requests=days, records=days + 1, audit=days + 2)
    trouble, trials = [], 0
    async with a_bot(directory, more=more) as bot:
        world = World(bot, chance)
        await world.lives(1)
        downtime = chance.random() < 0.5
        if downtime:
            # a real one: the platform says the same time
            bot.others = {"discord": (their := FakePlatform("discord"))}
            their.ahead_ms = chance.randint(-5000, 5000)
            bot.clock.advance(days * DAY + chance.uniform(2, 400) * DAY)
            await bot.restart()
            their.ahead_ms = chance.randint(-5000, 5000)
        else:
            for _ in range(round((days + 3) * 4)):
                bot.clock.advance(6 * HOUR)
                await bot.app.maintenance.sweep()
        bot.clock.advance(3 * DAY if not downtime else 60)
        if not await bot.app.maintenance.sweep():
            trouble.append("an honest clock was doubted")
        kept = await world.holds()
        due = {name: kept[name] for name in ("inbound.text", "request.head", "outbox.text", "history") if kept[name]}
        trials += 1
        if due:
            trouble.append(f"kept too long: { {name: len(rows) for name, rows in due.items()} }")
        if len(kept["backups"]) > 5:
            trouble.append(f"copies kept: {kept['backups']}")
        state = await bot.store.channels.load(GENERAL)
        if state.history:
            trouble.append(f"a conversation is kept too long: {len(state.history)}")
    return Verdict(n=trials, counts={"wiped": 0}, trouble="\n".join(trouble[:3]))


def _cases(size: Size) -> Iterable[str]:
    yield from (f"leap/seed{number}" for number in range(LEAPS[size]))
    yield from (f"honest/seed{number}" for number in range(HONEST[size]))


async def _play(key: str, directory: Path) -> Verdict:
    chance = random.Random(key)
    verdict = await (_lept if key.startswith("leap/") else _honest)(chance, directory / "data")
    return Verdict(n=verdict.n, counts={"wiped": int(bool(verdict.trouble))}, trouble=verdict.trouble)


FAMILY = Family("R30", "leaps of the clock", _cases, _play, seconds=120)
