"""What is known about the parts that are not a channel: adapters, provider, process, store."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from bot.domain.base import FrozenModel
from bot.domain.stale_config import StaleConfig

DELETIONS = "tells_of_deletions"
"""The fact of an adapter whose platform tells no bot (`no`) that its messages were deleted."""

LISTENS = "listens"
"""The fact of an adapter by which this process only speaks (`no`): another one listens there."""
SILENT = "doctor.other-process-listens"
"""The sentence that is the detail of such an adapter while it is well."""


class AdapterState(StrEnum):
    """How an adapter is doing."""

    STARTING = "starting"
    UP = "up"
    DEGRADED = "degraded"
    CONFLICT = "conflict"
    DOWN = "down"
    DISABLED = "disabled"


class AdapterHealth(FrozenModel):
    """An adapter's own word. `last_event_at`: when something last arrived (0: never); `since`: when the state began.

    `code` is the reason in one word for the rules (`conflict`, `webhook`, `token`, `network`, `stalled`, ...; empty
    while all is well); `facts` are what else the platform said, as (name, value).
    """

    name: str
    state: AdapterState
    since: int
    last_event_at: int = 0
    detail: str = ""
    fix: str = ""
    code: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    ahead_ms: int | None = None
    """By how much the platform's clock is ahead of this machine's, by its newest answer; None: it has not said."""


class ListenerHealth(FrozenModel):
    """How the process that listens on a platform found it, at a time (UTC ms)."""

    health: AdapterHealth
    at: int


class ChannelProcess(FrozenModel):
    """Which of several processes has a channel, and for how many milliseconds it has not been heard from.

    Where none has (`process` is empty), for how many something waits there. `waiting`: so much was heard and not
    taken up.
    """

    process: str
    silent_ms: int
    waiting: int = 0


class WorkKind(StrEnum):
    """The kinds of work that do not stop each other when a model fails."""

    CONVERSATION = "conversation"
    BACKGROUND = "background"


class ModelHealth(FrozenModel):
    """Whether a model may be asked for a kind of work. `cooling_until` is UTC ms (0: it may).

    `opened_at` is when that began, `opened_until` when it ends or ended, and both are known until it answers again;
    `opened_by` is the kind of process that found it, `opened_in` its channel, which is somebody's own where it is
    private.
    """

    model: str
    work: WorkKind = WorkKind.CONVERSATION
    cooling_until: int = 0
    fault: str = ""
    error: str = ""
    failures: int = 0
    last_success_at: int = 0
    opened_at: int = 0
    opened_until: int = 0
    opened_by: str = ""
    opened_in: str = ""
    opened_in_name: str = ""
    opened_in_private: bool = False


class AwaitedModel(FrozenModel):
    """A model that was asked and has not begun to answer. Times are UTC ms; `until` is how long it is waited for.

    `loads` says that its service is near, and may be loading it.
    """

    model: str
    since: int
    until: int
    loads: bool = False


class QueueHealth(FrozenModel):
    """What waits in a channel, and what runs. Ages are milliseconds now; 0 when nothing waits or runs."""

    waiting: int = 0
    oldest_wait_ms: int = 0
    running_turn: int = 0
    running_ms: int = 0
    running_what: str = ""


class LoopLag(FrozenModel):
    """The event loop stood still, and every channel with it. `at` is UTC ms, when it went on again.

    `what` names the tools that ran; `certain` says that it was one of these steps, not something beside them. `stack`
    is where it stood, the innermost function first.
    """

    at: int
    ms: float
    what: tuple[str, ...] = ()
    certain: bool = False
    stack: tuple[str, ...] = ()


class TurnTime(FrozenModel):
    """How long a turn that runs may take in all, as far as that is known now, and which model it waits for."""

    turn: int
    most_ms: int
    awaited: AwaitedModel | None = None


class ProcessVitals(FrozenModel):
    """What only the running process knows of itself: when its loop stood still, oldest first, and its typing mark.

    `typing_since` is when the mark of a channel began that is still shown, UTC ms (0: none is). `turns` are those that
    run in the channel.
    """

    lags: tuple[LoopLag, ...] = ()
    typing_since: int = 0
    turns: tuple[TurnTime, ...] = ()


class BotDowntime(FrozenModel):
    """A time in which the bot was down: from the last sign of life to the newest start, UTC ms.

    `reason` is why it ended, if it left word; `starts` counts how often it was started before the admins heard of it.
    """

    since: int
    until: int
    reason: str = ""
    starts: int = 1


class Heartbeat(FrozenModel):
    """A sign of life of the process, so that a dead one can be told from a silent one.

    `unreported` is a silence before this process that the admins have not heard of yet; `silence` is the one that
    ended with its start, whoever has heard of it. `servers` are the MCP servers whose tools are offered. `stale` names
    the keys of the configuration that run with another value than their files say.
    """

    instance: str
    pid: int
    started_at: int
    at: int
    version: str
    adapters: tuple[AdapterHealth, ...] = ()
    servers: tuple[AdapterHealth, ...] = ()
    exit_reason: str = ""
    unreported: BotDowntime | None = None
    silence: BotDowntime | None = None
    stale: StaleConfig | None = None
    proven_at: int = 0
    """The newest moment, by this clock, at which it was known to be right (0: kept by a version that did not ask)."""
    clock_doubt: str = ""
    """Why the clock is not believed, and nothing is wiped (empty: it is)."""


class ProgramStart(FrozenModel):
    """A start of the program, or, with `keys`, that it read these keys of its configuration anew. UTC ms."""

    at: int
    keys: tuple[str, ...] = ()


KILLED = "killed, or the machine went down: it left no word"
"""The exit reason of a process that could not leave one."""


class ProbeResult(FrozenModel):
    """One row of `doctor`: what was tried, what was seen, what to do.

    `code` and `facts` say the same to the rules, as in AdapterHealth.
    """

    name: str
    state: Literal["ok", "warning", "failed", "unknown"]
    evidence: str
    fix: str = ""
    code: str = ""
    facts: tuple[tuple[str, str], ...] = ()


KIND = "kind"
"""The fact of a platform's row that says which chat service it is, where it has a name of its own."""
KEY = "key"
"""The fact of a model service's row that says what its list of models proves of the key.

`proven`: it opens with the key alone; `unproven`: it is open to everybody; `none`: no key is set; empty: there is none.
"""
LISTED = "model"
"""The fact of a model service's row that names a model of its list; there is one for each."""
