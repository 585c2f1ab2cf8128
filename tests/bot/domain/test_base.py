from __future__ import annotations

import pkgutil
from importlib import import_module

import bot
from bot.domain.base import Frozen, complete_values


def test_every_value_knows_how_to_check_and_write_itself():
    # that is worked out when it is first needed, so a misspelt type would else be found by whoever needs it first
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    complete_values()
    assert [kind for kind in _values(Frozen) if not kind.__pydantic_complete__] == []


def _values(kind: type[Frozen]) -> list[type[Frozen]]:
    return [kind, *(value for below in kind.__subclasses__() for value in _values(below))]
