"""A capture that may be read, by a reader with plenty of room unless told otherwise."""

from __future__ import annotations

from bot.context.inspected import InspectedContext
from bot.context.protocol.task import Task, TaskType
from bot.context.reading import ReadingRoom
from bot.context.tokens import by_bytes
from bot.domain.redaction import Redactor
from bot.domain.snapshot import ContextSnapshot
from tests.fakes.clock import START


def reading(context: InspectedContext, request: str = "why is it silent?") -> ReadingRoom:
    async def measure(snapshot: ContextSnapshot) -> int:
        return snapshot.stats.total

    task = Task(task_type=TaskType.DEBUG, request=request, at=START, budget=4000)
    return ReadingRoom(context, task, Redactor.of({}), by_bytes, measure)
