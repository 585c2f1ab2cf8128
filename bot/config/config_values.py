"""A configuration as a flat list of keys and values, and what two of them differ in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bot.config.schema import ChannelConfig, Config
from bot.config.tool_groups import MCP, ToolsConfig


class ConfigValue(NamedTuple):
    """One key. `live`: a running bot takes a new value when it is told to; else it takes a restart."""

    key: str
    value: Any
    live: bool


class ConfigChange(NamedTuple):
    """One key that differs. A table that is new or gone is one key for all that is in it."""

    key: str
    live: bool


def flatten(config: Config) -> Iterator[ConfigValue]:
    """Yield every key of every table, the adapters' own too where they are written down."""
    for name in Config.model_fields:
        for entry, content in _tables(getattr(config, name)):
            yield from _of(f"{name}.{entry}" if entry else name, content)


def _tables(found: Any) -> Iterator[tuple[str, Any]]:
    """Yield the tables that stand under one name: one, one for each entry, or one for each group of tools."""
    if isinstance(found, ToolsConfig):
        yield from found.tables()
    elif isinstance(found, Mapping):
        yield from found.items()
    else:
        yield "", found


def _of(prefix: str, table: Any) -> Iterator[ConfigValue]:
    for key in (*type(table).model_fields, *(table.model_extra or {})):
        yield ConfigValue(f"{prefix}.{key}", getattr(table, key), key in table.live)


def changes(old: Config, new: Config) -> tuple[ConfigChange, ...]:
    """Say which keys differ, in the order of the file."""
    before, after = ({value.key: value for value in flatten(config)} for config in (old, new))
    tables = [{_table(key) for key in side} for side in (before, after)]
    found: dict[str, bool] = {}
    for key in dict.fromkeys((*before, *after)):
        then, now = before.get(key), after.get(key)
        if (then.value if then else None) == (now.value if now else None):
            continue
        is_whole = not key.startswith("channels.") and not all(_table(key) in side for side in tables)
        value = now or then
        assert value is not None
        found[_table(key) if is_whole else key] = value.live and not is_whole
    return tuple(ConfigChange(key, live) for key, live in found.items())


def merge_live(old: Config, new: Config) -> Config:
    """Return the old configuration with the values that the new one has for live keys."""
    tables: dict[str, Any] = {}
    for name in Config.model_fields:
        was, now = getattr(old, name), getattr(new, name)
        if isinstance(was, ToolsConfig):
            tables[name] = _groups(was, now)
        elif not isinstance(was, dict):
            tables[name] = _taking(was, now)
        elif name == "channels":
            # a channel without a table has every default, so a table may come and go
            entries = dict.fromkeys((*was, *now))
            usual = ChannelConfig()
            tables[name] = {entry: _taking(was.get(entry, usual), now.get(entry, usual)) for entry in entries}
        else:
            tables[name] = {entry: _taking(table, now.get(entry, table)) for entry, table in was.items()}
    return old.model_copy(update=tables)


def take_over(running: Config, wanted: Config) -> None:
    """Put the live keys of one configuration into the tables of another, where everybody who holds a table sees them.

    Tables are values to everybody else: this is the one place that changes any, between two steps of the event loop.
    """
    for name in Config.model_fields:
        was, now = getattr(running, name), getattr(wanted, name)
        if name == "channels":
            was.update({entry: ChannelConfig() for entry in now if entry not in was})
        wanted_tables = dict(_tables(now))
        for entry, table in _tables(was):
            other = wanted_tables.get(entry, table)
            table.__dict__.update({key: getattr(other, key) for key in table.live})


def _groups(was: ToolsConfig, now: ToolsConfig) -> ToolsConfig:
    """Return the groups of the old one; servers come and go with a restart only."""
    servers = {name: _taking(table, now.mcp.get(name, table)) for name, table in was.mcp.items()}
    plain = {name: _taking(table, getattr(now, name)) for name, table in was.tables() if name in type(was).model_fields}
    return was.model_copy(update={**plain, MCP: servers})


def _taking(was: Any, now: Any) -> Any:
    return was.model_copy(update={key: getattr(now, key) for key in was.live})


def _table(key: str) -> str:
    return key.rpartition(".")[0]
