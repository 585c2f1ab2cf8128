"""Texts as numbers: what a model that makes vectors is asked, what it says, and how a call stands on record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.domain.base import FrozenModel
from bot.domain.ids import AgentId, ChannelId
from bot.domain.snapshot import ContextStats

Vector = Sequence[float]


class TextVectors(NamedTuple):
    """A vector for each text, in their order, and how many tokens were counted for them (None: nobody said)."""

    vectors: Sequence[Vector]
    tokens: int | None = None


class VectorQuery(NamedTuple):
    """What a question means. `model` says by whom and how long: vectors of another are not compared with it."""

    model: str
    vector: Vector


class EmbeddingRecord(FrozenModel):
    """A call that is about to be made. Of its texts sizes are kept, and no words: they are memories or a question."""

    agent: AgentId
    channel: ChannelId
    at: int
    model: str
    encoder: str
    wire_sha256: str
    wire_bytes: int
    stats: ContextStats


class VectorCount(NamedTuple):
    """How many memories count, and of how many of these there is a vector."""

    memories: int
    vectors: int
