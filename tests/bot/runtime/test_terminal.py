"""Nothing reaches a terminal that it would obey, and JSON keeps its value."""

import sys

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.runtime.terminal import complain, print_text, say_json, show_traceback
from bot.text.invisible import HIDDEN, escaped

EVIL = "\x1b]0;PWNED\x07\x1b[2J\x9b32m\u202e\u200b\x7f"


def test_what_a_terminal_would_obey_is_written_out(capsys):
    print_text(f"hi {EVIL}")
    complain(f"no {EVIL}")
    out, err = capsys.readouterr()
    assert out.startswith("hi ⟨U+001B⟩]0;PWNED⟨U+0007⟩") and err.startswith("no ⟨U+001B⟩")
    assert not HIDDEN.search(out + err)


def test_a_traceback_shows_the_words_of_an_error_in_the_same_way(capsys):
    try:
        raise ValueError(EVIL)
    except ValueError as error:
        show_traceback(*sys.exc_info()[:1], error, error.__traceback__)
    err = capsys.readouterr().err
    assert "ValueError: ⟨U+001B⟩" in err and not HIDDEN.search(err)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_is_the_same_value(text):
    shown = escaped(orjson.dumps({"name": text}).decode())
    assert not HIDDEN.search(shown)
    assert orjson.loads(shown) == {"name": text}


@pytest.mark.parametrize("value", [{"name": EVIL}, ["\U000e0041", "ok"]])
def test_json_on_a_terminal(value, capsys):
    say_json(value)
    out = capsys.readouterr().out
    assert orjson.loads(out) == value and not HIDDEN.search(out)
