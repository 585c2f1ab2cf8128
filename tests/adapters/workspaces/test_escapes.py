"""File tools stay in their workspace, whatever is written as a path and whatever was planted there."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.workspaces import FileWorkspaces, Settings, create
from adapters.workspaces.paths import path_parts
from bot.errors import ToolError
from bot.ports.workspaces import FileSearch
from tests.fakes.values import KEY

CANARY = b"canary-4711: nobody may read this"


class House:
    """A data directory with something outside of the workspace that must neither be read nor change."""

    def __init__(self, root: Path) -> None:
        self.data = root / "data"
        self.data.mkdir()
        self.outside = root / "outside"
        self.outside.mkdir()
        self.secret = self.outside / "secret.txt"
        self.secret.write_bytes(CANARY)
        (self.data / "secret.key").write_bytes(CANARY)
        self.workspaces = create(self.data, Settings(file_mb=0.1, workspace_mb=1, workspace_files=200))
        self.inside = Path()

    async def open(self) -> House:
        self.inside = await self.workspaces.folder(KEY)
        return self


@pytest.fixture
async def house(tmp_path: Path) -> House:
    return await House(tmp_path).open()


def a_link(target: str) -> Callable[[House], None]:
    return lambda house: (house.inside / "way").symlink_to(target.format(house=house))


def a_hard_link(house: House) -> None:
    os.link(house.secret, house.inside / "way")


def a_pipe(house: House) -> None:
    os.mkfifo(house.inside / "way")


def a_socket(house: House) -> None:
    folder = os.open(house.inside, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"/proc/self/fd/{folder}/way")  # the whole path is longer than such a name may be
    os.close(folder)


def a_device(house: House) -> None:
    if os.geteuid():
        pytest.skip("only root makes devices")
    os.mknod(house.inside / "way", stat.S_IFCHR | 0o666, os.makedev(1, 5))  # endless zeros


def nothing(house: House) -> None:
    """Only the path is hostile."""


ATTEMPTS: dict[str, tuple[Callable[[House], None], str]] = {
    "one step up": (nothing, "../secret.txt"),
    "many steps up": (nothing, "../" * 8 + "etc/passwd"),
    "down and up": (nothing, "a/b/../../../../secret.key"),
    "up in the middle": (nothing, "a/../../secret.key"),
    "the root": (nothing, "/etc/passwd"),
    "the root, twice": (nothing, "//etc/passwd"),
    "out of /workspace": (nothing, "/workspace/../etc/passwd"),
    "next to /workspace": (nothing, "/workspaces/x"),
    "a home": (nothing, "~root/.bashrc"),
    "the process": (nothing, "/proc/self/environ"),
    "a NUL": (nothing, "a\0/../../secret.key"),
    "a line": (nothing, "a\nb"),
    "an invisible character": (nothing, "a\u202etxt"),
    "a lone surrogate": (nothing, "a\ud800"),
    "a name too long": (nothing, "n" * 300),
    "a path too long": (nothing, "a/" * 600 + "b"),
    "a path too deep": (nothing, "a/" * 40 + "b"),
    "no name": (nothing, "/workspace/"),
    "a link to a file": (a_link("{house.secret}"), "way"),
    "a link to a folder": (a_link("{house.outside}"), "way/secret.txt"),
    "a link upwards": (a_link("../../.."), "way/secret.key"),
    "a link to the root": (a_link("/"), "way/etc/passwd"),
    "a link to itself": (a_link("way"), "way"),
    "a link to the process": (a_link("/proc/self"), "way/environ"),
    "a link to nothing": (a_link("{house.outside}/new"), "way"),
    "a hard link": (a_hard_link, "way"),
    "a pipe": (a_pipe, "way"),
    "a socket": (a_socket, "way"),
    "a device": (a_device, "way"),
    "below a pipe": (a_pipe, "way/x"),
}


@pytest.mark.parametrize("name", ATTEMPTS)
async def test_no_way_out(house: House, name: str):
    plant, path = ATTEMPTS[name]
    plant(house)
    before = sorted(house.outside.iterdir()), sorted(house.data.iterdir())
    with pytest.raises(ToolError) as caught:
        await house.workspaces.read(KEY, path)
    assert str(house.data) not in str(caught.value) and CANARY.decode() not in str(caught.value)
    with pytest.raises(ToolError):
        await house.workspaces.change(KEY, path, lambda _: b"mine now")
    for look in (house.workspaces.listing(KEY, path, 3), house.workspaces.search(KEY, FileSearch("canary", path))):
        try:
            found = await look
        except ToolError:
            continue
        assert name == "no name" and CANARY.decode() not in str(found)
    try:
        written = await house.workspaces.write(KEY, path, b"mine now")
    except ToolError:
        pass
    else:
        # a hard link is replaced by a file of its own; what it was another name of stays
        assert name == "a hard link" and written.path == "way"
    assert house.secret.read_bytes() == (house.data / "secret.key").read_bytes() == CANARY
    assert (sorted(house.outside.iterdir()), sorted(house.data.iterdir())) == before


async def test_links_are_named_and_not_followed(house: House):
    (house.inside / "way").symlink_to(house.outside)
    (house.inside / "file").symlink_to(house.secret)
    await house.workspaces.write(KEY, "plain.txt", b"a canary of my own")
    found = await house.workspaces.listing(KEY, "", 5)
    assert [(entry.path, entry.kind) for entry in found.entries] == [
        ("file", "link"),
        ("plain.txt", "file"),
        ("way", "link"),
    ]
    hits = await house.workspaces.search(KEY, FileSearch("canary"))
    assert [hit.path for hit in hits.hits] == ["plain.txt"]


def swapping(house: House, over: threading.Event) -> None:
    real, aside, way = house.inside / "real", house.inside / "aside", house.inside / "way"
    moves = itertools.cycle(((real, way), (way, real), (aside, way), (way, aside)))
    for count, (here, there) in enumerate(moves):
        if over.is_set():
            return
        try:
            os.rename(here, there)
        except OSError:  # writing made a folder of that name, in between
            with suppress(OSError):
                os.rename(there, house.inside / f"made-{count}")
                os.rename(here, there)


async def test_what_changes_under_the_hand_leads_nowhere(house: House):
    """A folder becomes a link and a folder again, as fast as it can, while files are read and written through it."""
    (house.inside / "real").mkdir()
    (house.inside / "real" / "secret.txt").write_bytes(b"harmless")
    (house.inside / "aside").symlink_to(house.outside)
    over = threading.Event()
    thread = threading.Thread(target=swapping, args=(house, over))
    thread.start()
    seen = set()
    try:
        for count in range(40):
            reading = house.workspaces.read(KEY, "way/secret.txt")
            writing = house.workspaces.write(KEY, f"way/new-{count}", b"x")
            searching = house.workspaces.search(KEY, FileSearch("canary"))
            for found in await asyncio.gather(reading, writing, searching, return_exceptions=True):
                assert not isinstance(found, BaseException) or isinstance(found, ToolError)
                seen.add(str(found))
    finally:
        over.set()
        thread.join()
    assert CANARY.decode() not in "".join(seen)
    assert list(house.outside.iterdir()) == [house.secret] and house.secret.read_bytes() == CANARY


async def test_a_pipe_is_not_waited_for(house: House):
    os.mkfifo(house.inside / "pipe")
    with pytest.raises(ToolError, match="no plain file"):
        await house.workspaces.read(KEY, "pipe")
    assert (await house.workspaces.search(KEY, FileSearch("x"))).files == 0
    assert [entry.kind for entry in (await house.workspaces.listing(KEY, "", 1)).entries] == ["other"]


@settings(max_examples=50, deadline=None)
@given(path=st.text(max_size=60) | st.lists(st.sampled_from(["..", ".", "", "a", "~", "/", "work"])).map("/".join))
def test_a_path_is_names_or_an_error(path: str):
    try:
        names = path_parts(path)
    except ToolError:
        return
    assert all(name not in {"", ".", ".."} and "/" not in name and "\0" not in name for name in names)


def test_nobody_else_sees_them(tmp_path: Path):
    async def fill() -> FileWorkspaces:
        made = create(tmp_path / "data", Settings())
        await made.write(KEY, "a/b.txt", b"x")
        return made

    asyncio.run(fill())
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "data").rglob("*")}
    assert modes.pop("b.txt") == 0o600 and set(modes.values()) == {0o700}
