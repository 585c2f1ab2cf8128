"""Read what a question asks for, before anything is looked up: pure, no model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.cortex.commands import question_forms as forms
from bot.text.plain_words import plain_words, unaccented

_MAX_READ_CHARS = 400
"""What is longer is a story, and is read by nobody but a model."""
_CURRENCY = re.compile(r"[$€£₽](?=\d)|(?<=\d) ?(?:[$€£₽]|р\b|руб\b|eur\b|usd\b)", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“„«][^\"“”„»«\n]{2,80}[\"”“»]")
_MAX_SHORT_WORDS = 5
_NEAR_BEFORE = 4
_NEAR_SUBJECT = 3
_NEAR_BEHIND = 6


class QuestionKind(StrEnum):
    """What somebody wants to know. Of a bare `WHY` only the record can say whether it means a silence or an answer."""

    WHY_SILENT = "why silent"
    WHY_ANSWER = "why this answer"
    WHY = "why"
    DID_KNOW = "did it know"
    DID_DO = "did it do it"
    WHAT_IS = "what is it"
    WHERE_IS = "where is"
    COMMAND = "command"
    LEFT_OVER = "left over"


ABOUT_ANSWERS = frozenset({QuestionKind.WHY_ANSWER, QuestionKind.DID_KNOW, QuestionKind.DID_DO})
"""Kinds that are about something the bot said; without a reply to it the newest answer is meant."""
PERHAPS_ABOUT_ANSWERS = ABOUT_ANSWERS | {QuestionKind.WHY}


class ReadQuestion(NamedTuple):
    """What a question asks for; `line` is the command that answers it, empty where none does.

    `guesses` are commands that may have been meant: a typing error, of which nobody can be sure.
    """

    kind: QuestionKind
    line: str = ""
    guesses: tuple[str, ...] = ()


class _Class:
    """Words of a table, found in a line."""

    def __init__(self, table: str) -> None:
        entries = [tuple(plain_words_of(entry)) for entry in table.split()]
        self._single = frozenset(e[0] for e in entries if len(e) == 1 and not e[0].endswith("*"))
        self._begins = tuple(sorted({e[0][:-1] for e in entries if len(e) == 1 and e[0].endswith("*")}))
        self._phrases = tuple(e for e in entries if len(e) > 1)

    def at(self, words: Sequence[str]) -> list[int]:
        """Return where in a line one of the words stands."""
        found = [n for n, word in enumerate(words) if word in self._single or word.startswith(self._begins or ("\0",))]
        for phrase in self._phrases:
            spans = (n for n in range(len(words)) if tuple(words[n : n + len(phrase)]) == phrase)
            found += spans
        return found

    def __call__(self, words: Sequence[str]) -> bool:
        return bool(self.at(words))


def plain_words_of(entry: str) -> list[str]:
    """Split an entry of the table as a line is split; an ending stays open."""
    return [unaccented(word) for word in entry.casefold().split("_")]


_ = _Class
WHY, WHENCE, NEGATION, BEHIND = _(forms.WHY), _(forms.WHENCE), _(forms.NEGATION), _(forms.NEGATION_BEHIND)
ANSWERS, SPEAKS, SILENT, SAYS = _(forms.ANSWERS), _(forms.SPEAKS), _(forms.SILENT), _(forms.SAYS)
KNOWS, DOES, DOUBTS, WHICH, WHO = _(forms.KNOWS), _(forms.DOES), _(forms.DOUBTS), _(forms.WHICH), _(forms.WHO)
PLANTS, WHERE, WORK, ONGOING = _(forms.PLANTS), _(forms.WHERE), _(forms.WORK), _(forms.ONGOING)
STILL, WORKING, LEADS = _(forms.STILL), _(forms.WORKING), _(forms.NOT_ASKED)
FOR_A_MODEL = _(forms.FOR_A_MODEL)
ITALIAN_NOT, ITALIAN_SPEAKS = _(forms.NEGATION_OF_ITALIAN), _(forms.ITALIAN_SPEAKS)
ASKERS = _(forms.ASKERS)
IDLE, NOT_DOING, ACTING = _(forms.IDLE), _(forms.NOT_DOING), _(forms.ACTING)
RUNS, AIMED, BOT = _(forms.RUNS), _(forms.AIMED), _(forms.BOT)
DEAD, EXCEPT, SAID, UNTRUE = _(forms.DEAD), _(forms.EXCEPT), _(forms.SAID), _(forms.UNTRUE)
SINCE_WHEN, TONE, LANGUAGE = _(forms.SINCE_WHEN), _(forms.TONE), _(forms.LANGUAGE)
SOUNDS_LIKE, USED_TO, NOW, ODD = _(forms.SOUNDS_LIKE), _(forms.USED_TO), _(forms.NOW), _(forms.ODD)
STORES, ABOUT_US, EVERYTHING = _(forms.STORES), _(forms.ABOUT_US), _(forms.EVERYTHING)
SLOW, TIME_LONG, PER_ANSWER = _(forms.SLOW), _(forms.TIME_LONG), _(forms.PER_ANSWER)
AGES, TAKES = _(forms.AGES), _(forms.TAKES)
MIND, GONE, LOST_TRACK = _(forms.MIND), _(forms.GONE), _(forms.LOST_TRACK)
MEMORIES, FOR_REAL, BUT = _(forms.MEMORIES), _(forms.FOR_REAL), _(forms.BUT)
MONEY, SPENT, SEES = _(forms.MONEY), _(forms.SPENT), _(forms.SEES)
ASKS_WHY = _(f"{forms.WHY} {forms.WHY_ELSEWHERE}")
SPELT = {slang: word for word, spoken in forms.SLANG.items() for slang in spoken.split()} | {
    word[:-1]: word for word in forms.DROPS_G.split()
}
TOPICS: Mapping[str, _Class] = {
    "read": _(forms.PROMPT),
    "context": _(forms.MODEL),
    "usage": _(forms.COST),
    "tools": _(forms.TOOLS),
    "skills": _(forms.SKILLS),
}


def read_question(text: str) -> ReadQuestion:
    """Say what is asked; what no form fits is left over."""
    words = _asked(_words_of(text)) if len(text) <= _MAX_READ_CHARS else []
    for kind, line_of in _FORMS:
        line = line_of(words)
        if line is not None:
            return ReadQuestion(kind, line)
    return ReadQuestion(QuestionKind.LEFT_OVER)


def _words_of(text: str) -> list[str]:
    """Return the words of a text; the sign of a currency is a word, and so is a deed that is quoted."""
    words = [SPELT.get(word, word) for word in plain_words(_CURRENCY.sub(" euro ", text))]
    quoted = _QUOTED.search(text)
    return ["quoteddeed", *words] if quoted and DOES(plain_words(quoted[0])) else words


def _asked(words: list[str]) -> list[str]:
    """Leave out what only leads over to the question."""
    for start in reversed(LEADS.at(words)):
        del words[start : start + 2]
    return words


def _planted(words: Sequence[str]) -> str | None:
    who = WHO.at(words)
    return "memory list" if who and any(at > who[0] for at in PLANTS.at(words)) else None


def _topic(words: Sequence[str]) -> str | None:
    if WHY(words) or SILENT(words) or FOR_A_MODEL(words):
        return None
    wanted = WHICH(words) or len(words) <= _MAX_SHORT_WORDS
    return next((line for line, topic in TOPICS.items() if wanted and topic(words)), None)


def _work(words: Sequence[str]) -> str | None:
    if WHENCE(words) or WHY(words):
        return None
    asks = WHERE(words) or ONGOING(words)
    is_busy = STILL(words) and WORKING(words) and not _broken(words)
    return "work" if (asks and WORK(words)) or is_busy else None


def _silent(words: Sequence[str]) -> str | None:
    return "why" if SILENT(words) or _denied(words) or _idle(words) or _broken(words) else None


def _denied(words: Sequence[str]) -> bool:
    """Say whether an answer is what there is not."""
    verbs = [*ANSWERS.at(words), *SPEAKS.at(words)]
    before, behind = NEGATION.at(words), BEHIND.at(words)
    return (
        _is_before(before, verbs)
        or _is_before(ITALIAN_NOT.at(words), ITALIAN_SPEAKS.at(words))
        or any(0 < at - verb <= _NEAR_BEHIND for at in behind for verb in verbs)
    )


def _is_before(found: Sequence[int], verbs: Sequence[int]) -> bool:
    return any(0 < verb - at <= _NEAR_BEFORE for at in found for verb in verbs)


def _idle(words: Sequence[str]) -> bool:
    """Say whether it does nothing, whatever that is about."""
    aimed = AIMED.at(words)
    acting = [at for at in ACTING.at(words) if _is_before(NOT_DOING.at(words), [at])]
    # a question has the verb in front of who does something: "why does nothing work"
    idle = [at for at in IDLE.at(words) if not (at and WHY(words[at - 1 : at]))]
    return any(at + 2 not in aimed for at in (*acting, *idle))


def _broken(words: Sequence[str]) -> bool:
    """Say whether the bot itself is said not to work, and not what it was to work on."""
    no, behind, aimed = NEGATION.at(words), BEHIND.at(words), AIMED.at(words)
    return any(
        (any(0 < at - verb <= 2 for at in behind) or _is_before(no, [verb]))
        and verb + 1 not in aimed
        and (BOT(words[max(0, verb - _NEAR_SUBJECT) : verb]) or verb <= 1)
        for verb in RUNS.at(words)
    )


def _did(words: Sequence[str]) -> str | None:
    if WHY(words) and SAYS(words) and not UNTRUE(words):
        return None
    doubts = DOUBTS(words) or (SAID(words) and UNTRUE(words) and not WHY(words))
    only_sees = len(KNOWS.at(words)) <= len(SEES.at(words))
    is_contradicted = SAID(words) and BUT(words) and NEGATION(words) and only_sees
    return "" if (DOES(words) and doubts) or is_contradicted else None


def _knew(words: Sequence[str]) -> str | None:
    # that it sees what is said makes its silence worse, and who is not seen may be who gets no answer
    only_sees = len(SEES.at(words)) >= len(KNOWS.at(words))
    is_unseen = WHY(words) and _is_before(NEGATION.at(words), SEES.at(words))
    return "" if KNOWS(words) and not (only_sees and (SILENT(words) or _denied(words) or is_unseen)) else None


def _dead(words: Sequence[str]) -> str | None:
    is_left_out = EXCEPT(words) and (ANSWERS(words) or SPEAKS(words))
    return "why" if (DEAD(words) and not WHENCE(words)) or is_left_out else None


def _remembered(words: Sequence[str]) -> str | None:
    """Say whether everything is wanted that is remembered about somebody or a place."""
    if NEGATION(words) or WHY(words) or WHENCE(words):
        return None
    listed = MEMORIES(words) or (STORES(words) and ABOUT_US(words))
    return "memory list" if listed and EVERYTHING(words) else None


def _forgot(words: Sequence[str]) -> str | None:
    """Say whether something is gone from its mind, whatever it was."""
    return "" if LOST_TRACK(words) or (MIND(words) and GONE(words)) else None


def _doubted(words: Sequence[str]) -> str | None:
    """Say whether something is doubted that nothing else was found in: whatever is said to be done."""
    return "" if FOR_REAL(words) and not WHY(words) else None


def _odd(words: Sequence[str]) -> str | None:
    return "" if ODD(words) else None


def _manner(words: Sequence[str]) -> str | None:
    """Say whether it is asked why it speaks as it does: its tone, its language, what changed."""
    if SILENT(words) or _denied(words):
        return None
    asks = WHY(words) or EVERYTHING(words)
    how = TONE(words) or LANGUAGE(words) or SOUNDS_LIKE(words)
    speaks = ANSWERS(words) or SPEAKS(words) or SAYS(words)
    changed = SINCE_WHEN(words) or (USED_TO(words) and NOW(words))
    return "" if (how and (speaks or changed)) or (changed and speaks) or (TONE(words) and asks) else None


def _slow(words: Sequence[str]) -> str | None:
    if AGES(words) and TAKES(words) and not SILENT(words):
        return "this last"
    if SILENT(words) or _denied(words):
        return None
    return "this last" if SLOW(words) or (TIME_LONG(words) and PER_ANSWER(words)) else None


def _spent(words: Sequence[str]) -> str | None:
    """Say whether it is asked where money went: a price that somebody was told is another matter."""
    if SAYS(words) or ANSWERS(words):
        return None
    where = WHY(words) or WHICH(words) or SPENT(words) or WHERE(words)
    return "usage" if (MONEY(words) and SPENT(words)) or (TOPICS["usage"](words) and where) else None


def _said(words: Sequence[str]) -> str | None:
    asks = ASKERS.at(words)
    said = [at for at in SAYS.at(words) if at - 1 not in asks]
    return "" if WHENCE(words) or (WHY(words) and said) else None


def _why(words: Sequence[str]) -> str | None:
    """Say whether it is asked why, in words of which none says of what: there is no list of all idioms."""
    return "" if WHY(words) and len(words) > _MAX_SHORT_WORDS - 2 else None


_FORMS: tuple[tuple[QuestionKind, Callable[[Sequence[str]], str | None]], ...] = (
    (QuestionKind.WHAT_IS, _planted),
    (QuestionKind.WHERE_IS, _work),
    (QuestionKind.WHAT_IS, _topic),
    (QuestionKind.WHAT_IS, _spent),
    (QuestionKind.WHY_ANSWER, lambda words: "" if WHENCE(words) else None),
    (QuestionKind.DID_KNOW, _forgot),
    (QuestionKind.WHY_ANSWER, _odd),
    (QuestionKind.WHY_SILENT, _dead),
    (QuestionKind.WHAT_IS, _remembered),
    (QuestionKind.WHAT_IS, _slow),
    (QuestionKind.WHY_ANSWER, _manner),
    (QuestionKind.DID_DO, _did),
    (QuestionKind.DID_KNOW, _knew),
    (QuestionKind.WHY_SILENT, _silent),
    (QuestionKind.WHY_ANSWER, _said),
    (QuestionKind.WHY, _why),
    (QuestionKind.DID_DO, _doubted),
)
"""In the order in which they are tried: what names its subject comes before what only has a tone."""
