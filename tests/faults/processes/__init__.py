"""A real bot, as `python -m bot run` starts it, in a process of its own; the world around it lives here.

async with a_house("telegram", directory) as house:  # or "discord", "console"; `rooms=200`, `more="..."` (TOML)
    await house.start()  # returns when it listens; raises Ended where it dies before
    await house.ask("q1", room=1, who="james", remembers=True)  # goes on at once; the model answers by the name
    await house.settled()  # all is stored, answered and sent; raises Ended where the process dies meanwhile
    await house.talk("just talk")  # to the others
    await house.look()  # the owner says `!cortex why`
    await house.kill()  # -9; `house.life` is the process: pid in `life.process`, `life.signal(...)`, `life.status`
    await house.start()
    await house.settled()
    assert await house.stop() == 0  # SIGTERM
    counts = await house.adds_up()  # lost, twice, silent, uncertain, corrupt; raises AssertionError with the story

`house.bear()` starts a further process on the same directory and returns its `Life` (`await life.ended.wait()`).
`house.log` holds what was logged, `house.rows(sql)` asks the store, `house.told()` tells everything, `house.around` is
the platform's own (`TelegramBot`, `DiscordBot`: people, world, server with its faults). Questions are named q0, q1, ...
`recorded.Run` plays a whole run through any number of deaths. A start takes a trap that decides about each system call.

Bots are forked from one warmed process (the nursery): a start costs some milliseconds instead of a second. What is
forked has read the program and nothing else: its loop, its random numbers, its files and its threads are its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.faults.processes.house import House

PLATFORMS = ("telegram", "discord", "console")


@asynccontextmanager
async def a_house(platform: str, directory: Path, **options: Any) -> AsyncIterator[House]:
    """Open a house on a platform; `rooms` is how many there are, further options are fields of `House`."""
    # the nursery imports this package, and must not load what bots never load
    module = import_module(f"tests.faults.processes.{platform}")
    async with module.a_house(directory, **options) as house:
        yield house
