"""The `.env` beside the configuration: a small grammar, every value or a line number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config import load_config
from bot.config.dotenv import parse_variables, read_variables, write_variable
from bot.errors import ConfigError

TEXT = r"""
# a comment
TOKEN=123:abc_DEF-9   # and one behind a value
export KEY = "two words \"quoted\" \\ and a\nnew line" # comment
SINGLE='as it is: \n $HOME "#"'
WORD#HASH=1
HASH=pass#word
EMPTY=
QUOTED_EMPTY=""
ONLY_COMMENT= # nothing
TOKEN=last
URL=https://user:p@host/path?a=b&c=$d
"""


def test_names_values_quotes_and_comments():
    values, wrong = parse_variables(TEXT.replace("\n", "\r\n"))
    assert values == {
        "TOKEN": "last",
        "KEY": 'two words "quoted" \\ and a\nnew line',
        "SINGLE": r'as it is: \n $HOME "#"',
        "HASH": "pass#word",
        "EMPTY": "",
        "QUOTED_EMPTY": "",
        "ONLY_COMMENT": "",
        "URL": "https://user:p@host/path?a=b&c=$d",
    }
    assert wrong == [6]


@pytest.mark.parametrize("line", ["novalue", "1X=2", "=x", 'A="open', "A='open", 'A="x" y', "A B=1", "ÄÖ=1"])
def test_a_line_that_says_nothing_is_named(line):
    assert parse_variables(f"OK=1\n{line}") == ({"OK": "1"}, [2])


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=60))
def test_what_is_written_is_read_back(value):
    assert parse_variables(write_variable("NAME", value)) == ({"NAME": value}, [])


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    values, wrong = parse_variables(text)
    assert all(name.isascii() for name in values) and all(line >= 1 for line in wrong)


def test_a_missing_file_sets_nothing(tmp_path):
    assert read_variables(tmp_path / ".env") == ({}, (), "")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602])
def test_a_file_of_others_is_refused(tmp_path, mode):
    (tmp_path / ".env").write_text("A=canary")
    (tmp_path / ".env").chmod(mode)
    (problem,) = read_variables(tmp_path / ".env").problems
    assert f"mode {mode:04o}" in problem and "chmod 600" in problem and "canary" not in problem


def test_what_is_no_text_is_refused(tmp_path):
    (tmp_path / ".env").write_bytes(b"A=\xff\xfe")
    assert "UTF-8" in read_variables(tmp_path / ".env").problems[0]


def test_a_configuration_reads_it_and_who_only_looks_does_not(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('[platforms.telegram]\ntoken = "env:T"\n')
    (tmp_path / ".env").write_text("T=123:abcdefgh\n")
    (tmp_path / ".env").chmod(0o600)
    loaded = load_config(path, {})
    assert loaded.secrets == {"platforms.telegram.token": "123:abcdefgh"} and loaded.dotenv == {"T"}
    assert load_config(path, {"T": "9:z"}).dotenv == frozenset()
    (tmp_path / ".env").chmod(0o644)
    assert load_config(path, None).secrets == {}
    with pytest.raises(ConfigError):
        load_config(path, {"T": "9:z"})
