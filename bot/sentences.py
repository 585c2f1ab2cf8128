"""The one way to a sentence that people read: it stands in `prompts/<language>/sentences`, code hands it values.

A file holds the sentences of one subject in Fluent (https://projectfluent.org): `say("channel_paused.no-end")` is the
message `no-end` of `channel_paused.ftl`. A value is never read for Fluent's own signs, so that what a member wrote
stays a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import prompts

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from fluent.runtime import FluentBundle
    from fluent.runtime.resolver import Message

ENGLISH = "en"
Words = Callable[[], str]
"""What somebody is to read, said when it is known in which language they do; what is kept of it never depends on it."""
_FOLDER = "sentences"
_ENDING = ".ftl"
_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9-]*", re.ASCII)
_ENTRY = re.compile(r"^(-?[a-zA-Z][\w-]*) *=", re.MULTILINE | re.ASCII)
_REFERENCE = re.compile(r"[{(,:]\s*(-?[a-zA-Z][\w-]*)", re.ASCII)
_spoken: ContextVar[str] = ContextVar("language of who reads", default=ENGLISH)
_missing: set[MissingSentence] = set()
_unloaded: list[str] = []
"""Why the library for sentences with numbers cannot be loaded, as it was seen last."""
_LINE = re.compile(r"(?m)^([a-z][a-z0-9-]*) = (.*\S)[ \t]*$(?!\n+[ \t}])")
_WORDS = re.compile(r"\{ *\$([a-z][a-z0-9_]*) *\}")
_SPECIAL = re.compile(r"[{}]")
_loading = Lock()
_added: dict[str, Traversable] = {}
"""Languages that are no folder of `prompts`."""


class MissingSentence(NamedTuple):
    """A sentence that a language lacks, or that could not be filled in: English is shown in its place."""

    language: str
    name: str
    why: str


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say what is said inside of this in a language: a folder of `prompts`, by its code."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def said_in(language: str, words: Words) -> str:
    """Say something in a language."""
    with speaking(language):
        return words()


def later(name: str, /, **values: str | float | Words) -> Words:
    """Return the sentence `subject.message` as words that are said when somebody reads them, in their language then."""
    return lambda: say(name, **{key: value() if callable(value) else value for key, value in values.items()})


def language_spoken() -> str:
    """Return the code of the language in which sentences are said now."""
    return _spoken.get()


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have sentences, English first."""
    return (*own_languages(), *sorted(_added))


@cache
def own_languages() -> tuple[str, ...]:
    """Return the codes of those that are folders of `prompts`, English first."""
    folders = [one.name for one in prompts.FOLDER.iterdir() if one.is_dir() and one.joinpath(_FOLDER).is_dir()]
    return tuple(sorted(folders, key=lambda code: (code != ENGLISH, code)))


def known_language(code: str) -> str:
    """Return the language that sentences are there in, of a code such as `de-AT`; empty: they are in none of it."""
    for known in (code.lower(), code.lower().partition("-")[0]):
        if known and known in languages():
            return known
    return ""


def add_language(code: str, folder: Traversable) -> None:
    """Let people be spoken to in a language whose sentences stand in a folder; what is missing there is in English."""
    _added[code] = folder
    for kept in (sentence_source, plain_sentences, _subject):
        kept.cache_clear()


def say(name: str, /, **values: str | float) -> str:
    """Return the sentence `subject.message` in the language of who reads, filled in; numbers are grouped by it.

    What a language lacks is said in English, and kept in `missing_sentences`. What English lacks is its name. What is
    no such name are words that a plugin brought.
    """
    if not _NAME.fullmatch(name):
        return name
    language = _spoken.get()
    for code in dict.fromkeys((language, ENGLISH)):
        text, why = _formatted(code, name, values)
        if not why:
            return text
        _missing.add(MissingSentence(code, name, why))
    return text or name


def language_problems(code: str) -> tuple[str, ...]:
    """Say what is wrong with a language: sentences that English does not have, or that cannot be filled in like it."""
    from fluent.syntax import FluentParser
    from fluent.syntax import ast as fluent

    folder = _added.get(code) or prompts.FOLDER.joinpath(code, _FOLDER)
    found: list[str] = []
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        subject = one.name.removesuffix(_ENDING)
        english, theirs = sentence_source(subject), sentence_source(subject, code)
        known = {entry.id.name for entry in FluentParser().parse(english).body if isinstance(entry, fluent.Message)}
        for entry in FluentParser().parse(theirs).body:
            if isinstance(entry, fluent.Junk):
                found.append(f"{one.name}: {' '.join((entry.content or '').split())[:60]}")
            elif isinstance(entry, fluent.Message) and entry.id.name not in known:
                found.append(f"{one.name}: {entry.id.name}")
    return tuple(found)


def warm(language: str = ENGLISH) -> None:
    """Read every file of a language and load the library, so that no message waits for a disk; call it from a thread.

    What the library makes of a file takes 5 KiB and is made when it is first needed, in 0.3 ms: of most never.
    """
    for one in prompts.FOLDER.joinpath(language, _FOLDER).iterdir():
        plain_sentences(one.name.removesuffix(_ENDING), language)
    with suppress(ImportError, OSError):
        _subject("", language)


def note_missing(language: str, name: str) -> None:
    """Note that English was shown in the place of what a language lacks."""
    _missing.add(MissingSentence(language, name, "is not there"))


def missing_sentences() -> tuple[MissingSentence, ...]:
    """Return what could not be said as it should have been, since the start."""
    return tuple(sorted(_missing))


def library_trouble() -> str:
    """Return why sentences with numbers are said without their library; empty where they are not."""
    return "".join(_unloaded)


@cache
def sentence_source(subject: str, language: str = ENGLISH) -> str:
    """Return the file of a subject as it is written; empty where a language has none."""
    folder = _added.get(language) or prompts.FOLDER.joinpath(language, _FOLDER)
    found = folder.joinpath(subject + _ENDING)
    return found.read_text("utf-8") if found.is_file() else ""


def written_entries(source: str) -> dict[str, str]:
    """Cut a file of Fluent into its entries as they are written, by name; the first of a name counts."""
    starts = [entry.start() for entry in _ENTRY.finditer(source)]
    entries: dict[str, str] = {}
    for entry, end in zip(_ENTRY.finditer(source), [*starts[1:], len(source)], strict=False):
        entries.setdefault(entry[1], source[entry.start() : end])
    return entries


@cache
def plain_sentences(subject: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the messages of one line that hold nothing but words and values: text, name of a value, text, ...

    They say the same through the library, which takes 60 ms to import and 0.2 ms to read each of them.
    """
    found = {name: tuple(_WORDS.split(text)) for name, text in _LINE.findall(sentence_source(subject, language))}
    return {name: parts for name, parts in found.items() if not any(map(_SPECIAL.search, parts[::2]))}


class SentenceFile:
    """The sentences of one subject: each is parsed when it is first said, because most are never said."""

    def __init__(self, source: str, language: str) -> None:
        # imported here: a start says nothing, and the library with its numbers takes 60 ms
        from babel import core
        from fluent.runtime import FluentBundle

        with _loading:
            # marks that keep a name's direction apart are put around names by the one who shows them
            self.bundle: FluentBundle = FluentBundle([language], use_isolating=False)
            # 2 MiB about all territories and time zones, of which it needed a line; it reads them anew when it must
            core._global_data = None
        self._unread = written_entries(source)

    def message(self, name: str) -> Message | None:
        self._read(name)
        return self.bundle.get_message(name) if self.bundle.has_message(name) else None

    def _read(self, name: str) -> None:
        from fluent.runtime import FluentResource

        # with all that it refers to, which is there before it
        wanted = [name] if self._unread.get(name) else []
        for one in wanted:
            wanted += {*_REFERENCE.findall(self._unread[one])}.intersection(self._unread).difference(wanted)
        for one in reversed(wanted):
            self.bundle.add_resource(FluentResource(self._unread[one]))
            self._unread[one] = ""


@cache
def _subject(subject: str, language: str) -> SentenceFile:
    return SentenceFile(sentence_source(subject, language), language)


def _formatted(language: str, name: str, values: dict[str, str | float]) -> tuple[str, str]:
    subject, _, message = name.partition(".")
    parts = plain_sentences(subject, language).get(message, ("", "", ""))
    words = [one for one in map(values.get, parts[1::2]) if isinstance(one, str)]
    if len(words) == len(parts) // 2:
        # a number is left to the library, which writes it as the language does
        return "".join(chain.from_iterable(zip(parts[::2], (*words, ""), strict=True))), ""
    try:
        sentences = _subject(subject, language)
        found = sentences.message(message)
    except (ImportError, OSError, SyntaxError) as error:
        # somebody who asks what is wrong is answered all the same
        _unloaded[:] = [f"{type(error).__name__}: {error}"]
        return say_without_library(written_entries(sentence_source(subject, language)).get(message, ""), values)
    _unloaded.clear()
    if found is None or found.value is None:
        return "", "is not there"
    text, errors = sentences.bundle.format_pattern(found.value, values)
    return str(text), "; ".join(map(str, errors))


def say_without_library(entry: str, values: Mapping[str, str | float]) -> tuple[str, str]:
    """Fill in a sentence as it is written, and say why that cannot be done.

    Numbers are as Python writes them, and `[one]` is one in every language. It knows no references and no functions.
    """
    from fluent.syntax import FluentParser
    from fluent.syntax import ast as fluent

    def written(node: object) -> str:
        match node:
            case fluent.TextElement():
                return node.value
            case fluent.Pattern():
                return "".join(map(written, node.elements))
            case fluent.Placeable():
                return written(node.expression)
            case fluent.StringLiteral():
                return str(node.parse()["value"])
            case fluent.VariableReference():
                return str(values[node.id.name])
            case fluent.SelectExpression(selector=fluent.VariableReference() as chosen):
                usual = next(one for one in node.variants if one.default)
                value = values[chosen.id.name]
                return written(next((one for one in node.variants if meant(one.key, value)), usual).value)
        raise LookupError(type(node).__name__)

    def meant(key: fluent.Identifier | fluent.NumberLiteral, value: str | float) -> bool:
        if isinstance(key, fluent.NumberLiteral):
            return not isinstance(value, str) and value == float(key.value)
        return key.name == (value if isinstance(value, str) else "one" if value == 1 else "other")

    message = FluentParser().parse_entry(entry)
    try:
        return (written(message.value), "") if isinstance(message, fluent.Message) else ("", "is not there")
    except LookupError as error:
        return "", str(error)
