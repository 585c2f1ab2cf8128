"""Documents as models write them, made of words that are all different, so that a lost or invented one is seen."""

from __future__ import annotations

import random
from typing import NamedTuple

LANGUAGES = ("", "python", "js", "c++", "sh", "markdown")
SCRIPTS = ("w{}", "w{}", "w{}", "w{}", "w{}é", "слово{}", "کلمه{}", "מילה{}", "単語{}", "w{}😀")
BETWEEN = (" ", " ", " ", " ", ", ", ". ", "\n", " — ")


class Document(NamedTuple):
    """A text; its words in order, those that may be repeated, and what has to be found to the letter."""

    text: str
    words: tuple[str, ...]
    repeated: frozenset[str]
    exact: tuple[str, ...]


class Maker:
    """Makes one document. `size` is about how many blocks it has."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._count = 0
        self.words: list[str] = []
        self.repeated: set[str] = set()
        self.exact: list[str] = []

    def document(self) -> Document:
        chance = self._chance
        many = chance.choice((1, 1, 2, 3, 5))
        blocks = [self._block(0) for _ in range(many)]
        text = "".join(block + chance.choice(("\n\n", "\n\n", "\n\n\n")) for block in blocks).strip("\n")
        return Document(text, tuple(self.words), frozenset(self.repeated), tuple(self.exact))

    def _word(self) -> str:
        self._count += 1
        word = self._chance.choice(SCRIPTS).format(f"{self._count}x")
        self.words.append(word)
        return word

    def _block(self, depth: int) -> str:
        kinds = [self._paragraph, self._paragraph, self._heading, self._fence, self._list, self._formula]
        if depth == 0:
            kinds += [self._quote, self._table, self._rule]
        return self._chance.choice(kinds)()

    def _rule(self) -> str:
        return "---"

    def _paragraph(self, most: int = 24, *, lines: bool = True) -> str:
        parts: list[str] = []
        for _ in range(self._chance.randrange(1, most)):
            parts.append(self._inline())
            between = self._chance.choice(BETWEEN)
            parts.append(between if lines or between != "\n" else " ")
        return "".join(parts).strip()

    def _inline(self, within: str = "", depth: int = 0, *, in_table: bool = False) -> str:
        roll = self._chance.random()
        if roll < 0.7 or depth > 1:
            return self._word()
        if roll < 0.9:
            # Discord reads a mark in code that stands within the same mark, and a table reads two strokes
            marks = ("**", "~~") if depth or in_table else ("**", "*", "~~", "||", "***", "__", "_")
            mark = self._chance.choice([mark for mark in marks if mark[0] not in within.replace("_", "*")])
            many = 1 if depth or in_table else self._chance.choice((1, 2, 3, 16))
            return f"{mark}{' '.join(self._inline(mark, depth + 1) for _ in range(many))}{mark}"
        if roll < 0.93:
            many = self._chance.choice((1, 2, 9))
            return f"`{' '.join(self._word() if depth else f'*{self._word()}_' for _ in range(many))}`"
        if depth:
            return self._word()
        if roll < 0.96:
            return f"[{self._word()}](https://x.org/{self._chance.choice(('a', 'a_b_c', '__init__', 'a(b)'))})"
        if roll < 0.98:
            formula = self._chance.choice((r"\({} \cdot x_{{i}}*y\)", "${}_{{i}}*y$", r"\[ {}\,a*b*c \]"))
            self.exact.append(formula.format(self._word()))
            return self.exact[-1]
        return f"https://y.org/{self._word_of_letters()}/__init__"

    def _word_of_letters(self) -> str:
        self._count += 1
        self.words.append(f"u{self._count}x")
        self.exact.append(f"https://y.org/{self.words[-1]}/__init__")
        return self.words[-1]

    def _heading(self) -> str:
        return "#" * self._chance.randrange(1, 6) + " " + self._paragraph(5, lines=False)

    def _fence(self, indent: str = "") -> str:
        language = self._chance.choice(LANGUAGES)
        marks = self._chance.choice(("```", "```", "````", "~~~"))
        lines = [
            "  " * self._chance.randrange(3) + self._word() + self._chance.choice(("", " * __x__", "  # a|b"))
            for _ in range(self._chance.choice((1, 3, 8, 20)))
        ]
        if language == "markdown" and marks == "```":
            lines += ["```python", self._word(), "```", self._word()]
        self.exact += lines
        return "\n".join(indent + line for line in (f"{marks}{language}", *lines, marks))

    def _list(self) -> str:
        lines: list[str] = []
        mark = self._chance.choice(("-", "*", "1.", "7)"))
        for n in range(self._chance.randrange(1, 9)):
            marker = mark if not mark[0].isdigit() else f"{n + 1}{mark[-1]}"
            lines.append(f"{marker} {self._paragraph(8, lines=False)}")
            if self._chance.random() < 0.2:
                lines.append("    - " + self._paragraph(5, lines=False))
            if self._chance.random() < 0.15:
                lines.append(self._fence(" " * (len(marker) + 1)))
        return "\n".join(lines)

    def _formula(self) -> str:
        formula = self._chance.choice(
            ("\\[\n{} \\cdot x\n\\]", "$$\n* {} *\n$$", "\\begin{{align}}\n{} &= 1\n\\end{{align}}")
        )
        text = formula.format(self._word())
        self.exact.append(text)
        return text

    def _quote(self) -> str:
        inside = "\n\n".join(self._block(1) for _ in range(self._chance.randrange(1, 4)))
        return "\n".join(f"> {line}".rstrip() for line in inside.split("\n"))

    def _table(self) -> str:
        columns = self._chance.randrange(1, 5)
        before = len(self.words)
        head = [self._word() for _ in range(columns)]
        self.repeated.update(self.words[before:])
        rows = [head, ["---"] * columns]
        for _ in range(self._chance.choice((1, 3, 6, 12))):
            before = len(self.words)
            rows.append(
                [
                    " ".join(self._inline(in_table=True) for _ in range(self._chance.choice((1, 1, 5))))
                    for _ in range(columns)
                ]
            )
            # what can be followed stands below the block too
            self.repeated.update(self.words[before:])
        return "\n".join("| " + " | ".join(row) + " |" for row in rows)
