"""Put together what a worker begins with: it knows nothing of the conversation, so all that it gets is chosen here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.agent.processes.branch_runner import task_message
from bot.agent.turn.answering import ToolOffer, context_ask
from bot.context.builder import ContextBuilder
from bot.context.tokens import Count, count_function
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.messages import Message
from bot.domain.process import NewProcess, StoredProcess, named_work
from bot.domain.record_access import may_read, of_process, process_reader
from bot.domain.snapshot import ModelLimits, Trigger
from bot.ports.ledger import Ledger
from bot.ports.processes import ProcessStore
from bot.task_prompt import (
    ChunkMetadata,
    ChunkPriority,
    ChunkType,
    CompressedContext,
    ContextChunk,
    GatheredChunks,
    TaskBrief,
    TaskEnvelope,
    TokenBudget,
    build_prompt,
    classify,
    compress,
    frame_tokens,
    log_compressed,
    prepare,
    prioritise,
)
from bot.task_prompt.added_pieces import NO_PIECES, AddedPieces
from bot.task_prompt.gatherers import GatherGrounds, gather_for
from bot.task_prompt.prepare import ChunkRedactor
from bot.tools.runtime.tool import Tool
from bot.tools.worker_inspect import typed_words

MAX_CONTEXT_TOKENS = 16_000
"""Tokens of context that a worker begins with, however large its model's window is: it reads on by itself."""

Workspace = Callable[[ChannelKey], Awaitable[Path]]
"""Says where the files of a channel's workers are."""
ORIGINAL = "the message that this task comes from, as it was typed"
FILES = "files"
"""The group of tools of which a worker has to have one, if its files are to be shown to it."""


@dataclass(frozen=True)
class WorkerBriefing:
    """Gathers what a worker's prompt may hold, chooses from it and cuts it to size."""

    contexts: ContextBuilder
    redactor: ChunkRedactor
    processes: ProcessStore
    ledger: Ledger
    workspace: Workspace
    bot_name: str
    added: AddedPieces = NO_PIECES

    async def envelope(
        self, process: StoredProcess, state: ChannelState, tools: Sequence[Tool], limits: ModelLimits
    ) -> TaskEnvelope:
        """Return everything that a worker is told; raise UserError when not even its task fits."""
        body = process.body
        bare = TaskEnvelope(
            task_type=classify(body.task),
            user_request=body.task,
            original_input=await typed_words(body, self.ledger) or body.task,
            tools=tuple(tool.definition for tool in tools),
            session_id=process.handle,
            created_at=process.started_at,
            token_budget=TokenBudget(total=limits.window),
        )
        count = count_function(await self.contexts.tokenizer(limits), self.contexts.counter)
        task = TaskBrief(
            task_type=bare.task_type,
            request=body.task,
            at=process.started_at,
            budget=await self._room(bare, state, tools, limits, count),
        )
        has_files = any(tool.spec.group == FILES for tool in tools)
        root = await self.workspace(body.key) if has_files else None
        gathered = await gather_for(task, GatherGrounds(root=root, patterns=body.needs), added=self.added.gatherers)
        named = [*self._original(bare, task, count), *await self._named(body)]
        gathered = gathered._replace(chunks=(*named, *gathered.chunks))
        # cutting and counting files takes a while: others may go on meanwhile
        context = await asyncio.to_thread(_chosen, gathered, task, self.redactor, count, self.added)
        log_compressed(context, len(gathered.chunks))
        return bare.replace(context=context)

    def _original(self, bare: TaskEnvelope, task: TaskBrief, count: Count) -> list[ContextChunk]:
        """Show what somebody typed, whole where it leaves room: the task is what a model made of it."""
        if bare.original_input == bare.user_request:
            return []
        fits = 2 * count(bare.original_input) <= task.budget
        return [
            ContextChunk(
                content=bare.original_input,
                source=ORIGINAL,
                chunk_type=ChunkType.PINNED,
                priority=ChunkPriority.CRITICAL if fits else ChunkPriority.HIGH,
            )
        ]

    def first(self, envelope: TaskEnvelope, account: str, at: int) -> Message:
        """Write the message that a segment begins with; `account` is what is left of the one before."""
        prompt = build_prompt(envelope)
        return task_message("\n\n".join(filter(None, (prompt, account))), self.bot_name, at)

    async def _room(
        self, bare: TaskEnvelope, state: ChannelState, tools: Sequence[Tool], limits: ModelLimits, count: Count
    ) -> int:
        """Say what the context may hold: what the worker's own sections, tools and task leave of its window, halved.

        The other half is for what it reads while it works.
        """
        trigger = Trigger(messages=(self.first(bare, "", bare.created_at),), at=bare.created_at)
        ask = context_ask(ProcessKind.WORKER, state, trigger, ToolOffer(tuple(tools)), limits)
        stats = (await self.contexts.snapshot(ask, exact=True)).stats
        frame, request = await asyncio.to_thread(frame_tokens, bare, count)
        fixed = stats.system_prompt + stats.tools + stats.overhead + frame
        return max(1, min(bare.token_budget.context_room(fixed, request) // 2, MAX_CONTEXT_TOKENS))

    async def _named(self, body: NewProcess) -> list[ContextChunk]:
        """Return what earlier branches and workers of the channel found, where the task names them."""
        chunks = []
        reader = process_reader(body.kind, body.key, body.by.person, is_private=body.session > 0)
        for named in named_work(body.task):
            found = await self.processes.by_handle(named)
            if found is not None and found.result and may_read(reader, of_process(found)):
                chunks.append(_result(found))
        return chunks


def _result(process: StoredProcess) -> ContextChunk:
    files = ", ".join(one.path for one in process.body.artifacts)
    return ContextChunk(
        content=f"{process.result}\n\nFiles that it handed over: {files}" if files else process.result,
        source=f"result of {process.handle}",
        chunk_type=ChunkType.PINNED,
        priority=ChunkPriority.HIGH,
        metadata=ChunkMetadata(modified_at=process.ended_at or None),
    )


def _chosen(
    gathered: GatheredChunks, task: TaskBrief, redactor: ChunkRedactor, count: Count, added: AddedPieces
) -> CompressedContext:
    prepared = prepare(gathered.chunks, redactor, count)
    excluded = (*gathered.excluded, *prepared.excluded)
    return compress(prioritise(prepared.chunks, task, added.every), task.budget, count, excluded)
