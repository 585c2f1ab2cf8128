"""What lies in a row on its way is read by whoever has the key, and by nobody else."""

from __future__ import annotations

import pytest

from adapters.postgres.relay_cipher import RelayCipher

TEXTS = ("", "{}", '{"handoff": "a token"}', "Grüße \U0001f44b \udc80", "x" * 5000)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_back_under_the_same_key_alone(text: str):
    ours, theirs = RelayCipher(b"ours" * 8), RelayCipher(b"theirs" * 5)
    stored = ours.shut(text)
    assert not text or text not in stored
    assert ours.open(stored) == text and theirs.open(stored) == ""


def test_what_was_altered_is_not_read():
    cipher = RelayCipher(b"ours" * 8)
    stored = cipher.shut("yes, do it")
    for at in range(len("shut:"), len(stored)):
        other = "A" if stored[at] != "A" else "B"
        assert cipher.open(stored[:at] + other + stored[at + 1 :]) in {"", "yes, do it"}, at
        assert cipher.open(stored[:at]) == ""
    assert cipher.open("shut:?") == ""


def test_what_an_earlier_version_left_in_the_open_is_read_as_it_is():
    assert RelayCipher(b"ours" * 8).open('{"said": 1}') == '{"said": 1}'
