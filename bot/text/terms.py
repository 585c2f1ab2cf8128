"""What a text is about, as things that can be compared: words, numbers, times and dates, however they are written.

`terms("On Thursday at 8 pm, 1,204 gold")` holds the weekday, 20:00, and 1204; so does what says the same in German.
Function words of six languages say nothing of a subject and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from bot.text.plain_words import unaccented

STEM_CHARS = 5
"""Two words that begin with so many characters alike may be forms of one: `reserve`, `reservation`."""
_MIN_FORM_CHARS = 3
_LATIN_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:s|es|en|er|ern|ers|e|n|ed|ing|a|o|as|os|em)$")
_CYRILLIC_ENDING = re.compile(
    r"(?<=[^\W\d_]{2})(?:ами|ями|ого|его|ому|ему|ыми|ими|ах|ях|ов|ев|ей|ой|ом|ем|ам|ям|ый|ий|ая|яя|ое|ее|ые|ие|ую|юю"
    r"|[аяуюыиеоьй])$"
)
_PIECE = re.compile(
    r"(?P<iso>\d{4}-\d{2}-\d{2})"
    r"|(?P<dotted>\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?)(?!\d)"
    r"|(?P<clock>\d{1,2}(?::\d{2}(?:\s?[ap]\.?m\b)?|\s?[ap]\.?m\b|h\d{2}\b|\s?(?:uhr|часов)\b))"
    r"|(?P<code>(?=[^\W_]*\d)(?=[^\W_]*[^\W\d_])[^\W_]+(?:-[^\W_]+)*)"
    r"|(?P<number>\d[\d.,']*\d|\d)"
    r"|(?P<word>[^\W\d_]+)"
)
_CLOCK = re.compile(r"(\d{1,2})(?:[:h](\d{2}))?\s*([ap])?")
_GROUPED = re.compile(r"\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*")
_WIDE = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
"""Writing that puts no spaces between words: its neighbours are compared two by two."""

_WEEKDAYS = (
    "monday montag lunes segundafeira lundi понедельник понедельника понедельникам",
    "tuesday dienstag martes tercafeira terca mardi вторник вторника вторникам tue",
    "wednesday mittwoch miercoles quartafeira mercredi среда среду среды средам wed",
    "thursday donnerstag jueves quintafeira jeudi четверг четверга четвергам thu",
    "friday freitag viernes sextafeira vendredi пятница пятницу пятницы пятницам fri",
    "saturday samstag sonnabend sabado samedi суббота субботу субботы субботам",
    "sunday sonntag domingo dimanche воскресенье воскресенья воскресеньям",
)
_MONTHS = (
    "january januar enero janeiro janvier январь января январе jan",
    "february februar febrero fevereiro fevrier февраль февраля феврале feb",
    "march marz maerz marzo marco mars март марта марте",
    "april abril avril апрель апреля апреле apr",
    "mai mayo maio май мая мае",
    "june juni junio junho juin июнь июня июне jun",
    "july juli julio julho juillet июль июля июле jul",
    "august agosto aout август августа августе aug",
    "september septiembre setembro septembre сентябрь сентября сентябре sep sept",
    "october oktober octubre outubro octobre октябрь октября октябре oct okt",
    "november noviembre novembro novembre ноябрь ноября ноябре nov",
    "december dezember diciembre dezembro decembre декабрь декабря декабре dec",
)
_COUNTED = (
    (2, "two zwei deux два две двух"),
    (3, "three drei tres trois три трех"),
    (4, "four vier cuatro quatro quatre четыре четырех"),
    (5, "five funf cinco cinq пять пяти"),
    (6, "six sechs seis шесть шести"),
    (7, "seven sieben siete sete семь семи"),
    (8, "eight acht ocho oito huit восемь восьми"),
    (9, "nine neun nueve nove neuf девять девяти"),
    (10, "ten zehn diez dez dix десять десяти"),
    (11, "eleven elf once onze одиннадцать одиннадцати"),
    (12, "twelve zwolf doce doze douze двенадцать двенадцати"),
    (20, "twenty zwanzig veinte vinte vingt двадцать двадцати"),
)
"""Numbers that people write in words; what is also an article, or a month as people write it, is none of them."""
_NAMED = {
    word: f"{kind}{number}"
    for kind, names in (("weekday:", _WEEKDAYS), ("month:", _MONTHS))
    for number, words in enumerate(names, 1)
    for word in words.split()
} | {word: str(number) for number, words in _COUNTED for word in words.split()}
CALENDAR_WORDS = frozenset(word for names in (*_WEEKDAYS, *_MONTHS) for word in names.split())
"""Weekdays and months as people write them in six languages, folded."""
_SPELLED = {
    term: tuple(word for word, meant in _NAMED.items() if meant == term)
    + ((f"{term[6:]}.", f"-{term[6:].zfill(2)}-") if term.startswith("month:") else ())
    for term in set(_NAMED.values())
}
_FUNCTION_TEXT = """
a about after all also am an and any are as at be because been before being but by can could did do does doing done
for from get got had has have he her here him his how i if in into is it its just let like me more my no not now of
off on one only or our out over own please she so some than that the their them then there these they this those to
too up us very was we were what when where which who why will with would yes you your okay ok hi hello thanks thank
aber alle als also am an auch auf aus bei bin bis bist da dann das dass dein deine dem den der des dich die dir doch
du ein eine einem einen einer er es euch fur hab habe haben hast hat ich ihm ihn ihr im in ist ja kann kein keine
konnen mal man mein mich mir mit nach nein nicht noch nur ob oder schon sein sich sie sind so uber um und uns unser
vom von vor war was wenn wer wie wir wird wo zu zum zur bitte danke
al algo ante aqui asi aun con como cual cuando de del desde donde el ella ellos en era eres es esa ese eso esta este
esto estoy fue ha hay hoy la las le les lo los mas me mi muy nada ni nos o para pero por porque pues que quien se
ser si sin sobre solo son su sus te tiene todo tu un una uno y ya yo gracias favor
ao aos ate com da das do dos e ela ele eles em essa esse esta este eu foi isso isto ja mais mas meu minha na nao nas
nem no nos num numa os ou pela pelo por qual quando quem sao sem seu sua tambem tem um uma vai voce voces obrigado
ai au aussi aux avec avez bien ca ce ces cette dans des donc du elle elles est et etait etre eux fait il ils j je la
le les leur lui ma mais meme mes moi mon ne nos notre nous on ont ou par pas peu plus pour qu quand que quel qui sa
sans ses soit son sont sur ta te tes toi ton tous tout tres un une vos votre vous y merci oui non
а без бы был была были было быть в вам вас ваш вы где да даже для до его ее если есть еще же за здесь и из или им их
к как когда кто ли мне мной мои мой мы на над нас не него нее нет ни них но ну о об он она они оно от по под при про
с сам со так там тебе тебя то тоже только тут ты у уже что чтобы эта эти это этот я спасибо пожалуйста
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_TEXT.split())


def is_unspaced(text: str) -> bool:
    """Say whether a text is written without spaces between words: a name may stand inside of a run of letters."""
    return _WIDE.search(text) is not None


def plain(text: str) -> str:
    """Fold case and take marks off letters: `Größe` and `GROSSE` are written alike."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    # compatibility forms would make of the space inside of a number one between two
    return unaccented(folded.replace("\u00a0", "'").replace("\u202f", "'"))


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[str, ...]:
    """Return what a text is about, in its order; a thing that is said twice stands twice.

    A word stands as it is folded, a weekday as `weekday:4`, a month as `month:11`, a time as `time:20:00`, a number
    without its grouping as `1204` or `3.5`.
    """
    return tuple(_terms(plain(text)))


def index_terms(text: str) -> tuple[str, ...]:
    """Return what a text is found by: its terms, and the function words and single letters that `terms` leaves out."""
    return tuple(_terms(plain(text), with_function_words=True))


def is_function_word(term: str) -> bool:
    """Say whether a term says nothing of a subject."""
    return term in _FUNCTION_WORDS


def word_form(term: str) -> str:
    """Return what forms of one word have in common, roughly: without a usual ending, and no more than how it begins.

    Empty for what has no forms. `Kellern` and `Keller` are alike, and so are words that begin with five letters alike.
    """
    if len(term) < _MIN_FORM_CHARS or not term.isalpha() or _WIDE.match(term):
        return ""
    is_cyrillic = "а" <= term[0] <= "ё"
    ending = (_CYRILLIC_ENDING if is_cyrillic else _LATIN_ENDING).search(term)
    return (term[: ending.start()] if ending else term)[:STEM_CHARS]


@lru_cache(maxsize=8192)
def stem(term: str) -> str:
    """Return how a word begins, where it is long enough to have forms; empty for all else."""
    return term[:STEM_CHARS] if len(term) > STEM_CHARS and term.isalpha() and not _WIDE.match(term) else ""


def is_figure(term: str) -> bool:
    """Say whether a term is a number, a time, a weekday or a month: what people mean exactly."""
    return ":" in term or term[:1].isdigit()


def spoken(term: str) -> str:
    """Return a term as people write it, in English where it is a weekday or a month."""
    kind, _, value = term.partition(":")
    if kind == "time" and value:
        return value
    return _SPELLED[term][0] if value and term in _SPELLED else term


def traces(term: str) -> tuple[str, ...]:
    """Return what a folded text must hold at least one of to hold a term: quick to look for, and no proof."""
    kind, _, value = term.partition(":")
    if kind == "time" and value:
        hour = int(value.partition(":")[0])
        return (str(hour), str(hour % 12 or 12))
    if value and term in _SPELLED:
        return _SPELLED[term]
    if term[:1].isdigit():
        whole = term.partition(".")[0]
        return (whole[-3:], *_SPELLED.get(term, ())) if whole.isdigit() else (whole,)
    return (stem(term) or term,)


def _terms(folded: str, *, with_function_words: bool = False) -> Iterator[str]:
    for found in _PIECE.finditer(folded.replace("-feira", "feira")):
        match found.lastgroup:
            case "word":
                yield from _of_word(found[0], is_kept=with_function_words)
            case "code":
                yield found[0]
            case "number":
                yield _number(found[0])
            case "clock":
                yield from _clock(found[0])
            case "iso":
                year, month, day = found[0].split("-")
                yield from (year, f"month:{int(month)}", str(int(day)))
            case _:
                day, month, *years = (part for part in found[0].split(".") if part)
                yield from (str(int(day)), f"month:{int(month)}" if 1 <= int(month) <= 12 else month, *years)


def _of_word(word: str, *, is_kept: bool) -> Iterator[str]:
    if _WIDE.match(word):
        yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))
    elif named := _NAMED.get(word):
        yield named
    elif is_kept or (word not in _FUNCTION_WORDS and len(word) > 1):
        yield word


def _number(text: str) -> str:
    if _GROUPED.fullmatch(text):
        return re.sub(r"\D", "", text)
    whole, _, rest = text.replace(",", ".").partition(".")
    if not rest or not rest.isdigit():
        return text if rest else str(int(whole)) if len(whole) < 16 and whole.isdigit() else whole
    return f"{int(whole) if whole.isdigit() else whole}.{rest.rstrip('0') or '0'}"


def _clock(text: str) -> Iterator[str]:
    found = _CLOCK.match(text)
    if found is None:
        return
    hour, minute, half = int(found[1]), found[2] or "00", found[3]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    yield f"time:{hour}:{minute}"
