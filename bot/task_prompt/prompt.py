"""Write the prompt of a task: six parts in one order, absent ones left out. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context.tokens import Count
from bot.prompts import render
from bot.task_prompt.block import block
from bot.task_prompt.chunk import ChunkType, ContextChunk
from bot.task_prompt.task_envelope import TaskEnvelope
from bot.text.joined_text import BLANK_LINE

_FILES = frozenset({ChunkType.FILE, ChunkType.ATTACHMENT})


def build_prompt(envelope: TaskEnvelope) -> str:
    """Return the whole prompt: header, structure, files, additional context, the request after a rule, instructions."""
    chunks = envelope.context.chunks
    structure = [chunk for chunk in chunks if chunk.chunk_type is ChunkType.STRUCTURE]
    files = [chunk for chunk in chunks if chunk.chunk_type in _FILES]
    rest = [chunk for chunk in chunks if chunk.chunk_type is not ChunkType.STRUCTURE and chunk.chunk_type not in _FILES]
    parts = (
        _header(chunks),
        *map(block, structure),
        *map(block, files),
        *map(block, rest),
        _request(envelope),
        _instructions(envelope),
    )
    return BLANK_LINE.join(part for part in parts if part)


def frame_tokens(envelope: TaskEnvelope, count: Count) -> tuple[int, int]:
    """Count what stands around the context: the system's part (header, instructions) and the request's.

    They depend on the context only by whether there is any; with both `TokenBudget.context_room` says what is left.
    """
    header, instructions = render("protocol/header"), _instructions(envelope)
    return count(header + BLANK_LINE) + count(instructions), count(_request(envelope) + BLANK_LINE)


def _header(chunks: Sequence[ContextChunk]) -> str:
    return render("protocol/header") if chunks else ""


def _request(envelope: TaskEnvelope) -> str:
    return render("protocol/request", request=envelope.user_request) if envelope.user_request.strip() else ""


def _instructions(envelope: TaskEnvelope) -> str:
    return render("protocol/instructions", task_type=envelope.task_type.value)
