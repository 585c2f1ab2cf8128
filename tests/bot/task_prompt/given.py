"""Chunks of every kind, whole and broken, with odd text in them."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from adapters.tiktoken import TiktokenCounter
from bot.context.tokens import Count, by_bytes
from bot.task_prompt import (
    ChunkMark,
    ChunkMetadata,
    ChunkPriority,
    ChunkType,
    ContextChunk,
    TaskBrief,
    TaskType,
    count_block,
)

NOW = 1_790_000_000_000
HOUR = 3_600_000

PYTHON = '''"""Users."""

import os
from typing import List

LIMIT = 3


class UserService:
    """Manages user operations."""

    def __init__(self, db: Database):
        self.db = db
        self._cache = {}

    @cached
    def get_user(self, user_id: str) -> User:
        """Fetch user by ID."""
        if user_id in self._cache:
            return self._cache[user_id]
        return self.db.get(user_id)


async def main(argv: List[str]) -> None:
    await run(UserService(os.environ["DB"]), argv)
'''
JSON = """{
  "users": [
    {"id": 1, "name": "ann", "says": "%s"},
    {"id": 2, "name": "bob"}, {"id": 3, "name": "eve"}, {"id": 4, "name": "joe"}, {"id": 5, "name": "kim"}
  ],
  "page": {"size": 20, "next": null, "of": {"what": {"kind": "users"}}},
  "ok": true
}""" % ("the plan is as it was. " * 10)
LOG = "\n".join(
    [*(f"12:00:{n:02} served page {n}" for n in range(30)), "12:00:31 ERROR key refused", "12:00:32 served page 32"]
)
TALK = "\n".join(f"[{n}] user\nmessage {n}\nand a second line" for n in range(1, 20))
MEMORIES = "\n".join(f"- m{n} | fact | importance 0.{n} | by ann | 2026-11-20 | the plan number {n}" for n in range(9))
TREE = "\n".join(["guild", *(f"  category {n}\n    #room {n}\n      thread {n}" for n in range(6))])
SAMPLES = {"python": PYTHON, "json": JSON, "log": LOG, "transcript": TALK, "memories": MEMORIES, "tree": TREE}


@cache
def tokens() -> Count:
    """The real tokenizer, loaded once."""
    return TiktokenCounter().count


odd = st.text(alphabet=st.sampled_from("ab \n\t`\"'{}[]()#:\\,|é😀\u200b<|>endoftext01"), max_size=120)
"""Text that has broken something before."""


@st.composite
def contents(draw: st.DrawFn, language: str) -> str:
    """A whole sample, several of them, or one that was damaged somewhere."""
    sample = SAMPLES.get(language, "plain words\nof no kind\n")
    text = sample * draw(st.integers(1, 4))
    if draw(st.booleans()):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(odd) + text[at + draw(st.integers(0, 40)) :]
    return draw(st.sampled_from(["", "<|endoftext|>", "```\n"])) + text


@st.composite
def chunks(draw: st.DrawFn, count: Count = by_bytes, counted: bool = True) -> ContextChunk:
    """Any chunk; `counted` ones know their tokens."""
    language = draw(st.sampled_from([*SAMPLES, "", "markdown"]))
    chunk = ContextChunk(
        content=draw(contents(language)),
        source=draw(st.sampled_from(["bot/app.py", "tests/test_app.py", "errors.log", "history:1-9", "a`b\nc", ""])),
        chunk_type=draw(st.sampled_from(ChunkType)),
        priority=draw(
            st.sampled_from([ChunkPriority.HIGH, ChunkPriority.MEDIUM, ChunkPriority.LOW, ChunkPriority.MINIMAL])
        ),
        metadata=ChunkMetadata(
            language=language,
            modified_at=draw(st.none() | st.integers(NOW - 100 * HOUR, NOW + HOUR)),
            marks=tuple(draw(st.lists(st.sampled_from(ChunkMark), max_size=2, unique=True))),
        ),
    )
    return chunk.model_copy(update={"tokens": count_block(chunk, count)}) if counted else chunk


def chunk(content: str = "words", source: str = "notes", **given: object) -> ContextChunk:
    """A chunk, MEDIUM and without a language unless told."""
    meta = {name: given.pop(name) for name in ("language", "modified_at", "marks") if name in given}
    fields = {"chunk_type": ChunkType.FILE, "priority": ChunkPriority.MEDIUM, **given}
    return ContextChunk(content=content, source=source, metadata=ChunkMetadata(**meta), **fields)


def task(request: str = "", task_type: TaskType = TaskType.ANALYZE, budget: int = 4000) -> TaskBrief:
    return TaskBrief(task_type=task_type, request=request, at=NOW, budget=budget)
