"""One frozen capture, read in pages by a process whose model has only so much room left."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bot.context.tokens import Count
from bot.domain.base import Digest
from bot.domain.ids import ChannelKey
from bot.domain.snapshot import ContextSnapshot
from bot.errors import ToolError
from bot.inspect.capture.left_out import left_out
from bot.inspect.capture.part_reader import WantedPart, chosen_messages, opening_line, page, parse, text_of
from bot.inspect.capture.reader_view import InspectedContext
from bot.task_prompt import (
    ChunkMetadata,
    ChunkPriority,
    ChunkType,
    CompressedContext,
    ContextChunk,
    MandatoryTooLarge,
    TaskBrief,
    block,
    compress,
    prepare,
    prioritise,
)
from bot.task_prompt.gatherers.history import pieces_of
from bot.task_prompt.gatherers.memory import BULLETIN
from bot.task_prompt.gatherers.tool_records import records_of
from bot.task_prompt.prepare import ChunkRedactor

MAX_PAGE_CHARS = 16_000
"""Characters of one page; less than what the executor lets a model see of a result."""
MIN_PAGE_TOKENS = 160
"""Tokens below which a page would say nothing."""
_FRAME_TOKENS = 130
"""Tokens of what stands around a cut part: where it is from, what was left out."""
_CALL_TOKENS = 60
"""Tokens that a call costs beside its result."""
_MAX_LOOP_CHARS = 30_000
"""Characters of a capture that need no thread."""
_NAMED = re.compile(r"\d+")

Measure = Callable[[ContextSnapshot], Awaitable[int]]
"""Counts what a request holds, by the tokenizer of its model."""


@dataclass
class ReadingRoom:
    """A capture, and what is being looked for in it; looking does not change it.

    A page takes at most half of what is left of the model's window, so that there is always a next one, until there is
    no room for any.
    """

    context: InspectedContext
    task: TaskBrief
    redactor: ChunkRedactor
    count: Count
    measure: Measure
    _taking: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    _taken: dict[Digest, int] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> ChannelKey:
        """The channel whose capture it is."""
        return self.context.key

    async def read(self, part: str, snapshot: ContextSnapshot) -> str:
        """Return a part for the process that was sent this; raise ToolError for no such part, or no room."""
        wanted = parse(part)
        # the calls of one round share what was left when they were asked for
        async with self._taking:
            taken = self._taken.get(snapshot.digest, 0)
            limits = snapshot.inputs.limits
            left = limits.window - limits.max_output - await self.measure(snapshot) - taken - _CALL_TOKENS
            if left // 2 < MIN_PAGE_TOKENS:
                raise ToolError("There is no room left to read more. Answer with what you have read.")
            if self._is_short:
                shown, tokens = self._shown(wanted, left // 2)
            else:  # counting takes a while: others may go on meanwhile
                shown, tokens = await asyncio.to_thread(self._shown, wanted, left // 2)
            self._taken[snapshot.digest] = taken + tokens + _CALL_TOKENS
            return shown

    @cached_property
    def _is_short(self) -> bool:
        """Whether all of it is looked through in a moment."""
        lengths = (len(text) for shown in self.context.messages for text in shown.message.texts)
        return len(self.context.system_text) + sum(lengths) < _MAX_LOOP_CHARS

    def _shown(self, wanted: WantedPart, room: int) -> tuple[str, int]:
        text = text_of(wanted, self.context)
        if len(text) - wanted.start <= MAX_PAGE_CHARS:
            whole = page(wanted, text, self.context, MAX_PAGE_CHARS)
            if (tokens := self.count(whole)) <= room:
                return whole, tokens
        chunks = () if wanted.is_exact else self._chunks(wanted, text)
        cut = self._cut(wanted, chunks, room) if chunks else None
        return cut or self._page(wanted, text, room)

    def _page(self, wanted: WantedPart, text: str, room: int) -> tuple[str, int]:
        """Return the longest page of exact text that fits, or nearly."""
        size = min(MAX_PAGE_CHARS, 5 * room)
        while True:
            shown = page(wanted, text, self.context, size)
            tokens = self.count(shown)
            if tokens <= room or len(shown) < size // 2:
                return shown, tokens
            size = min(size * 9 // 10, size * room // tokens)

    def _cut(self, wanted: WantedPart, chunks: Sequence[ContextChunk], room: int) -> tuple[str, int] | None:
        """Return what matters most of a part; None when not even that fits."""
        prepared = prepare(chunks, self.redactor, self.count)
        task = self.task.replace(budget=room - _FRAME_TOKENS)
        try:
            chosen = compress(prioritise(prepared.chunks, task), task.budget, self.count, prepared.excluded)
        except MandatoryTooLarge:
            return None
        if not chosen.chunks:
            return None
        shown = self._written(wanted, chosen)
        tokens = self.count(shown)
        return (shown, tokens) if len(shown) <= MAX_PAGE_CHARS + _FRAME_TOKENS * 4 and tokens <= room else None

    def _written(self, wanted: WantedPart, chosen: CompressedContext) -> str:
        ordered = sorted(chosen.chunks, key=_place)
        missing = left_out(exclusion.source for exclusion in chosen.excluded)
        said = f"shown: {len(chosen.chunks)} of {len(chosen.chunks) + len(chosen.excluded)} pieces"
        said += f", {len(chosen.truncated)} shortened" if chosen.truncated else ""
        said += f"; left out: {missing}" if missing else ""
        note = f"[cut to the room that you have left, what bears on the question first; {said}; "
        note += f"character by character from the beginning: part `{wanted.name}@0`]"
        return "\n\n".join((opening_line(wanted, self.context), *map(block, ordered), note))

    def _chunks(self, wanted: WantedPart, text: str) -> tuple[ContextChunk, ...]:
        """Return the pieces of a part that can be chosen from, or shortened; none for a part that can only be paged."""
        match wanted.kind:
            case "history":
                messages = chosen_messages(self.context, wanted.rest)
                spoken = pieces_of(messages, ChunkPriority.MEDIUM)
                return (*spoken, *records_of(messages, ChunkPriority.MEDIUM))
            case "section":
                kind = ChunkType.MEMORY if wanted.rest == BULLETIN else ChunkType.SECTION
                return (_whole(wanted, text, kind, "memories" if wanted.rest == BULLETIN else "markdown"),)
            case "ledger" | "journal":
                return (_whole(wanted, text, ChunkType.LEDGER, "log"),)
            case _:
                return ()


def _whole(wanted: WantedPart, text: str, kind: ChunkType, language: str) -> ContextChunk:
    metadata = ChunkMetadata(language=language)
    return ContextChunk(
        content=text, source=wanted.name, chunk_type=kind, priority=ChunkPriority.CRITICAL, metadata=metadata
    )


def _place(chunk: ContextChunk) -> tuple[int, str]:
    """Put pieces back into the order in which they were said."""
    number = _NAMED.search(chunk.source)
    return int(number[0]) if number else 0, chunk.source
