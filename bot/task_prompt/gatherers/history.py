"""What was said in the channel, in pieces, oldest first."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from bot.domain.messages import Role
from bot.inspect.capture.reader_view import ShownMessage
from bot.task_prompt.chunk import ChunkMark, ChunkMetadata, ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers.gatherer import NOTHING, FoundChunks, GatherGrounds
from bot.task_prompt.gatherers.history_pieces import name_of, own_words, pieces, said_in, written_message
from bot.task_prompt.task import TaskBrief
from bot.text.silencing import silencing

_MAY_BE = re.compile(
    r"(?:\b(?:not|never|no|longer|stop|quit|cease|avoid|refrain|cannot|dont)|n['’]t)\W+(?:\w+\W+){0,4}?"
    r"(?:answer|respon|repl[yi]|react|talk|speak|writ|engag|interact|chat|convers|communicat)"
    r"|\bignor|\b(?:stay|remain|be|keep|go)\W+(?:\w+\W+)?(?:silent|quiet|mute)",
    re.IGNORECASE,
)
_CHARS_AROUND = 120
_MAX_PLACES = 8


async def history(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
    """Return every message of a capture; one that orders silence stands alone, because it may be what is looked for.

    The message that the task is about is left to `pins`.
    """
    if grounds.capture is None:
        return NOTHING
    about = grounds.about
    wanted = [shown for shown in grounds.capture.messages if not (about and shown.message.inbound == about)]
    return FoundChunks(tuple(await asyncio.to_thread(lambda: list(pieces_of(wanted, priority)))))


def pieces_of(messages: Sequence[ShownMessage], priority: ChunkPriority) -> Iterator[ContextChunk]:
    """Yield messages in pieces, then each that orders silence by itself. Of a long history it is work for a thread."""
    wanted = [one for one in messages if said_in(one)]
    names = {one.message.author.name for one in wanted if one.message.author is not None}
    orders = {one.index for one in wanted if _orders(one, names)}
    plain = [one for one in wanted if one.index not in orders]
    for piece in pieces(plain):
        yield _chunk(piece, priority, ())
    for one in wanted:
        if one.index in orders:
            # what orders silence is where a silence comes from, whoever wrote it
            yield _chunk((one,), max(priority, ChunkPriority.HIGH), (ChunkMark.ERROR,))


def _orders(shown: ShownMessage, names: set[str]) -> bool:
    """Say whether somebody orders silence; only words near which it may be are read closely, as there are very many."""
    if shown.message.role is not Role.USER:
        return False
    words = own_words(shown)
    places = islice(_MAY_BE.finditer(words), _MAX_PLACES)
    return any(silencing(words[max(0, at.start() - _CHARS_AROUND) : at.end() + _CHARS_AROUND], names) for at in places)


def _chunk(piece: Sequence[ShownMessage], priority: ChunkPriority, marks: tuple[ChunkMark, ...]) -> ContextChunk:
    failed = any(not result.ok for shown in piece for result in shown.message.results)
    return ContextChunk(
        content="\n\n".join(map(written_message, piece)),
        source=name_of(piece),
        chunk_type=ChunkType.HISTORY,
        priority=priority,
        metadata=ChunkMetadata(
            language="transcript",
            modified_at=max((shown.message.at for shown in piece), default=0) or None,
            marks=(*marks, *((ChunkMark.FAILED_TURN,) if failed else ())),
        ),
    )
