"""The half of a secret that a quotation shows is found, and nothing else is."""

from __future__ import annotations

import pytest

from bot.text.cut_off_secrets import SHORTEST_BEGINNING, beginnings, cut_off

SECRET = "sk-canary-0123456789abcdefghijKLMNOP"
KNOWN = beginnings([(SECRET, "key"), (SECRET[::-1], "backwards"), ("short", "short")])


@pytest.mark.parametrize("mark", ["…", "… (415 characters in all)", "\\u2026", "\n[cut: 9 of 99", "\\n[cut: 9 of 99"])
def test_a_beginning_before_a_cut_is_found(mark: str):
    for length in range(SHORTEST_BEGINNING, len(SECRET) + 1):
        text = f"it is {SECRET[:length]}{mark} and more"
        assert [found for found in cut_off(text, KNOWN) if found.end - found.start == length] == [
            (6, 6 + length, "key")
        ]


@pytest.mark.parametrize(
    "text", ["", "…", "shor…", f"{SECRET[:7]}…", f"{SECRET[:12]} …", f"{SECRET[:12]}x…", SECRET[:20]]
)
def test_what_is_none_is_left_alone(text: str):
    assert list(cut_off(text, KNOWN)) == []


def test_without_secrets_nothing_is_looked_for():
    assert list(cut_off(f"{SECRET}…", beginnings([]))) == []
