"""The families of faults, in the order in which they are played: a module each, and a line each."""

from __future__ import annotations

from importlib import import_module

from tests.faults.family import Family

MODULES = {
    "F8": "f08_discord",
    "F9": "f09_telegram",
}


def family(name: str) -> Family:
    """Load a family; raise KeyError with the names that there are."""
    if name not in MODULES:
        raise KeyError(f"there is no family {name!r}; there are: {', '.join(MODULES)}")
    found: Family = import_module(f"tests.faults.{MODULES[name]}").FAMILY
    return found
