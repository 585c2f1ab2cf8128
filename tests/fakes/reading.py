"""A capture that may be read, by a reader with plenty of room unless told otherwise."""

from __future__ import annotations

from bot.context.tokens import by_bytes
from bot.domain.snapshot import ContextSnapshot
from bot.inspect.capture.reader_view import InspectedContext
from bot.task_prompt.paged_capture import ReadingRoom
from bot.task_prompt.task import TaskBrief, TaskType
from bot.text.redaction import Redactor
from tests.fakes.clock import START


def reading(context: InspectedContext, request: str = "why is it silent?") -> ReadingRoom:
    async def measure(snapshot: ContextSnapshot) -> int:
        return snapshot.stats.total

    task = TaskBrief(task_type=TaskType.DEBUG, request=request, at=START, budget=4000)
    return ReadingRoom(context, task, Redactor.of({}), by_bytes, measure)
