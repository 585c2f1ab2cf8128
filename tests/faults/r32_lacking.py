"""R32: whatever the bot loads or reads late may fail, and it answers what is wrong, by name."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson

from tests.faults.family import Family, Size, Verdict
from tests.faults.lacking.walk import ROOT

TOGETHER = 48
"""Lacks that one case stands for: what is loaded at a start is loaded once for them."""
SLICE = (
    "module:babel:import",
    "module:bot.app.agent:syntax",
    "file:prompts/en/sections/identity.md.j2",
)
"""A library, a module of ours and a file; each costs a second or two."""


async def _walk(*words: str) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.faults.lacking.walk", *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    return said


def _cases(size: Size) -> Iterable[str]:
    if size is Size.SLICE:
        return [" ".join(SLICE)]
    faults = ("import",) if size is Size.NIGHTLY else ("import", "memory")
    # a loop of its own: whoever asks for the cases may run one already
    with ThreadPoolExecutor(1) as aside:
        listed = aside.submit(asyncio.run, _walk("list", *faults)).result()
    every: list[str] = orjson.loads(listed.splitlines()[-1])
    return [" ".join(every[at : at + TOGETHER]) for at in range(0, len(every), TOGETHER)]


async def _play(key: str, directory: Path) -> Verdict:
    lacks = key.split(" ")
    played = [orjson.loads(line) for line in (await _walk("play", *lacks)).splitlines() if line.startswith(b'["')]
    wrong = [f"{case}: {trouble}" for case, trouble, _ in played if trouble]
    wrong += [f"{case}: it was not played" for case in set(lacks).difference(case for case, *_ in played)]
    return Verdict(n=len(lacks), counts={"silent": len(wrong)}, trouble="\n".join(wrong))


FAMILY = Family("R32", "lacks: every import and file that the chat can do without", _cases, _play, seconds=900)
