"""The run that is interrupted everywhere: people ask, talk and look into the bot, whatever becomes of its process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.faults.processes.house import Ended, House
from tests.faults.processes.lives import KILL, Trap

CALLS = (
    *("write", "pwrite64", "writev", "pwritev", "sendto", "sendmsg", "recvfrom", "recvmsg", "connect", "shutdown"),
    *("openat", "mkdir", "mkdirat", "unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "rmdir"),
    *("fsync", "fdatasync", "ftruncate", "truncate", "fallocate", "fcntl", "flock", "fchmod", "chmod"),
)
"""Every call by which a bot changes anything that outlives it, or learns anything from outside."""
STARTS = 4
"""More than anybody owes: one by one they have to be asked for."""


class Run:
    """A run of a house. A process that is killed is started again at once; one that ends by itself is a defect.

    The first processes run into `traps`, one each. `recovery` are the calls of a process that followed a killed one,
    until everything was at rest again.
    """

    def __init__(self, house: House, traps: Sequence[Trap | None]) -> None:
        self.house = house
        self.kills = 0
        self.recovery: Counter[str] = Counter()
        self._traps = list(traps)

    async def play(self) -> None:
        """Let everything happen, and check at the end that it adds up."""
        house = self.house
        await self._rests()
        await house.ask("q0", remembers=True)
        await self._rests()
        await house.ask("q1", 1, "james")
        await house.ask("q2")
        await self._rests()
        await house.talk("just talk")
        await house.look()
        await self._rests()
        await self.ends()

    async def ends(self) -> None:
        """Ask the process to end; where it is killed in that, the next one is asked."""
        for _ in range(STARTS):
            await self._rests()
            status = await self.house.stop()
            if status == 0:
                return
            await self._has_ended(status)
        raise AssertionError(f"it does not end as it should\n{self.house.told()}")

    async def _rests(self) -> None:
        for _ in range(STARTS):
            try:
                if not self.house.is_alive:
                    await self._lives()
                await self.house.settled()
            except Ended:
                await self._has_ended(await self.house.ended())
            else:
                self._has_recovered()
                return
        raise AssertionError(f"it does not stay alive\n{self.house.told()}")

    async def _lives(self) -> None:
        await self.house.start(self._traps.pop(0) if self._traps else None)

    def _has_recovered(self) -> None:
        if self.kills and not self.recovery and self.house.life is not None:
            self.recovery = Counter(self.house.life.counts)

    async def _has_ended(self, status: int) -> None:
        assert status == -9, f"it ended by itself with status {status}\n{self.house.told()}"
        self.kills += 1
        self.house.note("killed")


def killing(kind: str, number: int) -> Trap:
    """Kill a process right before its call of a kind with this number, counted over all its threads."""
    return Trap((kind,), lambda call: KILL if call.number == number else None)


def counting() -> Trap:
    """Let every call that matters happen, and count it."""
    return Trap(CALLS, lambda call: None)
