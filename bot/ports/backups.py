"""What is said about copies of the data directory's database."""

from __future__ import annotations

from typing import Literal

from bot.domain.base import FrozenModel


class BackUp(FrozenModel):
    """What became of the daily copy at one moment (`at`, UTC ms).

    `path` and `size` (bytes) describe a copy that was made; `why` says why none was (`skipped`, `failed`).
    """

    at: int
    state: Literal["made", "not_due", "skipped", "failed", "off"]
    path: str = ""
    size: int = 0
    why: str = ""


class StoredCopy(FrozenModel):
    """A copy that was read from start to end just now. `damage` says why it cannot be restored (empty: it can).

    `at` is UTC ms, `size` bytes, `version` that of the schema (0: unknown).
    """

    path: str
    at: int
    size: int
    version: int = 0
    damage: str = ""


class RestoreResult(FrozenModel):
    """What a restore brought back, and what it cost. Times are UTC ms, 0 for none.

    `replaced` is where the database that was there lies now (empty: there was none); `lost` are the messages in it
    that arrived after the newest one of the copy (None: it cannot be read). `uncertain` are chunks that were on their
    way when the copy was made, `interrupted` messages that waited then; neither is sent or answered again.
    """

    path: str
    replaced: str
    messages: int
    newest_at: int
    lost: int | None
    lost_newest_at: int
    uncertain: int
    interrupted: int
