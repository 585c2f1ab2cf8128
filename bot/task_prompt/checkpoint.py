"""A task as it stood at one moment, so that it can be taken up again after a restart."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import orjson
from pydantic import ValidationError

from bot.domain.base import FrozenModel, JsonText, canonical_json
from bot.domain.messages import Message, ToolCall, ToolResult
from bot.errors import UserError
from bot.ports.checkpoints import StoredCheckpoint
from bot.task_prompt.block import title
from bot.task_prompt.compressed_context import CompressedContext, ContextSummary
from bot.task_prompt.task import TaskType
from bot.task_prompt.task_envelope import TaskArtifact, TaskEnvelope

SCHEMA_VERSION: Final = 1


class TaskState(StrEnum):
    """How far a task is."""

    CREATED = "created"
    RUNNING = "running"
    WAITING = "waiting"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self in {TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELLED}


class UnreadableCheckpoint(UserError):
    """A checkpoint is not one that this program can read; the text says why."""


class TaskCheckpoint(FrozenModel):
    """What is kept of a task. `timestamp` is UTC ms; the history holds every tool call with its result, as recorded."""

    schema_version: int = SCHEMA_VERSION
    session_id: str
    timestamp: int
    task_type: TaskType
    user_request: str
    state: TaskState
    context_summary: ContextSummary
    context: CompressedContext
    artifacts: tuple[TaskArtifact, ...] = ()
    conversation_history: tuple[Message, ...] = ()

    def after_restart(self) -> TaskCheckpoint:
        """Return what it is once its process is gone: what was running has been interrupted."""
        return self.replace(state=TaskState.INTERRUPTED) if self.state is TaskState.RUNNING else self

    @property
    def resumable(self) -> bool:
        """Whether it can be taken up again."""
        return self.state in {TaskState.INTERRUPTED, TaskState.WAITING}


def checkpoint_of(
    envelope: TaskEnvelope, state: TaskState, timestamp: int, history: Sequence[Message] = ()
) -> TaskCheckpoint:
    """Take a task down as it stands."""
    return TaskCheckpoint(
        session_id=envelope.session_id,
        timestamp=timestamp,
        task_type=envelope.task_type,
        user_request=envelope.user_request,
        state=state,
        context_summary=envelope.context.summary,
        context=envelope.context,
        artifacts=envelope.artifacts,
        conversation_history=tuple(history),
    )


def chosen_lines(context: CompressedContext) -> tuple[str, ...]:
    """Say what a context is made of, best first: each piece with its size and the parts of its score."""
    lines = []
    for chunk in context.chunks:
        score = f", {chunk.metadata.score}" if chunk.metadata.score is not None else ""
        cut = f"; {chunk.metadata.note}" if chunk.metadata.note else ""
        lines.append(f"{title(chunk)} ({chunk.tokens:,} tokens{score}{cut})")
    left = (f"left out: {one.source} ({one.reason}: {one.detail})" for one in context.excluded)
    return (*lines, *left)


def chosen_for(stored: StoredCheckpoint | None) -> tuple[str, ...]:
    """Return what a task is shown, as long as it is under way: what is over keeps no words."""
    try:
        value = orjson.loads(stored.body) if stored is not None else {}
        found = value.get("checkpoint") if isinstance(value, dict) else None
        return chosen_lines(read_checkpoint(found).context) if isinstance(found, str) else ()
    except (ValueError, UnreadableCheckpoint):
        return ()


def write_checkpoint(checkpoint: TaskCheckpoint) -> JsonText:
    """Return the canonical JSON that is stored."""
    return canonical_json(checkpoint)


def read_checkpoint(text: str) -> TaskCheckpoint:
    """Read a checkpoint back; raise UnreadableCheckpoint for another version, or what is none."""
    try:
        value = orjson.loads(text)
    except ValueError:
        raise UnreadableCheckpoint("This checkpoint is not JSON: it was altered or cut. Start the task anew.") from None
    version = value.get("schema_version") if isinstance(value, dict) else None
    if version is True or version != SCHEMA_VERSION:
        raise UnreadableCheckpoint(
            f"This checkpoint has version {version!r}; this program reads version {SCHEMA_VERSION}. Resume it with the "
            "program that wrote it, or start the task anew."
        )
    try:
        return TaskCheckpoint.model_validate_json(text)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "its outermost part"
        message = f"This checkpoint is damaged at {where}. Start the task anew."
        raise UnreadableCheckpoint(message) from None


def recorded_results(history: Sequence[Message]) -> dict[str, ToolResult]:
    """Return every result by its call: what was done is told again, never done again."""
    return {result.call_id: result for message in history for result in message.results}


def unanswered_calls(history: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return the calls of which nobody knows whether they ran; only those without side effects may be run again."""
    known = recorded_results(history)
    return tuple(call for message in history for call in message.calls if call.call_id not in known)
