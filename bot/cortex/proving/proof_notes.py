"""Keep what a proof is about beside its runs, which are recorded requests: after a restart it goes on from both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pydantic import ValidationError

from bot.domain.base import FrozenModel, canonical_json
from bot.domain.finding import ProveCause
from bot.errors import UserError
from bot.ports.checkpoints import CheckpointStore, StoredCheckpoint
from bot.ports.clock import Clock
from bot.prompts import render
from bot.task_prompt.checkpoint import TaskState

_VERSION = 1
_SESSION = "proof-"


class ProofNotes(FrozenModel):
    """What was confirmed, and the earlier turns in which runs of it were made, oldest first."""

    fix: ProveCause
    turns: tuple[int, ...] = ()


class KeptProof(NamedTuple):
    """A proof that was cut off."""

    stored: StoredCheckpoint
    notes: ProofNotes

    @property
    def turns(self) -> tuple[int, ...]:
        """Every turn in which runs of it were made, oldest first."""
        return (*self.notes.turns, self.stored.turn)


@dataclass(frozen=True)
class ProofCheckpoints:
    """Writes the notes once when a proof begins, and how it ended."""

    checkpoints: CheckpointStore
    clock: Clock

    async def begun(self, agent: str, turn: int, notes: ProofNotes) -> None:
        """Keep what a proof is about."""
        first = notes.turns[0] if notes.turns else turn
        await self.checkpoints.save(
            StoredCheckpoint(
                agent=agent,
                session_id=f"{_SESSION}{first}",
                turn=turn,
                at=self.clock.now(),
                state=TaskState.RUNNING.value,
                version=_VERSION,
                body=canonical_json(notes),
            )
        )

    async def find(self, turn: int) -> KeptProof | None:
        """Return a proof that was cut off in a turn; None where it is over or goes on; UserError: it is lost."""
        stored = await self.checkpoints.of_turn(turn)
        if stored is None or TaskState(stored.state) is not TaskState.INTERRUPTED:
            return None
        try:
            if stored.version != _VERSION:
                raise ValueError(stored.version)
            return KeptProof(stored, ProofNotes.model_validate_json(stored.body))
        except (ValidationError, ValueError):
            raise UserError(render("cortex/proof_refused", kind="lost")) from None

    async def of(self, turn: int) -> ProofNotes | None:
        """Return what a proof is about, whether it is over or not; None where a turn is of no proof."""
        stored = await self.checkpoints.of_turn(turn)
        if stored is None or not stored.session_id.startswith(_SESSION):
            return None
        try:
            return ProofNotes.model_validate_json(stored.body)
        except ValidationError:
            return None

    async def take_up(self, kept: KeptProof) -> bool:
        """Say that it goes on; False where it does already, or has ended."""
        return await self.checkpoints.take_up(kept.stored.agent, kept.stored.session_id, self.clock.now()) is not None

    async def over(self, turn: int, state: TaskState) -> None:
        """Say how it ended."""
        stored = await self.checkpoints.of_turn(turn) if turn else None
        if stored is not None:
            await self.checkpoints.save(stored.replace(state=state.value, at=self.clock.now()))
