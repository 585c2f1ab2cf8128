"""Why it kept silent: the lines of a request that most likely asked for it, ranked by what stands out in them.

No single sign decides, and a list of phrases least of all: a line that names the asker, that is about them, that came
since they were last answered, that somebody who is no admin caused, that shares words with the model's own reason, and
that stands where instructions stand, is looked at first. A suspect is never more than likely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.inspect.diff.find_words import SourcedLine, SourceKind
from bot.mind.silence_words import speaks_of_silence
from bot.mind.source_ranking import content, rank_sources
from bot.mind.treatment import MIN_SALIENCE, salience
from bot.text.terms import is_unspaced, plain, terms

MAX_SUSPECTS = 3
"""How many suspects are named."""
_MIN_TOLD_SCORE = 2.0
_MOST_SALIENT = 4.0
_MAX_JUDGED = 200
_TOLD_BY_PEOPLE = frozenset({SourceKind.MEMORY, SourceKind.MESSAGE, SourceKind.SUMMARY, SourceKind.RESULT})
_MIN_NAME_CHARS = 2
_ONE_WORD = 0.6


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


class SuspectSign(StrEnum):
    """What makes a line suspicious."""

    NAMES_ASKER = "names the asker"
    ABOUT_ASKER = "is about the asker"
    REASON = "fits its reason"
    OWN_SKIP = "an earlier silence"
    SILENCE = "speaks of silence"
    TREATS = "says how others are treated"
    NEW = "new since the last reply"
    NON_ADMIN = "by a non-admin"


class SuspectLine(NamedTuple):
    """A line of a request, and what the records say of it.

    `about`: it is kept as being about the asker; `new`: the request in which the asker was last answered lacked it;
    `non_admin`: somebody who is no admin caused it.
    """

    line: SourcedLine
    about: bool = False
    new: bool = False
    non_admin: bool = False


class SilenceSuspect(NamedTuple):
    """A line that may have made the model silent, and why it is suspected, the strongest sign first."""

    line: SourcedLine
    signs: tuple[SuspectSign, ...]
    score: float

    @property
    def is_told(self) -> bool:
        """Whether it is put before somebody unasked: that a line is about the asker may be harmless alone."""
        return self.score >= _MIN_TOLD_SCORE and not _TELLING_SIGNS.isdisjoint(self.signs)

    @property
    def is_told_where_instructed(self) -> bool:
        """Whether it is put before somebody where the model says that it was instructed, and nothing stands out more.

        What somebody who is no admin says about the asker may be meant, in whatever words.
        """
        return self.score >= _MIN_TOLD_SCORE and {SuspectSign.ABOUT_ASKER, SuspectSign.NON_ADMIN} <= set(self.signs)


class SilentTurn(NamedTuple):
    """Who was not answered, what they said, and the model's own reason (empty: it gave none)."""

    asker: str
    said: str
    reason: str


_TELLING_SIGNS = frozenset({SuspectSign.REASON, SuspectSign.SILENCE, SuspectSign.OWN_SKIP, SuspectSign.TREATS})
_WEIGHTS = {
    SuspectSign.REASON: 3.0,
    SuspectSign.NAMES_ASKER: 1.8,
    SuspectSign.ABOUT_ASKER: 2.2,
    SuspectSign.OWN_SKIP: 1.5,
    SuspectSign.SILENCE: 2.0,
    SuspectSign.TREATS: 1.5,
    SuspectSign.NEW: 0.7,
    SuspectSign.NON_ADMIN: 0.5,
}
_PLACES = {
    SourceKind.MEMORY: 1.0,
    SourceKind.CONFIG: 1.0,
    SourceKind.SKILL: 1.0,
    SourceKind.SUMMARY: 0.9,
    SourceKind.RESULT: 0.85,
    SourceKind.FILE: 0.7,
    SourceKind.MESSAGE: 0.45,
    SourceKind.ANSWER: 0.4,
    SourceKind.TEMPLATE: 0.25,
}
"""How much what stands there is an instruction to the model."""
_ELSEWHERE = 0.1
_DENIED = (
    r"(?:not|never|no|nobody|n't|nicht|nichts|nie|niemand|kein\w*|nunca|jamas|nadie|nao|ninguem|ne|n'|jamais|plus"
    r"|не|никогда|никто)"
)
_REPORTED = (
    r"(?:answers|replies|responds|speaks|talks|discusses|antwortet|schreibt|spricht|redet|sagt|responde|contesta|habla"
    r"|comenta|fala|diz|trata|opina|repond|отвечает|говорит|пишет|обсуждает)"
)
_REPORTED_SILENCE = re.compile(
    rf"\b{_DENIED}\b\W.{{0,30}}?(?<!\bse )(?<!\bse les )(?<!\bse le )\b{_REPORTED}\b"
    rf"|\b{_REPORTED}\b\W.{{0,20}}?\b{_DENIED}\b"
)
_OF_MODEL = re.compile(
    r"\b(?:you|your|du|dich|dir|tu|te|usted|voce|vous|ты|тебя|тебе|вы|bot|бот\w*|assistant|assistent\w*|asistente"
    r"|assistente)\b"
)
"""What somebody else does is no order to do it."""
_EVERY_REASON_HAS = _set("""
ask asks asked asking question questions request requests requested want wants message answer answers advice
frage fragt fragen bittet bitte nachricht antwort antworten rat pregunta pide mensaje respuesta consejo pergunta pede
mensagem resposta conselho demande demandee question reponse conseil спрашивает просит вопрос сообщение ответ совет
""")
"""Reasons are full of these, and so is what people say of each other: to share one says nothing."""


def rank_suspects(silent: SilentTurn, lines: Sequence[SuspectLine]) -> tuple[SilenceSuspect, ...]:
    """Return the suspects of a silence, the likeliest first; few and weak ones where nothing stands out."""
    names = _names(silent.asker)
    common = names | _EVERY_REASON_HAS
    reason = " ".join(word for word in silent.reason.split() if plain(word).strip(".,:;'’") not in common)
    shares = _shares(reason, silent.said, [one.line for one in lines])
    closely = worth_judging(lines)
    found = (_judged(one, names, shares.get(number, 0.0), number in closely) for number, one in enumerate(lines))
    ranked = sorted((one for one in found if one.score > 0), key=lambda one: -one.score)
    return tuple(_one_each(ranked))[:MAX_SUSPECTS]


def worth_judging(lines: Sequence[SuspectLine]) -> frozenset[int]:
    """Return the places of those lines of people who are no admins that are read closely: all would take long.

    What is kept comes before what was said, and of that the newest.
    """
    theirs = [place for place, one in enumerate(lines) if one.non_admin and one.line.source.kind in _TOLD_BY_PEOPLE]
    said = [place for place in theirs if lines[place].line.source.kind is SourceKind.MESSAGE]
    kept = [place for place in theirs if lines[place].line.source.kind is not SourceKind.MESSAGE]
    return frozenset([*kept, *reversed(said)][:_MAX_JUDGED])


def _treats(words: str) -> float:
    """Say from 0 to 1 how much a line of somebody who is no admin speaks of treating others."""
    told = salience(words)
    return min(1.0, told / _MOST_SALIENT) if told >= MIN_SALIENCE else 0.0


def _asks_for_silence(text: str, *, of_asker: bool) -> bool:
    """Say whether a text has words of silence; that a printer never answers is told of no model and of no asker."""
    folded = plain(text)
    if _REPORTED_SILENCE.search(folded):
        return of_asker or _OF_MODEL.search(folded) is not None
    return speaks_of_silence(text)


def _one_each(ranked: Iterable[SilenceSuspect]) -> Iterable[SilenceSuspect]:
    """Name a record once."""
    seen: set[str] = set()
    for one in ranked:
        if one.line.source.handle not in seen or not one.line.source.handle:
            seen.add(one.line.source.handle)
            yield one


def _names(asker: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", plain(asker)) if len(word) >= _MIN_NAME_CHARS)


def _shares(reason: str, said: str, lines: Sequence[SourcedLine]) -> dict[int, float]:
    """Say of each line how much of the reason it shares, from 0 to 1."""
    found = rank_sources(reason, lines, said)
    best = found[0].score if found else 0.0
    # one word in common may be chance, and a bare number is: two people, floor 2
    wanted = {
        (one.source, one.where, one.line): one.score / best * (1.0 if len(one.shared) > 1 else _ONE_WORD)
        for one in found
        if len(one.shared) > 1 or not one.shared[0].isdecimal()
    }
    return {
        number: wanted[line.source, line.where, line.text]
        for number, line in enumerate(lines)
        if (line.source, line.where, line.text) in wanted
    }


def _judged(one: SuspectLine, names: frozenset[str], share: float, closely: bool) -> SilenceSuspect:
    line = one.line
    words = content(line)
    own_skip = line.source.kind is SourceKind.CALL and "skip" in line.source.what
    is_named = bool(names & {*re.findall(r"\w+", plain(words)), *terms(words)})
    is_named = is_named or any(is_unspaced(name) and name in plain(words) for name in names)
    signs = {
        SuspectSign.REASON: share,
        SuspectSign.NAMES_ASKER: float(is_named),
        SuspectSign.ABOUT_ASKER: float(one.about),
        SuspectSign.OWN_SKIP: float(own_skip),
        SuspectSign.SILENCE: float(_asks_for_silence(words, of_asker=is_named or one.about)),
        SuspectSign.TREATS: _treats(words) if closely else 0.0,
    }
    told = sum(_WEIGHTS[sign] * strength for sign, strength in signs.items())
    # that something is new, or whose it is, says nothing of what has no other sign
    beside = {SuspectSign.NEW: float(one.new), SuspectSign.NON_ADMIN: float(one.non_admin)}
    told += sum(_WEIGHTS[sign] * strength for sign, strength in beside.items()) if told else 0.0
    place = 1.0 if own_skip else _PLACES.get(line.source.kind, _ELSEWHERE)
    strong = sorted(
        (sign for sign, strength in (signs | beside).items() if strength >= 0.3),
        key=lambda sign: -_WEIGHTS[sign] * (signs | beside)[sign],
    )
    return SilenceSuspect(line, tuple(strong), told * place)
