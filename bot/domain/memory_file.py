"""A file of memories: what a line says of one, and what of it is taken in."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from pydantic import Field

from bot.domain.base import FrozenModel
from bot.domain.ids import AgentId, ChannelId, UserId
from bot.domain.imported import PastVersion
from bot.domain.memory import MemoryScope, NewMemory, RelationKind

FILE_FORMAT: Literal["glassmind-memories"] = "glassmind-memories"


class FileEnd(FrozenModel):
    """The last line of a file: how many memories there are, the SHA-256 of all bytes before it, and who signed that."""

    end: int
    sha256: str
    signature: str


def signed_text(instance: str, sha256: str) -> str:
    """Return what is signed of a file."""
    return f"{FILE_FORMAT}:{instance}:{sha256}"


class FileEdge(FrozenModel):
    """What a memory is to another one of the file, by its number there."""

    target: int
    kind: RelationKind
    weight: float = Field(ge=0, le=1)
    author: UserId = UserId("")
    turn: int = 0
    at: int = 0


class FileMemory(FrozenModel):
    """A line: a memory by its number there, what became of it, and what it is to older ones.

    Of versions that did not fit into an earlier file `earlier` are only counted.
    """

    memory: int
    body: NewMemory
    versions: tuple[PastVersion, ...] = ()
    earlier: int = Field(0, exclude_if=lambda count: not count)
    edges: tuple[FileEdge, ...] = ()


class ImportedMemory(FrozenModel):
    """A memory as it is to be taken in; `edges` still name memories by their numbers in the file."""

    memory: int
    body: NewMemory
    edges: tuple[FileEdge, ...] = ()


class ImportMemories(FrozenModel):
    """Take in memories of a file; done or declined, it holds none any more, and `count` says how many there were.

    `known` are memories of it that are here already: their numbers there, and their rows.
    """

    kind: Literal["import_memories"] = "import_memories"
    agent: AgentId
    memories: tuple[ImportedMemory, ...] = ()
    known: tuple[tuple[int, int], ...] = ()
    count: int

    @property
    def channels(self) -> tuple[ChannelId, ...]:
        """Where they were learnt."""
        return tuple(dict.fromkeys(one.body.channel for one in self.memories))

    @property
    def is_for_everywhere(self) -> bool:
        """Whether one of them is to be known in every channel."""
        return any(one.body.scope is MemoryScope.GLOBAL for one in self.memories)

    @property
    def people(self) -> frozenset[UserId]:
        """Return everybody whose memory one is, or whom it is about."""
        return frozenset(user for one in self.memories for user in people_of(one.body))

    @property
    def without_words(self) -> ImportMemories:
        """Return what is kept of it once it was decided."""
        return self.model_copy(update={"memories": (), "known": ()})


def people_of(body: NewMemory) -> frozenset[UserId]:
    """Return whose memory one is, and whom it is about."""
    people = (body.provenance.author, *body.subjects, *((body.scope_id,) if body.scope is MemoryScope.USER else ()))
    return frozenset(UserId(user) for user in people if user)


class LeftOut(StrEnum):
    """Why a line of a file is not taken in."""

    BROKEN = "broken"
    EMPTY = "empty"
    TOO_LONG = "too long"
    ELSEWHERE = "elsewhere"
    ERASED = "erased"
    OPTED_OUT = "opted out"
    KNOWN = "known"


class Changed(StrEnum):
    """What is taken in otherwise than the file says."""

    SCOPE = "scope"
    AUTHORITY = "authority"
    IMPORTANCE = "importance"
    TIME = "time"
    EDGE = "edge"
    PERSON = "person"
    CLEANED = "cleaned"
    EARLIER = "earlier"


class TakenIn(NamedTuple):
    """What became of some lines: the memories, how many are left out and why, and how many were changed and how."""

    memories: tuple[ImportedMemory, ...]
    left_out: Mapping[LeftOut, int]
    changed: Mapping[Changed, int]
