"""The worked example: silence, the rules' finding, the branch's finding, the fix, the answer, the undo."""

import re

import pytest

from bot.cli.demo import run_demo
from tests.architecture.tree import ROOT


@pytest.fixture(scope="module")
def played():
    """One performance, for every test that looks at it."""
    import contextlib
    import io

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = run_demo()
    return status, out.getvalue()


def test_every_step_happened(played):
    status, out = played
    assert status == 0 and "NOT SEEN" not in out, out
    assert "THE MODEL IS A SIMULATION" in out and "All 10 steps happened." in out


def test_nothing_private_stands_in_the_channel(played):
    public = [line for line in played[1].splitlines() if line.startswith("[#general] glassmind<")]
    assert public and not any("memory" in line or "m2krxn" in line for line in public)


def test_the_tutorial_shows_what_it_prints(played):
    """The transcript in the tutorial is the real one, but for the time of day."""
    page = (ROOT / "docs" / "tutorial.md").read_text()
    shown = page.split("<!-- demo -->")[1].split("<!-- /demo -->")[0]
    block = re.search(r"````text\n(.*?)\n````\n", shown, re.DOTALL)
    assert block is not None
    assert plain(block[1]) == plain(played[1].rstrip())


def plain(text):
    times = re.compile(r"\d\d:\d\d(?::\d\d)?|\d+ ms|(?<=event )\d+ s(?= ago)|(?<=\$0\.00, )\d+ s")
    return [times.sub("HH:MM", line).rstrip() for line in text.splitlines()]
