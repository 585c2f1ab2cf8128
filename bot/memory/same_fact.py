"""Tell whether two texts say one fact: the same to everybody who reads them, or so nearly that somebody should look.

Only what nobody could tell apart is the same. Words in another order may say who did what to whom, so that "Ann owes Bo
5" and "Bo owes Ann 5" are not one fact; they are alike, and a person decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher

from bot.text.plain_words import plain_words, unaccented
from bot.text.terms import CALENDAR_WORDS, is_figure, plain, stem, terms

MIN_LIKENESS = 0.75
"""From here on two facts are offered to people as one."""
_MARKS = ".,;:!¡…\"'`´‘’“”„«»()[]{}*_~。、，！–—"
"""What stands around words and is no part of them; `-5`, `C++` and `$5` stay what they are."""
_ARTICLES = frozenset({"a", "an", "the", "that"})
_WORD = re.compile(r"[^\W\d_]+")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])(?!feira)")
_MAX_CHARS = 1_000
_MAX_COMPARED_TERMS = 60
_MAX_MARKS = 40
_MIN_SHARED = 2
_MIN_SHARED_OF_REWORDED = 4
_TYPO_RATIO = 0.8
_MIN_TYPO_CHARS = 5


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FIRST_PERSON = _set(
    "i me my mine myself we us our ours ich mich mir mein meine wir uns unser je moi mon ma mes nous notre yo mi mis"
    " nosotros я мне меня мой моя мы нам нас наш"
)
_MARKS_MATTER = _set(
    "papa pais avo secretaria sabia cote peche mais tue sur schon wurde konnte musste hatte mochte drucken"
    " fordern zahlen fallen все"
)
"""What is another word without its accents, as `schon` and `schön`: who writes without any may mean either."""
_NEGATING = _set(
    "not no never nobody none nothing without cannot dont doesnt isnt wont cant nicht nie niemals kein keine keinen"
    " keiner keinem niemand nichts ohne no nunca jamas nadie nada sin nao nem ninguem sem ne pas jamais rien personne"
    " sans plus не нет никогда никто ничего без ни"
)
_FOCUSING = _NEGATING | _set(
    "only even also too just both except but unless before after until nur sogar auch bloss ausser aber bis vor nach"
    " solo incluso tambien excepto pero hasta antes despues apenas so ate tambem exceto mas depois seulement meme aussi"
    " sauf avant apres jusque только даже тоже также кроме но до после"
)
"""What says something of the words beside it: elsewhere in a sentence it says it of others."""
_CONJUNCTIONS = _set("and or und oder y e o ou et и или")
_BEFORE_TIMES = _set(
    "on at in every each by am um im jeden jede jedes el los las la a en cada as aos ao na no le les a chaque в во по"
    " каждый каждую каждое the"
)
_WHEN = _set(
    "today tomorrow tonight daily weekly monthly usually often always heute morgen taglich wochentlich immer meistens"
    " hoy manana siempre diariamente hoje amanha sempre diariamente aujourdhui demain toujours souvent"
    " сегодня завтра всегда ежедневно обычно"
)
_TIME_PHRASE = re.compile(r"p*(?:do|d?t)[dto]*(?:p+(?:do|d?t)[dto]*)*")
_CLOCK = re.compile(r"\d{1,2}[:h.]\d{2}|\d{1,2}[ap]m|\d{1,2}h")
_OF_TIMES = _set("pm am uhr часов h oclock")


def says_same(one: str, other: str) -> bool:
    """Say whether two texts are one fact to everybody: capitals, marks, articles and accents left out do not count.

    Nor does where a time stands in the sentence, and in which order two things are named at its end or beginning.
    """
    # of what is long, marks and accents are a small part
    if abs(len(one) - len(other)) > _MAX_MARKS + min(len(one), len(other)) // 2:
        return False
    first, second = fact_words(one), fact_words(other)
    if not first or len(first) != len(second):
        return False
    if first == second:
        return True
    bare, other_bare = ([unaccented(word) for word in words] for words in (first, second))
    if sorted(bare) != sorted(other_bare) or not _differ_in_typing(first, second):
        return False
    return bare == other_bare or _is_only_reordered(bare, other_bare)


def fact_words(content: str) -> tuple[str, ...]:
    """Return the words that count, in their order."""
    folded = _HYPHEN.sub(" ", unicodedata.normalize("NFKC", content).casefold().replace("’", "'"))
    words = (word.strip(_MARKS) for word in folded.split())
    return tuple(word for word in words if word and word != "-" and unaccented(word) not in _ARTICLES)


def is_of_speaker(content: str) -> bool:
    """Say whether a text is in the first person, so that it says another thing when somebody else says it."""
    return not _FIRST_PERSON.isdisjoint(_WORD.findall(content[:_MAX_CHARS].casefold()))


def likeness(one: str, other: str) -> float:
    """Say from 0 to 1 how nearly two texts say one fact: by the share of what they are about.

    It is 0 where a number, time or date differs, where one of them says no, and where each is about something that the
    other is not: that Ann likes tea is nearly that Ann likes tea a lot, and not that Bo likes tea.
    """
    if max(len(one), len(other)) > _MAX_CHARS:
        return 0.0
    first, second = dict.fromkeys(terms(one)), dict.fromkeys(terms(other))
    if min(len(first), len(second)) < _MIN_SHARED or max(len(first), len(second)) > _MAX_COMPARED_TERMS:
        return 0.0
    only = [_rest(first, second), _rest(second, first)]
    shared = min(len(first) - len(only[0]), len(second) - len(only[1]))
    if shared < _MIN_SHARED or any(is_figure(term) for rest in only for term in rest):
        return 0.0
    if _negates(one) != _negates(other):
        return 0.0
    if all(only):
        if len(only[0]) != 1 or len(only[1]) != 1:
            return 0.0
        if _is_slip(only[0][0], only[1][0]):
            return 1.0
        # a name is no other word for another name
        if shared < _MIN_SHARED_OF_REWORDED or any(map(_is_name, (only[0][0], only[1][0]), (one, other))):
            return 0.0
    return 2 * shared / (2 * shared + len(only[0]) + len(only[1]))


def _differ_in_typing(first: Sequence[str], second: Sequence[str]) -> bool:
    """Say whether accents differ only because one of the two was typed without any."""
    one, other = sorted(first), sorted(second)
    if one == other:
        return True
    plainly = next((words for words in (one, other) if all(word == unaccented(word) for word in words)), None)
    if plainly is None:
        return False
    accented = other if plainly is one else one
    return all(word == unaccented(word) or unaccented(word) not in _MARKS_MATTER for word in accented)


def _is_only_reordered(first: Sequence[str], second: Sequence[str]) -> bool:
    """Say whether words stand in another order that changes nothing of who does what to whom."""
    if not _FOCUSING.isdisjoint(first):
        return False
    moved, moved_too = _time_of(first), _time_of(second)
    if moved is not None and moved_too is not None:
        (time, rest), (time_too, rest_too) = moved, moved_too
        if time == time_too and rest == rest_too:
            return True
    return _is_swapped_pair(first, second)


def _time_of(words: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Take the one phrase that says when out of a sentence; None where there is none, or more than one."""
    found = list(_TIME_PHRASE.finditer("".join(map(_role, words))))
    if len(found) != 1:
        return None
    start, end = found[0].span()
    return list(words[start:end]), [*words[:start], *words[end:]]


def _role(word: str) -> str:
    """Name in a letter what a word may be in a phrase that says when."""
    if word in _WHEN or _CLOCK.fullmatch(word) or word.partition("'")[0].replace("-", "") in CALENDAR_WORDS:
        return "t"
    if word.isdigit():
        return "d"
    if word in _OF_TIMES:
        return "o"
    return "p" if word in _BEFORE_TIMES else "."


def _is_swapped_pair(first: Sequence[str], second: Sequence[str]) -> bool:
    """Say whether two words on either side of one `and` changed places, where nothing else can belong to only one."""
    places = [at for at, word in enumerate(first) if word in _CONJUNCTIONS]
    if len(places) != 1 or not 0 < places[0] < len(first) - 1:
        return False
    at = places[0]
    if at != 1 and at + 2 != len(first):
        return False
    swapped = [*first[: at - 1], first[at + 1], first[at], first[at - 1], *first[at + 2 :]]
    return swapped == list(second)


def _rest(some: Iterable[str], others: Collection[str]) -> list[str]:
    """Return the terms of one text of which the other has no form."""
    stems = {stem(term) for term in others} - {""}
    return [term for term in some if term not in others and stem(term) not in stems]


def _is_slip(one: str, other: str) -> bool:
    """Say whether one word is another with a letter too many, too few or wrong."""
    return min(len(one), len(other)) >= _MIN_TYPO_CHARS and SequenceMatcher(None, one, other).ratio() >= _TYPO_RATIO


def _is_name(term: str, text: str) -> bool:
    return any(plain(word) == term for word in _WORD.findall(text) if word[0].isupper())


def _negates(text: str) -> bool:
    return not _NEGATING.isdisjoint(plain_words(text))
