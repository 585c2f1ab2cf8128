"""Each answer as models write them, and what each platform gets: goldens, read one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from adapters.discord.base.markup import MAX_UNITS as DISCORD_UNITS
from adapters.discord.base.markup import discord_markdown as for_discord
from adapters.telegram.markup import MAX_ENTITIES, MarkedText
from adapters.telegram.rich_message import rich_message
from adapters.telegram.sender import MAX_UNITS as TELEGRAM_UNITS
from adapters.telegram.sender import plain_text as for_telegram
from bot.text.splitter import split
from bot.text.text import utf16_length
from tests.rendering.discord_draws import drawn
from tests.rendering.long_answers import LONG
from tests.rendering.test_generated import is_whole_on_telegram
from tests.servers.telegram.rich_mode import parsed
from tests.servers.telegram.spans import checked

_FOLDER = Path(__file__).parent / "answers"
_BLOCK = re.compile(r"</(?:p|h\d|pre|tr|blockquote|table)>|<hr/>|<(?:table|blockquote)[^>]*>")
_SHORT = {
    "bold": "b",
    "italic": "i",
    "strikethrough": "s",
    "underline": "u",
    "blockquote": "quote",
    "text_link": "link",
}


def _answers(family: str) -> dict[str, str]:
    sections = re.split(r"^=== (.+)\n", (_FOLDER / f"{family}.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: text.removesuffix("\n") for name, text in zip(sections[1::2], sections[2::2], strict=True)}


FAMILIES = {path.stem: _answers(path.stem) for path in sorted(_FOLDER.glob("*.md"))} | {"long": LONG}


def test_there_are_many() -> None:
    assert sum(len(family) for family in FAMILIES.values()) >= 120


def _tagged(marked: MarkedText) -> str:
    """Write entities as tags around what they cover."""
    units = marked.text.encode("utf-16-le")
    tags: dict[int, list[str]] = {}
    for entity in marked.entities:
        name = _SHORT.get(str(entity.type), str(entity.type))
        detail = entity.url or entity.language
        tags.setdefault(2 * entity.offset, []).append(f"‹{name}{f' {detail}' if detail else ''}›")
        tags.setdefault(2 * (entity.offset + entity.length), []).insert(0, f"‹/{name}›")
    edges = sorted({0, *tags, len(units)})
    pieces: list[str] = []
    for start, end in pairwise(edges):
        closing = [tag for tag in tags.get(start, ()) if tag.startswith("‹/")] if start else []
        opening = [tag for tag in tags.get(start, ()) if not tag.startswith("‹/")]
        pieces += [*closing, *opening]
        pieces.append(units[start:end].decode("utf-16-le"))
    pieces += tags.get(len(units), ())
    return "".join(pieces)


def _pages(name: str, text: str) -> Iterator[str]:
    yield f"═══ {name}"
    for number, part in enumerate(split(text, DISCORD_UNITS)):
        sent = for_discord(part)
        assert utf16_length(sent) <= DISCORD_UNITS
        yield f"─── Discord{f', part {number + 1}' if number else ''}"
        yield sent
    for number, part in enumerate(split(text, TELEGRAM_UNITS, MAX_ENTITIES - 10)):
        marked = for_telegram(part)
        is_whole_on_telegram(marked)
        checked(marked.text, [entity.to_dict() for entity in marked.entities])
        yield f"─── Telegram{f', part {number + 1}' if number else ''}"
        yield _tagged(marked)
    for number, part in enumerate(split(text, TELEGRAM_UNITS, MAX_ENTITIES - 10, tables=True)):
        message = rich_message(part)
        if message is not None:
            side = ", from the right" if parsed(message).get("is_rtl") else ""
            yield f"─── Telegram, rich{side}{f', part {number + 1}' if number else ''}"
            yield _BLOCK.sub(r"\g<0>\n", message["html"]).rstrip("\n")


@pytest.mark.parametrize("family", FAMILIES)
def test_what_each_platform_gets(family: str, snapshot) -> None:
    pages = [page for name, text in FAMILIES[family].items() for page in _pages(name, text)]
    assert "\n".join(pages) == snapshot


@pytest.mark.parametrize("family", FAMILIES)
def test_discord_draws_every_mark_that_we_write(family: str) -> None:
    """Outside code and links, what people read on Discord holds no mark in pairs that was meant to be drawn."""
    for name, text in FAMILIES[family].items():
        if name in MEANT:
            continue
        for part in split(text, DISCORD_UNITS):
            shown = drawn(for_discord(part))
            bare = shown.text
            for kind, inside in shown.looks:
                if kind.startswith(("block", "code", "url")):
                    bare = bare.replace(inside, "", 1)
            assert not re.search(r"\*\*|~~|`|(?<!\|)\|\|(?!\|)|\]\(|\|---|\\\(", bare), (name, bare)


MEANT = frozenset(
    {
        # what stays as it is written
        "a stroke in a cell", "a formula that never ends", "three ticks in a line", "no spoiler", "not over paragraphs",
        "that lead nowhere", "text in brackets", "without an end", "spaces inside", "escaped", "stars alone", "tildes",
        "paths and globs", "math-like stars in words", "with stars", "brackets that are escaped",
        "stars that are none",
    }
)  # fmt: skip
