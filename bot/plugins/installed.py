"""Which plugins are installed beside the bot: what distributions say of themselves, and nothing is imported for it."""

from __future__ import annotations

from importlib import metadata
from typing import NamedTuple

from bot.plugins.plugin import GROUP


class InstalledPlugin(NamedTuple):
    """A plugin as a distribution names it. `copies` are the other distributions, or versions, that name one so."""

    name: str
    version: str
    distribution: str
    entry: metadata.EntryPoint
    copies: tuple[str, ...] = ()

    @property
    def package(self) -> str:
        """The importable package it stands in."""
        return self.entry.module.partition(".")[0]


def installed_plugins() -> tuple[InstalledPlugin, ...]:
    """Return every plugin, by name. It reads the list of everything that is installed, some milliseconds."""
    found: dict[str, list[InstalledPlugin]] = {}
    for distribution in metadata.distributions():
        for entry in _entries(distribution):
            one = InstalledPlugin(entry.name, distribution.version, distribution.metadata["Name"], entry)
            found.setdefault(entry.name, []).append(one)
    return tuple(_first(found[name]) for name in sorted(found))


def _entries(distribution: metadata.Distribution) -> list[metadata.EntryPoint]:
    try:
        return [entry for entry in distribution.entry_points if entry.group == GROUP]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        # of another distribution, and broken: that is for whoever uses it
        return []


def _first(named: list[InstalledPlugin]) -> InstalledPlugin:
    every = tuple(dict.fromkeys(f"{one.distribution} {one.version}" for one in named))
    return named[0]._replace(copies=every[1:])
