"""A branch: a copy of the conversation that thinks about one thing, and comes back with one conclusion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.agent.processes.run import ProcessOutcome, ProcessRun, progress_of
from bot.agent.processes.segment import ProcessSegment
from bot.agent.turn.answering import AnswerSettings
from bot.agent.turn.ending import TurnResult
from bot.agent.turn.limits import KINDS
from bot.agent.turn.turn import TurnJob, TurnProgress, TurnRunner
from bot.context.transcript import ParsedMessage, join_header, utc
from bot.domain.channel import ChannelState, ProcessKind, Turn
from bot.domain.ids import UserId
from bot.domain.ledger import FailReason
from bot.domain.messages import Author, AuthorKind, Message, Role, TextPart
from bot.domain.process import NewProcess, ProcessState
from bot.domain.snapshot import Trigger
from bot.domain.turn import TurnStatus
from bot.ports.channels import ChannelDirectory
from bot.tools.runtime.tool import CallOrigin, TurnView

Moved = Callable[[ProcessRun, str], Awaitable[None]]
"""Is told how far a run has come: the line of what it does."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BranchRunner:
    """Runs branches. `begun` notes the turn of a run, `moved` its progress; `seconds` is its whole time."""

    turns: TurnRunner
    answering: AnswerSettings
    directory: ChannelDirectory
    begun: Callable[[ProcessRun, int, int], Awaitable[None]]
    moved: Moved
    seconds: float
    bot_name: str

    async def think(self, run: ProcessRun, state: ChannelState) -> ProcessOutcome:
        """Come to a conclusion about the task; raises nothing but CancelledError and StoreError."""
        job = self._job(run, state)
        run.segment = ProcessSegment(self.turns)
        turn = await run.segment.begin(job)
        await self.begun(run, turn.number, 1)
        return outcome_of(run, await run.segment.run(job, run.listen))

    def _job(self, run: ProcessRun, state: ChannelState) -> TurnJob:
        body = run.stored.body
        at, authority = self.turns.clock.now(), body.by.authority

        async def keep(progress: TurnProgress) -> None:
            run.obey()
            if line := progress_of(progress.rounds):
                await self.moved(run, line)

        return TurnJob(
            kind=ProcessKind.BRANCH,
            state=state,
            trigger=Trigger(
                messages=(task_message(body.task, self.bot_name, at),),
                at=at,
                local=self.turns.local_times(at, body.key.channel, [body.by.author]),
            ),
            tools=self.answering.toolbox.offered(ProcessKind.BRANCH, authority, channel=body.key),
            origin=origin_of(body),
            caller=body.by,
            channels=self.directory,
            limits=KINDS[ProcessKind.BRANCH].limits(self.seconds),
            chain=self.answering.chain(state),
            keep=keep,
            process=run.stored.id,
            inject=self.answering.toolbox.adding(ProcessKind.BRANCH, authority, channel=body.key),
            on_demand=self.answering.toolbox.on_demand(ProcessKind.BRANCH, authority, channel=body.key),
        )


def fork_state(view: TurnView) -> ChannelState:
    """Return a conversation as the turn sees it that hands something out, with what it was asked."""
    inputs = view.snapshot.inputs
    asked = Turn(id=view.number, messages=(*inputs.state.ambient, *inputs.trigger.messages))
    changes = {"turns": (*inputs.state.turns, asked), "ambient": (), "running": (), "finished": (), "last": None}
    return inputs.state.model_copy(update=changes)


def task_message(task: str, bot_name: str, at: int) -> Message:
    """Write a task as the message that a process begins with; it comes from the bot itself, and from no person."""
    header: dict[str, object] = {"at": utc(at), "from": bot_name, "id": "0", "is": AuthorKind.SELF.value}
    author = Author(user_id=UserId("0"), name=bot_name, kind=AuthorKind.SELF)
    return Message(
        role=Role.USER, parts=(TextPart(text=join_header(ParsedMessage(header, task))),), author=author, at=at
    )


def origin_of(body: NewProcess) -> CallOrigin:
    """Say where the calls of a process come from: everything stands under the message that it goes back to."""
    origin = body.origin
    return CallOrigin(
        key=body.key,
        platform=origin.platform,
        guild_id=origin.guild_id,
        is_dm=origin.is_dm,
        message_id=origin.message_id,
        inbound=body.inbound,
        is_private=body.session > 0,
    )


def outcome_of(run: ProcessRun, ending: TurnResult) -> ProcessOutcome:
    """Say how a process came out whose turn ended so; what it wrote before it broke off is kept."""
    if ending.status is TurnStatus.REPLIED and ending.text:
        return ProcessOutcome(ProcessState.DONE, ending.text)
    state = ProcessState.TIMEOUT if ending.failure is FailReason.TIMEOUT else ProcessState.FAILED
    return ProcessOutcome(state, run.partial, ending.reason)
