"""Plays the cases of a family in several processes at once; what hangs is ended, and counts as a trouble."""

from __future__ import annotations

import asyncio
import datetime
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

import orjson

from tests.faults.family import Family, Size, Verdict
from tests.faults.records import KEPT, Record, Records

LINE = 1 << 22
"""Longest verdict in bytes."""


class Hand(Protocol):
    """Plays one case after the other."""

    async def play(self, key: str) -> Verdict:
        """Play one."""

    async def close(self) -> None:
        """End, with everything that was started."""


@dataclass
class Playing:
    """A family that is being played. `until` is the moment (time.monotonic) after which no new case begins.

    `hand` makes one that plays case after case.
    """

    family: Family
    size: Size
    tree: str
    records: Records
    jobs: int
    told: Callable[[Playing], None]
    until: float = float("inf")
    hand: Callable[[Family], Hand] = lambda family: _Process(family)
    total: int = 0
    played: int = 0
    failed: list[Record] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    async def play(self, keys: Iterable[str]) -> None:
        """Play what has not yet held on this tree."""
        KEPT.mkdir(exist_ok=True)
        done = self.records.done(self.tree)
        waiting = list(keys)
        self.total = len(waiting)
        self.played = sum(key in done for key in waiting)
        failed = self.records.failed()
        # what failed before is played first: nobody wants to wait for hours to hear whether it holds now
        left = iter(sorted([key for key in waiting if key not in done], key=lambda key: key not in failed))
        jobs = 1 if self.family.alone else self.jobs
        async with asyncio.TaskGroup() as group:
            for _ in range(jobs):
                group.create_task(self._work(left))

    async def _work(self, left: Iterable[str]) -> None:
        hand = self.hand(self.family)
        try:
            for key in left:
                if time.monotonic() > self.until:
                    return
                began = time.perf_counter()
                verdict = await hand.play(key)
                self._keep(key, verdict, round(time.perf_counter() - began, 3))
        finally:
            await hand.close()

    def _keep(self, key: str, verdict: Verdict, seconds: float) -> None:
        day = datetime.datetime.now(datetime.UTC).date().isoformat()  # noqa: TID251 - a record's own date
        record = Record.of(
            verdict, family=self.family.name, key=key, size=self.size, tree=self.tree, date=day, seconds=seconds
        )
        self.records.add(record)
        self.played += 1
        if record.trouble:
            self.failed.append(record)
        self.told(self)


class _Process:
    """One process that plays case after case; a new one is made where the last one hung or fell."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._process: Process | None = None

    async def play(self, key: str) -> Verdict:
        process = self._process = self._process or await self._begin()
        assert process.stdin and process.stdout
        process.stdin.write(f"{key}\n".encode())
        try:
            async with asyncio.timeout(self._family.seconds):
                line = await process.stdout.readline()
        except TimeoutError:
            await self.close()
            return Verdict(trouble=f"hung: no verdict within {self._family.seconds:g} s")
        if not line:
            status = await process.wait()
            self._process = None
            return Verdict(trouble=f"the process that played it ended with status {status}")
        said = orjson.loads(line)
        said.pop("seconds")
        return Verdict(**said)

    async def _begin(self) -> Process:
        command = (sys.executable, "-m", "tests.faults.worker", self._family.name)
        with (KEPT / f"{self._family.name}.log").open("ab") as log:
            return await create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=log, limit=LINE, start_new_session=True
            )

    async def close(self) -> None:
        """End the process and everything that it started."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
