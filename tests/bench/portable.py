"""Measure memories as a file, and the end of their old versions: `python -m tests.bench.portable` prints JSON.

100,000 memories with a relation each are written to a file, read back into an empty instance, and then all of their
versions are older than they are kept. Each step is a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import orjson

from adapters.sqlite import SqliteStore, StoreSettings, create
from bot.cli.main import run
from bot.domain.ids import UserId
from bot.domain.memory import MemoryProvenance
from bot.ports.store import RetentionPolicy
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy

MEMORIES, AT_ONCE = 100_000, 1_000
DAY = 86_400_000


async def _with(
    directory: Path, do: Callable[[SqliteStore, FakeClock], Awaitable[None]], *, fresh: bool = False
) -> None:
    clock = FakeClock(START)
    store = await create(StoreSettings(directory, clock, FakeEntropy(directory.name), 0, 0, fresh=fresh))
    try:
        await do(store, clock)
    finally:
        await store.close()


async def _fill(store: SqliteStore, memories: int) -> None:
    for first in range(0, memories, AT_ONCE):
        said = MemoryProvenance(author=UserId(str(100 + first % 7)), author_name="ann", inbound=first, turn=1)
        row = max(1, first)
        await store.memories.add(
            [
                v.memory(
                    f"fact {n} of the house: the tea stands in cupboard {n % 91}, behind the cups",
                    provenance=said,
                    created_at=START - 1_000_000 + n,
                    relations=(v.relation(row),) if first else (),
                )
                for n in range(first, first + AT_ONCE)
            ]
        )


async def _forget_versions(store: SqliteStore, clock: FakeClock) -> None:
    # what was read in has the time of the machine, which no test knows
    clock.at = START + 4_000 * DAY
    ages = dict.fromkeys(("ambient_ms", "messages_ms", "requests_ms", "records_ms", "audit_ms", "forgotten_ms"), 0)
    counts = await store.sweep(RetentionPolicy(**ages, versions_ms=365 * DAY), clock.at)
    assert counts["versions"] > 0


def _step(name: str, where: Path, memories: int) -> None:
    """Do one step, and print what it took."""
    there, here, file = where / "there", where / "here", where / "memories.jsonl"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, began_cpu = time.perf_counter(), time.process_time()
    match name:
        case "fill":
            asyncio.run(_with(there, lambda store, _: _fill(store, memories)))
            here.mkdir(mode=0o700)
            (here / "secret.key").write_bytes((there / "secret.key").read_bytes())
            asyncio.run(_with(here, lambda *_: asyncio.sleep(0), fresh=True))
        case "versions":
            asyncio.run(_with(here, _forget_versions))
        case _:
            told = {
                "export": ["--data", str(there), "export", str(file)],
                "preview": ["--data", str(here), "import", str(file)],
                "import": ["--data", str(here), "--yes", "import", str(file)],
            }
            with redirect_stdout(StringIO()):
                assert run(["memory", *told[name]]) == 0
    took = {"s": time.perf_counter() - began, "cpu_s": time.process_time() - began_cpu}
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    found = {f"{name}_{key}": round(value, 1) for key, value in took.items()}
    print(json.dumps({**found, f"{name}_more_mib": round(grown / 1024)}))


async def _printed(step: list[str]) -> bytes:
    started = await asyncio.create_subprocess_exec(*step, stdout=asyncio.subprocess.PIPE)
    printed, _ = await started.communicate()
    assert started.returncode == 0, step
    return printed


def main() -> None:
    if len(sys.argv) == 4:
        _step(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
        return
    memories, figures = int(sys.argv[1]) if len(sys.argv) > 1 else MEMORIES, dict[str, float]()
    with tempfile.TemporaryDirectory() as directory:
        for name in ("fill", "export", "preview", "import", "versions"):
            step = [sys.executable, "-m", "tests.bench.portable", name, directory, str(memories)]
            figures |= orjson.loads(asyncio.run(_printed(step)).splitlines()[-1])
        figures["file_mb"] = round((Path(directory) / "memories.jsonl").stat().st_size / 1e6, 1)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
