"""Say whether an answer says something: the same words, numbers and times, however it writes them.

A proof counts how often a model says a thing, so that `14` must not be found in `140`, nor be missed in `fourteen`.
"""

from __future__ import annotations

import re
import unicodedata

from bot.text.terms import plain, terms

_MARKS = re.compile(r"(?<=\w)(?:\*\*|\*|__|~~|`)(?=\w)|\*\*|__|~~|`")
"""How chats write bold, struck and code: a word that is half bold is still that word."""
_DENIALS = frozenset(
    ("no", "not", "never", "nicht", "kein", "keine", "nie", "nunca", "jamais", "pas", "nao", "ne", "не", "нет")
)
"""Function words that turn a phrase round, and so are looked for; the others say nothing of it."""
_WIDE = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_ENDING = r"(?:['’]?[^\W\d_]{1,2})?"
"""A word that is long enough may have an ending: `Wolfgang's`, `des Freitags`. A number has none: `eighty`."""
_MIN_INFLECTED = 4

_UNIT_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen
"""
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_UNITS, _TENS, _ORDINALS = (words.split() for words in (_UNIT_WORDS, _TEN_WORDS, _ORDINAL_WORDS))
_NUMBERS = (
    {word: number for number, word in enumerate(_UNITS)}
    | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
    | {word: number for number, word in enumerate(_ORDINALS)}
    | {f"{word}th": number for number, word in enumerate(_UNITS) if number > 12}
    | {f"{word[:-1]}ieth": 20 + 10 * at for at, word in enumerate(_TENS)}
)
# words that mostly mean something else stand for a number only behind another one: `twenty-one`, `twenty-first`
_ALONE = {word: number for word, number in _NUMBERS.items() if word not in ("one", "first", "second")}
_ONES = "|".join(word for word, number in _NUMBERS.items() if 0 < number < 10)
_IN_WORDS = re.compile(rf"\b(?:({'|'.join(_TENS)})[ -]({_ONES})|({'|'.join(_ALONE)}))\b")
_TWO_WORDS = re.compile(rf"\b({'|'.join(_TENS)}) ({_ONES})\b")
_ORDINAL = re.compile(r"(?<![\w.,:])(\d+)(?:st|nd|rd|th)\b")


def says(text: str, words: str) -> bool:
    """Say whether all of some words stand in a text, whatever their case and accents; figures however written."""
    said = _folded(text)
    known = frozenset(terms(said)) | frozenset(terms(_in_figures(said)))
    figures = _in_figures(said)
    wanted = _TWO_WORDS.sub(r"\1-\2", _folded(words))
    asked = [word for word in (one.strip("\"'.,;:!?()[]«»“”‘’") for one in wanted.split()) if word]
    telling = [word for word in asked if terms(word) or word in _DENIALS]
    return bool(asked) and all(_stands(word, said, figures, known) for word in telling or asked)


def _stands(word: str, said: str, figures: str, known: frozenset[str]) -> bool:
    if _WIDE.search(word):
        return word in said
    meant = terms(_in_figures(word))
    if re.search(rf"{_begins(word)}{re.escape(word)}{_ends(word, meant)}", said):
        return True
    if not meant:
        return False
    return known.issuperset(meant) or all(one in known or _is_time_in(one, figures) for one in meant)


def _begins(word: str) -> str:
    # a figure that goes on is another one: 27 in 127, 10 in 3.10
    return r"(?<!\w)(?<!\d[.,:])" if word[0].isdigit() else r"(?<!\w)"


def _ends(word: str, meant: tuple[str, ...]) -> str:
    if word[-1].isdigit():
        return r"(?!\w)(?![.,:]\d)"
    inflected = len(word) >= _MIN_INFLECTED and not any(one[0].isdigit() for one in meant)
    return (_ENDING if inflected else "") + r"(?!\w)"


def _is_time_in(term: str, figures: str) -> bool:
    """Find a time that is written with a point, a space or an `h`; only where a time is looked for."""
    kind, _, value = term.partition(":")
    if kind != "time":
        return False
    hour, minute = value.split(":")
    short = r"|\s?h" if minute == "00" else ""
    written = rf"(?<![\w.,:])0?{hour}(?:\s?[.h]\s?{minute}|\s{minute}{short})(?!\w)(?![.,:]\d)"
    return re.search(written, figures) is not None


def _folded(text: str) -> str:
    shown = "".join(one for one in text if unicodedata.category(one) != "Cf")
    return _MARKS.sub("", plain(shown).replace("’", "'").replace("`", "'"))


def _in_figures(folded: str) -> str:
    def figure(found: re.Match[str]) -> str:
        tens, ones, alone = found.groups()
        return str(_NUMBERS[alone] if alone else _NUMBERS[tens] + _NUMBERS[ones])

    return _ORDINAL.sub(r"\1", _IN_WORDS.sub(figure, folded))
