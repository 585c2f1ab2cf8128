"""Files are written under names made by us, and removed when they are old."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.runtime import files
from bot.runtime.files import FileName, remove_older, safe_name, write_file, write_new
from tests.fakes.clock import START


def test_a_taken_name_gets_a_number(tmp_path: Path):
    paths = [write_new(tmp_path, ("a", "b"), FileName("reply", ".md"), str(n).encode()) for n in range(3)]
    assert [path.name for path in paths] == ["reply.md", "reply-2.md", "reply-3.md"]
    assert [path.read_text() for path in paths] == ["0", "1", "2"]
    assert sorted(os.listdir(tmp_path / "a" / "b")) == ["reply-2.md", "reply-3.md", "reply.md"]


def test_only_we_can_read_it(tmp_path: Path):
    old = os.umask(0)
    try:
        path = write_new(tmp_path, ("a",), FileName("reply", ".md"), b"x")
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_planted_link_is_refused(tmp_path: Path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "a").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError):
        write_new(tmp_path, ("a",), FileName("reply", ".md"), b"x")
    assert os.listdir(tmp_path / "outside") == []


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        write_new(tmp_path, ("a",), FileName("reply", ".md"), b"x")
    assert os.listdir(tmp_path / "a") == []


def test_a_name_of_ones_own_is_taken_only_when_told_to(tmp_path: Path):
    path = tmp_path / "below" / ".env"
    write_file(path, b"one", replace=False)
    with pytest.raises(FileExistsError):
        write_file(path, b"two", replace=False)
    assert path.read_bytes() == b"one"
    path.chmod(0o644)
    write_file(path, b"two", replace=True)
    assert path.read_bytes() == b"two" and path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(path.parent) == [".env"]


def test_what_is_old_goes(tmp_path: Path):
    for name, at in (("old", START - 1), ("new", START)):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, (at / 1000, at / 1000))
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "old")
    assert remove_older(tmp_path, START) == 1
    assert sorted(os.listdir(tmp_path)) == ["folder", "link", "new"]
    assert remove_older(tmp_path / "nowhere", START) == 0


def test_plain_ids_stay_readable():
    assert safe_name("-100123:7") == "-100123.7"
    assert safe_name("1:2") != safe_name("1.2")
