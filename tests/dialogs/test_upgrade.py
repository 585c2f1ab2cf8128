"""What an earlier version left behind is read unchanged: contexts, ledger, handles, a fresh chat, configuration.

`instances/before_the_rooms` was made on 2026-11-25 by the version whose modules were still flat folders: the demo's
scene, a long talk with five compactions, memories, diagnoses with inspections, `/new`. `told.json.xz` holds what that
version's own commands (`export --sent`, `ledger`, `config explain`) said of it. Neither is ever made again.
"""

from __future__ import annotations

import asyncio
import lzma
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from adapters.simulated import create as simulated
from bot.cli.main import run
from tests.dialogs.bot import Bot, NoTable
from tests.dialogs.stores import OF_A_FILE
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.lengths import whole_or

pytestmark = OF_A_FILE
INSTANCE = Path(__file__).parent / "instances" / "before_the_rooms"
CONFIG = """
[bot]
data_dir = "data"
[model]
context_window = 9000
[platforms.console]
owner_ids = [1]
people = { admin = 1, james = 42, ann = 43 }
names = ["glassmind"]
"""
SECRETS = {
    **dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "EXAMPLE_TOKEN", "EXAMPLE_HEADER"), "x12345678"),
    "TELEGRAM_TOKEN": "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi",
    "DISCORD_TOKEN": "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.abcdefghijklmnopqrstuvwxyz0123456789AB",
}


@pytest.fixture
def home(tmp_path, monkeypatch) -> Iterator[Path]:
    """The folder of an operator who has just installed the new version over that instance."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GLASSMIND_CONFIG", raising=False)
    before = os.umask(0o077)
    data = tmp_path / "data"
    data.mkdir()
    (data / "glassmind.db").write_bytes(lzma.decompress((INSTANCE / "glassmind.db.xz").read_bytes()))
    (data / "secret.key").write_bytes(bytes.fromhex((INSTANCE / "secret.key.hex").read_text()))
    (tmp_path / "config.toml").write_text(CONFIG)
    yield tmp_path
    os.umask(before)


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(lzma.decompress((INSTANCE / "told.json.xz").read_bytes()))
    return found


@dataclass
class Screen:
    """What a command prints."""

    capsys: pytest.CaptureFixture[str]

    def json(self, *words: str) -> Any:
        assert run([*words, "--json"]) == 0, self.capsys.readouterr().err
        return orjson.loads(self.capsys.readouterr().out)


@pytest.fixture
def screen(capsys) -> Screen:
    return Screen(capsys)


def test_requests_that_it_sent_are_exported_with_the_same_bytes(home, told, screen):
    asyncio.run(_on(home))
    screen.capsys.readouterr()
    for handle, (channel, digest, wire) in [*told["sent"].items()][:: whole_or(6, 18)]:
        found = screen.json("export", "--sent", handle, channel)
        assert (handle, found["digest"], found["wire_sha256"]) == (handle, digest, wire)


def test_the_ledger_tells_the_same(home, told, screen):
    asyncio.run(_on(home))
    screen.capsys.readouterr()
    for channel, rows in told["ledger"].items():
        # names of letters alone have had a digit since
        found = orjson.dumps(screen.json("ledger", channel)).decode()
        assert orjson.loads(re.sub(r"\b([a-z])2([a-z]{4})\b", r"\1\2", found)) == rows


def test_every_key_means_the_same(home, told, screen, monkeypatch):
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    (home / "config.toml").write_text((INSTANCE / "config.toml").read_text())
    found = {row["key"]: row["value"] for row in screen.json("config", "explain")}
    assert {key: found.get(key) for key in told["config"]} == told["config"]


async def _on(home: Path, *lines: str) -> list[list[str]]:
    """Start the bot a minute later; return what is printed after each line."""
    clock = FakeClock(1_795_510_872_802 + 60_000)
    bot = Bot(home / "data", clock, FakeEntropy(), {"simulated": simulated("simulated", {})}, NoTable())
    await bot.open()
    try:
        pages = []
        for line in lines:
            pages.append(await bot.types(line))
            clock.advance(20)
        return pages
    finally:
        await bot.close()


def test_every_handle_opens_its_record(home, told):
    handles = [handle for kind in told["handles"].values() for handle in kind]
    assert len(handles) == 211
    handles = handles[:: whole_or(1, 4)]
    pages = asyncio.run(_on(home, *(f"[#general] root> !cortex open {handle}" for handle in handles)))
    for handle, page in zip(handles, pages, strict=True):
        opened = "\n".join(page)
        assert "a record] glassmind<" in opened, f"{handle}: {opened}"
        # a name of letters alone has a digit since
        assert handle in opened or f"{handle[0]}2{handle[1:]}" in opened, f"{handle}: {opened}"


def test_a_fresh_chat_of_before_is_taken_back(home):
    told, _ = asyncio.run(_on(home, "[#raids] root> /new undo", "[#raids] ann> @glassmind when is the raid?"))
    assert any("The chat from before 09:01:00 UTC is back" in line for line in told)
