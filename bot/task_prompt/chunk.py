"""One discrete piece of context: what it says, where it is from, how much it matters, and why."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from bot.domain.base import Digest, FrozenModel, digest_chain, kept


class ChunkType(StrEnum):
    """What kind of thing a chunk shows."""

    FILE = "file"
    STRUCTURE = "structure"
    DEPENDENCY = "dependency"
    HISTORY = "history"
    MEMORY = "memory"
    TOOL_RECORD = "tool_record"
    ATTACHMENT = "attachment"
    PINNED = "pinned"
    STATUS = "status"
    CONFIG = "config"
    LEDGER = "ledger"
    SECTION = "section"


class ChunkPriority(IntEnum):
    """How much a chunk matters before anything else is known; the value is its base score."""

    CRITICAL = 1000
    """Must be there: the error's place, the open file."""
    HIGH = 800
    """Strongly related: what calls it, what changed last."""
    MEDIUM = 500
    """Useful: helpers, settings."""
    LOW = 200
    """Nice to have: documentation, examples."""
    MINIMAL = 100
    """Filler: what is related by two corners."""


class ChunkMark(StrEnum):
    """What a gatherer knows of a chunk's part in the task."""

    ERROR = "error"
    FAILED_TURN = "failed_turn"
    TARGET = "target"
    INTERFACE = "interface"
    RELATED = "related"
    DEPENDANT = "dependant"
    TEST = "test"
    FIXTURE = "fixture"


class ScorePart(FrozenModel):
    """What one prioritiser gave, and why."""

    name: str
    points: float
    why: str = ""


class ChunkScore(FrozenModel):
    """Why a chunk stands where it stands."""

    parts: tuple[ScorePart, ...]

    @kept
    def total(self) -> float:
        """All points together."""
        return round(sum(part.points for part in self.parts), 6)

    def __str__(self) -> str:
        said = (f"{part.name} {part.points:+g}{f' ({part.why})' if part.why else ''}" for part in self.parts)
        return f"{self.total:g}: " + ", ".join(said)


class ChunkMetadata(FrozenModel):
    """What is known of a chunk besides its words.

    `language` labels its fence (`python`, `json`, `log`, `transcript`, ...) and chooses how it is cut. `modified_at` is
    UTC ms, None when nobody knows. `note` says what was cut of the content. `score` is set by `prioritise`. `more`
    holds anything else, as pairs.
    """

    language: str = ""
    modified_at: int | None = None
    marks: tuple[ChunkMark, ...] = ()
    note: str = ""
    score: ChunkScore | None = None
    more: tuple[tuple[str, str], ...] = ()


class ContextChunk(FrozenModel):
    """A piece of context. `tokens` are those of its rendered block, header, fence and all; 0: not counted yet."""

    content: str
    source: str
    chunk_type: ChunkType
    priority: ChunkPriority
    tokens: int = 0
    metadata: ChunkMetadata = ChunkMetadata()

    @kept
    def id(self) -> Digest:
        """The name of what it says and where from; the same whatever it scores."""
        return digest_chain(self.chunk_type, self.source, self.content)

    @property
    def points(self) -> float:
        """Its score, or what its priority alone gives."""
        return self.metadata.score.total if self.metadata.score else float(self.priority)

    def noted(self, **changes: object) -> ContextChunk:
        """Return the chunk with other metadata."""
        return self.model_copy(update={"metadata": self.metadata.model_copy(update=changes)})
