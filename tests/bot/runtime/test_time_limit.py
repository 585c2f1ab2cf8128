"""A step of somebody else's code is ended when it takes too long, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import sys
import threading
from asyncio.subprocess import PIPE
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from bot.runtime.time_limit import StepTookTooLong, time_limit

WATCHED_AFTERWARDS = """
import sys, threading
from tests.bot.runtime.test_time_limit import in_a_thread, too_long

in_a_thread(too_long)
sys.setprofile(lambda *_: None)
(lambda: None)()
sys.setprofile(None)
print("entered")
"""


def too_long() -> str:
    try:
        with time_limit(0.05):
            while True:
                pass
    except StepTookTooLong:
        return "ended"


def swallows() -> str:
    with time_limit(0.05):
        try:
            while True:
                pass
        except BaseException:  # noqa: BLE001 - as somebody else's code may
            return "went on"


def ends_as_it_rings() -> str:
    """It sleeps in C, where nothing is raised, until its time is over."""
    try:
        with time_limit(0.05):
            threading.Event().wait(0.2)
    except StepTookTooLong:
        return "ended"
    return "in time"


def in_a_thread(step: Callable[[], str]) -> str:
    with ThreadPoolExecutor(1) as pool:
        said = pool.submit(step).result()
        # whoever has the thread next is not interrupted
        assert pool.submit(sum, range(1_000_000)).result() == 499_999_500_000
    return said


def here(step: Callable[[], str]) -> str:
    return step()


@pytest.mark.parametrize("where", [in_a_thread, here])
@pytest.mark.parametrize(
    ("step", "said"),
    [
        pytest.param(too_long, "ended", id="too long"),
        pytest.param(swallows, "went on", id="swallows"),
        pytest.param(ends_as_it_rings, "ended", id="ends as it rings"),
    ],
)
def test_a_step_is_ended(step, said, where):
    assert where(step) == said


def test_who_is_in_time_is_let_alone():
    def quick() -> str:
        with time_limit(10):
            return "in time"

    assert in_a_thread(quick) == here(quick) == "in time"


async def test_nothing_looks_for_an_interruption_afterwards():
    """Python 3.11 enters no watched function while it looks for one that does not come."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", WATCHED_AFTERWARDS, stdout=PIPE)
    try:
        async with asyncio.timeout(30):
            said, _ = await process.communicate()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    assert said == b"entered\n"
