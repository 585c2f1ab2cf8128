"""Two contexts on the host: requests, files, and one with the other; the exit status says whether they differ."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import orjson
import pytest

from bot.cli.main import run
from bot.domain.handles import HandleKind, handle

CONFIG = '[platforms.console]\nowner_ids = [1]\nnames = ["glassmind"]\npeople = { admin = 1, ann = 7 }\n'
R1, R2 = (handle(HandleKind.REQUEST, row) for row in (1, 2))


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """A directory in which a bot has answered twice, with an export of its second request, and with a part of that."""
    home = tmp_path_factory.mktemp("home")
    before, umask = Path.cwd(), os.umask(0o022)
    os.chdir(home)
    (home / "config.toml").write_text(CONFIG)
    typed = ("[#general] ann> @glassmind say good morning", "[#general] ann> @glassmind say good night")
    stdin, sys.stdin = sys.stdin, io.StringIO("".join(f"{line}\n" for line in typed))
    try:
        assert run(["run"]) == 0
        assert run(["export", "--sent", R2]) == 0
        exported = next((home / "data" / "context").rglob("*-context.json"))
        shorter = orjson.loads(exported.read_bytes())
        shorter |= {"messages": shorter["messages"][:-1], "digest": ""}
        (exported.parent / "shorter.json").write_bytes(orjson.dumps(shorter))
    finally:
        sys.stdin = stdin
        os.chdir(before)
        os.umask(umask)
    return home


def written(home):
    """When each file of the data directory was last written; the memory that readers share is no file of it."""
    files = (home / "data").rglob("*")
    return {path: path.stat().st_mtime_ns for path in files if not path.name.endswith("-shm")}


@pytest.fixture
def home(lived, monkeypatch):
    monkeypatch.chdir(lived)
    monkeypatch.delenv("GLASSMIND_CONFIG", raising=False)
    before = written(lived)
    yield lived
    assert written(lived) == before, "looking writes nothing"


@pytest.fixture
def files(home):
    """The second request as a file, and one that lacks its newest message."""
    (exported,) = (home / "data" / "context").rglob("*-context.json")
    return str(exported), str(exported.parent / "shorter.json")


def test_the_last_and_the_next_differ_and_say_why(home, capsys):
    assert run(["diff"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("≠ console:#general: ") and f"{R2} " in out and "→ next · no model used" in out
    assert "cause · new messages: said since then" in out or "cause · the message it answers" in out
    assert run(["diff", R1, R2, "--json"]) == 1
    value = orjson.loads(capsys.readouterr().out)
    assert value["before"]["request"] == R1 and value["after"]["request"] == R2 and not value["same"]
    (span,) = (change for change in value["changes"] if change["part"] == "messages")
    assert [piece["role"] for piece in span["after"]] == ["assistant", "user"]
    assert {cause["kind"] for cause in span["causes"]} == {"new talk", "trigger"}
    assert all(change["causes"] for change in value["changes"])


def test_a_request_is_the_same_as_itself_and_as_its_file(home, files, capsys, tmp_path):
    second, shorter = files
    packed = tmp_path / "second.json.gz"
    packed.write_bytes(gzip.compress(Path(second).read_bytes(), mtime=0))
    for before, after in ((second, str(packed)), (R2, str(packed))):
        assert run(["diff", before, after]) == 0, (before, after)
        assert capsys.readouterr().out.startswith("= console:#general: the same")
    assert run(["diff", shorter, str(packed)]) == 1


def test_files_alone_need_nothing_else(home, files, capsys, tmp_path, monkeypatch):
    first, second = (str(Path(name).absolute()) for name in files)
    monkeypatch.chdir(tmp_path)
    assert run(["diff", first, second, "--json"]) == 1
    value = orjson.loads(capsys.readouterr().out)
    assert value["before"]["kind"] == "sent" and value["after"]["channel"] == "console:#general"


def test_what_the_cache_held(home, capsys):
    assert run(["diff", "--cache", R2, "--json"]) == 0
    value = orjson.loads(capsys.readouterr().out)
    assert value["well"] and value["before"] == R1 and 0 < value["shared"]["tokens"] < value["of_after"]["tokens"]
    assert 0 < value["wire_bytes"]["shared"] < value["wire_bytes"]["after"]
    assert value["broke"]["expected"] and value["causes"][0]["kind"] == "trigger"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["nowhere.json", "last"], "I cannot read nowhere.json: No such file or directory"),
        (["config.toml", "last"], "config.toml is not JSON"),
        (["r0000", "last"], "There is no record r0000"),
        (["last", "next", "--channel", "#nowhere"], "The bot knows no channel #nowhere"),
        (["#general", "last"], "#general is not a request"),
        (["--cache", R1], "Nothing was sent from there before that request"),
        (["--cache", "last", "next"], "--cache takes one request"),
        (["./", "next"], ": Is a directory"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_the_reason(home, capsys, words, problem):
    assert run(["diff", *words]) == 2
    err = capsys.readouterr().err
    assert problem in err and "Traceback" not in err


def test_what_was_not_to_be_recorded_is_not_passed_off_as_something_older(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for recorded in ("", '[channels."console:#general"]\nrecord = false\n'):
        (tmp_path / "config.toml").write_text(CONFIG + recorded)
        monkeypatch.setattr(sys, "stdin", io.StringIO("[#general] ann> @glassmind say good morning\n"))
        assert run(["run"]) == 0
    capsys.readouterr()
    for asked in ([], ["last", "next"], ["next", "last"], ["--cache"], ["--cache", "last"]):
        assert run(["diff", *asked]) == 2
        assert capsys.readouterr().err.startswith("Nothing is recorded here (the configuration says so)"), asked
    assert run(["diff", R1, "next"]) == 1, "what was recorded before can be seen"
