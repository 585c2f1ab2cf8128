"""A key is found on its line, whatever is written around it; what is not found is no lie."""

from __future__ import annotations

import tomllib

from bot.config.explained_keys import key_lines
from tests.architecture.tree import ROOT

TEXT = """\
top = 1
[a]   # a table
x = [
  1,
]
"quoted key" = 2
text = '''
[b]
y = 3
'''
one = \"\"\"one line\"\"\"
[channels."console:#general"]
mode = "active"
[a . c]
d.e = { f = 1 }
"""


def test_keys_are_found_by_their_dotted_names():
    assert key_lines(TEXT) == {
        "top": 1,
        "a.x": 3,
        "a.quoted key": 6,
        "a.text": 7,
        "a.one": 11,
        "channels.console:#general.mode": 13,
        "a.c.d.e": 15,
    }


def test_every_key_of_the_example_is_found():
    text = (ROOT / "config.example.toml").read_text()
    lines, found = text.splitlines(), key_lines(text)

    def keys(table: dict, prefix: str = "") -> list[str]:
        deeper = {"providers", "platforms", "channels", "tools"}
        return [
            key
            for name, value in table.items()
            for key in (
                keys(value, f"{prefix}{name}.")
                if isinstance(value, dict) and (not prefix or prefix.strip(".") in deeper)
                else [f"{prefix}{name}"]
            )
        ]

    for key in keys(tomllib.loads(text)):
        assert lines[found[key] - 1].lstrip().startswith(key.rpartition(".")[2]), key
