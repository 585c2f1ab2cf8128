"""Every gatherer, and what each kind of task wants of them. Add one: a file here, and a line in WANTED."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from bot.task_prompt.chunk import ChunkPriority, ContextChunk
from bot.task_prompt.compressed_context import ChunkExclusion
from bot.task_prompt.gatherers.attachments import attachments
from bot.task_prompt.gatherers.changes import changes
from bot.task_prompt.gatherers.dependencies import dependencies
from bot.task_prompt.gatherers.files import files
from bot.task_prompt.gatherers.gatherer import FoundChunks, Gather, GatherGrounds
from bot.task_prompt.gatherers.history import history
from bot.task_prompt.gatherers.ledger import ledger
from bot.task_prompt.gatherers.memory import memory
from bot.task_prompt.gatherers.pins import pins
from bot.task_prompt.gatherers.sections import sections
from bot.task_prompt.gatherers.status import status
from bot.task_prompt.gatherers.structure import structure
from bot.task_prompt.gatherers.tool_records import tool_records
from bot.task_prompt.run_gatherers import GATHERER_SECONDS, GatheredChunks, gather_all
from bot.task_prompt.task import TaskBrief, TaskType

__all__ = ["WANTED", "FoundChunks", "Gather", "GatherGrounds", "gather_for"]

CRITICAL, HIGH, MEDIUM, LOW, MINIMAL = (
    ChunkPriority.CRITICAL,
    ChunkPriority.HIGH,
    ChunkPriority.MEDIUM,
    ChunkPriority.LOW,
    ChunkPriority.MINIMAL,
)

WANTED: Mapping[TaskType, Mapping[Gather, ChunkPriority]] = MappingProxyType(
    {
        # the target, its interfaces, what is related, its tests
        TaskType.IMPLEMENT: {
            pins: CRITICAL, files: MEDIUM, dependencies: MEDIUM, sections: MEDIUM, attachments: MEDIUM, structure: LOW,
            memory: LOW, history: LOW, status: LOW, changes: LOW,
        },
        # the last failed turn, its tool records, what changed
        TaskType.DEBUG: {
            pins: CRITICAL, ledger: HIGH, tool_records: MEDIUM, changes: HIGH, status: HIGH, memory: HIGH,
            history: MEDIUM, files: MEDIUM, sections: LOW, dependencies: LOW, attachments: LOW, structure: MINIMAL,
        },
        # the thing and its dependants
        TaskType.REFACTOR: {
            pins: CRITICAL, memory: HIGH, sections: HIGH, files: MEDIUM, dependencies: MEDIUM, changes: MEDIUM,
            history: LOW, structure: LOW, status: MINIMAL,
        },
        # the thing, existing tests, fixtures
        TaskType.TEST: {
            pins: CRITICAL, files: MEDIUM, memory: MEDIUM, sections: MEDIUM, dependencies: MEDIUM, ledger: MEDIUM,
            tool_records: MEDIUM, history: MEDIUM, status: LOW, structure: LOW,
        },
        # everything in outline
        TaskType.ANALYZE: {
            pins: CRITICAL, status: HIGH, memory: MEDIUM, ledger: MEDIUM, history: MEDIUM, dependencies: MEDIUM,
            sections: MEDIUM, structure: MEDIUM, changes: MEDIUM, tool_records: LOW, files: LOW, attachments: LOW,
        },
    }
)  # fmt: skip
"""Who is asked for which kind of task, and how much what they bring matters to it."""


@dataclass
class _Sent:
    """A gatherer on its way; implements `bot.task_prompt.run_gatherers.ChunkGatherer`."""

    call: Gather
    grounds: GatherGrounds
    priority: ChunkPriority
    excluded: list[ChunkExclusion] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.call.__name__

    async def gather(self, task: TaskBrief) -> Sequence[ContextChunk]:
        found = await self.call(task, self.grounds, self.priority)
        self.excluded += found.excluded
        return found.chunks


async def gather_for(
    task: TaskBrief,
    grounds: GatherGrounds,
    seconds: float = GATHERER_SECONDS,
    added: Sequence[tuple[Gather, Mapping[TaskType, ChunkPriority]]] = (),
) -> GatheredChunks:
    """Ask everybody whom this kind of task wants, side by side; a failure is an exclusion with its reason.

    `added` are the gatherers of plugins, each with the tasks that want it.
    """
    theirs = {gather: wanted[task.task_type] for gather, wanted in added if task.task_type in wanted}
    sent = [_Sent(call, grounds, priority) for call, priority in {**WANTED[task.task_type], **theirs}.items()]
    gathered = await gather_all(sent, task, seconds)
    left = (exclusion for one in sent for exclusion in one.excluded)
    return GatheredChunks(gathered.chunks, (*gathered.excluded, *left))
