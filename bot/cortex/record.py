"""A record that a handle opens: what we say about it, and other people's words in it."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.ids import ChannelKey, Person


class Words(NamedTuple):
    """Somebody's words in a record."""

    label: str
    text: str
    by_model: bool = False


class Record(NamedTuple):
    """A record. `key` is the channel it belongs to, None for what belongs to a person (`owner`) instead.

    `hidden` is text that a quote may come from and that is not shown whole: it is read page by page elsewhere.
    """

    handle: str
    key: ChannelKey | None
    lines: tuple[str, ...]
    words: tuple[Words, ...] = ()
    hidden: str = ""
    owner: Person | None = None

    @property
    def text(self) -> str:
        """Everything that a quote may be copied from."""
        return "\n".join((*self.lines, *(words.text for words in self.words), self.hidden))
