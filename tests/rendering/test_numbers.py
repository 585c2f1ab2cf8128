"""The numbers of lists are those that a reader of Markdown shows, in whatever part of an answer, and however often."""

from __future__ import annotations

import os
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.discord.base.markup import MAX_UNITS
from adapters.telegram.sender import plain_text as for_telegram
from bot.text.splitter import split
from tests.fakes.lengths import whole_or

MANY = int(os.environ.get("RENDERED_DOCUMENTS", whole_or(250, 100)))
_NUMBER = re.compile(r"(\d+)[.)](?: +(?:\d+[.)]|-))* +(w\d+x)")
_BETWEEN: tuple[str, ...] = (
    "",
    "",
    "",
    "words {}",
    "**words {}** that go on and on",
    "#### {}",
    "## {}",
    "---",
    "```\n{}\n```",
    "> {}",
)
_BETWEEN += (
    "> 1. {}\n> 1. {}",
    "</details>",
    "<details>\n",
    "- {}",
    "   {}",
    "   - **{}**",
    "| {} |\n|---|",
    "> > 1. {}",
)


class _Lists:
    """Makes lists as models number them, well and badly."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._count = 0

    def text(self) -> str:
        chance = self._chance
        blocks = [self._list(0) for _ in range(chance.randrange(1, 4))]
        text = blocks[0]
        for block in blocks[1:]:
            between = chance.choice(_BETWEEN)
            while "{}" in between:
                between = between.replace("{}", self._word(), 1)
            text += chance.choice(("\n", "\n\n")).join(("", between, "")) + block
        if chance.random() < 0.2:
            text = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
        return text

    def _word(self) -> str:
        self._count += 1
        return f"w{self._count}x"

    def _list(self, depth: int) -> str:
        chance = self._chance
        indent, closing = " " * depth, chance.choice("..)")
        number = chance.choice((1, 1, 1, 2, 9, 10))
        step = chance.choice((lambda n: n, lambda n: n, lambda n: n + 1, lambda n: n + chance.choice((-1, 0, 1, 1, 2))))
        lines: list[str] = []
        for _ in range(chance.randrange(1, 6)):
            marker = f"{indent}{max(0, number)}{closing}"
            words = " ".join(self._word() for _ in range(chance.choice((1, 2, 12))))
            lines.append(f"{marker} {words}{chance.choice(('', '', ' **bold**', ' `code`'))}")
            roll = chance.random()
            if roll < 0.2 and depth < 7:
                lines.append(self._list(depth + chance.choice((2, 3, 3, 4))))
            elif roll < 0.3:
                lines.append(f"{indent}   - {self._word()}")
            elif roll < 0.35:
                lines.append(f"{indent}   ```\n{indent}   {self._word()}\n{indent}   ```")
            elif roll < 0.4:
                lines += ["", f"{indent}   {self._word()}"]
            elif roll < 0.45:
                lines += [f"{indent}{max(0, number)}{closing}"]
            if chance.random() < 0.1:
                lines.append("")
            number = step(number)
        return "\n".join(lines)


def _numbers(parts: tuple[str, ...]) -> list[tuple[str, str]]:
    return [found for part in parts for found in _NUMBER.findall(for_telegram(part).text)]


def check(seed: int) -> None:
    text = _Lists(seed).text()
    (whole,) = split(text, 10**6)
    assert split(whole, 10**6) == (whole,)
    parts = split(text, (60, 100, 200, 400)[seed % 4])
    for part in parts:
        assert split(part, MAX_UNITS) == (part,), "a part is not whole"
    assert _numbers(parts) == _numbers((whole,))


@pytest.mark.timeout(0)
@settings(max_examples=MANY, deadline=None)
@given(st.integers(0, 2**40))
def test_numbers_are_the_same_in_every_part(seed: int) -> None:
    check(seed)
