"""Say how a memory would have somebody else treated: by what it brings together, and by no phrase.

A sentence that speaks of what is said to people is nothing; one that says what is said, to somebody by name, whenever
they ask, and only that, tells the bot how to treat them. Each of that is a sign with a weight. What people tell of
themselves, of the world, and of what they do among themselves has few of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

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
_BESIDE_OTHERS = 0.4
_WHOSE_WEIGHT = 1.0
_SAYING_THEN_WEIGHT = 1.0
_KEEPING_WEIGHT = 0.8
_IMPERATIVE_WEIGHT = 0.6
_MIN_NAME_CHARS = 2
_SENTENCE = re.compile(r"[^.!?\n。！？]*(?:\.(?=\S)[^.!?\n。！？]*)*[.!?\n。！？]?")
_QUOTED = re.compile(r"\"[^\"]+\"|[“”„«「『‹][^“”„»」』›]+[“”»」』›]")
_MIN_RUSSIAN_CHARS = 2
_RUSSIAN_ENDING = re.compile("[аяйь]$")
_THIS = re.compile(
    r"(?<!\w)(?:this|dies\w*|das hier|ce|cet|cette|ceci|celui-ci|retiens-le|est[aeo]|apuntalo|isto|isso|это\w*|эт[аиу]"
    r"|сво[юе])(?!\w)|この|これ|それ"
)
_SAYING_THEN = re.compile(
    r", (?:then |dann |so |tu |du |you |entao |entonces |то )?[^\W\d]+(?: \w+)?,? (?:that|que|qu'\w+|dass|что)(?!\w)"
)
"""After a condition what is to be said: `when the pool comes up, insist that it is closed`."""
_CHANNEL = re.compile(r"(?<!\w)#\w|部屋で|部屋の|チャンネル")
_ADDRESS = re.compile(
    r"https?://|(?<![\w.])(?:[\w-]+\.)+(?:com|net|org|shop|top|ru|click|xyz|info|io|de|fr|es|br|jp)\b|\d[\d -]{6,}\d"
)
_OWN = re.compile(
    r"(?<!\w)(?:me|my|mine|i|i'm|i'd|mich|mir|mein\w*|ich|moi|mon|ma|mes|je|j'\w+|m'\w+|mi|mis|yo|eu|meu|minha|мне|меня"
    r"|я|мой|моя|мои|моего)(?!\w)|私|僕|俺"
)
_QUESTIONS = (
    r"questions?|requests?|messages?|fragen?|anfragen?|demandes?|preguntas?|pedidos?|perguntas?|вопрос\w*|просьб\w*"
    r"|質問|依頼"
)
_OF = "of|from|by|von|des|de|d'|da|do|от|の"
_IMPERATIVE = re.compile(
    rf"(?:^|[.!?;:—–] ?|, |\b(?:please|bitte|por favor|пожалуйста|and|und|et|y|e|и) )"
    rf"(?:{PATTERNS[Field.SPEAKING].pattern}|{PATTERNS[Field.SERVING].pattern})"
)
_WEIGHTS: Mapping[Field, float] = {
    Field.SPEAKING: 1.0,
    Field.ASKED: 0.7,
    Field.WHEN: 0.5,
    Field.OTHERS: 0.7,
    Field.TO_BOT: 0.6,
    Field.STRICT: 0.6,
    Field.TELLING: 0.5,
    Field.ELSEWHERE: 0.0,
    Field.FORCE: 0.5,
    Field.SERVING: 1.0,
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
    # what these bring they bring together, and not one by one
    **dict.fromkeys(
        (Field.FLOW, Field.MOVING, Field.DESTINATION, Field.STANDING, Field.FIRST, Field.REST, Field.WAITING), 0.0
    ),
}
_REDIRECTING = frozenset({Field.FLOW, Field.MOVING, Field.DESTINATION, Field.STANDING})
"""What people send somewhere is to go to another account or address, and not once."""
_PREFERRING = frozenset({Field.FIRST, Field.REST, Field.WAITING})
"""Somebody who is named is served first, and everybody else is not."""
_STANDING_WEIGHT = 3.0
_OWN_FLOW = re.compile(
    r"(?<!\w)(?:my|mein\w*|mes|ma|mon|mis|mi|minhas?|meus?|mo[йия]\w*|мо[йияёе]\w*) (?:own |eigene\w* )?"
    rf"(?:{PATTERNS[Field.FLOW].pattern})|私の(?:{PATTERNS[Field.FLOW].pattern})"
)
"""Where one's own mail goes is one's own to say."""
_WORLD_ANSWERS = re.compile(
    r"(?<!\w)(?:answer\w*|pick\w*(?: up)?) (?:the )?(?:phones?|door|bell|calls?)(?!\w)"
    r"|(?<!\w)(?:repond\w*|decroche\w*) (?:au |le |a la )(?:telephone|porte)(?!\w)"
    r"|(?<!\w)(?:contest\w*|coge\w*|atend\w*|atiend\w*|respond\w*) (?:el |o |al |ao )telefon\w*"
    r"|отвеча\w* на (?:звонк\w*|телефон\w*)|電話に出\w*"
    r"|^(?:the|our|a|der|die|das|la|le|el|o) (?!bot|assist)\w+(?: (?!bot|assist)\w+)? "
    r"(?:answers|replies|responds|beantwortet|antwortet|repond|responde|contesta|atiende|atende)"
    r"(?!\w)(?! only| no | with)"
)
"""Who answers there is not the bot: somebody at a telephone, an office, a shop."""


_SOMEBODY = frozenset(
    {
        *(Field.OTHERS, Field.ASKED, Field.TO_BOT, Field.TELLING, Field.ANSWERS, Field.ROLE, Field.PASSING_ON),
        *(Field.PROTECTED, Field.NAMING),
    }
)
_FORCEFUL = frozenset(
    {
        *(Field.STRICT, Field.FORCE, Field.VOID, Field.TO_BOT, Field.WHEN, Field.AUTHORITY, Field.ROLE, Field.AGAIN),
        *(Field.ANSWERS, Field.PROTECTED, Field.GIVING, Field.NAMING, Field.PRIORITY),
    }
)
_DONE = frozenset(
    {
        *(Field.SPEAKING, Field.SERVING, Field.RIGHTS, Field.PRIORITY, Field.NAMING, Field.GIVING, Field.RULES),
        *(Field.KEEPING, Field.PROTECTED, Field.ANSWERS, Field.ASKED, Field.TO_BOT),
    }
)
"""Treating takes somebody, something that is done to them, and that it has to be; one of each at least."""
_NEEDED = (*sorted(_DONE), Field.FLOW, Field.FIRST)
"""What is done to somebody, or what a standing redirection or preference has."""
_PROMOTING = frozenset({Field.RIGHTS, Field.AUTHORITY, Field.PRIORITY, Field.GIVING, Field.PROTECTED})
"""What somebody says of themselves by name is theirs to say, but not this."""
_KINDS: Sequence[tuple[Treatment, frozenset[Field]]] = (
    (Treatment.SPREADING, frozenset({Field.PASSING_ON})),
    (Treatment.IDENTITY, frozenset({Field.ROLE, Field.PROTECTED})),
    (Treatment.RIGHTS, frozenset({Field.RIGHTS})),
    (Treatment.PRIORITY, frozenset({Field.PRIORITY})),
    (Treatment.NAMING, frozenset({Field.NAMING})),
    (Treatment.MONEY, frozenset({Field.MONEY})),
    (Treatment.CONDUCT, frozenset({Field.SPEAKING, Field.SERVING, Field.GIVING, Field.ANSWERS, Field.RULES})),
)


def treatments(text: str, names: Collection[str] = (), author: str = "") -> tuple[Treatment, ...]:
    """Say how a text would have others treated; () where it tells of itself, or of the world.

    `names` are those who are known in the place, `author` is whose words it is.
    """
    others = [name for name in names if plain(name) != plain(author)]
    found = list[Treatment]()
    if _silences_others(text, names, author):
        found.append(Treatment.SILENCE)
    if salience(text, others, author) >= MIN_SALIENCE:
        found += list(_kinds(text)) or [Treatment.CONDUCT]
    return tuple(dict.fromkeys(found))


def salience(text: str, others: Collection[str] = (), author: str = "") -> float:
    """Say how much in a text speaks of treating others, in those sentences of it that say most of that."""
    names, whose = [plain(name) for name in others], plain(author)
    sentences = [said for found in _SENTENCE.finditer(text[:_MAX_CHARS]) if (said := found[0].strip())]
    if not any(map(_may_treat, sentences)):
        return 0.0
    read = [_signs(sentence, names, whose) for sentence in sentences]
    windows = (read[at : at + _WINDOW] for at in range(max(1, len(read) - _WINDOW + 1)) if read)
    return max((_weighed(reduce(or_, window)) for window in windows), default=0.0)


def _may_treat(sentence: str) -> bool:
    """Say whether a sentence has one of those fields at all without which nothing is treating: most have none."""
    folded = _WORLD_ANSWERS.sub(" ", plain(sentence))
    return any(PATTERNS[field].search(folded) for field in _NEEDED)


def _silences_others(text: str, names: Collection[str], author: str) -> bool:
    """Say whether a text orders silence, or speaks of it and names somebody else who is known there."""
    directive = silencing(text, names)
    if directive is not None:
        return plain(directive.target.lstrip("@")) != plain(author)
    folded = plain(text)
    others = (plain(name) for name in names if plain(name) != plain(author))
    return any(_names(folded, name) for name in others) and speaks_of_silence(text)


class _Signs(NamedTuple):
    """What one sentence brings, or several together: the fields, and what stands out beside them."""

    fields: frozenset[Field]
    named: bool
    own: bool
    speaker: bool
    whose: bool
    imperative: bool
    elsewhere: bool
    this: bool
    told_then: bool
    quoted: bool
    standing: bool

    def __or__(self, other: _Signs) -> _Signs:
        return _Signs(self.fields | other.fields, *(one or two for one, two in zip(self[1:], other[1:], strict=True)))


def _signs(text: str, names: Sequence[str], author: str) -> _Signs:
    folded = plain(text)
    fields = _fields(folded)
    named = any(_names(folded, name) for name in names)
    return _Signs(
        fields=fields,
        named=named,
        own=bool(author) and _names(folded, author),
        speaker=_OWN.search(folded) is not None,
        whose=any(_asks_of(folded, name) for name in (*names, author)),
        imperative=_IMPERATIVE.search(folded) is not None,
        elsewhere=Field.ELSEWHERE in fields or bool(_CHANNEL.search(text) or _ADDRESS.search(text)),
        this=_THIS.search(folded) is not None,
        told_then=_SAYING_THEN.search(folded) is not None,
        quoted=_QUOTED.search(text) is not None,
        standing=_redirects(folded, fields)
        or (fields >= _PREFERRING and (named or (bool(author) and _names(folded, author)))),
    )


def _redirects(folded: str, fields: frozenset[Field]) -> bool:
    """Say whether what people send somewhere is to go elsewhere from now on; one's own mail is no such thing."""
    return fields >= _REDIRECTING and PATTERNS[Field.FLOW].search(_OWN_FLOW.sub(" ", folded)) is not None


def _weighed(signs: _Signs) -> float:
    if signs.standing:
        return _STANDING_WEIGHT
    fields = signs.fields
    promotes = signs.own and not _PROMOTING.isdisjoint(fields)
    is_named = signs.named or promotes
    keeps_itself = {Field.KEEPING, Field.AGAIN} <= fields and signs.this
    is_told_then = Field.WHEN in fields and signs.told_then
    has_somebody = is_named or signs.whose or signs.elsewhere or keeps_itself or is_told_then
    # a right is somebody's
    has_somebody = has_somebody or not _SOMEBODY.isdisjoint(fields) or {Field.AUTHORITY, Field.RIGHTS} <= fields
    has_force = signs.imperative or signs.whose or signs.elsewhere or not _FORCEFUL.isdisjoint(fields)
    if not has_somebody or not has_force or _DONE.isdisjoint(fields):
        return 0.0
    told = sum(_WEIGHTS[field] for field in fields)
    told += _NAMED_WEIGHT * is_named + _WHOSE_WEIGHT * signs.whose + _IMPERATIVE_WEIGHT * signs.imperative
    told += _SAYING_THEN_WEIGHT * is_told_then + _QUOTED_WEIGHT * signs.quoted
    told += _PLACE_WEIGHT * signs.elsewhere + _KEEPING_WEIGHT * keeps_itself
    # what somebody wants for themselves is theirs to say, and may be what everybody does
    is_own = not is_named and (signs.own or signs.speaker)
    return max(0.0, round(told + _OWN_WEIGHT * is_own * (_BESIDE_OTHERS if Field.OTHERS in fields else 1.0), 2))


def _asks_of(folded: str, name: str) -> bool:
    """Say whether a text speaks of somebody's questions: `Ann's questions`, `Fragen von Ann`, `вопросы Глеба`."""
    name = re.escape(_spelled(name))
    if len(name) < _MIN_NAME_CHARS or not re.search(name, folded):
        return False
    return re.search(rf"(?:{_QUESTIONS}) (?:(?:{_OF}) ?)?{name}|{name}(?:'?s|の) ?(?:{_QUESTIONS})", folded) is not None


def _kinds(text: str) -> Iterator[Treatment]:
    fields = _fields(plain(text[:_MAX_CHARS]))
    for kind, signs in _KINDS:
        if signs & fields:
            yield kind
    if fields >= _PREFERRING:
        yield Treatment.PRIORITY
    if fields >= _REDIRECTING or _CHANNEL.search(text) or _ADDRESS.search(text):
        yield Treatment.DIRECTIONS


def _fields(folded: str) -> frozenset[Field]:
    folded = _WORLD_ANSWERS.sub(" ", folded)
    return frozenset(field for field, pattern in PATTERNS.items() if pattern.search(folded))


def _names(folded: str, name: str) -> bool:
    name = _spelled(name)
    if len(name) < _MIN_NAME_CHARS or name not in folded:
        return False
    # a name may stand inside of words where writing puts no spaces, and Russian ones have endings
    return not name.isascii() or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) is not None


def _spelled(name: str) -> str:
    """Leave off the ending that a Russian name changes."""
    return name[:-1] if len(name) > _MIN_RUSSIAN_CHARS and _RUSSIAN_ENDING.search(name) else name
