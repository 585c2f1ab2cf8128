"""Load what the configuration names: imported, built, each part looked at and put behind its guard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from pydantic import ValidationError

from bot.config.load import validation_problems
from bot.config.schema import PluginConfig
from bot.errors import ConfigError
from bot.plugins.fault import PluginFault, WrongPart
from bot.plugins.guard import PartGuard
from bot.plugins.installed import InstalledPlugin, installed_plugins
from bot.plugins.kinds import KINDS
from bot.plugins.plugin import API_VERSION, Contributions, Plugin, PluginSetup
from bot.plugins.plugins import PluginRecord, Plugins, PluginState, SwitchedOff
from bot.sentences import say

log = structlog.get_logger(__name__)
_FOLDER = "plugins"
_START = "start"


@dataclass
class _Loading:
    """What was loaded so far; `names` are those that are taken, by kind."""

    data: Path
    switched_off: SwitchedOff = field(default_factory=SwitchedOff)
    records: list[PluginRecord] = field(default_factory=list)
    found: dict[str, list[Any]] = field(default_factory=lambda: {kind.place: [] for kind in KINDS})
    names: set[tuple[str, str]] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    def load(self, name: str, table: PluginConfig, one: InstalledPlugin | None) -> None:
        """Load a plugin that the configuration names."""
        if one is None:
            self.records.append(PluginRecord(name, "", "", PluginState.MISSING))
            log.error("plugin_missing", plugin=name)
            return
        if not table.enabled:
            self.records.append(PluginRecord(name, one.version, one.distribution, PluginState.DISABLED))
            return
        guard = self._guarding(one)(_START)
        try:
            if one.copies:
                raise WrongPart(say("plugins.twice", copies=", ".join((_copy(one), *one.copies))))
            plugin = guard.call(one.entry.load)
            brought = self._built(plugin, one, table, guard)
        except (WrongPart, PluginFault) as error:
            why = error.words if isinstance(error, PluginFault) else str(error)
            log.error("plugin_refused", plugin=name, version=one.version, why=why)
            refused = PluginRecord(name, one.version, one.distribution, PluginState.REFUSED, why=(why,))
            self.records.append(refused)
            return
        except ConfigError as error:
            self.problems += error.problems
            return
        self._take(one, brought, guard)

    def _built(self, plugin: object, one: InstalledPlugin, table: PluginConfig, guard: PartGuard) -> Contributions:
        if not isinstance(plugin, Plugin):
            raise WrongPart(say("plugins.no-such-kind", kind="plugin", found=type(plugin).__name__))
        major, minor = guard.call(_version, plugin.api)
        if major != API_VERSION[0] or minor > API_VERSION[1]:
            has, needs = (".".join(map(str, version)) for version in (API_VERSION, (major, minor)))
            raise WrongPart(say("plugins.other-api", needs=needs, has=has))
        try:
            settings = guard.call(plugin.settings.model_validate, table.settings)
        except PluginFault as fault:
            if not isinstance(fault.__cause__, ValidationError):
                raise
            problems = validation_problems(fault.__cause__, plugin.settings, f"plugins.{one.name}")
            raise ConfigError(problems) from None
        home = (self.data / _FOLDER / one.name).resolve()
        brought = guard.call(plugin.build, PluginSetup(one.name, one.version, settings, home))
        if not isinstance(brought, Contributions):
            raise WrongPart(say("plugins.no-such-kind", kind="parts", found=type(brought).__name__))
        return brought

    def _take(self, one: InstalledPlugin, brought: Contributions, start: PartGuard) -> None:
        guards: list[PartGuard] = []
        why: list[str] = []
        guarding = self._guarding(one)
        for kind in KINDS:
            try:
                parts: tuple[object, ...] = start.call(tuple, getattr(brought, kind.place))
            except PluginFault as fault:
                why.append(f"{kind.place}: {fault.words}")
                continue
            for part in parts:
                try:
                    name = start.call(kind.name_of, part)
                    if (kind.kind, name) in self.names:
                        raise WrongPart(say("plugins.name-taken", part=f"{kind.kind} {name}"))
                    guard = guarding(f"{kind.kind} {name}")
                    guarded = start.call(kind.guarded, part, guard)
                except (PluginFault, WrongPart) as error:
                    why.append(error.words if isinstance(error, PluginFault) else str(error))
                    continue
                self.names.add((kind.kind, name))
                guards.append(guard)
                self.found[kind.place].append(guarded)
        record = PluginRecord(one.name, one.version, one.distribution, PluginState.RUNS, tuple(guards), tuple(why))
        if why:
            log.error("plugin_parts_left_out", plugin=record.origin, why=why)
        self.records.append(record)

    def _guarding(self, one: InstalledPlugin) -> Callable[[str], PartGuard]:
        folder = (self.data / _FOLDER / one.name).resolve()
        origin = f"{one.name} {one.version}"
        return lambda part: PartGuard(origin, part, one.package, folder, self.switched_off)


def load_plugins(tables: Mapping[str, PluginConfig], data: Path) -> Plugins:
    """Return what the named plugins bring; raise ConfigError where their own keys are wrong."""
    installed = {one.name: one for one in installed_plugins()}
    loading = _Loading(data)
    for name, table in tables.items():
        loading.load(name, table, installed.get(name))
    if loading.problems:
        raise ConfigError(loading.problems)
    unnamed = (one for name, one in installed.items() if name not in tables)
    resting = (PluginRecord(one.name, one.version, one.distribution, PluginState.UNNAMED) for one in unnamed)
    found = {place: tuple(brought) for place, brought in loading.found.items()}
    return Plugins(records=(*loading.records, *resting), switched_off=loading.switched_off, **found)


def _version(api: Any) -> tuple[int, int]:
    major, minor = api
    return int(major), int(minor)


def _copy(one: InstalledPlugin) -> str:
    return f"{one.distribution} {one.version}"
