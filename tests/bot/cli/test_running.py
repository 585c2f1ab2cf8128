"""How the process of a running bot is set up."""

from __future__ import annotations

import asyncio
import platform
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.bot.cli.process import surroundings

HEAPS = """
import sys, threading
from pathlib import Path
from bot.cli.running import keep_one_heap

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
begins = 0
for line in Path("/proc/self/maps").read_text().splitlines():
    span, rights, *_, name = line.split(" ")
    begins += rights == "rw-p" and not name and int(span.split("-")[0], 16) % (1 << 26) == 0
print(begins)
done.wait()
"""
"""How many heaps there are beside the first one: each begins at a multiple of 64 MiB (malloc/arena.c of glibc)."""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only the GNU C library has such heaps")
async def test_threads_share_one_heap(tmp_path: Path):
    async def heaps(how: str) -> int:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", HEAPS, how, cwd=tmp_path, env=surroundings(), stdout=PIPE, stderr=PIPE
        )
        out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return int(out)

    assert await heaps("several") > 0
    assert await heaps("one") == 0
