"""Look at everything that can be looked at from the host: the bot may be running, dead, or not started yet."""

from __future__ import annotations

import asyncio
import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from bot.agent.turn.memory_meaning import meaning_probe, meaning_row
from bot.agent.turn.model_client import ModelClient
from bot.app.adapters import ClockAndEntropy, live_adapters, looking_store, machine, open_embedder, page_logins
from bot.app.core import skills_of
from bot.app.named_plugins import plugins_of
from bot.app.workshop import worker_tools
from bot.cli.host_queries import HostQueries
from bot.cli.live_checks import tell_of_waiting
from bot.cli.run_bot import load_checked_config, with_data
from bot.cli.tables import is_terminal, write_json, write_table
from bot.config import LoadedConfig, parse_config
from bot.cortex.alerts.admin_alerts import alert_routes_probe
from bot.cortex.doctor import doctor_probes
from bot.cortex.doctor.dialects import dialect_rows
from bot.cortex.doctor.examination import MARKS, Check, DoctorSubjects, as_json, as_text, examine, exit_status, summary
from bot.cortex.doctor.heartbeat_status import is_alive
from bot.cortex.doctor.model_probe import ModelProbe, models_of_service
from bot.cortex.doctor.model_probe import configured_models as configured_models
from bot.cortex.pages.skill_page import skill_probes
from bot.cortex.targets.unheard_places import ambiguous_text, ask_platforms, not_shown_text
from bot.domain.embedding import VectorCount
from bot.domain.health import ProbeResult
from bot.domain.ids import MAIN, AgentId, ChannelId
from bot.domain.llm import ModelName
from bot.errors import ConfigError, DeliveryError, StoreError, UserError
from bot.plugins.probes import plugin_rows
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import print_text
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.times import plain_times

_EXIT_UNUSABLE = 2
_PROBE_SECONDS = 900.0
"""Seconds; a model service has its own limits, which are shorter."""


def doctor(args: Namespace, path: Path) -> int:
    """Look, say what was found, and return the exit status; an unusable configuration is the first finding."""
    try:
        loaded = load_checked(args, path)
    except ConfigError as error:
        rows = [
            ProbeResult(name="configuration", state="failed", evidence=words, fix=say("doctor.config-fix"))
            for words in error.problems
        ]
        _write(rows, as_json_wanted=args.json)
        return _EXIT_UNUSABLE
    redactor = Redactor.of(loaded.secrets)
    configure_logs("error", redactor)
    found = asyncio.run(examine_target(loaded, args.target, free=args.free))
    _write([_clean(probe, redactor) for probe in found], as_json_wanted=args.json)
    return exit_status(found)


def load_checked(args: Namespace, path: Path) -> LoadedConfig:
    """Read the configuration with everything in it; raise ConfigError naming all that is wrong."""
    # without a file there is nothing but defaults, which is how the demo's directory is looked at
    known = path.exists() or args.config
    loaded = load_checked_config(path) if known else parse_config("", os.environ)
    return with_data(loaded, args.data)


async def examine_target(loaded: LoadedConfig, target: str, *, free: bool) -> Sequence[ProbeResult]:
    """Return the rows about a channel and everything else; raise UserError for a target that there is not."""
    on = machine()
    async with AsyncExitStack() as stack:
        providers, platforms = await stack.enter_async_context(live_adapters(loaded, on))
        store, pulse = await _store(stack, loaded, on)
        channels: tuple[ChannelId, ...] = ()
        agents = (MAIN, *map(AgentId, loaded.config.agents))
        beat = None
        if store is not None:
            host = HostQueries(store, loaded.config, on.clock)
            beat, pulse = await store.heartbeat(), await host.pulse()
            channels = (await _meant(host, platforms, target),) if target else await doctor_probes.places(store, agents)
        elif target:
            channels = (await _asked(platforms, target),)
        data, secrets = Path(loaded.config.bot.data_dir), doctor_probes.secret_files(loaded)
        models = ModelClient(providers, loaded.config.model, on.clock, store.lessons if store is not None else None)
        asking = ModelProbe(models, providers, on.clock, free=free, waits=tell_of_waiting)
        wanted = configured_models(models, loaded.config)
        patients = DoctorSubjects(
            store,
            providers,
            platforms,
            lambda: alert_routes_probe(loaded.config),
            {
                "admins": partial(doctor_probes.admins, loaded.config, platforms, store),
                "files": lambda: asyncio.to_thread(_files, loaded, data, secrets),
                "skills": partial(skill_probes, skills_of(loaded, on.clock)),
                say("worker_tooling.worker-tools"): partial(worker_tools, loaded),
                say("doctor.memory-search"): partial(_memory_search, loaded, store),
                say("doctor.time-zones"): partial(_zones, loaded),
                **({} if store is None else {say("doctor.readings"): partial(doctor_probes.readings, store, agents)}),
                "dialects": partial(_dialects, models, wanted),
                **_page(loaded),
                "plugins": partial(_plugins, loaded),
                # a bot that is alive says itself how they are
                **({} if is_alive(beat, on.clock.now()) else _servers(loaded)),
            },
            lambda service: asking.look(service, models_of_service(wanted, service)),
            _PROBE_SECONDS,
        )
        rows = [row for row in await examine(patients, *channels) if not _is_about_this_process(row)]
        rows += [row async for row in doctor_probes.accounts(rows, store)] if store is not None else []
        return (_configuration(loaded), *pulse, doctor_probes.clock(beat, on.clock.now()), *rows)


async def _meant(host: HostQueries, platforms: Mapping[str, Platform], target: str) -> ChannelId:
    """Return the channel that is meant; of one that nothing ever came from the platforms know."""
    try:
        return (await host.meant(target))[0].id
    except UserError as error:
        return await _asked(platforms, target, str(error))


async def _asked(platforms: Mapping[str, Platform], target: str, unknown: str = "") -> ChannelId:
    try:
        found = await ask_platforms(platforms.values(), target)
    except DeliveryError as error:
        raise UserError(say("doctor.cannot-ask-platform", target=target, why=str(error))) from None
    if not found:
        raise UserError(f"{unknown} {not_shown_text()}".strip())
    if len(found) > 1:
        raise UserError(ambiguous_text(target, [one.channel for one in found]))
    return found[0].channel


async def _dialects(models: ModelClient, wanted: Sequence[ModelName]) -> Sequence[ProbeResult]:
    return tuple(dialect_rows(models, wanted))


async def _memory_search(loaded: LoadedConfig, store: Store | None) -> Sequence[ProbeResult]:
    """Say how memories are searched: by which model is known by the configuration alone, and nobody asks it here."""
    embedder = open_embedder(loaded)
    if embedder is None:
        return await meaning_probe(None)
    try:
        count = await store.vectors.count(embedder.name) if store is not None else VectorCount(0, 0)
        return [meaning_row(embedder.name, count, "")]
    finally:
        await embedder.close()


async def _zones(loaded: LoadedConfig) -> Sequence[ProbeResult]:
    return tuple(doctor_probes.zones(loaded.config))


async def _plugins(loaded: LoadedConfig) -> Sequence[ProbeResult]:
    return await plugin_rows(await asyncio.to_thread(plugins_of, loaded))


def _page(loaded: LoadedConfig) -> Mapping[str, Check]:
    page = loaded.config.web_page
    look = partial(doctor_probes.web_page, page, partial(page_logins, loaded), "")
    return {say("doctor.web-page"): look} if page.enabled else {}


def _servers(loaded: LoadedConfig) -> Mapping[str, Check]:
    if not loaded.config.tools.mcp:
        return {}
    # imported here: hardly any look needs it
    from bot.cli.foreign_servers import server_checks

    return server_checks(loaded)


async def _store(
    stack: AsyncExitStack, loaded: LoadedConfig, on: ClockAndEntropy
) -> tuple[Store | None, tuple[ProbeResult, ...]]:
    try:
        return await stack.enter_async_context(looking_store(loaded, on)), ()
    except StoreError as error:
        state, fix = ("failed", "") if _database_is_there(loaded) else ("warning", say("doctor.start-bot-fix"))
        return None, (ProbeResult(name="store", state=state, evidence=str(error), fix=fix),)


def _files(loaded: LoadedConfig, data: Path, secrets: Sequence[Path]) -> Sequence[ProbeResult]:
    return [doctor_probes.files(data, secrets), *doctor_probes.steering(loaded)]


def _configuration(loaded: LoadedConfig) -> ProbeResult:
    name, state = "configuration", "ok"
    if loaded.path is None:
        words, fix = say("doctor.no-config"), say("doctor.no-config-fix")
        return ProbeResult(name=name, state="warning", evidence=words, fix=fix)
    keys, variables = len(loaded.origins), len(loaded.dotenv)
    words = say("doctor.config-good", file=str(loaded.path), keys=keys, variables=variables)
    return ProbeResult(name=name, state=state, evidence=words)


def _database_is_there(loaded: LoadedConfig) -> bool:
    return any(Path(loaded.config.bot.data_dir).glob("*.db"))


def _is_about_this_process(row: ProbeResult) -> bool:
    # a platform says how its own connection is; this one was never opened, the heartbeat speaks for the bot's
    return row.state == "unknown" and not row.code and not row.fix


def _clean(probe: ProbeResult, redactor: Redactor) -> ProbeResult:
    changed = {key: redactor.redact(getattr(probe, key)).text for key in ("name", "evidence", "fix")}
    return probe.replace(**changed)


def _write(rows: Sequence[ProbeResult], *, as_json_wanted: bool) -> None:
    if as_json_wanted:
        return write_json(as_json(rows))
    said = as_text(rows)
    if is_terminal():
        cells = [(MARKS[row.state], row.name, plain_times(f"{row.evidence}{_advice(row)}")) for row in rows]
        write_table(("", say("doctor.column-check"), say("doctor.column-seen")), cells)
        said = summary(rows)
    print_text(plain_times(said))


def _advice(row: ProbeResult) -> str:
    return f"\n→ {row.fix}" if row.fix and row.state != "ok" else ""
