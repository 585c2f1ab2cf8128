"""What the doctor looks at in a running bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from bot.agent.turn.memory_meaning import meaning_probe
from bot.agent.turn.redacting_provider import DiscreetProvider
from bot.app.core import BotCore
from bot.cortex.doctor import doctor_probes
from bot.cortex.doctor.dialects import dialect_rows
from bot.cortex.doctor.examination import Check, DoctorSubjects
from bot.cortex.doctor.heartbeat_status import platform_row
from bot.cortex.doctor.mcp_probes import server_rows
from bot.cortex.doctor.model_probe import ModelProbe, configured_models, models_of_service
from bot.cortex.doctor.probe_journal import ProbeJournal
from bot.cortex.inspection.context_probe import LastContext
from bot.cortex.pages.skill_page import skill_probes
from bot.domain.health import ProbeResult
from bot.domain.ids import MAIN, AgentId
from bot.domain.snapshot import ModelLimits
from bot.plugins.probes import plugin_rows
from bot.sentences import library_trouble, missing_sentences, say


def _asked(bot: BotCore) -> tuple[ModelLimits, ...]:
    """Return what every model can hold that is configured to answer or to summarise."""
    models, config = bot.mind.turns.models, bot.config
    return tuple(models.limits(model) for model in configured_models(models, config))


def patients_of(bot: BotCore, last: LastContext) -> DoctorSubjects:
    """Return what the doctor looks at: platforms, providers, the store, and the parts of this process."""
    edges, config, models = bot.edges, bot.config, bot.mind.turns.models
    data = Path(config.bot.data_dir)

    def here(look: Callable[[], Iterable[ProbeResult]]) -> Check:
        async def check() -> Sequence[ProbeResult]:
            return list(look())

        return check

    async def clock() -> Sequence[ProbeResult]:
        return [doctor_probes.clock(await edges.store.heartbeat(), edges.clock.now())]

    async def files() -> Sequence[ProbeResult]:
        return [await asyncio.to_thread(lambda: doctor_probes.files(data, doctor_probes.secret_files(bot.loaded)))]

    def servers() -> Iterable[ProbeResult]:
        return server_rows(bot.foreign.health() if bot.foreign is not None else (), edges.clock.now())

    def listeners() -> Iterable[ProbeResult]:
        """What this process asks of a platform says nothing of whether anybody hears it."""
        return [platform_row(heard) for name in edges.platforms if (heard := edges.listener(name)) is not None]

    facts = bot.mind.turns.contexts.gatherer.sources.facts
    looks: dict[str, Check] = {
        "configuration": bot.running.probe,
        say("doctor.inspection-context"): last.probe,
        "clock": clock,
        "files": files,
        say("doctor.token-counts"): here(lambda: doctor_probes.counting(edges.counter.trouble)),
        "models": here(lambda: doctor_probes.models(models.health(), edges.clock.now())),
        say("doctor.windows"): here(lambda: doctor_probes.windows(_asked(bot))),
        say("doctor.readings"): partial(doctor_probes.readings, edges.store, (MAIN, *map(AgentId, config.agents))),
        "dialects": here(lambda: dialect_rows(models, configured_models(models, config))),
        "compaction": here(bot.mind.compactor.probe),
        say("doctor.time-zones"): here(lambda: doctor_probes.zones(config)),
        say("doctor.sentences"): here(lambda: doctor_probes.sentences(library_trouble(), missing_sentences())),
        "organisation": here(lambda: doctor_probes.organisation(facts.organisation.problem)),
        say("doctor.mcp-servers"): here(servers),
        "listeners": here(listeners),
        "admins": partial(doctor_probes.admins, config, edges.platforms, edges.store),
        "skills": partial(skill_probes, bot.skills),
        "tools": here(lambda: [doctor_probes.tools(bot.mind.toolbox)]),
        say("worker_tooling.worker-tools"): bot.mind.worker_tools,
        "plugins": partial(plugin_rows, bot.plugins),
        say("doctor.memory-search"): partial(meaning_probe, bot.mind.meaning),
    }
    if (drawing := edges.traces) is not None:
        looks["traces"] = here(lambda: [doctor_probes.traces(drawing.health(), edges.clock.now())])
    if config.web_page.enabled:
        looks[say("doctor.web-page")] = lambda: doctor_probes.web_page(
            config.web_page, edges.open_page_logins, bot.page_trouble
        )
    books = ProbeJournal(edges.store.journal, models, edges.clock)
    # what a service says of somebody's key goes on record
    discreet = {name: DiscreetProvider(provider, bot.redactor.redact) for name, provider in edges.providers.items()}
    asking = ModelProbe(models, discreet, edges.clock, background=bot.task_groups.cortex, books=books)

    async def ask(service: str) -> Sequence[ProbeResult]:
        return await asking.look(service, models_of_service(configured_models(models, config), service))

    return DoctorSubjects(edges.store, edges.providers, edges.platforms, bot.alerts.probe, looks, ask)
