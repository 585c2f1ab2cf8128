"""Find the channels that a question names in words: "why no answer in the raid thread". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.ports.channels import KnownChannel
from bot.text.plain_words import plain_words

_SIGNED = re.compile(r"#([^\s\"?!,.;:()]{1,100})")


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NOUNS = _set_of(
    "thread threads channel channels topic topics chat room group kanal gruppe thema faden hilo canal grupo sala "
    "tema topico fil salon groupe sujet канал канале тред треде чат чате тема теме группа группе ветка ветке"
)
_PLACES = _set_of("in im inside on at over from of auf aus en no na nos nas em do da dans sur du de в во на из")
_ARTICLES = _set_of("the a our this that der die das dem den el la los las o os as le les l")
_ADVERBS = frozenset({("general",), ("private",), ("public",), ("detail",), ("short",)})
"""Titles that mean no channel behind a bare `in`."""
_MIN_TITLE_LETTERS = 3
_MAX_TITLE_WORDS = 8


def channels_in_words(text: str, known: Sequence[KnownChannel]) -> list[KnownChannel]:
    """Return the channels whose whole title a text names; else those a part of whose title stands beside `thread`."""
    signed = {tuple(plain_words(name)) for name in _SIGNED.findall(text)}
    words = plain_words(text)
    named = {tuple(run) for run in _named(words)}
    titles = [(channel, _title(channel)) for channel in known]
    if exact := [channel for channel, title in titles if title in signed]:
        return exact
    if exact := [channel for channel, title in titles if title and title in named]:
        return exact
    parts = {tuple(run) for run in _beside_a_noun(words)}
    return [channel for channel, title in titles if any(set(part) <= set(title) for part in parts)]


def _title(channel: KnownChannel) -> tuple[str, ...]:
    """Return the words of a channel's name; a word that every channel could bear tells it from none."""
    words = [word for word in plain_words(channel.name) if word not in _NOUNS]
    return tuple(words) if sum(map(len, words)) >= _MIN_TITLE_LETTERS else ()


def _named(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield what can be a whole title: what follows a word like `in`, or stands beside a word like `thread`."""
    yield from _beside_a_noun(words)
    for at, word in enumerate(words):
        start = _after_articles(words, at + 1)
        if word in _PLACES:
            ends = range(start + 1, min(len(words), start + _MAX_TITLE_WORDS) + 1)
            yield from (words[start:end] for end in ends if tuple(words[start:end]) not in _ADVERBS)
    if words[:1] == ["why"]:
        yield words[1:]


def _beside_a_noun(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for at, word in enumerate(words):
        if word not in _NOUNS:
            continue
        start = at
        while start and at - start < _MAX_TITLE_WORDS and words[start - 1] not in _PLACES | _ARTICLES | _NOUNS:
            start -= 1
        led = start > 0 and words[start - 1] in _PLACES | _ARTICLES
        if led and start < at:
            yield words[start:at]
        # behind the noun, as most languages have it: the first words of what follows
        begin = at + 1
        for end in range(begin + 1, min(len(words), begin + _MAX_TITLE_WORDS) + 1):
            if words[end - 1] in _PLACES | _ARTICLES | _NOUNS and end == begin + 1:
                begin += 1
                continue
            yield words[begin:end]


def _after_articles(words: Sequence[str], at: int) -> int:
    while at < len(words) and words[at] in _ARTICLES:
        at += 1
    return at
