"""Gather, prioritise, compress, assemble, resume: from a task to a prompt within its budget.

The way through it, each step a value that can be shown:

    task      = Task(task_type=classify(request), request=request, at=now, budget=room)
    gathered  = await gather_all(gatherers, task)                     # fails and timeouts are exclusions
    prepared  = prepare(gathered.chunks, redactor, count)             # redact, then count
    scored    = prioritise(prepared.chunks, task)                     # the parts of each score are kept
    context   = compress(scored, room, count, (*gathered.excluded, *prepared.excluded))
    log_compressed(context, len(gathered.chunks))
    prompt    = build_prompt(TaskEnvelope(..., context=context, token_budget=TokenBudget()))

`room` is a number of tokens, such as `TokenBudget().context_room(system_used, request_used)`. All but `gather_all` and
`log_compressed` is pure; `compress` of more than about 100 kB belongs into a thread. A gatherer sets a chunk's
`metadata.language` (`python`, `json`, `log`, `transcript`, ...: chooses how it is cut), `modified_at` and `marks`.
"""

from bot.task_prompt.block import block, count_block
from bot.task_prompt.checkpoint import (
    TaskCheckpoint,
    TaskState,
    UnreadableCheckpoint,
    checkpoint_of,
    read_checkpoint,
    recorded_results,
    unanswered_calls,
    write_checkpoint,
)
from bot.task_prompt.chunk import ChunkMark, ChunkMetadata, ChunkPriority, ChunkScore, ChunkType, ContextChunk
from bot.task_prompt.compress import MandatoryTooLarge, compress
from bot.task_prompt.compressed_context import (
    ChunkExclusion,
    ChunkTruncation,
    CompressedContext,
    ContextSummary,
    ExclusionReason,
)
from bot.task_prompt.prepare import prepare
from bot.task_prompt.prioritise import prioritise
from bot.task_prompt.prompt import build_prompt, frame_tokens
from bot.task_prompt.run_gatherers import ChunkGatherer, GatheredChunks, gather_all, log_compressed
from bot.task_prompt.task import TaskBrief, TaskType, classify
from bot.task_prompt.task_envelope import TaskArtifact, TaskEnvelope
from bot.task_prompt.token_budget import TokenBudget

__all__ = [
    "ChunkExclusion",
    "ChunkGatherer",
    "ChunkMark",
    "ChunkMetadata",
    "ChunkPriority",
    "ChunkScore",
    "ChunkTruncation",
    "ChunkType",
    "CompressedContext",
    "ContextChunk",
    "ContextSummary",
    "ExclusionReason",
    "GatheredChunks",
    "MandatoryTooLarge",
    "TaskArtifact",
    "TaskBrief",
    "TaskCheckpoint",
    "TaskEnvelope",
    "TaskState",
    "TaskType",
    "TokenBudget",
    "UnreadableCheckpoint",
    "block",
    "build_prompt",
    "checkpoint_of",
    "classify",
    "compress",
    "count_block",
    "frame_tokens",
    "gather_all",
    "log_compressed",
    "prepare",
    "prioritise",
    "read_checkpoint",
    "recorded_results",
    "unanswered_calls",
    "write_checkpoint",
]
