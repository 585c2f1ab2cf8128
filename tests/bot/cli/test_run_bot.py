"""How the process of a running bot is set up."""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.bot.cli.process import glassmind, running, surroundings

HEAPS = """
import ctypes, sys, threading
from bot.cli.run_bot import keep_one_heap

if sys.argv[1] == "one":
    keep_one_heap()
held, done = [], threading.Barrier(9)

def allocate():
    held.append([bytes(5000) for _ in range(100)])
    done.wait()
    done.wait()

threads = [threading.Thread(target=allocate) for _ in range(8)]
for thread in threads:
    thread.start()
done.wait()
ctypes.CDLL(None).malloc_stats()
done.wait()
"""
"""Has several threads take memory at once, and the C library tell of each heap on the standard error."""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only the GNU C library has such heaps")
async def test_threads_share_one_heap(tmp_path: Path):
    async def heaps(how: str) -> int:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", HEAPS, how, cwd=tmp_path, env=surroundings(), stderr=PIPE
        )
        _, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return err.decode().count("Arena ")

    assert await heaps("several") > 1
    assert await heaps("one") == 1


LEAVES = """
import os, select, sys
from bot.__main__ import main

class Last:
    def __del__(self, write=os.write, wait=select.select):
        write(2, b"over\\n")
        wait([0], [], [])

sys.last, sys.argv = Last(), ["glassmind", "run"]
main()
"""
"""Runs the bot, and waits in the midst of the interpreter's own end, which gives back the handlers of signals."""

OFFLINE = '[model]\nname = "offline/offline"\n[providers.offline]\nkind = "simulated"\n[platforms.console]\n'


@pytest.mark.parametrize("again", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_who_asks_once_more_when_it_has_ended_gets_the_status_of_an_end_in_order(tmp_path: Path, again: int):
    config = tmp_path / "config.toml"
    config.write_text(OFFLINE)
    config.chmod(0o600)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LEAVES, cwd=tmp_path, env=surroundings(), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    said = b""

    async def until(words: bytes) -> None:
        nonlocal said
        assert process.stderr is not None
        while words not in said:
            line = await process.stderr.readline()
            assert line, said.decode()
            said += line

    await until(b'"started"')
    process.send_signal(signal.SIGTERM)
    await until(b"over")
    process.send_signal(again)
    await process.communicate(b"")
    assert process.returncode == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
async def test_a_key_that_somebody_else_put_there_stops_the_start_with_the_fix(tmp_path: Path):
    """The folder was open to all before the first start; whose key it is knows what every button is signed with."""
    config, data = tmp_path / "config.toml", tmp_path / "data"
    config.write_text(OFFLINE)
    config.chmod(0o600)
    data.mkdir()
    data.chmod(0o777)
    (data / "secret.key").write_bytes(b"k" * 32)
    os.chown(data / "secret.key", 54321, 54321)
    ran = await glassmind(tmp_path, "run")
    assert ran.status == 2 and "Traceback" not in ran.err
    assert f"{data}/secret.key belongs to user 54321" in ran.err.replace("\n", " ")
    assert f"chown root {data}/secret.key" in ran.err.replace("\n", " ")
    assert not (data / "glassmind.db").exists()


async def test_a_data_directory_that_was_open_is_closed_and_the_log_says_so(tmp_path: Path):
    config, data = tmp_path / "config.toml", tmp_path / "data"
    config.write_text(OFFLINE)
    config.chmod(0o600)
    data.mkdir()
    data.chmod(0o777)
    async with running(tmp_path) as bot:
        assert data.stat().st_mode & 0o777 == 0o700
        (said,) = [line for line in bot.log if line["event"] == "data_directory_was_open"]
        assert said["until_now"] == ["data (0777)"]


async def test_a_folder_of_other_things_is_not_closed_to_everybody(tmp_path: Path):
    """A slip of the pen names /tmp or /etc; with mode 0700 that machine would be out of order."""
    config, shared = tmp_path / "config.toml", tmp_path / "shared"
    config.write_text(OFFLINE)
    config.chmod(0o600)
    shared.mkdir()
    shared.chmod(0o755)
    (shared / "hosts").write_text("")
    ran = await glassmind(tmp_path, "run", "--data", str(shared))
    assert ran.status == 2 and "it holds other things (hosts)" in ran.err.replace("\n", " ")
    assert shared.stat().st_mode & 0o777 == 0o755 and [path.name for path in shared.iterdir()] == ["hosts"]


@pytest.mark.parametrize("role", ["gateway", "worker"])
async def test_a_bot_whose_database_is_a_file_is_shared_by_nobody(tmp_path: Path, role: str):
    config = tmp_path / "config.toml"
    config.write_text(OFFLINE)
    config.chmod(0o600)
    ran = await glassmind(tmp_path, "run", "--role", role)
    assert ran.status == 2
    assert f"--role {role}: several processes can share a bot only through a server. Set [store] url" in ran.err
