"""Whatever a model writes, no word of it is lost, moved or invented, and every part of it stands by itself."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.discord.base.markup import MAX_UNITS as DISCORD_UNITS
from adapters.discord.base.markup import discord_markdown as for_discord
from adapters.telegram.markup import MAX_ENTITIES, MarkedText
from adapters.telegram.rich_message import rich_message
from adapters.telegram.sender import MAX_UNITS as TELEGRAM_UNITS
from adapters.telegram.sender import plain_text as for_telegram
from bot.text.splitter import so_far, split
from bot.text.text import utf16_length
from tests.fakes.lengths import whole_or
from tests.rendering.discord_draws import drawn
from tests.rendering.making import Document, Maker
from tests.servers.telegram.rich_mode import parsed, plain

MANY = int(os.environ.get("RENDERED_DOCUMENTS", whole_or(250, 100)))
_WORD = re.compile(r"(?:w|u|слово|کلمه|מילה|単語)\d+x(?:é|😀)?")
LIMITS = (150, 400, 1000, 2000, 4096)
_TICKS = re.compile("`{3,}")
_MARKS = re.compile(r"\*\*|~~|\|\||(?<!\w)`+(?=\*)")


def keeps_every_word(document: Document, texts: Sequence[str]) -> None:
    """The words are those that were written, in their order; only those of a table may stand elsewhere, or again."""
    found = [word for text in texts for word in _WORD.findall(text)]
    assert set(found) == set(document.words), set(found) ^ set(document.words)
    assert [word for word in found if word not in document.repeated] == [
        word for word in document.words if word not in document.repeated
    ]


def keeps_to_the_letter(document: Document, text: str) -> None:
    """Formulas, lines of code and links are as they were written, unless a cut goes through them."""
    flat = "".join(text.split())
    for one in document.exact:
        assert "".join(one.split()) in flat, one


def is_whole_on_telegram(marked: MarkedText) -> None:
    units = marked.text.encode("utf-16-le")
    assert utf16_length(marked.text) <= TELEGRAM_UNITS and len(marked.entities) <= MAX_ENTITIES
    open_until: list[tuple[int, str]] = [(10**9, "")]
    for entity in marked.entities:
        end = entity.offset + entity.length
        assert 0 <= entity.offset < end <= len(units) // 2
        units[2 * entity.offset : 2 * end].decode("utf-16-le")
        while open_until[-1][0] <= entity.offset:
            open_until.pop()
        assert end <= open_until[-1][0], "entities cross"
        assert open_until[-1][1] not in {"pre", "code"}, "something is drawn in code"
        open_until.append((end, str(entity.type)))


def check_tables(document: Document, limit: int) -> None:
    """Where tables stay tables, what the server draws and what every chat draws say the same words."""
    parts = split(document.text, limit, MAX_ENTITIES - 10, tables=True)
    assert all(utf16_length(part) <= limit for part in parts)
    marked = [for_telegram(part) for part in parts]
    for part, one in zip(parts, marked, strict=True):
        is_whole_on_telegram(one)
        # a table is read as it was: drawn now, or before it was kept
        assert one.text.split() == for_telegram("".join(split(part, 10**6))).text.split()
    keeps_every_word(document, [one.text for one in marked])
    keeps_to_the_letter(document, "".join(one.text for one in marked))
    read = [
        one.text if (message := rich_message(part)) is None else plain(parsed(message))
        for part, one in zip(parts, marked, strict=True)
    ]
    keeps_every_word(document, read)
    keeps_to_the_letter(document, "".join(read).replace("\u00a0", " "))


def check(seed: int) -> None:
    document = Maker(seed).document()
    limit = LIMITS[seed % len(LIMITS)]
    marked = [for_telegram(part) for part in split(document.text, min(limit, TELEGRAM_UNITS))]
    for one in marked:
        is_whole_on_telegram(one)
    keeps_every_word(document, [one.text for one in marked])
    keeps_to_the_letter(document, "".join(one.text for one in marked))
    check_tables(document, min(limit, TELEGRAM_UNITS))
    parts = split(document.text, min(limit, DISCORD_UNITS))
    sent = [for_discord(part) for part in parts]
    seen = [drawn(text) for text in sent]
    assert all(utf16_length(part) <= limit for part in parts)
    assert all(utf16_length(text) <= DISCORD_UNITS for text in sent)
    keeps_every_word(document, [one.text for one in seen])
    keeps_to_the_letter(document, "".join(one.text for one in seen).replace("\u2060", "").replace("\u02cb", "`"))
    for one in seen:
        bare = one.text
        for kind, inside in one.looks:
            if kind.startswith(("block", "code", "url")):
                bare = bare.replace(inside, "", 1)
        assert not _MARKS.search(bare), "a mark is seen"
    # each part is drawn as one that came alone
    for part in parts:
        (again,) = split(part, DISCORD_UNITS)
        assert _TICKS.sub("```", again) == _TICKS.sub("```", part), "a part is not whole"


@pytest.mark.timeout(0)
@settings(max_examples=MANY, deadline=None)
@given(st.integers(0, 2**40))
@example(1021797965)  # a list under another: 1. and 1. 2. 3.
@example(15678)
def test_no_word_is_lost_moved_or_invented(seed: int) -> None:
    check(seed)


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(st.integers(0, 2**40), st.floats(0, 1))
def test_of_an_answer_that_goes_on_nothing_half_is_seen(seed: int, share: float) -> None:
    document = Maker(seed).document()
    shown = so_far(document.text[: int(len(document.text) * share)][:3000], DISCORD_UNITS)
    assert utf16_length(shown) <= DISCORD_UNITS
    # a word may be cut before its last letter
    assert {word.rstrip("é😀") for word in _WORD.findall(drawn(for_discord(shown)).text)} <= {
        word.rstrip("é😀") for word in document.words
    }
