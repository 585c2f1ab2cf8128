"""What is known about the parts that are not a channel: adapters, provider, process, store."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from bot.domain.base import Frozen


class AdapterState(StrEnum):
    """How an adapter is doing."""

    STARTING = "starting"
    UP = "up"
    DEGRADED = "degraded"
    CONFLICT = "conflict"
    DOWN = "down"
    DISABLED = "disabled"


class AdapterHealth(Frozen):
    """An adapter's own word. `last_event_at`: when something last arrived (0: never); `since`: when the state began."""

    name: str
    state: AdapterState
    since: int
    last_event_at: int = 0
    detail: str = ""
    fix: str = ""


class ModelHealth(Frozen):
    """Whether a model may be asked. `cooling_until` is UTC ms (0: it may)."""

    model: str
    cooling_until: int = 0
    fault: str = ""
    error: str = ""
    failures: int = 0
    last_success_at: int = 0


class QueueHealth(Frozen):
    """What waits in a channel, and what runs. Ages are milliseconds now; 0 when nothing waits or runs."""

    waiting: int = 0
    oldest_wait_ms: int = 0
    running_turn: int = 0
    running_ms: int = 0
    running_what: str = ""


class Heartbeat(Frozen):
    """A sign of life of the process, so that a dead one can be told from a silent one."""

    instance: str
    pid: int
    started_at: int
    at: int
    version: str
    adapters: tuple[AdapterHealth, ...] = ()
    exit_reason: str = ""


class Probe(Frozen):
    """One row of `doctor`: what was tried, what was seen, what to do."""

    name: str
    state: Literal["ok", "warning", "failed", "unknown"]
    evidence: str
    fix: str = ""
