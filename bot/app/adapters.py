"""Open the outside world: adapters are found by the names in the configuration, never imported."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from socket import gethostname
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import structlog
from pydantic import BaseModel, ValidationError

from bot import __version__
from bot.app.named_platform import named_platform
from bot.app.named_plugins import plugins_in, plugins_of
from bot.config import Config, LoadedConfig
from bot.config.dotenv import DOTENV_NAME as DOTENV
from bot.config.file_privacy import foreign_files, open_to_others, planted_files
from bot.config.load import validation_problems
from bot.config.schema import PlatformConfig, ProviderConfig, is_server_address
from bot.config.tool_groups import GroupConfig
from bot.domain.health import AdapterHealth, AdapterState, ProbeResult
from bot.domain.platform_names import PlatformPart
from bot.errors import ConfigError, UserError
from bot.plugins.plugins import NO_PLUGINS, Plugins
from bot.ports.backups import RestoreResult, StoredCopy
from bot.ports.caller import WebhookCaller
from bot.ports.clock import Clock, Entropy
from bot.ports.copying import CopiedStore
from bot.ports.edges import Edges, alone
from bot.ports.embeddings import Embedder
from bot.ports.leases import Lease, Leases, OneProcess
from bot.ports.metrics import NO_METRICS, MetricsExporter
from bot.ports.model import LLMProvider, TokenCounter
from bot.ports.platform import WHOLE_DUTY, Platform, PlatformDuty
from bot.ports.store import Store
from bot.ports.traces import NO_TRACES, NO_WATCHERS, RecordWatchers, TracesExporter
from bot.ports.verifying import StoreCheck
from bot.runtime.lean_imports import lean_imports
from bot.sentences import say
from bot.text.redaction import Redactor

if TYPE_CHECKING:
    # what workers, editors and plugins need: no start does
    from bot.plugins.plugin import PluginAdapter
    from bot.ports.look_server import LookServer
    from bot.ports.page_logins import PageLogins
    from bot.ports.page_server import PageServer
    from bot.ports.sandbox import Sandbox
    from bot.ports.toolservers import ToolServers
    from bot.ports.web import Browser, WebReader
    from bot.ports.workspaces import FormerIds, Workspaces

log = structlog.get_logger(__name__)
_LOCAL = "local"
_PROVIDER, _PLATFORM = ("name", "settings"), ("settings", "clock")
"""What adapters for the two kinds of tables are made of."""


class Tenure(NamedTuple):
    """By what a process is at work, and whether it still is."""

    lease: Lease | None
    is_at_work: Callable[[], bool]


ALONE = Tenure(None, alone)


class ClockAndEntropy(NamedTuple):
    clock: Clock
    entropy: Entropy


def machine() -> ClockAndEntropy:
    """Return the clock and the entropy of the machine."""
    system = _adapter("system", "system")
    return ClockAndEntropy(system.SystemClock(), system.SystemEntropy())


@asynccontextmanager
async def open_edges(
    loaded: LoadedConfig,
    on: ClockAndEntropy,
    *,
    fresh: bool = False,
    restored: bool = False,
    tenure: Tenure = ALONE,
    duty: PlatformDuty = WHOLE_DUTY,
) -> AsyncIterator[Edges]:
    """Open what is configured, and close it again; raise StoreError, or ConfigError naming every wrong key.

    `fresh`: where the database is missing from a directory that was in use, begin with an empty one. `restored`: go on
    with a database on a server that is older than it was. `duty`: what this process does on the platforms.
    """
    plugins = plugins_of(loaded)
    providers, platforms = _made(loaded, on.clock, plugins, duty)
    async with AsyncExitStack() as stack:
        for provider in providers.values():
            stack.push_async_callback(provider.close)
        for platform in platforms.values():
            stack.push_async_callback(platform.close)
        embedder = open_embedder(loaded)
        if embedder is not None:
            stack.push_async_callback(embedder.close)
        caller = _caller(loaded)
        if caller is not None:
            stack.push_async_callback(caller.close)
        exporter = _exporter(loaded, on.clock)
        traces = _traces(loaded, on.clock)
        if traces is not None:
            stack.push_async_callback(traces.close)
        is_watched = exporter is not None or traces is not None
        watchers = RecordWatchers(exporter or NO_METRICS, traces or NO_TRACES) if is_watched else NO_WATCHERS
        store = await open_store(loaded, on, fresh=fresh, restored=restored, watchers=watchers, lease=tenure.lease)
        stack.push_async_callback(store.close)
        if traces is not None:
            traces.begin(store.secret_key)
        yield Edges(
            clock=on.clock,
            entropy=on.entropy,
            store=store,
            counter=_counter(plugins),
            platforms=platforms,
            providers=providers,
            off=_off(loaded),
            caller=caller,
            tool_servers=tool_servers(loaded),
            open_workspaces=partial(open_workspaces, loaded),
            open_sandbox=partial(open_sandbox, loaded),
            open_web=partial(open_web, loaded),
            open_browser=partial(open_browser, loaded),
            open_page_logins=partial(page_logins, loaded) if loaded.config.web_page.enabled else None,
            exporter=exporter,
            traces=traces,
            embedder=embedder,
            open_page_server=page_server if loaded.config.web_page.enabled else None,
            plugins=plugins,
            is_at_work=tenure.is_at_work,
        )


async def open_leases(loaded: LoadedConfig, on: ClockAndEntropy, called: str = "process") -> Leases:
    """Open what says which process is at work; where the database is a file, it is whoever opens it.

    `called` is what people and the others call this one.
    """
    store = loaded.config.store
    if not store.url:
        return OneProcess()
    server, directory = _server_store(loaded), Path(loaded.config.bot.data_dir)
    process = f"{called} {os.getpid()} on {gethostname()}"
    wanted = server.LeaseSettings(store.url, store.schema_name, directory, on.clock, on.entropy, process)
    leases: Leases = await server.open_leases(wanted)
    return leases


async def open_store(
    loaded: LoadedConfig,
    on: ClockAndEntropy,
    *,
    fresh: bool = False,
    restored: bool = False,
    watchers: RecordWatchers = NO_WATCHERS,
    lease: Lease | None = None,
) -> Store:
    """Open the data directory, and the database if it is elsewhere, for the one process that owns them.

    With a `lease`, for the one that has it.
    """
    directory = Path(loaded.config.bot.data_dir)
    if problem := planted_files(directory, os.geteuid()):
        raise ConfigError([say("lifecycle.data-exposed", folder=str(directory), problem=problem)])
    if others := foreign_files(directory):
        raise ConfigError([say("lifecycle.data-not-empty", folder=str(directory), names=others)])
    if was_open := open_to_others(directory):
        log.warning("data_directory_was_open", until_now=was_open, done=say("lifecycle.data-closed"))
    if loaded.config.store.url:
        server = _server_store(loaded)
        wanted = (loaded.config.store.url, directory, on.clock, on.entropy)
        on_server: Store = await server.create(
            server.PostgresSettings(
                *wanted,
                schema=loaded.config.store.schema_name,
                watchers=watchers,
                lease=lease,
                restored=restored,
            )
        )
        return on_server
    sqlite = _adapter("sqlite", "store")
    settings = sqlite.StoreSettings(
        directory, on.clock, on.entropy, low_water=_low_water(loaded), fresh=fresh, watchers=watchers
    )
    store: Store = await sqlite.create(settings)
    return store


async def stored_copies(loaded: LoadedConfig) -> Sequence[StoredCopy]:
    """Read every copy of the data directory's database from start to end, newest first; the bot may be running."""
    _must_be_file(loaded)
    found: Sequence[StoredCopy] = await _adapter("sqlite", "store").copies_in(Path(loaded.config.bot.data_dir))
    return found


async def verify_store(loaded: LoadedConfig) -> StoreCheck:
    """Check the data directory from start to end; nothing is changed, and the bot may be running."""
    store, directory = loaded.config.store, Path(loaded.config.bot.data_dir)
    if store.url:
        checked: StoreCheck = await _server_store(loaded).verify_database(store.url, directory, store.schema_name)
        return checked
    found: StoreCheck = await _adapter("sqlite", "store").verify_directory(Path(loaded.config.bot.data_dir))
    return found


async def restore_copy(loaded: LoadedConfig, on: ClockAndEntropy, copy: str) -> RestoreResult:
    """Put a copy in the place of the database; raise UserError or StoreError, and then nothing has changed."""
    _must_be_file(loaded)
    sqlite = _adapter("sqlite", "store")
    restored: RestoreResult = await sqlite.restore_copy(Path(loaded.config.bot.data_dir), copy, on.clock, on.entropy)
    return restored


@asynccontextmanager
async def looking_edges(loaded: LoadedConfig, on: ClockAndEntropy, *, signs: bool = False) -> AsyncIterator[Edges]:
    """Open a data directory for looking only. Platforms are made, so that requests look the same, but never run.

    `signs`: with the key, for what is signed with it.
    """
    plugins = plugins_of(loaded)
    adapters = live_adapters(loaded, on, plugins)
    async with adapters as (providers, platforms), looking_store(loaded, on, signs=signs) as store:
        counter, off = _counter(plugins), _off(loaded)
        yield Edges(on.clock, on.entropy, store, counter, platforms, providers, off, plugins=plugins)


def with_shows(edges: Edges, loaded: LoadedConfig) -> Edges:
    """Return what looks, with the page and the numbers that are configured."""
    return edges._replace(
        exporter=_exporter(loaded, edges.clock),
        open_page_server=page_server if loaded.config.web_page.enabled else None,
    )


@asynccontextmanager
async def live_adapters(
    loaded: LoadedConfig, on: ClockAndEntropy, plugins: Plugins | None = None
) -> AsyncIterator[tuple[dict[str, LLMProvider], dict[str, Platform]]]:
    """Make the configured providers and platforms, to be probed; raise ConfigError naming every wrong key."""
    providers, platforms = _made(loaded, on.clock, plugins_of(loaded) if plugins is None else plugins)
    async with AsyncExitStack() as stack:
        for provider in providers.values():
            stack.push_async_callback(provider.close)
        for platform in platforms.values():
            stack.push_async_callback(platform.close)
        yield providers, platforms


@asynccontextmanager
async def looking_store(loaded: LoadedConfig, on: ClockAndEntropy, *, signs: bool = False) -> AsyncIterator[Store]:
    """Open a data directory's store for reading, without a lock; raise StoreError. `signs`: with the key, for that."""
    directory, low_water = Path(loaded.config.bot.data_dir), _low_water(loaded)
    if loaded.config.store.url:
        server, (url, schema) = _server_store(loaded), (loaded.config.store.url, loaded.config.store.schema_name)
        store: Store = await server.open_readonly(url, directory, on.clock, schema=schema, signs=signs)
    else:
        store = await _adapter("sqlite", "store").open_readonly(directory, on.clock, low_water, signs=signs)
    try:
        yield store
    finally:
        await store.close()


def health_of_platforms(edges: Edges, since: int) -> tuple[AdapterHealth, ...]:
    """Say how every configured platform is, the disabled ones too; `since` is when those were left out."""
    off = (AdapterHealth(name=name, state=AdapterState.DISABLED, since=since) for name in edges.off)
    return (*map(edges.health_of, edges.platforms), *off)


def adapter_problems(tables: Mapping[str, Any]) -> list[str]:
    """Say what adapters find wrong with their own keys, in the tables of a configuration that is refused anyway."""
    clock = machine().clock
    services = {n: (t.get("kind", ""), _own(t, ProviderConfig)) for n, t in _tables(tables, "providers")}
    chats = {n: (t.get("kind") or n, _own(t, PlatformConfig)) for n, t in _tables(tables, "platforms")}
    services = {name: (kind, own) for name, (kind, own) in services.items() if isinstance(kind, str) and kind}
    chats = {name: (kind, own) for name, (kind, own) in chats.items() if isinstance(kind, str)}
    try:
        plugins, problems = plugins_in(tables), []
    except ConfigError as error:
        plugins, problems = NO_PLUGINS, list(error.problems)
    found = _make_all(services, "providers", plugins.providers)[1]
    return [*problems, *found, *_make_all(chats, "platforms", plugins.platforms, clock)[1]]


async def introduce_platform(kind: str, settings: Mapping[str, Any], on: ClockAndEntropy) -> Sequence[ProbeResult]:
    """Ask a platform about an account that is not configured yet; raise ConfigError naming every wrong key."""
    module = _adapter(kind, "platform")
    # an adapter that has more to say to newcomers than a probe tells has a module for it
    has_setup = hasattr(module, "__path__") and find_spec(f"adapters.{kind}.setup") is not None
    try:
        if has_setup:
            found: Sequence[ProbeResult] = await import_module(f"adapters.{kind}.setup").introduce(settings)
            return found
        platform: Platform = module.create(settings, on.clock)
    except ValidationError as error:
        raise ConfigError(validation_problems(error, BaseModel, f"platforms.{kind}")) from None
    try:
        return await platform.probe(None)
    finally:
        await platform.close()


@asynccontextmanager
async def introduced_provider(kind: str, settings: Mapping[str, Any]) -> AsyncIterator[LLMProvider]:
    """Make a model service that is not configured yet, to be asked; raise ConfigError naming every wrong key."""
    try:
        provider: LLMProvider = _adapter(kind, "provider", _PROVIDER).create(kind, settings)
    except ValidationError as error:
        raise ConfigError(validation_problems(error, BaseModel, f"providers.{kind}")) from None
    try:
        yield provider
    finally:
        await provider.close()


def adapter_defaults(config: Config) -> dict[str, Any]:
    """Return the keys of the adapters in use that nobody set, with the values that they have then."""
    clock = machine().clock
    services = {f"providers.{name}": (table.kind, table.settings, None) for name, table in config.providers.items()}
    enabled, kinds = [n for n, table in config.platforms.items() if table.enabled], config.platform_names.kinds
    chats = {f"platforms.{name}": (kinds[name], config.platforms[name].settings, clock) for name in enabled}
    found: dict[str, Any] = {}
    for table, (kind, settings, on) in {**services, **chats}.items():
        module = _adapter(kind, f"{table}.kind")
        made = module.create(table.partition(".")[2], settings) if on is None else module.create(settings, on)
        model = _settings_model(module, made)
        whole = model.model_validate(settings) if model is not None else None
        unset = () if whole is None or model is None else (key for key in model.model_fields if key not in settings)
        found |= {f"{table}.{key}": getattr(whole, key) for key in unset}
    return found


def _settings_model(module: ModuleType, made: object) -> type[BaseModel] | None:
    # packages that load their library late keep the model beside what they make
    for place in (module, sys.modules.get(type(made).__module__)):
        model = getattr(place, "Settings", None)
        if isinstance(model, type) and issubclass(model, BaseModel):
            return model
    return None


def _tables(tables: Mapping[str, Any], name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found = tables.get(name)
    for key, table in found.items() if isinstance(found, Mapping) else ():
        if isinstance(table, Mapping) and table.get("enabled") is not False:
            yield key, table


def _own(table: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in model.model_fields}


def look_server() -> LookServer:
    """Return what answers MCP clients; raise ConfigError when its library is not installed."""
    if missing := _adapter("mcp", "mcp").create({}).missing():
        raise ConfigError([f"mcp: {missing}"])
    server: LookServer = import_module("adapters.mcp.look_server").create_look_server()
    return server


def page_server() -> PageServer:
    """Return what answers browsers; it is loaded by the first who wants one."""
    server: PageServer = _adapter("page_server", "web_page").create({})
    return server


def page_logins(loaded: LoadedConfig) -> PageLogins:
    """Return the ways into the page besides a link, as far as they are configured; loaded by the page itself."""
    from bot.app.named_logins import NamedInitData, NamedOAuth
    from bot.ports.page_logins import PageLogins

    config = loaded.config
    page, tables, app, oauth = config.web_page, config.platforms, None, None
    if page.telegram_app:
        create = import_module("adapters.telegram.init_data").create_verifier
        app = NamedInitData({name: create(tables[name].settings) for name in config.enabled_of_kind("telegram")})
    if page.discord_client_id:
        made_of = page.discord_client_id, page.discord_client_secret
        name = config.sign_in_platform
        made = import_module("adapters.discord.oauth").create_oauth(tables[name].settings, *made_of)
        oauth = NamedOAuth(made, name)
    return PageLogins(app, oauth)


def tool_servers(loaded: LoadedConfig) -> ToolServers | None:
    """Return the way to MCP servers, if there are any in the configuration; their library is not loaded yet."""
    if not loaded.config.tools.mcp:
        return None
    servers: ToolServers = _adapter("mcp", "tools.mcp").create({})
    return servers


def open_workspaces(loaded: LoadedConfig, before: FormerIds) -> Workspaces:
    """Open the workspaces of a data directory; nothing is made before somebody writes."""
    files, adapter = loaded.config.tools.files, _adapter("workspaces", "tools.files")
    settings = adapter.Settings(**_own_keys(files), uid=loaded.config.tools.shell.uid)
    opened: Workspaces = adapter.create(Path(loaded.config.bot.data_dir), settings, before)
    return opened


def open_sandbox(loaded: LoadedConfig) -> Sandbox:
    """Open the sandbox; nothing is tried before somebody asks."""
    files = loaded.config.tools.files
    beside = [loaded.path, *(loaded.path.parent / name for name in _beside(loaded))] if loaded.path else []
    settings = {
        **_own_keys(loaded.config.tools.shell),
        **{key: getattr(files, key) for key in ("file_mb", "workspace_mb", "workspace_files")},
        "low_water": _low_water(loaded),
        "private": (Path(loaded.config.bot.data_dir), *beside),
    }
    opened: Sandbox = _adapter("bubblewrap", "tools.shell").create(settings)
    return opened


def open_web(loaded: LoadedConfig) -> WebReader:
    """Open the way to the web; nobody is called before somebody asks."""
    opened: WebReader = _adapter("web", "tools.web").create(_own_keys(loaded.config.tools.web))
    return opened


def open_browser(loaded: LoadedConfig) -> Browser:
    """Open the way to a browser, which may call what the web tools may; nothing is started before somebody asks."""
    web = loaded.config.tools.web
    reach = {key: getattr(web, key) for key in ("ports", "own_hosts", "blocked_hosts", "proxy")}
    settings = {**_own_keys(loaded.config.tools.browser), **reach}
    opened: Browser = _adapter("browser", "tools.browser").create(settings)
    return opened


def open_embedder(loaded: LoadedConfig) -> Embedder | None:
    """Return what makes vectors of memories, where a model is configured for it; raise ConfigError."""
    config = loaded.config.embeddings
    if not config.model:
        return None
    name, _, model = config.model.partition("/")
    if name == _LOCAL:
        folder = (loaded.path.parent if loaded.path else Path()) / config.folder
        local: Embedder = _adapter("local_embeddings", "embeddings.model").create_embedder(name, {}, str(folder))
        return local
    table = loaded.config.providers.get(name)
    makes = None if table is None else getattr(_adapter(table.kind, f"providers.{name}.kind"), "create_embedder", None)
    if table is None or makes is None:
        fitting = [name for name, one in loaded.config.providers.items() if one.kind == "openai"]
        known = ", ".join(fitting) or "none"
        raise ConfigError([say("lifecycle.makes-no-vectors", name=name, known=known)])
    try:
        made: Embedder = makes(name, table.settings, model)
    except ValidationError as error:
        raise ConfigError(validation_problems(error, BaseModel, f"providers.{name}")) from None
    return made


async def copy_store(loaded: LoadedConfig, on: ClockAndEntropy, to: str) -> CopiedStore:
    """Copy the configured store to a server, or from it into a new data directory; raise StoreError or ConfigError."""
    store, directory = loaded.config.store, Path(loaded.config.bot.data_dir)
    server = _server_store(loaded)
    if is_server_address(to):
        if store.url:
            raise UserError(say("lifecycle.on-server-already"))
        copied: CopiedStore = await asyncio.to_thread(server.copy_to_server, directory, to, store.schema_name, on.clock)
        return copied
    if not store.url:
        raise UserError(say("lifecycle.in-file-already"))
    copied = await asyncio.to_thread(server.copy_to_file, store.url, store.schema_name, directory, Path(to))
    return copied


def _server_store(loaded: LoadedConfig) -> ModuleType:
    """Import the adapter for a server; raise ConfigError where its extra is missing."""
    if find_spec("psycopg") is None:
        raise ConfigError([say("lifecycle.postgres-missing")])
    return _adapter("postgres", "store")


def _must_be_file(loaded: LoadedConfig) -> None:
    if loaded.config.store.url:
        raise UserError(say("lifecycle.copies-on-server"))


def _beside(loaded: LoadedConfig) -> list[str]:
    """Name the files that hold secrets, relative to the configuration."""
    return [DOTENV, *(origin[5:] for origin in loaded.origins.values() if origin.startswith("file:"))]


def _own_keys(table: GroupConfig) -> dict[str, Any]:
    return {key: getattr(table, key) for key in type(table).model_fields if key not in GroupConfig.model_fields}


def _caller(loaded: LoadedConfig) -> WebhookCaller | None:
    alerts = loaded.config.alerts
    if not (alerts.webhook or alerts.heartbeat_url):
        return None
    caller: WebhookCaller = _adapter("webhook", "alerts").create({})
    return caller


def _exporter(loaded: LoadedConfig, clock: Clock) -> MetricsExporter | None:
    if not loaded.config.metrics.listen:
        return None
    settings = {
        "listen": loaded.config.metrics.listen,
        "platforms": [name for name, table in loaded.config.platforms.items() if table.enabled],
        "providers": list(loaded.config.providers),
    }
    exporter: MetricsExporter = _adapter("prometheus", "metrics").create(settings, clock)
    return exporter


def _traces(loaded: LoadedConfig, clock: Clock) -> TracesExporter | None:
    if not loaded.config.traces.endpoint:
        return None
    redactor, settings = Redactor.of(loaded.secrets), {**dict(loaded.config.traces), "version": __version__}
    exporter: TracesExporter = _adapter("otel", "traces").create(
        settings, clock, lambda text: redactor.redact(text).text
    )
    return exporter


def _low_water(loaded: LoadedConfig) -> int:
    return loaded.config.retention.low_water_mb * 1024 * 1024


def _counter(plugins: Plugins) -> TokenCounter:
    counter: TokenCounter = next(iter(plugins.counters), None) or _adapter("tiktoken", "counter").create({})
    return counter


def _made(
    loaded: LoadedConfig, clock: Clock, plugins: Plugins, duty: PlatformDuty = WHOLE_DUTY
) -> tuple[dict[str, LLMProvider], dict[str, Platform]]:
    config = loaded.config
    services = {name: (table.kind, table.settings) for name, table in config.providers.items()}
    kinds = config.platform_names.kinds
    chats = {name: (kinds[name], table.settings) for name, table in config.platforms.items() if table.enabled}
    providers, provider_problems = _make_all(services, "providers", plugins.providers)
    platforms, platform_problems = _make_all(chats, "platforms", plugins.platforms, clock, duty)
    if problems := [*provider_problems, *platform_problems]:
        raise ConfigError(problems)
    return providers, platforms


def _off(loaded: LoadedConfig) -> tuple[str, ...]:
    return tuple(name for name, table in loaded.config.platforms.items() if not table.enabled)


def _parts(
    module: Any, name: str, settings: Mapping[str, Any], duty: PlatformDuty
) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """Return the settings of each part of a platform that who only listens may have alone, by what it is called."""
    parts: Sequence[Mapping[str, Any]] = module.parts(settings) if _may_part(module, duty) else (settings,)
    return [(PlatformPart(name, number, len(parts)).name, part) for number, part in enumerate(parts, 1)]


def _may_part(module: Any, duty: PlatformDuty) -> bool:
    return not duty.speaks and hasattr(module, "parts")


def _make_all(
    wanted: Mapping[str, tuple[str, Mapping[str, Any]]],
    table: str,
    added: Sequence[PluginAdapter[Any]],
    clock: Clock | None = None,
    duty: PlatformDuty = WHOLE_DUTY,
) -> tuple[dict[str, Any], Sequence[str]]:
    made: dict[str, Any] = {}
    problems: list[str] = []
    for name, (kind, settings) in wanted.items():
        try:
            theirs = next((one for one in added if one.name == kind), None)
            module = theirs or _adapter(kind, f"{table}.{name}.kind", _PROVIDER if clock is None else _PLATFORM)
            if clock is None:
                made[name] = module.create(name, settings)
            elif duty == WHOLE_DUTY:
                made[name] = named_platform(module.create(settings, clock), name)
            elif set(duty._fields) <= set(signature(module.create).parameters):
                for part, own in _parts(module, name, settings, duty):
                    made[part] = named_platform(module.create(own, clock, **duty._asdict()), name)
            else:
                problems.append(say("lifecycle.only-one-process", platform=name))
        except ValidationError as error:
            problems += validation_problems(error, getattr(module, "Settings", BaseModel), f"{table}.{name}")
        except ConfigError as error:
            problems += error.problems
    return made, problems


def _adapter(kind: str, key: str, made_of: tuple[str, ...] = ()) -> ModuleType:
    """Import an adapter; raise ConfigError when there is none that is made of these arguments."""
    if kind.isidentifier() and find_spec(f"adapters.{kind}") is not None:
        with lean_imports():
            module = import_module(f"adapters.{kind}")
        makes = getattr(module, "create", None)
        if not made_of or (makes and tuple(signature(makes).parameters)[: len(made_of)] == made_of):
            return module
    raise ConfigError([say("lifecycle.no-adapter", key=key, kind=repr(kind))])
