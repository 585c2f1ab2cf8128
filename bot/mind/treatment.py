"""Say how a memory would have somebody else treated: by what it brings together, and by no phrase.

A sentence that speaks of what is said to people is nothing; one that says what is said, to somebody by name, whenever
they ask, and only that, tells the bot how to treat them. Each of that is a sign with a weight. What people tell of
themselves, of the world, and of what they do among themselves has few of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from bot.domain.memory import Treatment
from bot.mind.silence_words import speaks_of_silence
from bot.mind.treatment_words import PATTERNS, Field
from bot.text.silencing import silencing
from bot.text.terms import plain

MIN_SALIENCE = 2.2
"""From here on a memory by a non-admin is put before admins and moderators."""
_MAX_CHARS = 2_000
_WINDOW = 3
_NAMED_WEIGHT = 0.6
_QUOTED_WEIGHT = 0.4
_PLACE_WEIGHT = 0.8
_OWN_WEIGHT = -1.0
_MIN_NAME_CHARS = 2
_SENTENCE = re.compile(r"[^.!?\n。！？]*(?:\.(?=\S)[^.!?\n。！？]*)*[.!?\n。！？]?")
_QUOTED = re.compile(r"\"[^\"]+\"|[“”„«「『‹][^“”„»」』›]+[“”»」』›]")
_CHANNEL = re.compile(r"(?<!\w)#\w|部屋で|部屋の|チャンネル")
_ADDRESS = re.compile(
    r"https?://|(?<![\w.])[\w-]+\.(?:com|net|org|shop|top|ru|click|xyz|info|io|de|fr|es|br|jp)\b|\d[\d -]{6,}\d"
)
_OWN = re.compile(
    r"(?<!\w)(?:me|my|mine|i|i'm|i'd|mich|mir|mein\w*|ich|moi|mon|ma|mes|je|j'\w+|m'\w+|mi|mis|yo|eu|meu|minha|мне|меня"
    r"|я|мой|моя|мои|моего)(?!\w)|私|僕|俺"
)
_WEIGHTS: Mapping[Field, float] = {
    Field.SPEAKING: 1.0,
    Field.ASKED: 0.7,
    Field.WHEN: 0.5,
    Field.OTHERS: 0.7,
    Field.TO_BOT: 0.6,
    Field.STRICT: 0.6,
    Field.RULES: 0.8,
    Field.VOID: 0.4,
    Field.ROLE: 2.0,
    Field.KEEPING: 0.5,
    Field.AGAIN: 0.7,
    Field.PASSING_ON: 1.2,
    Field.ANSWERS: 1.0,
    Field.AUTHORITY: 0.8,
    Field.RIGHTS: 1.2,
    Field.MONEY: 0.3,
    Field.PRIORITY: 1.2,
    Field.NAMING: 1.5,
    Field.GIVING: 1.5,
    Field.PROTECTED: 3.0,
}


_TOGETHER: Sequence[tuple[frozenset[Field], frozenset[Field]]] = (
    (frozenset({Field.SPEAKING}), frozenset({Field.ASKED, Field.RULES, Field.ANSWERS, Field.RIGHTS, Field.PASSING_ON})),
    (frozenset({Field.SPEAKING}), frozenset({Field.STRICT, Field.OTHERS, Field.AUTHORITY, Field.WHEN, Field.MONEY})),
    (frozenset({Field.RULES}), frozenset({Field.VOID, Field.ROLE, Field.ANSWERS})),
    (frozenset({Field.KEEPING}), frozenset({Field.AGAIN, Field.PASSING_ON, Field.ANSWERS})),
    (frozenset({Field.AUTHORITY}), frozenset({Field.RIGHTS, Field.RULES})),
    (
        frozenset({Field.ANSWERS, Field.ROLE, Field.GIVING, Field.PRIORITY, Field.NAMING, Field.PROTECTED}),
        frozenset(Field),
    ),
    (frozenset({Field.TO_BOT}), frozenset({Field.WHEN, Field.STRICT})),
)
"""Of a field of each side at least one has to be there: how many others speak of something says little alone."""
_KINDS: Sequence[tuple[Treatment, frozenset[Field]]] = (
    (Treatment.SPREADING, frozenset({Field.PASSING_ON})),
    (Treatment.IDENTITY, frozenset({Field.ROLE, Field.PROTECTED})),
    (Treatment.RIGHTS, frozenset({Field.RIGHTS})),
    (Treatment.PRIORITY, frozenset({Field.PRIORITY})),
    (Treatment.NAMING, frozenset({Field.NAMING})),
    (Treatment.MONEY, frozenset({Field.MONEY})),
    (Treatment.CONDUCT, frozenset({Field.SPEAKING, Field.GIVING, Field.ANSWERS, Field.RULES})),
)


def treatments(text: str, names: Collection[str] = (), author: str = "") -> tuple[Treatment, ...]:
    """Say how a text would have others treated; () where it tells of itself, or of the world.

    `names` are those who are known in the place, `author` is whose words it is.
    """
    others = [name for name in names if plain(name) != plain(author)]
    found = list[Treatment]()
    if _silences_others(text, names, author):
        found.append(Treatment.SILENCE)
    if salience(text, others) >= MIN_SALIENCE:
        found += list(_kinds(text)) or [Treatment.CONDUCT]
    return tuple(dict.fromkeys(found))


def salience(text: str, others: Collection[str] = ()) -> float:
    """Say how much in a text speaks of treating others, in those sentences of it that say most of that."""
    return max((_salience(part, others) for part in _windows(text)), default=0.0)


def _silences_others(text: str, names: Collection[str], author: str) -> bool:
    """Say whether a text orders silence, or speaks of it and names somebody else who is known there."""
    directive = silencing(text, names)
    if directive is not None:
        return plain(directive.target.lstrip("@")) != plain(author)
    folded = plain(text)
    others = (plain(name) for name in names if plain(name) != plain(author))
    return any(_names(folded, name) for name in others) and speaks_of_silence(text)


def _salience(text: str, others: Collection[str]) -> float:
    folded = plain(text)
    fields = _fields(folded)
    if not any(one & fields and other & fields for one, other in _TOGETHER):
        return 0.0
    named = any(_names(folded, plain(name)) for name in others)
    told = sum(_WEIGHTS[field] for field in fields)
    told += _NAMED_WEIGHT * named + _QUOTED_WEIGHT * bool(_QUOTED.search(text))
    told += _PLACE_WEIGHT * bool(_CHANNEL.search(text) or _ADDRESS.search(text))
    # what somebody wants for themselves is theirs to say
    is_own = not named and Field.OTHERS not in fields and _OWN.search(folded) is not None
    return max(0.0, told + _OWN_WEIGHT * is_own)


def _kinds(text: str) -> Iterator[Treatment]:
    fields = _fields(plain(text[:_MAX_CHARS]))
    for kind, signs in _KINDS:
        if signs & fields:
            yield kind
    if _CHANNEL.search(text) or _ADDRESS.search(text):
        yield Treatment.DIRECTIONS


def _fields(folded: str) -> frozenset[Field]:
    return frozenset(field for field, pattern in PATTERNS.items() if pattern.search(folded))


def _names(folded: str, name: str) -> bool:
    if len(name) < _MIN_NAME_CHARS or name not in folded:
        return False
    # a name may stand inside of words where writing puts no spaces, and Russian ones have endings
    return not name.isascii() or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) is not None


def _windows(text: str) -> Iterator[str]:
    """Yield a text in pieces of a few sentences that overlap."""
    sentences = [found[0] for found in _SENTENCE.finditer(text[:_MAX_CHARS]) if found[0].strip()]
    for at in range(max(1, len(sentences) - _WINDOW + 1)):
        yield "".join(sentences[at : at + _WINDOW])
