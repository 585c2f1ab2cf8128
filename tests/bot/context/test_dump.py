"""The report of a context is for people; nothing in it can end its fence."""

from __future__ import annotations

import pytest

from bot.context.dump import dump, risk
from bot.domain.base import Digest
from tests.bot.context.shown import capture
from tests.golden.golden import matches


async def test_the_whole_report(pytestconfig):
    # the digest changes with every word of a prompt: it would hide the changes that are to be read
    shown = await capture()
    text = dump(shown).replace(shown.digest, Digest("0" * 32))
    assert matches(pytestconfig, "context/dump", text)


async def test_fences_are_longer_than_any_inside():
    assert "````\n" in dump(await capture())


@pytest.mark.parametrize(("percent", "word"), [(10, "LOW"), (61, "MEDIUM"), (80, "MEDIUM"), (80.1, "HIGH")])
def test_the_risk_is_high_above_eighty_percent(percent, word):
    assert risk(percent) == word
