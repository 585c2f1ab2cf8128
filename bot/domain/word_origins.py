"""Whose words something was made of: who may have said them, and the least of their authorities. Kept by code."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import IntEnum
from typing import NamedTuple

from bot.domain.base import FrozenModel

MAX_NAMED = 24
"""So many sources are named, those with the least authority first; of the others it is known how many they are."""


_MAX_TOLD = 5
"""So many are named to a model; the record has them all."""


SOMEBODY = "somebody here"
"""How people are called among kept sources: by their authority alone."""


class WordAuthority(IntEnum):
    """Whose words count for how much: a person's tier, and below everybody what nobody here has said.

    `outside` is a web page, a file, what a program or another service returned, and what somebody pasted, forwarded or
    quoted: whoever brought it has not said it.
    """

    OUTSIDE = 0
    EVERYONE = 1
    MODERATOR = 2
    ADMIN = 3
    OWNER = 4

    @classmethod
    def of(cls, tier: int) -> WordAuthority:
        """Return what the own words of a person of a tier (`bot.domain.access.Authority`) count for."""
        return cls(tier + 1)

    @property
    def tier(self) -> int:
        """Whose rights it gives: those of everybody at least, which is none."""
        return max(0, self - 1)

    @property
    def word(self) -> str:
        """As people and models read it."""
        return self.name.lower()


class OriginSource(NamedTuple):
    """One source: for how much its words count, and how it is called."""

    authority: WordAuthority
    name: str


class WordOrigins(FrozenModel):
    """Whose words something was made of, those with the least authority first; `more` of them are not named."""

    sources: tuple[OriginSource, ...] = ()
    more: int = 0

    @property
    def lowest(self) -> WordAuthority:
        """The least authority among them; what is made of nobody's words is the operator's."""
        return min((source.authority for source in self.sources), default=WordAuthority.OWNER)

    @property
    def described(self) -> str:
        """Name them on one line: `web_fetch example.org (outside), ann (everyone)`."""
        named = ", ".join(f"{source.name} ({source.authority.word})" for source in self.sources)
        return f"{named} and {self.more} more" if self.more else named

    @property
    def unnamed(self) -> WordOrigins:
        """Return the same without who they are: what is kept must not outlive a wish to be forgotten."""
        return join_origins(
            [
                self.replace(
                    sources=tuple(
                        source if source.authority is WordAuthority.OUTSIDE else source._replace(name=SOMEBODY)
                        for source in self.sources
                    )
                )
            ]
        )

    def without_words(self, words: Collection[str]) -> WordOrigins:
        """Return the same sources without some words in their names, such as the name of a server."""
        bare = (source._replace(name=_without(source.name, words)) for source in self.sources)
        return join_origins([WordOrigins(sources=tuple(bare), more=self.more)])

    def cut(self, most: int) -> WordOrigins:
        """Return so many of them, those that count for the least; the others are counted."""
        return WordOrigins(sources=self.sources[:most], more=self.more + max(0, len(self.sources) - most))

    def below(self, authority: WordAuthority) -> WordOrigins:
        """Return those whose words count for less; `more` may be any."""
        return self.replace(sources=tuple(source for source in self.sources if source.authority < authority))


def _without(name: str, words: Collection[str]) -> str:
    kept = [word for word in name.split() if not any(_begins(one, word.casefold()) for one in words)]
    return " ".join(kept) or "a page"


def _begins(whole: str, word: str) -> bool:
    # a long name is kept cut
    cut = word.removesuffix("…")
    return word == whole or (word.endswith("…") and bool(cut) and whole.startswith(cut))


def join_origins(several: Iterable[WordOrigins | None]) -> WordOrigins:
    """Return the sources of all of them together; None has none."""
    found: dict[OriginSource, None] = {}
    more = 0
    for one in several:
        if one is not None:
            found.update(dict.fromkeys(one.sources))
            more = max(more, one.more)
    ordered = sorted(found)
    # who is not named counts for no less than who is
    return WordOrigins(sources=tuple(ordered[:MAX_NAMED]), more=more + max(0, len(ordered) - MAX_NAMED))


def told_origins(origins: WordOrigins | None) -> str:
    """Say to a model whose words something holds, where some of them are nobody's here; empty where none are."""
    if origins is None or origins.lowest > WordAuthority.OUTSIDE:
        return ""
    return origins.below(WordAuthority.EVERYONE).cut(_MAX_TOLD).described
