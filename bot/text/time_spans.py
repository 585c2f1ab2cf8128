"""Which days a question is about: `last week`, `vor drei Tagen`, `вчера`, `上周`; all times are UTC milliseconds.

What people call last week is wider than a week of the calendar, and three weeks ago is no day, so spans are generous:
they say what to look at first, not what to leave out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from bot.text.terms import plain, terms

_LAST_SECOND = 253_402_300_799
"""Of the year 9999."""
_MAX_CHARS = 4_000


class TimeSpan(NamedTuple):
    """From when until when, and the question without the words that say so."""

    since: int
    until: int
    rest: str


_Days = tuple[datetime, datetime]
_A_DAY = timedelta(days=1)


def _around(days: int, before: int, after: int) -> Callable[[datetime], _Days]:
    return lambda today: (today - timedelta(days=days + before), today - timedelta(days=days - after - 1))


def _this_week(today: datetime) -> _Days:
    return min(_monday(today), today - 5 * _A_DAY), today + _A_DAY


def _last_week(today: datetime) -> _Days:
    monday = _monday(today)
    return min(monday - 7 * _A_DAY, today - 10 * _A_DAY), max(monday, today - 4 * _A_DAY)


def _this_month(today: datetime) -> _Days:
    return today.replace(day=1), today + _A_DAY


def _last_month(today: datetime) -> _Days:
    first = today.replace(day=1)
    before = (first - _A_DAY).replace(day=1)
    return min(before, today - 45 * _A_DAY), max(first, today - 20 * _A_DAY)


def _last_year(today: datetime) -> _Days:
    first = today.replace(month=1, day=1)
    return first.replace(year=max(1, first.year - 1)), first


def _monday(today: datetime) -> datetime:
    return today - today.weekday() * _A_DAY


_NAMED: tuple[tuple[str, Callable[[datetime], _Days]], ...] = (
    (
        r"(?:the )?day before yesterday|vorgestern|avant[- ]?hier|anteayer|antier|antes de ayer|позавчера"
        r"|一昨日|おととい|前天|前日",
        _around(2, 0, 0),
    ),
    (r"yesterday|last night|gestern|hier|ayer|anoche|вчера|昨日|昨夜|きのう|昨天|昨晚", _around(1, 0, 0)),
    (
        r"today|tonight|this morning|heute|aujourd.?hui|ce matin|hoy|esta manana|сегодня|今日|今朝|きょう|今天|今早",
        _around(0, 0, 0),
    ),
    (
        r"(?:last|past|previous) week|(?:letzt|vergangen|vorig)\w* woche|semaine (?:derniere|passee)"
        r"|semana (?:pasada|anterior)|прошл\w+ недел\w+|先週|上(?:个|個)?(?:周|週|星期|礼拜)",
        _last_week,
    ),
    (
        r"this week|dies\w* woche|cette semaine|esta semana|эт\w+ недел\w+|今週|[这這本](?:个|個)?(?:周|週|星期|礼拜)",
        _this_week,
    ),
    (
        r"(?:last|past|previous) month|(?:letzt|vergangen|vorig)\w* monat\w*|mois (?:dernier|passe)"
        r"|mes (?:pasado|anterior)|прошл\w+ месяц\w*|先月|上(?:个|個)?月",
        _last_month,
    ),
    (r"this month|dies\w* monat\w*|ce mois|este mes|эт\w+ месяц\w*|今月|[这這本](?:个|個)?月", _this_month),
    (
        r"last year|(?:letzt|vergangen|vorig)\w* jahr\w*|annee (?:derniere|passee)|ano pasado|прошл\w+ году?|去年|昨年",
        _last_year,
    ),
    (
        r"recently|lately|neulich|kurzlich|recemment|dernierement|recientemente|ultimamente|недавно|最近|この前",
        _around(0, 14, 0),
    ),
)
_WIDE_DIGITS = "零一二三四五六七八九十两兩"
_COUNT = r"\d{1,3}|\w+"
_UNITS = (
    (1, r"days?|tage?n?|jours?|dias?|дн\w+|день|日|天"),
    (7, r"weeks?|wochen?|semaines?|semanas?|недел\w+|週間|(?:个|個)?(?:周|週|星期|礼拜)"),
    (30, r"months?|monate?n?|mois|mes(?:es)?|месяц\w*|[かヶケカ]月|(?:个|個)月"),
    (365, r"years?|jahre?n?|ans?|annees?|anos?|год\w*|лет|年"),
)
_AGO = tuple(
    (
        days,
        re.compile(
            rf"\b(?P<en>{_COUNT}) (?:{unit}) ago\b"
            rf"|\b(?:vor|hace|il y a) (?:etwa |unos |environ )?(?P<de>{_COUNT}) (?:{unit})\b"
            rf"|(?:\b(?P<ru>\w+) )?\b(?:{unit}) назад\b"
            rf"|(?P<wide>\d{{1,3}}|[{_WIDE_DIGITS}]) ?(?:{unit})前"
        ),
    )
    for days, unit in _UNITS
)
_WEEKDAY = re.compile(
    r"\b(?:last|on|this past|letzt\w*|am|vergangen\w*|le|el|(?:в|во)(?: прошл\w+)?) (?P<day>[^\W\d_]+)"
    r"(?: dernier| pasado)?\b"
)
_WIDE = re.compile("[\u3040-\u9fff]")
_GERMAN = re.compile(r"\b(?:ist|sind|der|die|das|den|dem|wer|was|wo|wie|und|gibt|hat|ein|eine|man|ich|wir|mit|im|zu)\b")
"""`hier` is yesterday in French, and here in German."""
_READY = tuple(
    # writing without spaces has no ends of words
    (re.compile("|".join(one if _WIDE.search(one) else rf"\b(?:{one})\b" for one in _alternatives)), days)
    for _alternatives, days in ((re.split(r"\|(?![^(]*\))", words), days) for words, days in _NAMED)
)


def read_time_span(question: str, now: int) -> TimeSpan | None:
    """Return which days a question names, or None where it names none."""
    folded = " ".join(plain(question[:_MAX_CHARS]).split())
    today = datetime.fromtimestamp(min(max(now, 0) // 1000, _LAST_SECOND), UTC)
    today = today.replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern, days in _READY:
        found = pattern.search(folded)
        if found and not (found[0] == "hier" and _GERMAN.search(folded)):
            return _span(days, today, folded, found)
    for unit, ago in _AGO:
        if (found := ago.search(folded)) and (many := _many(found)):
            wide = max(1 if unit == 1 else 4, unit * many // 5)
            return _span(_around(unit * many, wide, wide), today, folded, found)
    for found in _WEEKDAY.finditer(folded):
        day = "".join(terms(found["day"]))
        if day.startswith("weekday:"):
            # today's own name means a week ago
            return _span(_around((today.weekday() - int(day[8:])) % 7 + 1, 0, 0), today, folded, found)
    return None


def _many(found: re.Match[str]) -> int:
    word = next((word for word in found.groups() if word), "")
    if word and word in _WIDE_DIGITS:
        at = _WIDE_DIGITS.index(word)
        return at if at <= 10 else 2
    (term, *_) = terms(word) or ("1",)
    # `a week ago`, `vor einer Woche`, `неделю назад`
    return int(term) if term.isdigit() else 1


def _span(days: Callable[[datetime], _Days], today: datetime, folded: str, found: re.Match[str]) -> TimeSpan | None:
    try:
        since, until = days(today)
    except OverflowError:
        return None
    rest = f"{folded[: found.start()]} {folded[found.end() :]}"
    return TimeSpan(int(since.timestamp()) * 1000, int(until.timestamp()) * 1000, rest)
