"""The plugins that the configuration names; where it names none, nobody looks for any."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from bot.config import LoadedConfig
from bot.config.schema import PluginConfig
from bot.plugins.plugins import NO_PLUGINS, Plugins

if TYPE_CHECKING:
    from bot.task_prompt.added_pieces import AddedPieces


def plugins_of(loaded: LoadedConfig) -> Plugins:
    """Return what the named plugins bring. Raise ConfigError where their own keys are wrong."""
    return load_named(loaded.config.plugins, Path(loaded.config.bot.data_dir))


def load_named(tables: Mapping[str, PluginConfig], data: Path) -> Plugins:
    """Return what plugins bring that have a table."""
    if not tables:
        return NO_PLUGINS
    # imported here: a bot without plugins should not wait for it
    from bot.plugins.loading import load_plugins

    return load_plugins(tables, data)


def plugins_in(tables: Mapping[str, Any]) -> Plugins:
    """Return what the plugins bring that are named in the tables of a file, as far as these can be read."""
    named = tables.get("plugins")
    if not isinstance(named, Mapping):
        return NO_PLUGINS
    fitting: dict[str, PluginConfig] = {}
    for name, one in named.items():
        # a table that cannot be read is told of by who reads the file
        with suppress(ValidationError):
            fitting[name] = PluginConfig.model_validate(one)
    if not fitting:
        return NO_PLUGINS
    # imported here: no start needs it
    from tempfile import TemporaryDirectory

    # what they write while a file is only checked is for nobody
    with TemporaryDirectory(prefix="glassmind-plugins-") as folder:
        return load_named(fitting, Path(folder))


def plugin_settings(loaded: LoadedConfig, name: str) -> Mapping[str, Any]:
    """Return the keys of a plugin's table; none where it has no table."""
    table = loaded.config.plugins.get(name)
    return table.settings if table is not None else {}


def added_pieces(plugins: Plugins) -> AddedPieces:
    """Return what plugins add to the contexts of tasks."""
    # imported here: no start needs it
    from bot.task_prompt.added_pieces import AddedPieces

    return AddedPieces([(one.gather, one.wanted) for one in plugins.gatherers], plugins.prioritisers)
