"""Open the outside world: adapters are found by the names in the configuration, never imported."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ValidationError

from bot.config import LoadedConfig
from bot.config.load import validation_problems
from bot.config.schema import PlatformConfig, ProviderConfig
from bot.errors import ConfigError
from bot.imports import lean_imports
from bot.ports.backups import Restored, StoredCopy
from bot.ports.caller import Caller
from bot.ports.clock import Clock, Entropy
from bot.ports.edges import Edges
from bot.ports.model import LLMProvider
from bot.ports.platform import Platform
from bot.ports.store import Store


@dataclass(frozen=True)
class Machine:
    """Time and chance."""

    clock: Clock
    entropy: Entropy


def machine() -> Machine:
    """Return the real ones."""
    system = _adapter("system", "system")
    return Machine(system.SystemClock(), system.SystemEntropy())


@asynccontextmanager
async def open_edges(loaded: LoadedConfig, on: Machine) -> AsyncIterator[Edges]:
    """Open what is configured, and close it again; raise StoreError, or ConfigError naming every wrong key."""
    providers, platforms = _made(loaded, on.clock)
    async with AsyncExitStack() as stack:
        for provider in providers.values():
            stack.push_async_callback(provider.close)
        for platform in platforms.values():
            stack.push_async_callback(platform.close)
        caller = _caller(loaded)
        if caller is not None:
            stack.push_async_callback(caller.close)
        store = await open_store(loaded, on)
        stack.push_async_callback(store.close)
        yield Edges(
            clock=on.clock,
            entropy=on.entropy,
            store=store,
            counter=_adapter("tiktoken", "counter").create({}),
            platforms=platforms,
            providers=providers,
            off=_off(loaded),
            caller=caller,
        )


async def open_store(loaded: LoadedConfig, on: Machine) -> Store:
    """Open the data directory for the one process that owns it."""
    sqlite = _adapter("sqlite", "store")
    directory = Path(loaded.config.bot.data_dir)
    settings = sqlite.StoreSettings(directory, on.clock, on.entropy, low_water=_low_water(loaded))
    store: Store = await sqlite.create(settings)
    return store


async def stored_copies(loaded: LoadedConfig) -> Sequence[StoredCopy]:
    """Read every copy of the data directory's database from start to end, newest first; the bot may be running."""
    found: Sequence[StoredCopy] = await _adapter("sqlite", "store").copies_in(Path(loaded.config.bot.data_dir))
    return found


async def restore_copy(loaded: LoadedConfig, on: Machine, copy: str) -> Restored:
    """Put a copy in the place of the database; raise UserError or StoreError, and then nothing has changed."""
    sqlite = _adapter("sqlite", "store")
    restored: Restored = await sqlite.restore_copy(Path(loaded.config.bot.data_dir), copy, on.clock, on.entropy)
    return restored


@asynccontextmanager
async def looking_edges(loaded: LoadedConfig, on: Machine) -> AsyncIterator[Edges]:
    """Open a data directory for looking only. Platforms are made, so that requests look the same, but never run."""
    providers, platforms = _made(loaded, on.clock)
    async with AsyncExitStack() as stack:
        for provider in providers.values():
            stack.push_async_callback(provider.close)
        sqlite = _adapter("sqlite", "store")
        store = await sqlite.open_readonly(Path(loaded.config.bot.data_dir), on.clock, _low_water(loaded))
        stack.push_async_callback(store.close)
        counter = _adapter("tiktoken", "counter").create({})
        yield Edges(on.clock, on.entropy, store, counter, platforms, providers, _off(loaded))


def adapter_problems(tables: Mapping[str, Any]) -> list[str]:
    """Say what adapters find wrong with their own keys, in the tables of a configuration that is refused anyway."""
    clock = machine().clock
    services = {n: (t.get("kind", ""), _own(t, ProviderConfig)) for n, t in _tables(tables, "providers")}
    chats = {n: (t.get("kind") or n, _own(t, PlatformConfig)) for n, t in _tables(tables, "platforms")}
    services = {name: (kind, own) for name, (kind, own) in services.items() if isinstance(kind, str) and kind}
    chats = {name: (kind, own) for name, (kind, own) in chats.items() if isinstance(kind, str)}
    return [*_make_all(services, "providers")[1], *_make_all(chats, "platforms", clock)[1]]


def _tables(tables: Mapping[str, Any], name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found = tables.get(name)
    for key, table in found.items() if isinstance(found, Mapping) else ():
        if isinstance(table, Mapping) and table.get("enabled") is not False:
            yield key, table


def _own(table: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in model.model_fields}


def _caller(loaded: LoadedConfig) -> Caller | None:
    alerts = loaded.config.alerts
    if not (alerts.webhook or alerts.heartbeat_url):
        return None
    caller: Caller = _adapter("webhook", "alerts").create({})
    return caller


def _low_water(loaded: LoadedConfig) -> int:
    return loaded.config.retention.low_water_mb * 1024 * 1024


def _made(loaded: LoadedConfig, clock: Clock) -> tuple[dict[str, LLMProvider], dict[str, Platform]]:
    config = loaded.config
    enabled = {name: table for name, table in config.platforms.items() if table.enabled}
    services = {name: (table.kind, table.settings) for name, table in config.providers.items()}
    chats = {name: (table.kind or name, table.settings) for name, table in enabled.items()}
    providers, provider_problems = _make_all(services, "providers")
    platforms, platform_problems = _make_all(chats, "platforms", clock)
    if problems := [*provider_problems, *platform_problems]:
        raise ConfigError(problems)
    return providers, platforms


def _off(loaded: LoadedConfig) -> tuple[str, ...]:
    return tuple(name for name, table in loaded.config.platforms.items() if not table.enabled)


def _make_all(
    wanted: Mapping[str, tuple[str, Mapping[str, Any]]], table: str, clock: Clock | None = None
) -> tuple[dict[str, Any], Sequence[str]]:
    made: dict[str, Any] = {}
    problems: list[str] = []
    for name, (kind, settings) in wanted.items():
        try:
            module = _adapter(kind, f"{table}.{name}.kind")
            made[name] = module.create(name, settings) if clock is None else module.create(settings, clock)
        except ValidationError as error:
            problems += validation_problems(error, getattr(module, "Settings", BaseModel), f"{table}.{name}")
        except ConfigError as error:
            problems += error.problems
    return made, problems


def _adapter(kind: str, key: str) -> ModuleType:
    if not kind.isidentifier() or find_spec(f"adapters.{kind}") is None:
        raise ConfigError([f"{key}: there is no adapter {kind!r}. Write one of those in config.example.toml."])
    with lean_imports():
        return import_module(f"adapters.{kind}")
