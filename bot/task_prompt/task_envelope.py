"""Everything that a task is told, in one value that can be stored and shown."""

from __future__ import annotations

from bot.domain.base import FrozenModel
from bot.domain.llm import ToolDefinition
from bot.task_prompt.compressed_context import CompressedContext
from bot.task_prompt.task import TaskType
from bot.task_prompt.token_budget import TokenBudget


class TaskArtifact(FrozenModel):
    """Something that a task made: `type` such as `file`, where it is, and the sha256 of its bytes."""

    type: str
    path: str
    sha256: str = ""


class TaskEnvelope(FrozenModel):
    """A task with its context. `original_input` is what was typed, `user_request` what is asked; times are UTC ms."""

    task_type: TaskType
    user_request: str
    original_input: str
    context: CompressedContext = CompressedContext()
    tools: tuple[ToolDefinition, ...] = ()
    artifacts: tuple[TaskArtifact, ...] = ()
    session_id: str
    created_at: int
    token_budget: TokenBudget = TokenBudget()
