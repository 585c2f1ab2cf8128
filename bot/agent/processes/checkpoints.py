"""Keep how far a worker has come, so that it goes on where it stopped when its process dies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pydantic import ValidationError

from bot.agent.processes.replay import whole_rounds
from bot.agent.turn.turn import TurnProgress
from bot.domain.base import FrozenModel, canonical_json
from bot.domain.messages import Message
from bot.domain.process import ProcessState, StoredProcess
from bot.ports.checkpoints import CheckpointStore, StoredCheckpoint
from bot.ports.clock import Clock
from bot.task_prompt.checkpoint import (
    SCHEMA_VERSION,
    TaskState,
    UnreadableCheckpoint,
    checkpoint_of,
    read_checkpoint,
    write_checkpoint,
)
from bot.task_prompt.task_envelope import TaskEnvelope

_UNDER_WAY = frozenset(state.value for state in TaskState if not state.is_over)
_ENDED = {
    ProcessState.DONE: TaskState.COMPLETED,
    ProcessState.FAILED: TaskState.FAILED,
    ProcessState.TIMEOUT: TaskState.FAILED,
    ProcessState.CANCELLED: TaskState.CANCELLED,
}


class WorkerNotes(FrozenModel):
    """What a worker is at. `account` is what its segment began with; `unfinished` counts segments without an outcome.

    `did` says whether a tool of it ever did something; `uncached` are tokens of the segment.
    """

    segment: int = 1
    account: str = ""
    unfinished: int = 0
    did: bool = False
    uncached: int = 0


class _Kept(FrozenModel):
    checkpoint: str
    notes: WorkerNotes


class LeftBehind(NamedTuple):
    """A worker that was cut off: its task with what was put together for it, and how far its segment came."""

    envelope: TaskEnvelope
    first: Message
    notes: WorkerNotes
    progress: TurnProgress


@dataclass(frozen=True)
class WorkerCheckpoints:
    """Writes checkpoints of workers and finds them again."""

    checkpoints: CheckpointStore
    clock: Clock

    async def keep(
        self, envelope: TaskEnvelope, first: Message, notes: WorkerNotes, progress: TurnProgress, agent: str
    ) -> None:
        """Keep it, in the place of what was kept before."""
        history = (first, *progress.rounds)
        checkpoint = checkpoint_of(envelope, TaskState.RUNNING, self.clock.now(), history)
        kept = _Kept(checkpoint=write_checkpoint(checkpoint), notes=notes.replace(uncached=progress.uncached))
        await self.checkpoints.save(
            StoredCheckpoint(
                agent=agent,
                session_id=envelope.session_id,
                turn=progress.turn,
                at=checkpoint.timestamp,
                state=TaskState.RUNNING.value,
                version=SCHEMA_VERSION,
                body=canonical_json(kept),
            )
        )

    async def find(self, process: StoredProcess) -> LeftBehind | None:
        """Return what a worker left behind, None where nothing is kept of it.

        Raise UnreadableCheckpoint, which says why, where something is kept and nobody can go on from it.
        """
        stored = await self.checkpoints.restore(process.body.agent, process.handle)
        if stored is None:
            return None
        if stored.version != SCHEMA_VERSION:
            raise UnreadableCheckpoint(
                f"what is kept of it is of version {stored.version}, and this program reads version {SCHEMA_VERSION}"
            )
        if stored.state not in _UNDER_WAY:
            raise UnreadableCheckpoint(f"what is kept of it says that it is “{stored.state}”, not under way")
        try:
            kept = _Kept.model_validate_json(stored.body)
            checkpoint = read_checkpoint(kept.checkpoint)
        except (ValidationError, UnreadableCheckpoint):
            raise UnreadableCheckpoint("what is kept of it is damaged") from None
        if not checkpoint.conversation_history:
            raise UnreadableCheckpoint("what is kept of it is damaged: no message is in it")
        first = checkpoint.conversation_history[0]
        envelope = TaskEnvelope(
            task_type=checkpoint.task_type,
            user_request=checkpoint.user_request,
            original_input=process.body.task,
            context=checkpoint.context,
            artifacts=checkpoint.artifacts,
            session_id=process.handle,
            created_at=first.at,
        )
        rounds = whole_rounds(checkpoint.conversation_history[1:])
        return LeftBehind(envelope, first, kept.notes, TurnProgress(0, rounds, kept.notes.uncached))

    async def over(self, process: StoredProcess) -> None:
        """Say how it ended, and drop the words: nothing goes on from them any more."""
        stored = await self.checkpoints.restore(process.body.agent, process.handle)
        if stored is not None:
            state = _ENDED[process.state].value
            await self.checkpoints.save(stored.replace(state=state, at=self.clock.now(), body=canonical_json({})))
