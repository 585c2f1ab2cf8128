"""Read numbers and times of day as people say them, in six languages: `half past eight`, `halb neun`, `sete e meia`.

Times are minutes of half a day: who says `at three` may mean 15:00.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

HALF_DAY = 12 * 60
_TENS_STEP = 10


def _numbered(text: str) -> dict[str, int]:
    return {word: int(line.split()[0]) for line in text.strip().split("\n") for word in line.split()[1:]}


_NUMBERS = _numbered("""
1 eins une uma un один одна одну часу
2 two zwei zwo dos dois duas deux два две двух двое двоих
3 three drei tres trois три трех трое троих
4 four vier cuatro quatro quatre четыре четырех четверо
5 five funf cinco cinq пять пяти пятеро
6 six sechs seis шесть шести шестеро
7 seven sieben siete sete sept семь семи семеро
8 eight acht ocho oito huit восемь восьми восьмеро
9 nine neun nueve nove neuf девять девяти
10 ten zehn diez dez dix десять десяти
11 eleven elf once onze одиннадцать одиннадцати
12 twelve zwolf doce doze douze двенадцать двенадцати dozen dutzend docena duzia douzaine
13 thirteen dreizehn trece treze treize тринадцать
14 fourteen vierzehn catorce catorze quatorze четырнадцать
15 fifteen funfzehn quince quinze пятнадцать
16 sixteen sechzehn dieciseis dezasseis dezesseis seize шестнадцать
17 seventeen siebzehn diecisiete dezassete dezessete dix-sept семнадцать
18 eighteen achtzehn dieciocho dezoito dix-huit восемнадцать
19 nineteen neunzehn diecinueve dezanove dezenove dix-neuf девятнадцать
20 twenty zwanzig veinte vinte vingt двадцать двадцати
25 veinticinco
30 thirty dreissig treinta trinta trente тридцать тридцати
40 forty vierzig cuarenta quarenta quarante сорок сорока
50 fifty funfzig cincuenta cinquenta cinquante пятьдесят
60 sixty sechzig sesenta sessenta soixante шестьдесят
70 seventy siebzig setenta septante семьдесят
80 eighty achtzig ochenta oitenta quatre-vingts восемьдесят
90 ninety neunzig noventa nonante восемьдесят девяносто
100 hundred hundert cien ciento cem cento cent сто
200 zweihundert doscientos duzentos двести
300 dreihundert trescientos trezentos триста
400 vierhundert cuatrocientos quatrocentos четыреста
500 funfhundert quinientos quinhentos пятьсот
600 шестьсот
700 семьсот
800 восемьсот
900 девятьсот
1000 thousand tausend mil mille тысяча тысячи тысяч
""")
_ORDINAL_HOURS = _numbered("""
1 первого
2 второго
3 третьего
4 четвертого
5 пятого
6 шестого
7 седьмого
8 восьмого
9 девятого
10 десятого
11 одиннадцатого
12 двенадцатого
""")
_AND = frozenset(["and", "und", "y", "e", "et", "и"])
_HOUR = frozenset(
    [
        "uhr",
        "heure",
        "heures",
        "h",
        "hora",
        "horas",
        "hs",
        "час",
        "часа",
        "часов",
        "am",
        "pm",
        "a.m",
        "p.m",
        "o'clock",
        "oclock",
        "утра",
        "вечера",
        "дня",
    ]
)
_AT = frozenset(["at", "um", "gegen", "las", "la", "as", "a", "в", "к", "around", "by", "ab", "vers", "desde", "from"])
_AFTER = frozenset(["past", "after", "nach"])
_TO = frozenset(["to", "till", "vor"])
_HALF = frozenset(["half", "media", "meia", "demie", "demi", "половина", "половине", "полчаса"])
_QUARTER = frozenset(["quarter", "viertel", "cuarto", "quarto", "quart", "четверть"])
_NOON = frozenset(
    ["noon", "midday", "mittags", "mediodia", "meio-dia", "midi", "полдень", "midnight", "mitternacht"]
) | {
    "medianoche",
    "meia-noite",
    "minuit",
    "полночь",
}
_GERMAN = re.compile(r"(ein|zwei|drei|vier|funf|sechs|sieben|acht|neun)und(\w+)")
_CLOCK = re.compile(r"(\d{1,2})(?:[:h.](\d{2}))")
_HALF_OF = re.compile(r"пол(\w+)")
_AMPM = re.compile(r"(\d{1,2})(?:am|pm|h|uhr)")
_PLAIN = re.compile(r"\d{1,6}")


class Said(NamedTuple):
    """A number or a time as it stands in some words: from which word on, and the one behind it."""

    value: int
    at: int
    end: int


def times_of(words: Sequence[str]) -> tuple[Said, ...]:
    """Return the times of day that folded words say."""
    found = []
    at = 0
    while at < len(words):
        one = _time(words, at)
        if one is not None:
            found.append(one)
        at = one.end if one is not None else at + 1
    return tuple(found)


def numbers_of(words: Sequence[str]) -> tuple[Said, ...]:
    """Return the numbers that folded words say, without those that are times of day."""
    taken = {place for one in times_of(words) for place in range(one.at, one.end)}
    found = []
    at = 0
    while at < len(words):
        one = None if at in taken else number_at(words, at)
        if one is not None:
            found.append(one)
        at = one.end if one is not None else at + 1
    return tuple(found)


def number_at(words: Sequence[str], at: int) -> Said | None:
    """Read a number that begins at a word; `twenty five`, `двести тысяч`, `treinta y cinco` are one."""
    total, current, end, last = 0, 0, at, 0
    while end < len(words):
        said = _one_number(words[end])
        if said is None and words[end] in _AND and last >= 2 * _TENS_STEP and end + 1 < len(words):
            said = _one_number(words[end + 1])
            if said is None or said >= _TENS_STEP:
                break
            end += 1
        if said is None or (last and not (said >= 100 > last or said < last)):
            break
        if words[end].isdigit() and last:
            break
        if said == 1000 and last:
            total, current = (total + current) * 1000, 0
        elif said == 100 and 0 < current < 10:
            current *= 100
        else:
            current += said
        last, end = said, end + 1
    return Said(total + current, at, end) if end > at else None


def _one_number(word: str) -> int | None:
    if word in _NUMBERS:
        return _NUMBERS[word]
    if _PLAIN.fullmatch(word):
        return int(word)
    if (german := _GERMAN.fullmatch(word)) and german[2] in _NUMBERS:
        return _NUMBERS[german[2]] + _NUMBERS.get(german[1], 1)
    return None


def _small(words: Sequence[str], at: int) -> int | None:
    """Return an hour that stands at a word."""
    if at >= len(words):
        return None
    said = _one_number(words[at])
    said = _ORDINAL_HOURS.get(words[at]) if said is None else said
    return said if said is not None and said <= 24 else None


def _time(words: Sequence[str], at: int) -> Said | None:
    word = words[at]
    if (clock := _CLOCK.fullmatch(word)) and int(clock[1]) <= 24 and int(clock[2]) < 60:
        return Said((int(clock[1]) * 60 + int(clock[2])) % HALF_DAY, at, at + 1)
    if (clock := _AMPM.fullmatch(word)) and int(clock[1]) <= 24:
        return Said(int(clock[1]) * 60 % HALF_DAY, at, at + 1)
    if word in _NOON:
        return Said(0, at, at + 1)
    return _half(words, at) or _past(words, at) or _hour(words, at)


def _half(words: Sequence[str], at: int) -> Said | None:
    """Read `half past eight`, `halb neun`, `полдевятого`."""
    word = words[at]
    if (half := _HALF_OF.fullmatch(word)) and half[1] in _ORDINAL_HOURS:
        return Said((_ORDINAL_HOURS[half[1]] * 60 - 30) % HALF_DAY, at, at + 1)
    if word in {"halb", "половина", "половине"} and (hour := _small(words, at + 1)) is not None:
        return Said((hour * 60 - 30) % HALF_DAY, at, at + 2)
    return None


def _past(words: Sequence[str], at: int) -> Said | None:
    """Read `quarter past eight`, `zehn vor neun`, `двадцать минут восьмого`."""
    minutes = 30 if words[at] == "half" else 15 if words[at] in _QUARTER else _one_number(words[at])
    if minutes is None or minutes >= 60 or at + 2 >= len(words):
        return None
    behind = at + 1 + (words[at + 1] in {"minutes", "minuten", "минут"})
    if words[behind] in _ORDINAL_HOURS and behind > at + 1:
        return Said((_ORDINAL_HOURS[words[behind]] * 60 - 60 + minutes) % HALF_DAY, at, behind + 1)
    hour = _small(words, behind + 1)
    if hour is None or words[behind] not in _AFTER | _TO:
        return None
    return Said((hour * 60 + (minutes if words[behind] in _AFTER else -minutes)) % HALF_DAY, at, behind + 2)


def _hour(words: Sequence[str], at: int) -> Said | None:
    """Read an hour that an hour's word stands behind, or what leads to one before."""
    hour = _small(words, at)
    if hour is None:
        return None
    end = at + 1
    named = end < len(words) and words[end] in _HOUR
    end += named
    if end + 1 < len(words) and words[end] in _AND and words[end + 1] in _HALF | _QUARTER:
        return Said((hour * 60 + (30 if words[end + 1] in _HALF else 15)) % HALF_DAY, at, end + 2)
    if named and end < len(words) and (minutes := number_at(words, end)) and minutes.value < 60:
        return Said((hour * 60 + minutes.value) % HALF_DAY, at, minutes.end)
    led = at > 0 and words[at - 1] in _AT and (end >= len(words) or not _counts(words, end))
    return Said(hour * 60 % HALF_DAY, at, end) if named or led else None


_BEHIND_AN_HOUR = frozenset(
    [
        "\nam",
        "in",
        "im",
        "zum",
        "zur",
        "bei",
        "beim",
        "vor",
        "mit",
        "ist",
        "geht",
        "on",
        "at",
        "for",
        "the",
        "sharp",
        "i",
        "to",
        "and",
        "or",
        "wir",
        "ihr",
        "y",
        "e",
        "et",
        "и",
        "en",
        "para",
        "por",
        "de",
        "da",
        "do",
        "com",
        "no\nna",
        "em",
        "la",
        "el",
        "os",
        "as",
        "pour",
        "le",
        "les",
        "des",
        "au",
        "aux",
        "dans",
        "devant",
        "du",
        "chez",
        "у",
        "на",
        "в",
        "во",
        "за",
        "с",
        "по",
        "же",
        "a",
        "und",
        "oder",
        "doch",
        "los",
        "dann\n",
    ]
) | frozenset(["i'm", "we", "you", "he", "she", "they", "it", "je", "on", "tu", "il", "elle"])


def _counts(words: Sequence[str], at: int) -> bool:
    """Say whether a number counts what stands behind it: `at four tables` is no time."""
    return words[at][0].isalpha() and words[at].strip() not in _BEHIND_AN_HOUR
