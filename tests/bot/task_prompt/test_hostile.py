"""A text that was written to be slow is not slow: nothing is searched more than a few times."""

from __future__ import annotations

import pytest

from bot.context.tokens import by_bytes
from bot.task_prompt import compress, prepare, prioritise
from bot.task_prompt.truncate import LADDERS
from bot.text.redaction import Redactor
from tests.bot.task_prompt.given import chunk, task

SIZE = 20_000
HUGE = 10**9
TEXTS = {
    "quotes": '"' * SIZE,
    "triple, escaped": '"""' + '\\"""\n' * (SIZE // 5),
    "escaped quotes in a line": '\\"' * (SIZE // 2),
    "comments never closed": "/* " * (SIZE // 3),
    "backticks": "`\\" * (SIZE // 2),
    "apostrophes": "'a" * (SIZE // 2),
    "opened braces": "{" * SIZE,
    "containers": "class a {" * (SIZE // 9),
    "opened brackets": "(" * SIZE,
    "modifiers": "export\n" * (SIZE // 7),
    "spaces": " " * SIZE + "x",
    "blank lines": " \n" * (SIZE // 2),
    "functions": "def f():\n" * (SIZE // 9),
    "decorators": "@\n" * (SIZE // 2),
    "arrays": "[" * SIZE,
    "keys": '"a"   ' * (SIZE // 6),
    "speakers": "a: " * (SIZE // 3),
    "memories": " | " * (SIZE // 3),
    "one line": "x" * SIZE,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_no_ladder_is_slow(text):
    for language in ("python", "json", "log", "transcript", "memories", "tree", "javascript", "cpp"):
        assert all(rung.name for rung in LADDERS[language](text, HUGE))


def test_all_of_it_together_is_compressed():
    given_ = [chunk(text, name, language=language) for name, text in TEXTS.items() for language in ("python", "json")]
    prepared = prepare(given_, Redactor.of({}), by_bytes)
    result = compress(prioritise(prepared.chunks, task("spaces and quotes")), 2000, by_bytes)
    assert 0 < result.tokens_used <= 2000
