"""What plugins are written with: everything that is promised is there, and nothing is said twice."""

from __future__ import annotations

import inspect

from bot import api
from bot.plugins.plugin import API_VERSION
from tests.architecture.tree import ROOT


def test_everything_that_is_promised_is_there_and_says_what_it_is() -> None:
    assert api.__all__ == sorted(api.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name))
    for name in api.__all__:
        thing = getattr(api, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), f"{name} says nothing of itself"


def test_it_is_typed_and_has_a_version() -> None:
    assert api.API_VERSION == API_VERSION == (1, 0)
    assert (ROOT / "bot/py.typed").is_file()
