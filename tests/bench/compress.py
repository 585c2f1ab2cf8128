"""Measure the compressor on Python: `python -m tests.bench.compress` prints JSON (megabytes of source a CPU second).

The source is the standard library's own, a file a chunk. `whole`: all of it into one context, chunks counted
before, as gatherers do; `counting` adds that. `cut_each`: every file cut to less than half of itself by the ladder.
"""

from __future__ import annotations

import ast
import gc
import json
import time
from collections.abc import Callable
from pathlib import Path

from adapters.tiktoken import TiktokenCounter
from bot.task_prompt import (
    ChunkMetadata,
    ChunkPriority,
    ChunkType,
    ContextChunk,
    TaskBrief,
    TaskType,
    compress,
    prioritise,
)
from bot.task_prompt.block import count_block
from bot.task_prompt.truncate import truncate
from bot.task_prompt.truncate.python import rungs

MOST_BYTES = 3_000_000
HUGE = 10**9


def files() -> list[ContextChunk]:
    found: list[ContextChunk] = []
    for path in sorted(Path(ast.__file__).parent.glob("*.py")):
        content = path.read_text(encoding="utf-8", errors="replace")
        metadata = ChunkMetadata(language="python")
        found.append(
            ContextChunk(
                content=content,
                source=path.name,
                chunk_type=ChunkType.FILE,
                priority=ChunkPriority.MEDIUM,
                metadata=metadata,
            )
        )
        if sum(len(one.content) for one in found) > MOST_BYTES:
            break
    return found


def rate(chunks: list[ContextChunk], work: Callable[[], object], times: int = 5) -> float:
    """Return megabytes a CPU second, the best of several runs: neighbours only ever make it slower."""
    size = sum(len(one.content.encode()) for one in chunks)
    rates = []
    for _ in range(times):
        gc.collect()
        began = time.process_time()
        work()
        rates.append(size / (time.process_time() - began) / 1e6)
    return round(max(rates), 2)


def main() -> None:
    counter = TiktokenCounter()
    counter.count("load")
    bare = files()
    chunks = [one.model_copy(update={"tokens": count_block(one, counter.count)}) for one in bare]
    task = TaskBrief(task_type=TaskType.ANALYZE, request="how does the parser read a file?", at=0, budget=4000)

    def whole(given: list[ContextChunk], budget: int) -> None:
        counter._kept.clear()
        context = compress(prioritise(given, task), budget, counter.count)
        assert 0 < context.tokens_used <= budget

    def cut_each() -> None:
        counter._kept.clear()
        for one in chunks:
            truncate(one, one.tokens // 2, counter.count)

    def ladders() -> None:
        for one in chunks:
            next(iter(rungs(one.content, HUGE)), None)

    figures = {
        "files": len(chunks),
        "bytes": sum(len(one.content.encode()) for one in chunks),
        "bare_parse_mb_s": rate(chunks, lambda: [ast.parse(one.content) for one in chunks], 3),
        "bare_count_mb_s": rate(chunks, lambda: [counter._encode(one.content) for one in chunks], 3),
        "whole_4k_mb_s": rate(chunks, lambda: whole(chunks, 4_000)),
        "whole_64k_mb_s": rate(chunks, lambda: whole(chunks, 64_000)),
        "whole_4k_counting_mb_s": rate(chunks, lambda: whole(bare, 4_000), 3),
        "bodies_of_each_mb_s": rate(chunks, ladders),
        "cut_each_to_half_mb_s": rate(chunks, cut_each),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
