"""Write the one end of a process, with everything that follows from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.agent.channel import FlaggingAlerts
from bot.agent.processes.run import ProcessOutcome, ProcessRun
from bot.agent.turn.limits import MAX_RETURNS
from bot.context.origin_tracer import of_bulletin, of_calls
from bot.domain.base import canonical_json
from bot.domain.channel import ChannelEvent, ChannelState, ProcessEnded, ProcessKind
from bot.domain.ids import ChannelKey, UserId
from bot.domain.ledger import Arrival, ArrivalDisposition, StoredInbound
from bot.domain.messages import Author, AuthorKind, Inbound, InboundKind
from bot.domain.process import (
    ProcessEnd,
    ProcessState,
    StoredProcess,
    named_work,
    result_id,
)
from bot.domain.record_access import may_read, of_process, process_reader
from bot.domain.turn import ToolCallRecord, TurnEnd
from bot.domain.word_origins import OriginSource, WordAuthority, WordOrigins, join_origins, told_origins
from bot.ports.channels import ChannelDirectory, ChannelStore
from bot.ports.clock import Clock
from bot.ports.processes import ProcessStore
from bot.prompts import render
from bot.text.text import excerpt, fence
from bot.tools.runtime.effects import ProposedForgetting, SavedMemory
from bot.tools.runtime.tool import Tool

log = structlog.get_logger(__name__)


Propose = Callable[[ChannelState, int, Sequence[ProposedForgetting]], None]
"""Asks admins in private, in the background, whether memories are to be forgotten that a turn proposed."""
CallsOfTurn = Callable[[int], Awaitable[Sequence[ToolCallRecord]]]
"""Returns what is on record of the tool calls of a turn."""
UNKNOWN = OriginSource(WordAuthority.OUTSIDE, "what it was told")
"""The source of a task of which nobody noted whose words it is."""


WORKSPACE = OriginSource(WordAuthority.OUTSIDE, "files of the workspace")
_FILES = "files"
"""The group of tools of which a worker has one where files are shown to it."""


def _has_files(tools: Sequence[Tool]) -> bool:
    return any(tool.spec.group == _FILES for tool in tools)


async def _no_calls(turn: int) -> Sequence[ToolCallRecord]:
    return ()


_MAX_REPORT_CHARACTERS = 12_000
"""Characters of a result that the channel reads at once; the rest is on record."""
_ENDED = {
    ProcessState.DONE: "is done",
    ProcessState.FAILED: "has failed",
    ProcessState.TIMEOUT: "ran out of time",
    ProcessState.CANCELLED: "was stopped",
}


@dataclass(frozen=True, slots=True)
class ProcessFinisher:
    """Ends processes. `record` moves a live channel on."""

    processes: ProcessStore
    channels: ChannelStore
    directory: ChannelDirectory
    clock: Clock
    alerts: FlaggingAlerts
    propose: Propose
    record: Callable[[ChannelKey, ChannelEvent], None]
    bot_name: str
    calls: CallsOfTurn = _no_calls

    async def commit(self, run: ProcessRun, outcome: ProcessOutcome, turn: TurnEnd | None) -> StoredInbound | None:
        """Commit it; return what its channel is to be told, None where nobody is, or it waits."""
        process, state = run.stored, await self.state_of(run.stored)
        at, private = self.clock.now(), process.body.session
        # an admin who was promised a result hears of its end, however it ended; the channel hears nothing
        quiet = outcome.state is ProcessState.CANCELLED and not private
        origins = await origins_of_result(run, self.processes, self.calls)
        end = ProcessEnd(
            id=process.id,
            version=process.version,
            state=outcome.state,
            result=outcome.result,
            reason=outcome.reason,
            at=at,
            turn=turn,
            arrival=None if quiet or private else arrival_of(process, outcome, state, self.bot_name, at, origins),
            most_returns=MAX_RETURNS,
            quiet=quiet,
            origins=origins,
            artifacts=outcome.artifacts,
        )
        done = await self.processes.end(end)
        if done is None:
            return None
        run.stored, returned = done
        if not private:
            self.record(run.stored.key, ProcessEnded(process_id=process.handle, finished=run.stored.as_finished))
        self._tell(run, state)
        log.info("came_back", process=process.handle, state=outcome.state.value, reason=excerpt(outcome.reason, 120))
        return returned

    async def state_of(self, process: StoredProcess) -> ChannelState:
        """Return the conversation that a process works for, as it is now."""
        key, origin = process.key, process.body.origin
        found = self.directory.get(key) or await self.channels.load(key)
        if found is not None:
            return found
        bare = ChannelState(agent=key.agent, id=key.channel, name=key.channel)
        return bare.replace(place=bare.place.replace(is_dm=origin.is_dm, guild_id=origin.guild_id))

    def _tell(self, run: ProcessRun, state: ChannelState) -> None:
        """Let the admins know of what they must not miss."""
        turn = run.segment.turn if run.segment else None
        if turn is None or run.stopped:
            return
        if flagged := [effect for effect in turn.effects.of(SavedMemory) if effect.is_flagged]:
            self.alerts.flagged(state, turn.number, flagged)
        if proposed := turn.effects.of(ProposedForgetting):
            self.propose(state, turn.number, proposed)


async def origins_of_result(run: ProcessRun, processes: ProcessStore, calls: CallsOfTurn) -> WordOrigins:
    """Return whose words a result is made of: those of its task, and those that it read, in all of its segments."""
    process, open_turn = run.stored, run.segment.turn if run.segment else None
    read: list[WordOrigins | None] = [process.body.origins or WordOrigins(sources=(UNKNOWN,))]
    read.append(await _of_earlier_work(process, processes))
    if open_turn is not None:
        read.append(of_calls(open_turn.calls))
        read += [of_bulletin(open_turn.snapshot)] if open_turn.snapshot is not None else []
    if process.body.kind is ProcessKind.WORKER and (open_turn is None or _has_files(open_turn.job.tools)):
        # it began with files of its channel's workspace, which others may have written
        read.append(WordOrigins(sources=(WORKSPACE,)))
    return join_origins([*read, *[of_calls(await calls(turn)) for turn in process.turns]]).unnamed


async def _of_earlier_work(process: StoredProcess, processes: ProcessStore) -> WordOrigins:
    """Return whose words the results of earlier work hold that a task names: they may be given to it."""
    earlier = [await processes.by_handle(one) for one in named_work(process.body.task)]
    body = process.body
    reader = process_reader(body.kind, body.key, body.by.person, is_private=body.session > 0)
    return join_origins(
        one.body.origins or WordOrigins(sources=(UNKNOWN,))
        for one in earlier
        if one is not None and one.result and may_read(reader, of_process(one))
    )


def result_text(process: StoredProcess, outcome: ProcessOutcome, origins: WordOrigins | None = None) -> str:
    """Write what a channel is told of a process that came back."""
    shown = outcome.result[:_MAX_REPORT_CHARACTERS]
    return render(
        "result",
        kind=process.body.kind.value.capitalize(),
        handle=process.handle,
        ended=_ENDED[outcome.state],
        task=canonical_json(excerpt(process.body.task, 300)),
        reason=excerpt(outcome.reason, 400),
        result=fence(shown) if shown else "",
        cut=len(outcome.result) - len(shown),
        artifacts=[f"{canonical_json(one.path)} ({one.size} bytes)" for one in outcome.artifacts],
        whose=told_origins(origins),
    )


def arrival_of(
    process: StoredProcess,
    outcome: ProcessOutcome,
    state: ChannelState,
    bot_name: str,
    at: int,
    origins: WordOrigins | None = None,
) -> Arrival:
    """Return a result as it arrives in its channel: nobody wrote it, and it answers what all of it goes back to."""
    origin = process.body.origin
    inbound = Inbound(
        adapter=origin.platform,
        channel=state.id,
        channel_name=state.name,
        place=state.place,
        kind=InboundKind.RESULT,
        message_id=result_id(process.id),
        author=Author(user_id=UserId("0"), name=bot_name, kind=AuthorKind.SELF),
        text=result_text(process, outcome, origins),
        sent_at=at,
        replies_to=origin.message_id,
        origins=origins,
    )
    return Arrival(
        agent=process.body.agent, inbound=inbound, arrived_at=at, verdicts=(), disposition=ArrivalDisposition.QUEUE
    )
