"""Properties of the files of an operator: whatever lies there is used, or refused in a few lines."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.config import parse_config
from bot.config.load import digest_on_disk, load_config
from bot.config.schema import PlatformConfig
from bot.domain.base import canonical_json
from bot.errors import ConfigError
from bot.text.text import visible
from tests.faults.fuzz.junk import LEAVES, SECRET, TEXTS, WELL

SECONDS = 5.0
"""Within which everything is read, on a machine that does much else; a mebibyte is all that is ever read."""
MOST_LINES = 60
_PIECES = (
    *("[", "{a=", "a.", '"', "'''", '"""', "\\", "#", "9", "[[x]]\n", "[a]\n", "=", ",", "\n", "\r", "\0", "x = 1\n"),
    *("[platforms.telegram]\n", "owner_ids = [1]\n", "\ufeff", "é", "\u202e", "-", "1e9", "0x", "{", "}", "]", "}}"),
)
_SOUND = '[platforms.telegram]\ntoken = "env:CANARY"\nowner_ids = [1]\n'
_LISTS = tuple(
    name for name in PlatformConfig.model_fields if name.endswith(("_ids", "_users", "_channels", "_guilds"))
)


def refused_well(problems: Iterable[str]) -> None:
    """Few lines, each with words in it, none that steers a terminal, and no secret."""
    told = list(problems)
    assert 0 < len(told) <= MOST_LINES
    for problem in told:
        assert problem.strip() and len(problem) < 2000
        assert "\n" not in problem and visible(problem) == problem
        assert SECRET not in problem


def _loaded(folder: Path) -> None:
    began = time.process_time()
    try:
        load_config(folder / "config.toml", {"CANARY": SECRET})
    except ConfigError as error:
        refused_well(error.problems)
    try:
        assert digest_on_disk(folder / "config.toml")
    except ConfigError as error:
        refused_well(error.problems)
    assert time.process_time() - began < SECONDS


_CONTENT = st.one_of(st.binary(max_size=400), TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
_KINDS = st.sampled_from(["file", "file", "file", "file", "pipe", "folder", "link", "loop", "none"])
_MODES = st.sampled_from([0o600, 0o600, 0o644, 0o666, 0o640, 0o400])


def _put(path: Path, kind: str, content: bytes, mode: int) -> None:
    if kind == "pipe":
        os.mkfifo(path, mode)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "file":
        path.write_bytes(content)
        path.chmod(mode)


@given(st.data())
def whatever_lies_there_is_a_configuration_or_a_few_lines(data: st.DataObject) -> None:
    """As the file itself, as the `.env` beside it, and as the file that a secret is in."""
    with tempfile.TemporaryDirectory(prefix="glassmind-fuzz-") as name:
        folder = Path(name)
        sound = _SOUND.replace("env:CANARY", data.draw(st.sampled_from(["env:CANARY", "file:tok", "file:.env"])))
        contents = {"config.toml": st.just(sound.encode()) | _CONTENT, ".env": _CONTENT, "tok": _CONTENT}
        for file, content in contents.items():
            _put(folder / file, data.draw(_KINDS), data.draw(content), data.draw(_MODES))
        _loaded(folder)


@given(st.lists(st.tuples(st.sampled_from(_PIECES), st.integers(1, 20_000)), min_size=1, max_size=4), st.booleans())
def what_is_said_thousands_of_times_is_refused_in_a_few_lines(pieces: list[tuple[str, int]], is_beside: bool) -> None:
    text = "".join(piece * times for piece, times in pieces)
    with tempfile.TemporaryDirectory(prefix="glassmind-fuzz-") as name:
        folder = Path(name)
        files = {"config.toml": _SOUND if is_beside else text, ".env": text if is_beside else ""}
        for file, content in files.items():
            _put(folder / file, "file", content.encode(), 0o600)
        _loaded(folder)


@given(st.integers(2, 20_000), st.sampled_from(["", "[channels.x{n}]\n", "[nobody.x{n}]\n", "[platforms.p{n}]\n"]))
def thousands_of_wrong_keys_are_a_few_lines(count: int, table: str) -> None:
    """Each of them is wrong in its own right."""
    line = table + "wrong_{n} = {n}\n"
    with tempfile.TemporaryDirectory(prefix="glassmind-fuzz-") as name:
        path = Path(name) / "config.toml"
        _put(path, "file", "".join(line.format(n=n) for n in range(count)).encode(), 0o600)
        _loaded(Path(name))


@given(st.sampled_from(_LISTS), st.one_of(LEAVES, WELL, TEXTS, st.integers(), st.booleans(), st.floats()))
def a_list_of_ids_holds_ids_alone(key: str, entry: object) -> None:
    text = canonical_json(entry) if entry is not None else '""'
    try:
        loaded = parse_config(f"[platforms.telegram]\n{key} = [{text}]\n", {})
    except ConfigError as error:
        refused_well(error.problems)
        return
    for one in getattr(loaded.config.platforms["telegram"], key) or ():
        number = str(one).removeprefix("telegram:").removeprefix("-").partition(":")[0]
        assert number.isascii() and number.isdigit() and not number.startswith("0")
