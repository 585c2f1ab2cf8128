"""Every answer as other people's parsers read it: Discord's Markdown, and Telegram's own library."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from adapters.discord.base.markup import MAX_UNITS as DISCORD_UNITS
from adapters.discord.base.markup import discord_markdown as for_discord
from adapters.telegram.markup import MAX_ENTITIES, MarkedText
from adapters.telegram.sender import MAX_UNITS as TELEGRAM_UNITS
from adapters.telegram.sender import plain_text as for_telegram
from bot.text.splitter import split
from bot.text.text import utf16_length
from bot.text.times import plain_times
from tests.peers.parsers import as_html, asked, markdown_program, read_by_discord, tdlib_program
from tests.rendering.discord_draws import drawn
from tests.rendering.making import Maker
from tests.rendering.test_answers import FAMILIES

MADE = 300
_LIST_MARK = re.compile(r"^(\s*)(?:[-*•]) +", re.MULTILINE)
_KINDS = {"blockQuote": "quote", "heading": "title", "u": "underline", "strikethrough": "strike", "inlineCode": "code"}
_KINDS |= {"codeBlock": "block", "autolink": "url"}
_TD = "textEntityType"
_TDLIB = {
    "Bold": "bold",
    "Italic": "italic",
    "Underline": "underline",
    "Strikethrough": "strikethrough",
    "Spoiler": "spoiler",
    "Code": "code",
    "Pre": "pre",
    "PreCode": "pre",
    "BlockQuote": "blockquote",
    "TextUrl": "text_link",
    "DateTime": "date_time",
}
_MADE_BY_TELEGRAM = frozenset({"Url", "EmailAddress", "Hashtag", "Cashtag", "BotCommand"})
"""What Telegram makes of words by itself, here knowingly left to it: addresses, #tags, $HOME and /commands."""

_ODD_LANGUAGE = re.compile(r"^((?:> )?```)(?:c\+\+|c#)$", re.MULTILINE)
"""Names of languages that this parser, unlike Discord, takes for the first line of the code."""


class Part(NamedTuple):
    """One message of an answer, and what of an answer it is."""

    name: str
    text: str


def parts(limit: int, most_marks: int = 0) -> Iterator[Part]:
    for answers in FAMILIES.values():
        for name, text in answers.items():
            yield from (Part(name, part) for part in split(text, limit, most_marks))


def made(limit: int) -> Iterator[Part]:
    for seed in range(MADE):
        yield from (Part(f"seed {seed}", part) for part in split(Maker(seed).document().text, limit))


def bare(text: str) -> str:
    """Leave out what each lays out in its own way: space, and the mark of a list."""
    text = plain_times(_LIST_MARK.sub(r"\1", text)).replace("\u2060", "").replace("\u02cb", "`")
    return "".join(text.split())


async def discord_reads(messages: Sequence[str]) -> list[tuple[str, Counter[str]]]:
    found = []
    for one in await asked(markdown_program(), [_ODD_LANGUAGE.sub(r"\1cpp", message) for message in messages]):
        looks: list[str] = []
        text = read_by_discord(one["tree"], looks)
        kinds = [look.split(" ")[0] for look in looks]
        found.append((text, Counter(_KINDS.get(kind, kind) for kind in kinds if kind != "list")))
    return found


async def test_discord_draws_the_words_that_telegram_draws_and_no_mark():
    """Two renderers and two parsers agree on what the words are."""
    messages = [*parts(DISCORD_UNITS), *made(DISCORD_UNITS)]
    read = await discord_reads([for_discord(one.text) for one in messages])
    differ = [
        (message.name, text, words)
        for message, (text, _) in zip(messages, read, strict=True)
        if bare(text) != bare(words := for_telegram(message.text).text)
    ]
    assert not differ, (len(differ), differ[:3])


async def test_our_own_reading_of_discords_rules_is_that_of_others():
    messages = [*parts(DISCORD_UNITS), *made(DISCORD_UNITS)]
    read = await discord_reads([for_discord(one.text) for one in messages])
    differ = []
    for message, (text, looks) in zip(messages, read, strict=True):
        ours = drawn(for_discord(message.text))
        kinds = Counter(kind.split(" ")[0] for kind, _ in ours.looks)
        if (bare(text), looks) != (bare(ours.text), kinds):
            differ.append((message.name, looks - kinds, kinds - looks, text[:300], ours.text[:300]))
    assert not differ, (len(differ), differ[:3])


def looks_of(marked: MarkedText) -> list[set[tuple[str, str]]]:
    entities = [(str(one.type), one.offset, one.length, one.url or one.language or "") for one in marked.entities]
    return _by_unit(utf16_length(marked.text), entities)


def _by_unit(units: int, entities: Sequence[tuple[str, int, int, str]]) -> list[set[tuple[str, str]]]:
    looks: list[set[tuple[str, str]]] = [set() for _ in range(units)]
    for kind, offset, length, detail in entities:
        for unit in looks[offset : offset + length]:
            unit.add((kind, detail.removesuffix("/")))
    return looks


def _told(one: Any) -> tuple[str, int, int, str]:
    kind = one["type"]["@type"].removeprefix(_TD)
    return _TDLIB[kind], one["offset"], one["length"], one["type"].get("url") or one["type"].get("language") or ""


async def test_telegrams_own_library_reads_what_was_meant():
    messages = [*parts(TELEGRAM_UNITS, MAX_ENTITIES - 10), *made(TELEGRAM_UNITS)]
    sent = [for_telegram(one.text) for one in messages]
    html = {"@type": "textParseModeHTML"}
    told = await asked(
        tdlib_program(), [{"@type": "parseTextEntities", "text": as_html(one), "parse_mode": html} for one in sent]
    )
    differ = []
    for message, ours, theirs in zip(messages, sent, told, strict=True):
        if theirs["@type"] != "formattedText" or theirs["text"] != ours.text:
            differ.append((message.name, theirs, ours.text))
            continue
        looks = _by_unit(utf16_length(ours.text), [_told(one) for one in theirs["entities"]])
        if looks != looks_of(ours):
            differ.append((message.name, theirs["entities"], ours))
    assert not differ, (len(differ), differ[:3])


async def test_telegram_makes_no_address_of_what_is_none():
    """What it makes of words by itself is an address, a tag or a command; no file is one."""
    messages = list(parts(TELEGRAM_UNITS, MAX_ENTITIES - 10))
    sent = [for_telegram(one.text) for one in messages]
    told = await asked(tdlib_program(), [{"@type": "getTextEntities", "text": one.text} for one in sent])
    found: dict[str, set[str]] = {}
    for ours, theirs in zip(sent, told, strict=True):
        looks, units = looks_of(ours), ours.text.encode("utf-16-le")
        for one in theirs["entities"]:
            start, end = one["offset"], one["offset"] + one["length"]
            if not any(kind in {"code", "pre", "text_link"} for unit in looks[start:end] for kind, _ in unit):
                word = units[2 * start : 2 * end].decode("utf-16-le")
                found.setdefault(one["type"]["@type"].removeprefix(_TD), set()).add(word)
    assert all(re.match(r"https?://|www\.|x\.org|bun\.sh/|docs\.rs/", one) for one in found.pop("Url")), found
    assert found.keys() <= _MADE_BY_TELEGRAM | {"MediaTimestamp"}, found
