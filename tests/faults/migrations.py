"""An upgrade that is killed at each statement, from every older schema with rows in every table.

Whatever the moment: the next start brings the upgrade to its end, nothing of what was there is missing, and the copy of
what was there before lies beside it, whole. A file that is too new is left alone.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

from adapters.sqlite import StoreSettings, create, open_readonly
from adapters.sqlite import store as opening
from adapters.sqlite.engine import copies, migrate
from adapters.sqlite.engine.tables import SEALED
from bot.errors import StoreError
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.faults.disks.aged import age, copy, newest
from tests.faults.disks.contents import Cells, read_cells
from tests.faults.disks.place import quick
from tests.faults.family import Size, Verdict

PREFIX = "migration/"
TOO_NEW = "too-new"
FILE_CALLS = ("open", "rename", "unlink", "fsync", "write", "mkdir")
"""What an upgrade does to the directory itself, beside its statements."""
MOST = 400
PARTS = 4
"""Each case has every fourth step of an upgrade, from another one on."""


def cases(size: Size) -> Iterable[str]:
    """Give the cases: from each schema that there ever was, 0 for none; each stands for a quarter of the steps."""
    if size is Size.SLICE:
        return [f"{PREFIX}{newest() - 1}/0", PREFIX + TOO_NEW]
    return [*(f"{PREFIX}{version}/{part}" for version in range(newest()) for part in range(PARTS)), PREFIX + TOO_NEW]


async def play(key: str, directory: Path) -> Verdict:
    """Play one case."""
    name = key.removeprefix(PREFIX)
    with quick(directory) as place:
        return await (_too_new(place) if name == TOO_NEW else _killed_everywhere(place, *map(int, name.split("/"))))


async def _killed_everywhere(directory: Path, version: int, part: int) -> Verdict:
    await age(directory / "before", version)
    before = read_cells(directory / "before" / "glassmind.db") if version else {}
    for number, step in enumerate(range(part, MOST, PARTS)):
        here = copy(directory / "before", directory / f"step-{step}")
        done = _killed(here, step)
        try:
            await _goes_on(here, version, before)
        except (AssertionError, StoreError, sqlite3.Error) as error:
            raise AssertionError(f"from schema {version}, killed before step {step} ({done}): {error}") from error
        if done is None:
            assert number > 1, "nothing was done"
            return Verdict(n=number)
    raise AssertionError(f"it did not come to its end within {MOST} steps")


def _killed(directory: Path, before: int) -> str | None:
    """Open the store in a process of its own that is killed before a step; return which, None where it ended sooner."""
    told, tells = os.pipe()
    child = os.fork()
    if not child:
        try:
            _count(before, lambda what: os.write(tells, what.encode()))
            asyncio.run(_open_and_close(directory))
        finally:
            os._exit(0)
    os.close(tells)
    status = os.waitpid(child, 0)[1]
    with os.fdopen(told, "rb") as pipe:
        said = pipe.read().decode()
    assert os.WIFSIGNALED(status) == bool(said), (status, said)
    return said or None


def _count(before: int, told: Callable[[str], object]) -> None:
    """Count every statement and every change of the directory from the first migration on; die at one of them."""
    count, write = 0, os.write

    def step(what: str) -> None:
        nonlocal count
        if count == before:
            os.write = write
            told(" ".join(what.split())[:120])
            os.kill(os.getpid(), signal.SIGKILL)
        count += 1

    def counted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def stepped(*args: Any, **more: Any) -> Any:
            step(f"{name} {args[:1]}")
            return call(*args, **more)

        return stepped

    def traced(connection: sqlite3.Connection, *more: Any) -> int:
        for name in FILE_CALLS:
            setattr(os, name, counted(name, getattr(os, name)))
        connection.set_trace_callback(step)
        return bring_up(connection, *more)

    bring_up = migrate.migrate
    opening.migrate = traced  # type: ignore[attr-defined]


async def _open_and_close(directory: Path) -> None:
    store = await create(StoreSettings(directory, FakeClock(), FakeEntropy(), 0, 0))
    await store.close()


async def _goes_on(directory: Path, version: int, before: Cells) -> None:
    """Look at what the killed process left, then start."""
    left = _version(directory / "glassmind.db")
    assert version <= left <= newest(), f"schema {left} is none that there ever was between"
    _is_there(read_cells(directory / "glassmind.db"), before)
    if version and left > version:
        _is_kept(directory, version, before)
    settings = StoreSettings(directory, FakeClock(), FakeEntropy(), 0, 0)
    for _ in range(2):
        store = await create(settings)
        try:
            assert await store.verify() == []
            assert {probe.state for probe in await store.probe()} == {"ok"}
        finally:
            await store.close()
        assert _version(directory / "glassmind.db") == newest()
        _is_there(read_cells(directory / "glassmind.db"), before)
        assert not _drafts(directory), "a draft was left"
        if version:
            _is_kept(directory, version, before)


def _drafts(directory: Path) -> list[Path]:
    return list(directory.glob("**/*.part*"))


def _is_kept(directory: Path, version: int, before: Cells) -> None:
    """Look for the copy of what was there before; a start after a kill may have made another, of a schema between."""
    found = [one.path for one in copies.find_copies(directory) if one.kind == f"before-{version + 1}"]
    assert found, f"there is none: {os.listdir(directory)}"
    for path in found:
        assert _version(path) == version
        _is_there(read_cells(path), before)


def _is_there(found: Cells, before: Cells) -> None:
    """Every row is as it was; a step may add columns at the end, and what is counted or kept by name may be more."""
    for table, rows in before.items():
        if table.startswith("memory_fts_"):
            continue  # the pages of an index, which a step may build anew
        width = len(rows[0]) if rows else 0
        if table in SEALED:
            # the seal stands last, behind what was added, and covers that too
            width -= 1
            rows = [row[:width] for row in rows]
        now = [row[:width] for row in found.get(table, [])] if rows else rows
        if table in {"sqlite_sequence", "meta"}:
            assert set(rows) <= set(now), f"table {table} lacks something"
        else:
            assert now == rows, f"table {table} is not as it was"


def _version(path: Path) -> int:
    raw = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    version: int = raw.execute("PRAGMA user_version").fetchone()[0]
    raw.close()
    return version


async def _too_new(directory: Path) -> Verdict:
    """A file of a program to come: neither a start nor a look changes it, and both say what to do."""
    many = 0
    for ahead in (1, 2, 90):
        data = directory / f"ahead-{ahead}"
        await age(data, newest())
        raw = sqlite3.connect(data / "glassmind.db")
        raw.execute(f"PRAGMA user_version = {newest() + ahead}")
        raw.close()
        before = (data / "glassmind.db").read_bytes()
        for opened in (lambda data=data: _open_and_close(data), lambda data=data: open_readonly(data)):
            try:
                await opened()
            except StoreError as error:
                assert f"schema {newest() + ahead}" in str(error) and "Install the newer Glassmind" in str(error)
            else:
                raise AssertionError(f"schema {newest() + ahead} was opened")
            assert (data / "glassmind.db").read_bytes() == before
            assert not (data / "backups").exists()
            many += 1
    return Verdict(n=many)
