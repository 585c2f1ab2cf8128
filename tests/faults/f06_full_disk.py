"""F6's other half: the disk is really full. Each case has a small disk of its own, which goes when its process ends."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess  # noqa: TID251 - whether mounting works is asked before there is a loop
import sys
from asyncio.subprocess import DEVNULL, PIPE, create_subprocess_exec
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import orjson

from tests.faults.family import Size, Verdict

PREFIX = "tmpfs/"
HOW = ("mark", "full", "sudden")
MEGABYTES = (2, 4, 8, 16, 64)
"""Where the low-water mark is above nothing, the smallest disk is one more than it."""
SEEDS = {Size.NIGHTLY: 1, Size.RELEASE: 2}
SECONDS = 110.0


def cases(size: Size) -> Iterable[str]:
    """Give keys: how it runs full, how big it is, a seed."""
    if size is Size.SLICE:
        return [f"{PREFIX}sudden/4/0"]
    return [f"{PREFIX}{how}/{big}/{seed}" for seed in range(SEEDS[size]) for how in HOW for big in _sizes(how)]


def _sizes(how: str) -> Iterable[int]:
    return (max(big, 3) if how == "mark" else big for big in MEGABYTES)


@lru_cache(maxsize=1)
def missing() -> str:
    """Say what is lacking; empty when a disk can be mounted where nobody else sees it."""
    if not (shutil.which("unshare") and shutil.which("mount")):
        return "unshare and mount are not installed (make deps-debian)"
    tried = subprocess.run([*_apart(), "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "no disk can be mounted, neither as root nor in a namespace of one's own"


def _apart() -> list[str]:
    return ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "--"]


async def play(key: str, directory: Path) -> Verdict:
    """Play one case in a process of its own."""
    if missing():
        return Verdict(n=0, counts={"not_mounted": 1})
    words = (*key.removeprefix(PREFIX).split("/"), str(directory / "house"))
    return await play_apart("tests.faults.disks.full", words, SECONDS)


async def play_apart(module: str, words: Sequence[str], seconds: float) -> Verdict:
    """Let a program play a case, which may mount what it likes and prints its verdict."""
    process = await create_subprocess_exec(
        *_apart(), sys.executable, "-m", module, *words, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, start_new_session=True
    )
    try:
        async with asyncio.timeout(seconds):
            said, complaint = await process.communicate()
    finally:
        if process.returncode is None:
            os.killpg(process.pid, 9)
    assert process.returncode == 0, complaint.decode("utf-8", "replace")[-6000:]
    return Verdict(**orjson.loads(said))
