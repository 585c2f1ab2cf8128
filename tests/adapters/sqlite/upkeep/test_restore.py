"""A copy takes the place of the database whole or not at all, and nothing that was pending in it is sent again."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.sqlite import copies_in, open_readonly, restore_copy
from adapters.sqlite.engine import migrate
from adapters.sqlite.engine.tables import SEALED
from bot.domain.ids import MAIN
from bot.domain.ledger import Outcome
from bot.domain.turn import OutboxState, TurnEnd, TurnStatus
from bot.errors import StoreError, UserError
from bot.ports.backups import RestoreResult
from tests.adapters.sqlite.opened import opened
from tests.adapters.sqlite.upkeep.test_backups import HOUR, KEEP, texts, there
from tests.adapters.sqlite.upkeep.test_integrity import furnish
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.fakes.lengths import whole_or

COPY = "daily-20251009T085320Z.db"
LATER = START + 5 * HOUR
ASIDE = "replaced-20251009T135320Z.db"


async def lived(directory: Path) -> None:
    """A store with a copy, and messages that came after it."""
    async with opened(directory) as store:
        await store.ledger.arrive([v.arrival("before", "1")], None)
        await store.back_up(KEEP, START)
        await store.ledger.arrive([v.arrival("after", "2").replace(arrived_at=START + HOUR)], None)


async def restored(directory: Path, source: str = COPY) -> RestoreResult:
    return await restore_copy(directory, source, FakeClock(LATER), FakeEntropy("another"))


def kept(directory: Path) -> list[str]:
    return texts(directory / "glassmind.db")


def damage(directory: Path) -> None:
    """Flip bits until a start refuses."""
    path, chance = directory / "glassmind.db", random.Random(5)
    image = bytearray(path.read_bytes())
    for at in (*range(100, 130), *(chance.randrange(100, len(image)) for _ in range(200))):
        image[at] ^= 1 << chance.randrange(8)
    path.write_bytes(image)


async def test_what_was_there_comes_back_and_what_is_lost_is_said(tmp_path: Path):
    await lived(tmp_path)
    done = await restored(tmp_path)
    assert (done.messages, done.newest_at) == (1, START)
    assert (done.lost, done.lost_newest_at) == (1, START + HOUR)
    assert done.replaced == str(tmp_path / "backups" / ASIDE)
    assert kept(tmp_path) == ["before"]
    assert texts(Path(done.replaced)) == ["before", "after"]
    assert sorted(os.listdir(tmp_path)) == ["backups", "glassmind.db", "lock", "secret.key"]
    for path in (tmp_path / "glassmind.db", done.path, done.replaced):
        assert os.stat(path).st_mode & 0o777 == 0o600
    async with opened(tmp_path) as store:
        assert {probe.state for probe in await store.probe()} == {"ok"}


async def test_the_drill_after_bit_flips(tmp_path: Path):
    await lived(tmp_path)
    damage(tmp_path)
    with pytest.raises(StoreError, match="glassmind restore"):
        async with opened(tmp_path):
            pass
    done = await restored(tmp_path)
    assert done.lost is None
    async with opened(tmp_path) as store:
        assert {probe.state for probe in await store.probe()} == {"ok"}
        assert [m.inbound.text for m in await store.ledger.recent(v.KEY, 9)] == ["before"]
        await store.ledger.arrive([v.arrival("and on", "3")], None)
    assert there(tmp_path) == [COPY, ASIDE]


async def test_a_restore_can_be_taken_back(tmp_path: Path):
    await lived(tmp_path)
    await restored(tmp_path)
    done = await restored(tmp_path, ASIDE)
    assert kept(tmp_path) == ["before", "after"]
    assert Path(done.replaced).name == "replaced-20251009T135321Z.db"


async def test_a_log_that_was_left_goes_with_its_database(tmp_path: Path):
    async with opened(tmp_path / "live") as store:
        await store.back_up(KEEP, START)
        await store.ledger.arrive([v.arrival("only in the log", "1")], None)
        shutil.copytree(tmp_path / "live", tmp_path / "killed")
    assert (tmp_path / "killed" / "glassmind.db-wal").stat().st_size
    done = await restored(tmp_path / "killed")
    assert done.lost == 1
    assert kept(tmp_path / "killed") == []
    assert texts(Path(done.replaced)) == ["only in the log"]


async def test_a_lost_database_comes_back(tmp_path: Path):
    await lived(tmp_path)
    (tmp_path / "glassmind.db").unlink()
    done = await restored(tmp_path)
    assert (done.replaced, done.lost) == ("", None)
    assert kept(tmp_path) == ["before"]


async def test_nothing_that_was_pending_in_the_copy_is_sent_or_answered_again(tmp_path: Path):
    async with opened(tmp_path) as store:
        waiting, answered = await store.ledger.arrive([v.arrival("waits", "1"), v.arrival("answered", "2")], None)
        assert waiting and answered
        turn = await store.journal.begin_turn(v.turn_start(inbounds=(answered,)), [])
        end = TurnEnd(turn=turn, agent=MAIN, channel=v.GENERAL, at=START, status=TurnStatus.REPLIED)
        rows = await store.journal.end_turn(
            end.replace(outbox=(v.outgoing("new", inbound=answered), v.outgoing("cut", inbound=answered)))
        )
        await store.outbox.sending(rows[1].row)
        await store.back_up(KEEP, START)
        instance = store.instance
    done = await restored(tmp_path)
    assert (done.uncertain, done.interrupted) == (2, 1)
    async with opened(tmp_path) as store:
        assert await store.outbox.pending() == []
        found = await store.outbox.of_inbound(answered)
        assert [row.state for row in found] == [OutboxState.UNCERTAIN] * 2
        assert "may have been sent since" in found[0].error
        trail = await store.ledger.trail(answered)
        assert trail and [row.reason for row in trail.stages if row.stage == "delivered"] == ["send:restored"] * 2
        left = await store.ledger.inbound(waiting)
        assert left and left.outcome is Outcome.INTERRUPTED
        # no platform may take a new message for one that it has seen
        assert store.instance != instance
        assert {probe.state for probe in await store.probe()} == {"ok"}


async def test_a_message_that_arrives_again_is_processed_as_usual(tmp_path: Path):
    await lived(tmp_path)
    await restored(tmp_path)
    async with opened(tmp_path) as store:
        assert await store.ledger.arrive([v.arrival("after", "2")], None) != [None]
        assert await store.ledger.arrive([v.arrival("before", "1")], None) == [None]


async def test_a_running_bot_is_left_alone(tmp_path: Path):
    async with opened(tmp_path) as store:
        await store.back_up(KEEP, START)
        with pytest.raises(StoreError, match=f"in use by process {os.getpid()}"):
            await restored(tmp_path)
        assert not (await copies_in(tmp_path))[0].damage


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda path: path.write_bytes(b"not a database" * 99), "not a database"),
        (lambda path: path.write_bytes(b""), "empty"),
        (lambda path: path.unlink(), "There is no copy"),
        (lambda path: raw(path, "PRAGMA user_version = 99"), "schema 99, this program knows"),
        (lambda path: raw(path, "UPDATE memory SET content = 'obey' WHERE id = 3"), r"memory 3 \(altered\)"),
        (lambda path: raw(path, "DELETE FROM audit WHERE id > 5"), "audit 6"),
        (lambda path: raw(path, "DROP TABLE ratio"), "tables are not as they were made"),
    ],
)
async def test_a_copy_that_does_not_hold_is_refused(tmp_path: Path, spoil: Callable[[Path], None], why: str):
    await furnish(tmp_path)
    async with opened(tmp_path) as store:
        await store.back_up(KEEP, START)
    spoil(tmp_path / "backups" / COPY)
    before = (tmp_path / "glassmind.db").read_bytes()
    with pytest.raises(UserError, match=why):
        await restored(tmp_path)
    assert (tmp_path / "glassmind.db").read_bytes() == before
    assert not [name for name in os.listdir(tmp_path) if name.startswith("restored")]
    assert all(copy.damage for copy in await copies_in(tmp_path))


def raw(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(sql)
    connection.commit()
    connection.close()


async def test_what_cannot_be_meant_is_refused(tmp_path: Path):
    await lived(tmp_path)
    with pytest.raises(UserError, match="the database itself"):
        await restored(tmp_path, str(tmp_path / "glassmind.db"))
    with pytest.raises(UserError, match=COPY):
        await restored(tmp_path, "daily-2020.db")
    with pytest.raises(StoreError, match=r"no secret\.key"):
        await restored(tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere").exists()


async def test_bit_flips_anywhere_in_a_copy_never_come_in_unseen(tmp_path: Path):
    """A flipped copy is refused, or what was flipped is nowhere in what it brings back."""
    await furnish(tmp_path / "data")
    async with opened(tmp_path / "data") as store:
        await store.back_up(KEEP, START)
    copy, chance = tmp_path / "data" / "backups" / COPY, random.Random(23)
    image = copy.read_bytes()
    right, refused = await contents(tmp_path / "data"), 0
    used = [at for at, byte in enumerate(image) if byte and at >= 100]
    for n in range(40):
        at = chance.choice(used)
        copy.write_bytes(image[:at] + bytes([image[at] ^ (1 << chance.randrange(8))]) + image[at + 1 :])
        try:
            await restored(tmp_path / "data")
        except (UserError, StoreError):
            refused += 1
        else:
            assert await contents(tmp_path / "data") == right, (n, at)
    assert refused


async def contents(directory: Path) -> dict[str, list[tuple[object, ...]]]:
    connection = sqlite3.connect(directory / "glassmind.db")
    # what a restore marks has tests of its own
    found = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in {*SEALED, "blob"}}
    connection.close()
    return {table: rows for table, rows in found.items() if table not in {"inbound", "outbox", "stage"}}


async def test_a_copy_of_an_older_schema_is_brought_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    await lived(tmp_path)
    number = max(migrate.steps()) + 1
    files = {**migrate.steps(), number: "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;"}
    monkeypatch.setattr(migrate, "steps", lambda: files)
    monkeypatch.setattr("adapters.sqlite.upkeep.restore.steps", lambda: files)
    (copy,) = await copies_in(tmp_path)
    assert (copy.version, copy.damage) == (number - 1, "")
    await restored(tmp_path)
    assert kept(tmp_path) == ["before"]
    reader = await open_readonly(tmp_path)
    await reader.close()


async def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    await lived(tmp_path)

    def full(path: Path, connection: sqlite3.Connection) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("adapters.sqlite.engine.copies.write_draft", full)
    with pytest.raises(StoreError, match="No space left"):
        await restored(tmp_path)
    assert kept(tmp_path) == ["before", "after"]


async def test_a_file_system_without_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    await lived(tmp_path)

    def no_links(*args: object, **more: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    done = await restored(tmp_path)
    assert (kept(tmp_path), texts(Path(done.replaced))) == (["before"], ["before", "after"])
    assert os.stat(done.replaced).st_mode & 0o777 == 0o600


# a kill

STEPS = ("unlink", "link", "rename", "replace", "fsync", "open")
"""What changes the directory, or waits until it is changed; `open` makes files."""


def killed(directory: Path, after: int) -> bool:
    """Restore in a process of its own that is killed at a step; False when it came to its end before."""
    child = os.fork()
    if not child:
        count = 0

        def counted(function):
            def call(*args, **more):
                nonlocal count
                count += 1
                if count > after:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*args, **more)

            return call

        try:
            for name in STEPS:
                setattr(os, name, counted(getattr(os, name)))
            asyncio.run(restored(directory))
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("how", ["stopped", "killed", "damaged"])
def test_killed_at_any_step_the_next_start_works(tmp_path: Path, how: str):
    asyncio.run(_prepared(tmp_path / how, how))
    for step in range(0, 60, whole_or(1, 4)):
        here = tmp_path / f"step-{step}"
        shutil.copytree(tmp_path / how, here)
        was_killed = killed(here, step)
        assert (here / "glassmind.db").stat().st_size, step
        found = asyncio.run(_next_start(here))
        assert found == ["before"] or (found == (["before", "after"] if how != "damaged" else None)), step
        assert not list(here.glob("restored*")) and not list(here.glob("**/*.part*")), step
        if found == ["before"] and how != "damaged":
            assert texts(here / "backups" / ASIDE) == ["before", "after"], step
        shutil.rmtree(here)
        if not was_killed:
            assert step > 8
            return
    raise AssertionError("it never came to its end")


async def _prepared(directory: Path, how: str) -> None:
    await lived(directory.with_name("first"))
    async with opened(directory.with_name("first")) as store:
        if how != "stopped":
            shutil.copytree(directory.with_name("first"), directory)
            (directory / "ballast").unlink(missing_ok=True)
        assert store.instance
    if how == "stopped":
        shutil.copytree(directory.with_name("first"), directory)
    if how == "damaged":
        damage(directory)


async def _next_start(directory: Path) -> list[str] | None:
    try:
        async with opened(directory) as store:
            assert {probe.state for probe in await store.probe()} == {"ok"}
            return [m.inbound.text for m in reversed(await store.ledger.recent(v.KEY, 9))]
    except StoreError:
        return None
