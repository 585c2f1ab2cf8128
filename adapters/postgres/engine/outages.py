"""A server that is away for a moment: waited for, said in the log, and told to whoever asks how the store is."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog

from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.domain.health import ProbeResult
from bot.ports.clock import Clock
from bot.sentences import Words, say
from bot.text.times import age

PATIENCE_SECONDS = 60.0
"""So long the one process that works waits for a server to come back; a restart or a failover takes a few of them."""
LOOKING_SECONDS = 10.0
"""So long whoever only looks waits."""
_PAUSES = (0.05, 0.1, 0.25, 0.5)
_LAST_PAUSE = 1.0

log = structlog.get_logger(__name__)


class OutageWatch:
    """Knows since when the server has been away, and how often it was; the sessions of one store share it."""

    def __init__(self, clock: Clock | None, patience: float = PATIENCE_SECONDS) -> None:
        self.patience = patience
        self._clock = clock
        self._why: Words | None = None
        self._since = 0
        self._last = 0
        self._count = 0
        self._is_over = threading.Event()

    @property
    def is_away(self) -> bool:
        """Whether somebody is waiting for the server now."""
        return self._why is not None

    def outlast(self, connect: Callable[[], None]) -> None:
        """Begin a session, waiting for a server that is away; raise DatabaseFault; on a thread alone."""
        waited, pauses = 0.0, iter(_PAUSES)
        began = self._clock.monotonic() if self._clock else 0.0
        while True:
            try:
                connect()
            except DatabaseFault as fault:
                pause = next(pauses, _LAST_PAUSE)
                took = self._clock.monotonic() - began if self._clock else 0.0
                if not fault.away or max(waited, took) >= self.patience:
                    raise
                self._note_gone(fault.words)
                if self._is_over.wait(pause):
                    raise
                waited += pause
            else:
                self._note_back()
                return

    def note_cut(self) -> None:
        """Count a session that ended by itself."""
        self._count += 1
        self._last = self._now()

    def end(self) -> None:
        """Let nobody wait any more."""
        self._is_over.set()

    def probe(self) -> ProbeResult:
        """Say how the connection is, and was since the start."""
        name = "store connection"
        if self._why is not None:
            evidence = say("server_store.away", age=age(self._now() - self._since), why=self._why())
            return ProbeResult(name=name, state="failed", evidence=evidence, fix=say("server_store.away-fix"))
        if not self._count:
            return ProbeResult(name=name, state="ok", evidence=say("server_store.never-lost"))
        lost = say("server_store.lost", count=self._count, age=age(self._now() - self._last))
        return ProbeResult(name=name, state="ok", evidence=lost)

    def _note_gone(self, why: Words) -> None:
        if self._why is None:
            self._why, self._since = why, self._now()
            log.warning("database_away", why=why())

    def _note_back(self) -> None:
        if self._why is not None:
            log.warning("database_back", after_ms=self._now() - self._since)
            self._why = None

    def _now(self) -> int:
        return self._clock.now() if self._clock else 0
