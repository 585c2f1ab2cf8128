"""A record that a handle opens: what we say about it, and other people's words in it."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.ids import ChannelKey
from bot.domain.record_access import RecordOwner


class RecordQuote(NamedTuple):
    """Somebody's words in a record. `repeats_model`: a program's, which quote what a model wrote."""

    label: str
    text: str
    by_model: bool = False
    repeats_model: bool = False


class OwnedRecord(NamedTuple):
    """A record, and whose it is.

    `hidden` is text that a quote may come from and that is not shown whole: it is read page by page elsewhere.
    `told` are lines that are shown to nobody but who may read the words. `link` is one that we built from numbers.
    Where the words come first, the name comes last.
    """

    handle: str
    owner: RecordOwner
    lines: tuple[str, ...]
    words: tuple[RecordQuote, ...] = ()
    hidden: str = ""
    told: tuple[str, ...] = ()
    link: str = ""
    words_first: bool = False

    @property
    def key(self) -> ChannelKey | None:
        """The channel that it is about."""
        return self.owner.key

    @property
    def text(self) -> str:
        """Everything that a quote may be copied from."""
        return "\n".join((*self.lines, *self.told, *(words.text for words in self.words), self.hidden))
