from __future__ import annotations

import os
import random
import stat

import pytest

from bot.cortex.pages.exports import NotWritten, folders_of, write_export
from bot.domain.ids import ChannelId
from bot.errors import UserError
from bot.runtime import files
from tests.fakes.clock import START

HERE = ChannelId("discord:1:2")


def test_five_exports_in_one_second_are_five_files(tmp_path):
    paths = [write_export(tmp_path, HERE, START, str(n).encode()) for n in range(5)]
    stem = paths[0].stem
    assert [p.name for p in paths] == [f"{stem}.json", *(f"{stem}-{n}.json" for n in (2, 3, 4, 5))]
    assert [p.read_text() for p in paths] == list("01234")
    assert stem.endswith("-context")
    assert sorted(os.listdir(paths[0].parent)) == sorted(p.name for p in paths)


def test_only_we_can_read_it(tmp_path):
    old = os.umask(0)
    try:
        path = write_export(tmp_path, HERE, START, b"{}")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (path.parent, path.parent.parent, path.parent.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_500_hostile_names_stay_inside_and_apart(tmp_path):
    chance = random.Random(3)
    pieces = [
        "..",
        "/",
        "\\",
        "\x00",
        "~",
        "%2e",
        "ä",
        "💥",
        "\u202e",
        "a" * 300,
        "C:",
        "|",
        "\n",
        ":",
        ".",
        "nul",
        "-",
        " ",
    ]
    names = {"".join(chance.choices(pieces, k=chance.randrange(1, 6))) for _ in range(700)}
    seen: dict[tuple[str, str, str], str] = {}
    for name in sorted(names)[:500]:
        channel = ChannelId(f"console:{name}")
        folders = folders_of(channel)
        assert all(
            f and f not in {".", ".."} and "/" not in f and "\x00" not in f and len(f.encode()) <= 200 for f in folders
        )
        assert seen.setdefault(folders, name) == name
        path = write_export(tmp_path, channel, START, b"x")
        assert path.resolve().is_relative_to((tmp_path / "context" / "console").resolve())
    assert len(seen) == min(500, len(names))


def test_a_planted_directory_link_is_refused(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    data = tmp_path / "data"
    (data / "context").mkdir(parents=True)
    (data / "context" / "discord").symlink_to(outside)
    with pytest.raises(UserError, match="I could not write"):
        write_export(data, HERE, START, b"secret")
    assert os.listdir(outside) == []


def test_a_planted_file_link_is_not_followed(tmp_path):
    first = write_export(tmp_path, HERE, START, b"one")
    first.unlink()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    first.symlink_to(victim)
    second = write_export(tmp_path, HERE, START, b"two")
    assert second.name.endswith("-2.json")
    assert victim.read_text() == "mine"


@pytest.mark.parametrize(
    ("call", "error", "code", "said"),
    [
        ("fsync", OSError(28, "No space left on device"), "full", "the disk of {folder} is full"),
        ("fsync", OSError(122, "Disk quota exceeded"), "full", "the disk of {folder} is full"),
        ("mkdir", OSError(30, "Read-only file system"), "read_only", "{folder} is read-only"),
        ("mkdir", OSError(13, "Permission denied"), "no_right", "the bot may not write to {folder}"),
        ("open", OSError(2, "No such file or directory"), "missing", "{folder} is gone and I cannot create it"),
        ("link", OSError(5, "Input/output error"), "failed", "Input/output error"),
    ],
)
def test_what_keeps_it_from_being_written_is_named(tmp_path, monkeypatch, call, error, code, said):
    def fails(*_, **__):
        raise error

    with monkeypatch.context() as broken, pytest.raises(NotWritten) as caught:
        broken.setattr(files.os, call, fails)
        write_export(tmp_path, HERE, START, b"x")
    folder = tmp_path / "context" / "discord" / "1.2"
    assert caught.value.code == code
    assert str(caught.value).startswith(f"I could not write the export: {said.format(folder=folder)}. Nothing was left")
    assert not folder.exists() or os.listdir(folder) == []
    assert write_export(tmp_path, HERE, START, b"x").read_bytes() == b"x"


@pytest.mark.parametrize("at", ["context", "context/discord", "context/discord/1.2"])
def test_what_stands_in_the_way_is_named_with_its_place(tmp_path, at):
    place, outside = tmp_path / "data" / at, tmp_path / "outside"
    outside.mkdir()
    place.parent.mkdir(parents=True)
    place.symlink_to(outside)
    with pytest.raises(NotWritten, match=f"{place} is a link, and I don't follow links") as caught:
        write_export(tmp_path / "data", HERE, START, b"x")
    assert caught.value.code == "planted_link" and os.listdir(outside) == []
    place.unlink()
    place.write_text("mine")
    with pytest.raises(NotWritten, match=f"{place} is not a folder") as caught:
        write_export(tmp_path / "data", HERE, START, b"x")
    assert caught.value.code == "no_folder" and place.read_text() == "mine"


def test_a_folder_that_is_missing_is_made(tmp_path):
    assert write_export(tmp_path / "not" / "there", HERE, START, b"x").read_bytes() == b"x"
