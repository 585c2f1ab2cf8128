"""Look up phrases of several words in a text, by their first words: hundreds of them cost a few looks a word.

A phrase is words between spaces, phrases are parted by commas and lines. Each word is one of

- `word`, or `one/other`: one of these; a `*` at its end stands for any ending
- `_` for any one word, `..` for up to three words of the same clause
- `^` before the first word: only where a clause begins

Texts are read as `words_of` splits them: folded, with signs between clauses as words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from bot.text.terms import plain


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"(?:[cdjlmnst]|qu)'(?=\w)|\w+(?:['-]\w+)*|[@#]\w*|[^\w\s]|\n")
_GAP = 3
_KEY_CHARS = 3
LEADS = _set("""
please just simply then so now pls also always and but bitte einfach dann immer und aber por favor siempre
entonces y pero sempre entao e mas svp toujours alors et mais donc пожалуйста просто всегда и а но то
""")
"""Words before an order that leave it one."""


class _Word(NamedTuple):
    """One word of a phrase: what it may be, and the beginnings of what else; neither stands for any word."""

    exact: frozenset[str]
    stems: tuple[str, ...]

    def fits(self, word: str) -> bool:
        if word in self.exact:
            return True
        return word.startswith(self.stems) if self.stems else not self.exact and is_word(word)


@cache
def _word(exact: frozenset[str], stems: tuple[str, ...]) -> _Word:
    """Return the one word of this kind: thousands of phrases are made of some hundreds."""
    return _Word(exact, stems)


class _Phrase(NamedTuple):
    words: tuple[_Word | None, ...]
    """None is a gap."""
    begins: bool
    label: str


def words_of(text: str) -> tuple[str, ...]:
    """Split a text into folded words and the signs between them."""
    return tuple(_WORD.findall(plain(text.replace("’", "'"))))


def is_word(word: str) -> bool:
    return word[0].isalnum() or word[0] in "@#"


class PhraseTable:
    """Phrases, and where the first of them stands in a text; those of several lists are told apart by their label."""

    def __init__(self, text: str | Mapping[str, str], classes: Mapping[str, str] | None = None) -> None:
        self._by_word: dict[str, list[_Phrase]] = {}
        self._by_stem: dict[str, list[_Phrase]] = {}
        for label, listed in ({"": text} if isinstance(text, str) else text).items():
            for written in re.split(r"[,\n]", listed):
                if parts := written.split():
                    self._add(parts, classes or {}, label)

    def found(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield where phrases stand: the place of the first word and the one behind the last."""
        return ((at, end) for at, end, _ in self.labelled(words))

    def labelled(self, words: Sequence[str], until: int | None = None) -> Iterator[tuple[int, int, str]]:
        """Yield where phrases stand that begin before `until`, each with the label of its list."""
        for at, word in enumerate(words[:until]):
            exact, begun = self._by_word.get(word), self._by_stem.get(word[:_KEY_CHARS])
            if exact is None and begun is None:
                continue
            for phrase in (*(exact or ()), *(begun or ())):
                if phrase.begins and not _begins(words, at):
                    continue
                if (end := _matched(phrase.words, words, at)) is not None:
                    yield at, end, phrase.label

    def holds(self, words: Sequence[str]) -> bool:
        """Say whether any of the phrases stands in these words."""
        return next(self.found(words), None) is not None

    def _add(self, parts: Sequence[str], classes: Mapping[str, str], label: str) -> None:
        begins = parts[0].startswith("^")
        first, *rest = (_read(part.removeprefix("^"), classes) for part in parts)
        if first is None or not (first.exact or first.stems):
            raise ValueError(f"a phrase begins with a word of its own: {' '.join(parts)}")
        phrase = _Phrase((first, *rest), begins, label)
        for word in first.exact:
            self._by_word.setdefault(word, []).append(phrase)
        for stem in first.stems:
            if len(stem) < _KEY_CHARS:
                raise ValueError(f"a beginning of a word has three letters: {' '.join(parts)}")
            self._by_stem.setdefault(stem[:_KEY_CHARS], []).append(phrase)


def _read(part: str, classes: Mapping[str, str]) -> _Word | None:
    if part == "..":
        return None
    if part == "_":
        return _word(frozenset(), ())
    said = [one for name in part.split("/") for one in classes.get(name, name).split()]
    exact = frozenset(one for one in said if not one.endswith("*"))
    return _word(exact, tuple(one[:-1] for one in said if one.endswith("*")))


def _begins(words: Sequence[str], at: int) -> bool:
    """Say whether a clause begins here."""
    while at > 0 and words[at - 1] in LEADS:
        at -= 1
    return at == 0 or not is_word(words[at - 1])


def _matched(phrase: Sequence[_Word | None], words: Sequence[str], at: int) -> int | None:
    """Return where a phrase ends that begins here; every gap takes as few words as it can."""
    for place, wanted in enumerate(phrase):
        if wanted is None:
            for skipped in range(_GAP + 1):
                if (end := _matched(phrase[place + 1 :], words, at + skipped)) is not None:
                    return end
                if at + skipped >= len(words) or not is_word(words[at + skipped]):
                    return None
            return None
        if at >= len(words) or not wanted.fits(words[at]):
            return None
        at += 1
    return at
