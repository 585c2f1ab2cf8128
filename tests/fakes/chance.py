"""Texts by plain chance: for sizes at which a property-testing library would spend most of its time on itself."""

from __future__ import annotations

import random

ODD = "\0\t\n\r `~\"'\\{}[]<>|@#:/.-_\u0301\u200b\u200d\u202e\u2028\ufeff\U0001f600\U0001f468\ud800\udc00é你"


def any_text(chance: random.Random, longest: int = 40, *, halves: bool = True) -> str:
    """Make a text of odd and plain characters; with `halves` also of half ones, which no store holds."""
    made = "".join(
        chance.choice(ODD)
        if chance.random() < 0.5
        else chr(chance.choice((chance.randrange(128), chance.randrange(0x110000))))
        for _ in range(chance.randrange(longest + 1))
    )
    return made if halves else made.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
