"""Keep how far inspections have come, so that one that was cut off can go on where it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pydantic import ValidationError

from bot.agent.processes.replay import whole_rounds
from bot.agent.turn.turn import Keep, TurnProgress
from bot.cortex.inspection.inspection_briefing import InspectionQuestion
from bot.cortex.pages.context_capture import CaptureRef
from bot.domain.base import Digest, FrozenModel, canonical_json
from bot.domain.messages import Message
from bot.ports.checkpoints import CheckpointStore, StoredCheckpoint
from bot.ports.clock import Clock
from bot.sentences import say
from bot.task_prompt.checkpoint import (
    SCHEMA_VERSION,
    TaskCheckpoint,
    TaskState,
    UnreadableCheckpoint,
    checkpoint_of,
    read_checkpoint,
    write_checkpoint,
)
from bot.task_prompt.compressed_context import CompressedContext
from bot.task_prompt.task_envelope import TaskEnvelope


class InspectionNotes(FrozenModel):
    """What is kept beside a checkpoint: what was asked, about which message, and what was captured when (UTC ms)."""

    checkpoint: str
    text: str
    focus: str
    about: int
    digest: Digest
    seen_at: int
    uncached: int


class CutOffInspection(NamedTuple):
    """An inspection that was cut off, as far as it came."""

    stored: StoredCheckpoint
    errand: InspectionNotes
    checkpoint: TaskCheckpoint

    @property
    def seen(self) -> CaptureRef:
        """Which context the inspection looked at, and when."""
        return CaptureRef(self.errand.digest, self.errand.seen_at)

    @property
    def first(self) -> Message:
        """The message that it began with."""
        return self.checkpoint.conversation_history[0]

    @property
    def progress(self) -> TurnProgress:
        """Its rounds, none of which is run again, and what they cost."""
        return TurnProgress(0, whole_rounds(self.checkpoint.conversation_history[1:]), self.errand.uncached)

    @property
    def calls(self) -> int:
        """How many calls it made."""
        return sum(len(message.calls) for message in self.progress.rounds)


class InspectionJob(NamedTuple):
    """What a branch works on: its question, its task, its first message, and what it looks at."""

    question: InspectionQuestion
    envelope: TaskEnvelope
    first: Message
    seen: CaptureRef


@dataclass(frozen=True)
class InspectionCheckpoints:
    """Writes checkpoints and finds them again."""

    checkpoints: CheckpointStore
    clock: Clock

    def keeper(self, work: InspectionJob, behind: CutOffInspection | None) -> Keep:
        """Return what a turn tells how far it has come; each time the whole of it is kept in one transaction."""

        async def keep(progress: TurnProgress) -> None:
            name = behind.stored.session_id if behind is not None else f"inspection-{progress.turn}"
            envelope = work.envelope.replace(session_id=name)
            history = (work.first, *progress.rounds)
            checkpoint = checkpoint_of(envelope, TaskState.RUNNING, self.clock.now(), history)
            await self.checkpoints.save(_stored(work, checkpoint, progress))

        return keep

    async def find(self, turn: int) -> CutOffInspection | None:
        """Return what a turn left behind; raise UnreadableCheckpoint that says why it cannot be taken up."""
        stored = await self.checkpoints.of_turn(turn)
        if stored is None or TaskState(stored.state) is not TaskState.INTERRUPTED:
            return None
        if stored.version != SCHEMA_VERSION:
            raise UnreadableCheckpoint(say("inspection.other-version", stored=stored.version, mine=SCHEMA_VERSION))
        try:
            errand = InspectionNotes.model_validate_json(stored.body)
        except ValidationError:
            raise UnreadableCheckpoint(say("inspection.damaged")) from None
        checkpoint = read_checkpoint(errand.checkpoint)
        return CutOffInspection(stored, errand, checkpoint) if checkpoint.conversation_history else None

    async def take_up(self, behind: CutOffInspection) -> bool:
        """Say that it goes on; False where it does already, or has ended."""
        stored = behind.stored
        return await self.checkpoints.take_up(stored.agent, stored.session_id, self.clock.now()) is not None

    async def over(self, turn: int, state: TaskState) -> None:
        """Say how it ended. Only what was cut off keeps the words that it would go on from."""
        stored = await self.checkpoints.of_turn(turn) if turn else None
        if stored is None:
            return
        at, body = self.clock.now(), stored.body
        if state is not TaskState.INTERRUPTED and stored.version == SCHEMA_VERSION:
            errand = InspectionNotes.model_validate_json(body)
            bare = read_checkpoint(errand.checkpoint).replace(
                state=state, timestamp=at, context=CompressedContext(), conversation_history=(), user_request=""
            )
            body = canonical_json(errand.replace(checkpoint=write_checkpoint(bare), text=""))
        await self.checkpoints.save(stored.replace(state=state.value, at=at, body=body))


def _stored(work: InspectionJob, checkpoint: TaskCheckpoint, progress: TurnProgress) -> StoredCheckpoint:
    question = work.question
    errand = InspectionNotes(
        checkpoint=write_checkpoint(checkpoint),
        text=question.text,
        focus=question.focus,
        about=question.diagnosis.inbound,
        digest=work.seen.digest,
        seen_at=work.seen.at,
        uncached=progress.uncached,
    )
    return StoredCheckpoint(
        agent=question.target.key.agent,
        session_id=checkpoint.session_id,
        turn=progress.turn,
        at=checkpoint.timestamp,
        state=checkpoint.state.value,
        version=checkpoint.schema_version,
        body=canonical_json(errand),
    )
