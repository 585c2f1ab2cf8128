"""What a worker's files are like: whole or not at all, within limits, and gone when nobody wants them any more."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from adapters.workspaces import FileWorkspaces, Settings, create
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey
from bot.errors import ToolError
from bot.ports.workspaces import FileSearch
from tests.fakes.values import KEY

SMALL = Settings(file_mb=0.01, workspace_mb=0.1, workspace_files=20, total_mb=0.2, days=1)
DAY = 24 * 3_600_000


@pytest.fixture
def some(tmp_path: Path) -> FileWorkspaces:
    return create(tmp_path, SMALL)


async def test_one_for_each_channel_and_agent(some: FileWorkspaces):
    keys = [KEY, ChannelKey(MAIN, ChannelId("discord:1:2")), ChannelKey(AgentId("../evil"), KEY.channel)]
    for number, key in enumerate(keys):
        await some.write(key, "mine.txt", str(number).encode())
    assert [await some.read(key, "mine.txt") for key in keys] == [b"0", b"1", b"2"]
    folders = {await some.folder(key) for key in keys}
    assert len(folders) == 3 and len({folder.parent.parent for folder in folders}) == 1


async def test_where_they_are_is_said_from_the_root_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    folder = await create(Path("data"), SMALL).folder(KEY)
    assert folder.is_absolute() and folder.is_relative_to(tmp_path / "data")


async def test_a_channel_that_moves_takes_its_files_along(tmp_path: Path):
    new = ChannelKey(MAIN, ChannelId("telegram:-100"))
    moved = create(tmp_path, SMALL, lambda channel: [KEY.channel] if channel == new.channel else [])
    await moved.write(KEY, "a.txt", b"x")
    assert await moved.read(new, "a.txt") == b"x"
    assert (await moved.listing(KEY, "", 1)).entries == ()


async def test_a_file_is_replaced_whole_and_keeps_that_it_can_be_run(some: FileWorkspaces):
    await some.write(KEY, "run.sh", b"one")
    path = await some.folder(KEY) / "run.sh"
    path.chmod(0o755)
    written = await some.write(KEY, "run.sh", b"two")
    assert not written.is_new and path.read_bytes() == b"two" and path.stat().st_mode & 0o777 == 0o700
    assert os.listdir(path.parent) == ["run.sh"]


async def test_changes_side_by_side_are_all_there(some: FileWorkspaces):
    await some.write(KEY, "count", b"")
    await asyncio.gather(*(some.change(KEY, "count", lambda content: content + b"x") for _ in range(20)))
    assert await some.read(KEY, "count") == b"x" * 20


async def test_a_change_that_fails_changes_nothing(some: FileWorkspaces):
    await some.write(KEY, "a", b"before")

    def how(content: bytes) -> bytes:
        raise ToolError("no")

    with pytest.raises(ToolError, match="no"):
        await some.change(KEY, "a", how)
    assert await some.read(KEY, "a") == b"before"


async def test_limits_are_said(some: FileWorkspaces):
    with pytest.raises(ToolError, match="10,001 bytes, and a file may have 10,000"):
        await some.write(KEY, "large", b"x" * 10_001)
    folder = await some.folder(KEY)
    (folder / "large").write_bytes(b"x" * 10_001)
    with pytest.raises(ToolError, match="files of up to 10,000 bytes are read"):
        await some.read(KEY, "large")
    for number in range(10):
        (folder / f"n{number}").write_bytes(b"x" * 9000)
    with pytest.raises(ToolError, match="the workspace is full"):
        await some.write(KEY, "one-more", b"x" * 9000)
    for path in folder.iterdir():
        path.write_bytes(b"")
    for number in range(12):
        (folder / f"m{number}").touch()
    with pytest.raises(ToolError, match="20 names are the most"):
        await some.write(KEY, "one-more", b"")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
async def test_a_locked_folder_hides_nothing(some: FileWorkspaces):
    folder = await some.folder(KEY)
    (folder / "locked").mkdir()
    (folder / "locked" / "big").write_bytes(b"x" * 110_000)
    (folder / "locked").chmod(0)
    with pytest.raises(ToolError, match="full"):
        await some.write(KEY, "a", b"x")


async def test_errors_say_what_is_wrong(some: FileWorkspaces):
    await some.write(KEY, "folder/file", b"x")
    for path, words in {
        "none": "does not exist",
        "folder": "is a folder",
        "folder/file/x": "is a file and no folder",
    }.items():
        with pytest.raises(ToolError, match=words):
            await some.read(KEY, path)
    with pytest.raises(ToolError, match="is a folder, and no file is put in its place"):
        await some.write(KEY, "folder", b"x")


async def test_a_search_reads_text_and_nothing_else(some: FileWorkspaces):
    await some.write(KEY, "a.py", "eins\nZwei ß\n".encode())
    await some.write(KEY, "b/c.md", b"zwei\n" * 9)
    await some.write(KEY, "d.bin", b"\0zwei")
    found = await some.search(KEY, FileSearch("zwei", any_case=True, limit=3))
    assert [(hit.path, hit.line) for hit in found.hits] == [("a.py", 2), ("b/c.md", 1), ("b/c.md", 2)]
    assert found.more and found.unread == 0
    found = await some.search(KEY, FileSearch("zwei", path="b", names="*.md"))
    assert len(found.hits) == 9 and not found.more and found.files == 1


async def test_a_search_that_nobody_waits_for_ends(tmp_path: Path):
    large = create(tmp_path, Settings())
    folder = await large.folder(KEY)
    for number in range(300):
        (folder / f"f{number}").write_bytes(b"word\n" * 20_000)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await large.search(KEY, FileSearch("nothing"))
    # the thread ends with the file at hand; this waits for it as leaving the program would
    await asyncio.get_running_loop().shutdown_default_executor()
    assert time.monotonic() - began < 5


async def test_the_sweeper_takes_what_is_old_and_then_what_is_too_much(some: FileWorkspaces):
    now = time.time_ns() // 1_000_000
    keys = [ChannelKey(MAIN, ChannelId(f"console:#{n}")) for n in range(6)]
    for number, key in enumerate(keys):
        folder = await some.folder(key)
        (folder / "file").write_bytes(b"x" * 60_000)
        os.utime(folder, ns=((now - (6 - number) * 4 * 3_600_000) * 1_000_000,) * 2)
    assert (
        await some.sweep(now) == 3
    )  # of 24, 20, ... 4 hours: 24 is as old as may be; four are 0.24 MB, still too much
    left = [key for key in keys if (await some.listing(key, "", 1)).entries]
    assert left == keys[3:]
    assert await some.sweep(now + 2 * DAY) == 6
    assert await create(Path("/nonexistent"), SMALL).sweep(now) == 0


async def test_what_is_in_use_is_not_swept(some: FileWorkspaces):
    for number in range(5):
        folder = await some.folder(ChannelKey(MAIN, ChannelId(f"console:#{number}")))
        (folder / "file").write_bytes(b"x" * 60_000)
    assert await some.sweep(time.time_ns() // 1_000_000) == 0


async def test_depth_is_no_hiding_place(some: FileWorkspaces, tmp_path: Path):
    """Folders in folders, deeper than a path or a recursion can be, with a link out of it at the bottom."""
    folder, precious = await some.folder(KEY), tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_bytes(b"x")
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("deep", dir_fd=here)
        below = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.symlink(precious, "link", dir_fd=here)
    os.close(here)
    with pytest.raises(ToolError, match="holds too much"):
        await some.write(KEY, "a", b"x")
    assert len((await some.listing(KEY, "", 32)).entries) == 32
    await some.search(KEY, FileSearch("x"))
    assert await some.sweep(time.time_ns() // 1_000_000 + 2 * DAY) == 1
    assert not folder.exists() and (precious / "file").read_bytes() == b"x"
