"""What is kept of one person, and what was taken out at their request."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from bot.domain.base import FrozenModel
from bot.domain.ids import ChannelId, UserId, platform_of
from bot.sentences import say

_COUNTS = ("messages", "lines", "answers", "requests", "calls", "memories", "work", "choices", "quotations")


class PersonalFootprint(FrozenModel):
    """How much of one person is on record: before an erasure what it would take out, after it what it took out.

    It counts what is theirs by author or subject: `answers` are chunks that answered them, `calls` the tool calls of
    their turns, `requests` those of their turns, `lines` of conversations theirs and those that answered them, `work`
    what branches and workers did for them, `quotations` the messages of others that bring words of theirs. `files` are
    names in the data directory that went with it.
    """

    messages: int = 0
    lines: int = 0
    answers: int = 0
    requests: int = 0
    calls: int = 0
    memories: int = 0
    work: int = 0
    choices: int = 0
    quotations: int = 0
    files: tuple[str, ...] = ()
    channels: tuple[ChannelId, ...] = ()

    def __add__(self, other: PersonalFootprint) -> PersonalFootprint:
        """Count what two places hold."""
        summed = {name: getattr(self, name) + getattr(other, name) for name in _COUNTS}
        channels = tuple(dict.fromkeys((*self.channels, *other.channels)))
        return PersonalFootprint(**summed, files=self.files + other.files, channels=channels)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing (left) to take out."""
        return not any(getattr(self, name) for name in _COUNTS)


class ReleasedCopies(FrozenModel):
    """What became of copies of the database that held somebody's words: so many are gone, or those of `kept` stay.

    `kept` are the moments that they are of (UTC ms), `until` when the last of them goes because its
    time is up (0: unknown); `why` says why no new one could be made and checked.
    """

    removed: int = 0
    kept: tuple[int, ...] = ()
    until: int = 0
    why: str = ""


def footprint_text(found: PersonalFootprint, whose: Literal["yours", "theirs"] = "theirs") -> list[str]:
    """Say in numbers what is kept of somebody, or was taken out: to them (`yours`) or to others."""
    counts = (
        ("footprint.messages", found.messages),
        ("footprint.lines", found.lines),
        ("footprint.answers", found.answers),
        ("footprint.requests", found.requests),
        ("footprint.calls", found.calls),
        ("footprint.memories", found.memories),
        ("footprint.work", found.work),
        ("footprint.choices", found.choices),
        ("footprint.quotations", found.quotations),
    )
    return [say(name, count=count, whose=whose) for name, count in counts if count]


class Erasure(FrozenModel):
    """Somebody is to be forgotten, everywhere or in some channels; it is gone on with until it is over."""

    id: int
    platform: str
    user_id: UserId
    at: int
    channels: tuple[ChannelId, ...] = ()


def is_erased(erased: Iterable[Erasure], people: Collection[str], channel: ChannelId, since: int) -> bool:
    """Say whether one of these was forgotten there. What came up `since` they were is theirs again; 0: nothing is."""
    platform = platform_of(channel)
    return any(
        one.platform == platform
        and one.user_id in people
        and (not one.channels or channel in one.channels)
        and since <= one.at
        for one in erased
    )
