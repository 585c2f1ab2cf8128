"""How long nobody can be sure of a send: from when the intention is stored until the receipt is."""

from __future__ import annotations

import time

from tests.faults.processes.house import House
from tests.faults.processes.lives import Call, Trap


async def window(house: House) -> float:
    """Ask one question of a bot that nobody disturbs; return the milliseconds that its answer was uncertain.

    The store is watched from outside: the last commit before the platform heard of the answer stored the intention,
    the first one after that stores the receipt.
    """
    commits: list[float] = []

    def decide(call: Call) -> None:
        commits.append(time.perf_counter())

    await house.start(Trap(("fdatasync",), decide))
    await house.settled()
    await house.ask("q0")
    heard = await _heard(house)
    await house.settled()
    assert await house.stop() == 0
    before = max(at for at in commits if at < heard)
    after = min(at for at in commits if at > heard)
    return round((after - before) * 1000, 3)


async def _heard(house: House) -> float:
    server = house.around.server  # type: ignore[attr-defined]
    await server.heard("sendMessage")
    return time.perf_counter()
