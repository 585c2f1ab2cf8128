"""How the single connections are."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.domain.health import AdapterState
from bot.ports.clock import Clock

_HOUR = 3600.0


class Condition(NamedTuple):
    """What is so, why in one word, and in words."""

    state: AdapterState
    code: str = ""
    detail: str = ""


UP, STARTING = Condition(AdapterState.UP), Condition(AdapterState.STARTING)


@dataclass(slots=True)
class _Shard:
    """One connection; `heard` is when anything came last (monotonic seconds), `heard_at` the same in UTC ms."""

    condition: Condition
    heard: float
    heard_at: int


class Shards:
    """The connections of this process, by number; `changed` is called when one of them is better or worse off."""

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        self._clock = clock
        self._changed = changed
        self._shards: dict[int, _Shard] = {}
        self._last_ack_at = 0
        self._last_close = ("", 0)
        self._ends: deque[float] = deque(maxlen=1000)

    def begin(self, numbers: Sequence[int]) -> None:
        """Expect these connections, none of which is there yet."""
        now, at = self._clock.monotonic(), self._clock.now()
        self._shards = {number: _Shard(STARTING, now, at) for number in numbers}
        self._changed()

    def connected(self, number: int) -> None:
        """Note a connection that hears, new or resumed."""
        self.frame(number, is_ack=False)
        self._shards[number].condition = UP
        self._changed()

    def broken(self, number: int, code: str, detail: str) -> None:
        """Note why a connection ended or cannot be made."""
        self._shards[number].condition = Condition(AdapterState.DEGRADED, code, detail)
        self._changed()

    def frame(self, number: int, *, is_ack: bool) -> None:
        """Note that something came, be it the answer to a heartbeat."""
        one = self._shards[number]
        one.heard, one.heard_at = self._clock.monotonic(), self._clock.now()
        if is_ack:
            self._last_ack_at = one.heard_at

    def closed(self, code: int | None) -> None:
        """Note that a connection ended, and with which code."""
        self._last_close = (str(code or ""), self._clock.now())
        self._ends.append(self._clock.monotonic())

    def is_up(self, number: int) -> bool:
        """Say whether a connection hears."""
        return self._shards[number].condition is UP

    @property
    def conditions(self) -> Sequence[Condition]:
        """How each connection is."""
        return [one.condition for one in self._shards.values()]

    def silent_since(self, seconds: float) -> int | None:
        """Return since when the most silent connection is so (UTC ms), if that is for longer than so many seconds."""
        oldest = min(self._shards.values(), key=lambda one: one.heard, default=None)
        too_long = oldest is not None and self._clock.monotonic() - oldest.heard > seconds
        return oldest.heard_at if oldest is not None and too_long else None

    def facts(self) -> dict[str, str]:
        """Return what the health shows of the connections."""
        up = sum(condition is UP for condition in self.conditions)
        code, at = self._last_close
        return {
            "shards": f"{up} of {len(self._shards)}",
            "last_close_code": code,
            "last_close_at": str(at),
            "reconnects_1h": str(sum(self._clock.monotonic() - end <= _HOUR for end in self._ends)),
            "last_ack_at": str(self._last_ack_at),
        }
