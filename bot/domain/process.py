"""A branch or a worker: a piece of work that a channel handed out, and what came of it."""

from __future__ import annotations

import re
from enum import StrEnum

from pydantic import Field

from bot.domain.access import Caller
from bot.domain.base import FrozenModel
from bot.domain.channel import FinishedProcess, ProcessKind, RunningProcess
from bot.domain.handles import Handle, HandleKind, handle, handle_pattern, has_digit, parse_handle
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.ledger import Arrival
from bot.domain.messages import Inbound, InboundKind
from bot.domain.turn import TurnEnd
from bot.domain.word_origins import WordOrigins
from bot.text.text import excerpt

_MAX_NAMED_WORK = 5
_WORK_NAME = re.compile(rf"\b{handle_pattern(HandleKind.BRANCH, HandleKind.WORKER)}\b")
_WAITING_CHARS = 1500
"""How much of a result the status block shows."""


class ProcessState(StrEnum):
    """Where a process is. Everything but `running` is terminal and is written once."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"


class ProcessOrigin(FrozenModel):
    """What a process knows of the place that it works for. `message_id` is the message that its result answers."""

    platform: str
    guild_id: str = ""
    is_dm: bool = False
    message_id: str = ""


class ProcessArtifact(FrozenModel):
    """A file that a worker hands over: where it is in the workspace of its channel, and what it was then."""

    path: str
    size: int
    sha256: str


class NewProcess(FrozenModel):
    """A process about to begin. `task` is what a model wrote, `name` says it in a few words.

    `by` is who asked, with the tier that code looked up. `parent_turn` is the turn that handed it out, and
    `parent_process` the process that did (0: the channel itself). `inbound` is the ledger row of the message that all
    of it goes back to, however many processes lie in between. `needs` are patterns of files that a worker begins with.
    `session` is the talk with an admin that gets the result (0: the channel does).
    `origins` says whose words its task was made of and, once it is over, its result, `artifacts` what it handed over.
    `wordless`: nothing of its channel is to be recorded, so task and result are kept only until its result was read.
    """

    agent: AgentId
    channel: ChannelId
    kind: ProcessKind
    task: str
    name: str
    by: Caller
    parent_turn: int
    parent_process: int = 0
    inbound: int
    origin: ProcessOrigin
    needs: tuple[str, ...] = ()
    # left out where words are kept, as nearly everywhere
    wordless: bool = Field(False, exclude_if=lambda wordless: not wordless)
    session: int = Field(0, exclude_if=lambda session: not session)
    origins: WordOrigins | None = Field(None, exclude_if=lambda origins: origins is None)
    artifacts: tuple[ProcessArtifact, ...] = Field((), exclude_if=lambda artifacts: not artifacts)

    @property
    def key(self) -> ChannelKey:
        """The channel that it works for."""
        return ChannelKey(self.agent, self.channel)

    @property
    def typed_in(self) -> int:
        """The ledger row of the message whose words it goes back to; 0 for what an admin had done in private."""
        return 0 if self.session else self.inbound


class StoredProcess(FrozenModel):
    """A process as the store has it.

    `turns` are its turns in the journal, one for each segment, `turn` the newest (0: it has not begun). `progress` is
    one line, `calls` counts tool calls. `result` is what it found, also in part, and `reason` why it ended as it did.
    `row` is the ledger row of its result (0: none). `relayed_at` is when a turn of its channel had read the result (0:
    not yet). `version` grows with every change. Times are UTC ms.
    """

    id: int
    body: NewProcess
    state: ProcessState
    started_at: int
    ended_at: int = 0
    turns: tuple[int, ...] = ()
    segment: int = 0
    progress: str = ""
    calls: int = 0
    result: str = ""
    reason: str = ""
    row: int = 0
    relayed_at: int = 0
    version: int = 1

    @property
    def key(self) -> ChannelKey:
        """The channel that it works for."""
        return self.body.key

    @property
    def turn(self) -> int:
        """The turn of its newest segment."""
        return self.turns[-1] if self.turns else 0

    @property
    def handle(self) -> str:
        """Its name, as people and models type it: `b...` for a branch, `w...` for a worker."""
        return process_handle(self.body.kind, self.id)

    @property
    def is_over(self) -> bool:
        """Whether its state is terminal."""
        return self.state is not ProcessState.RUNNING

    @property
    def as_running(self) -> RunningProcess | None:
        """How its channel's state shows it; None for what an admin had done in private."""
        if self.body.session:
            return None
        return RunningProcess(
            id=self.handle,
            kind=self.body.kind,
            task=self.body.name,
            started=self.started_at,
            calls=self.calls,
            progress=self.progress,
        )

    @property
    def waits(self) -> bool:
        """Whether its result waits for a turn that begins with something else."""
        return self.is_over and not self.row and not self.relayed_at

    @property
    def as_finished(self) -> FinishedProcess | None:
        """How its channel's state shows it until somebody has spoken of it."""
        if not self.is_over or self.relayed_at or self.body.session:
            return None
        text = "\n".join(filter(None, (self.result, self.reason)))
        return FinishedProcess(
            id=self.handle,
            row=self.id,
            kind=self.body.kind,
            task=self.body.name,
            state=self.state.value,
            ended=self.ended_at,
            text=excerpt(text, _WAITING_CHARS),
            waits=self.waits,
            origins=self.body.origins,
        )


class ProcessEnd(FrozenModel):
    """A terminal state to be committed, if the process is still at this `version` and running.

    `turn` is the end of its open turn, `arrival` the message by which the result reaches its channel (None: nobody is
    to be told). After `most_returns` turns on results of one message there is no such arrival: the result waits for the
    channel's next turn. `quiet`: nobody is told at all, because somebody told it to stop.
    `origins` says whose words its result was made of.
    """

    id: int
    version: int
    state: ProcessState
    result: str = ""
    reason: str = ""
    at: int
    turn: TurnEnd | None = None
    arrival: Arrival | None = None
    most_returns: int = 3
    quiet: bool = False
    origins: WordOrigins | None = None
    artifacts: tuple[ProcessArtifact, ...] = ()


RESULT_PREFIX = "process:"


def result_id(process: int) -> str:
    """Name the message by which a result comes back; there is one for each process."""
    return f"{RESULT_PREFIX}{process}"


def process_of(inbound: Inbound) -> int:
    """Return the process whose result an arrival is, 0 when it is none."""
    if inbound.kind is not InboundKind.RESULT:
        return 0
    # what arrived in a former channel has a mark before its name
    number = inbound.message_id.rpartition(RESULT_PREFIX)[2]
    return int(number) if number.isdigit() else 0


def process_handle(kind: ProcessKind, row: int) -> str:
    return handle(HandleKind.WORKER if kind is ProcessKind.WORKER else HandleKind.BRANCH, row)


def named_work(task: str) -> tuple[Handle, ...]:
    """Return which earlier branches and workers a task names, whose results a worker is then given.

    Names with a digit come first: `which` and `being` are spelt like old ones.
    """
    names = sorted(dict.fromkeys(_WORK_NAME.findall(task.lower())), key=lambda name: not has_digit(name))
    return tuple(found for name in names if (found := parse_handle(name)) is not None)[:_MAX_NAMED_WORK]
