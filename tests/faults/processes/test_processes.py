"""A bot in a process of its own is what a fresh one would be, and its trap sees every call, of every thread."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from asyncio.subprocess import PIPE, create_subprocess_exec
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.processes import a_house, trapped
from tests.faults.processes.lives import KILL, Trap
from tests.faults.processes.recorded import counting

pytestmark = [
    pytest.mark.skipif(bool(trapped.missing()), reason=trapped.missing()),
    pytest.mark.timeout(180),
]
WRITES = ("pwrite64", "fdatasync", "sendto")


async def test_it_has_only_what_it_opened_and_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    async with a_house("telegram", tmp_path) as house:
        await house.start()
        await house.ask("q1", remembers=True)
        await house.settled()
        assert house.life is not None
        process = house.life.process
        opened = [os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd")]
        # its own pipes to the world, the server and the model; nothing of the nursery's, nothing of ours
        assert sum(name.startswith("socket:") for name in opened) <= 6, opened
        assert os.getsid(process) == process
        assert await house.stop() == 0
        counts = await house.adds_up()
        assert counts == {"lost": 0, "twice": 0, "silent": 0, "corrupt": 0, "uncertain": 0}


async def test_a_process_dies_in_the_very_call_and_not_after_it(tmp_path: Path) -> None:
    seen: list[str] = []

    def decide(call: trapped.Call) -> object:
        seen.append(f"{call.name} {call.number}")
        return KILL if call.number == 3 else None

    async with a_house("telegram", tmp_path) as house:
        life = await house.bear(Trap(("fdatasync",), decide))
        async with asyncio.timeout(20):
            await life.ended.wait()
        assert life.status == -9
        assert seen == ["fdatasync 1", "fdatasync 2", "fdatasync 3"]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is missing: make deps-debian")
async def test_the_trap_sees_what_strace_sees(tmp_path: Path) -> None:
    async with a_house("telegram", tmp_path) as house:
        await house.start(counting())
        await house.ask("q1")
        await house.settled()
        assert house.life is not None
        before = Counter(house.life.counts)
        command = ("strace", "-f", "-p", str(house.life.process), "-e", f"trace={','.join(WRITES)}")
        tracer = await create_subprocess_exec(*command, "-o", str(tmp_path / "trace"), stderr=PIPE)
        assert tracer.stderr is not None
        assert b"attached" in await tracer.stderr.readline()
        # a call for the next updates may have fallen between the two
        attached = Counter(house.life.counts)
        await house.ask("q2", remembers=True)
        await house.settled()
        assert await house.stop() == 0
        await tracer.wait()
        at_the_end = Counter(house.life.counts)
    text = (tmp_path / "trace").read_text("utf-8")
    traced = Counter(re.findall(rf"^\d+ +({'|'.join(WRITES)})\(", text, re.MULTILINE))
    trapped = {name: range(at_the_end[name] - attached[name], at_the_end[name] - before[name] + 1) for name in WRITES}
    assert [name for name in WRITES if traced[name] not in trapped[name]] == [], (traced, trapped)
    assert traced["sendto"] and traced["pwrite64"]
