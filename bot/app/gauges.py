"""How the running process is, for a monitor that asks from outside."""

from __future__ import annotations

from bot.app.core import FatalFailure
from bot.domain.health import AdapterHealth, AdapterState
from bot.errors import StoreError
from bot.ports.edges import Edges
from bot.ports.metrics import Backlog, PlatformHearing, ProcessGauges
from bot.runtime.gc_tuning import process_bytes
from bot.runtime.stall_detector import StallDetector
from bot.sentences import say

_HEARING = frozenset({AdapterState.UP, AdapterState.DEGRADED})


class BotGauges:
    """Reads what nobody counts: what waits, who is heard, and how the process is."""

    def __init__(self, edges: Edges, fatal: FatalFailure, stalls: StallDetector) -> None:
        self._edges, self._fatal, self._stalls = edges, fatal, stalls
        self._has_started = False

    def note_start(self) -> None:
        """Take in that what an earlier process left was taken up."""
        self._has_started = True

    async def read(self) -> ProcessGauges:
        """Look; a store that cannot be used is a fault of its own, and never raised."""
        fault, backlog = "", Backlog()
        try:
            backlog = await self._edges.store.backlog()
        except StoreError:
            fault = say("lifecycle.store-unreadable")
        if self._fatal.error is not None:
            fault = say("lifecycle.store-broken")
        hearing = tuple(_hearing(platform.health()) for platform in self._edges.platforms.values())
        age = max(0, self._edges.clock.now() - backlog.oldest_at) / 1000 if backlog.oldest_at else 0.0
        return ProcessGauges(
            is_ready=self._has_started and not fault and all(one.hears for one in hearing),
            store_fault=fault,
            hearing=hearing,
            pending=backlog.pending,
            unanswered_age=age,
            loop_lag=self._stalls.latest,
            memory=process_bytes(),
        )


def _hearing(health: AdapterHealth) -> PlatformHearing:
    return PlatformHearing(health.name, health.state in _HEARING, health.state.value, health.code)
