"""What a memory that came in by a file had behind it where it came from: who did what with it there."""

from __future__ import annotations

from bot.domain.base import FrozenModel
from bot.domain.ids import UserId


class PastVersion(FrozenModel):
    """A version of a memory as a file tells it: when, what happened, by whom, and what the memory was from then on."""

    at: int
    cause: str
    platform: str = ""
    actor: UserId = UserId("")
    process: str = ""
    inbound: int = 0
    turn: int = 0
    forgotten_at: int = 0
    type: str = ""
    importance: float = 0.0
    confirmed: int = 1


class MemoryImport(FrozenModel):
    """Which memory of which instance it is, as it was when the file was written (UTC ms).

    `own`: the file was signed with the key of this instance. `past` are its versions there, the oldest first; of those
    that do not fit `earlier` are only counted.
    """

    instance: str
    memory: int
    at: int
    own: bool
    past: tuple[PastVersion, ...] = ()
    earlier: int = 0

    @property
    def without_past(self) -> MemoryImport:
        """Return the same for a version of this instance's own, which need not tell it all once more."""
        return self.model_copy(update={"past": (), "earlier": 0})

    def without_person(self, platform: str, user: UserId) -> MemoryImport:
        """Return the same without the name of somebody who was forgotten."""
        is_theirs = [(one.platform, one.actor) == (platform, user) for one in self.past]
        bare = (
            one.replace(actor=UserId("")) if theirs else one for one, theirs in zip(self.past, is_theirs, strict=True)
        )
        return self.replace(past=tuple(bare))
