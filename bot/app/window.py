"""Wire the web page; imported when somebody wants one, because no start needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from bot.app.core import BotCore
from bot.app.cortex import CortexWiring
from bot.config.schema import WebPageConfig
from bot.cortex.doctor import examination
from bot.cortex.doctor.examination import DoctorSubjects
from bot.cortex.doctor.heartbeat_status import pulse
from bot.cortex.pages.usage_page import thresholds_of
from bot.cortex.service.page_presses import PagePresses
from bot.cortex.sessions.page_links import LinkSigner
from bot.cortex.targets.target_parser import TargetParser
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.diagnostics.collect.collector import EvidenceCollector, EvidenceQuery
from bot.domain.finding import Diagnosis
from bot.domain.health import ProbeResult
from bot.domain.ids import ChannelId, PersonKey
from bot.errors import UserError
from bot.messaging.policy.access import HostAccess
from bot.ports.page_logins import OAuthService, PageLogins
from bot.ports.page_server import PageServer
from bot.runtime.lru_cache import LRUCache
from bot.sentences import known_language, language_spoken, say
from bot.window.channel_board import ChannelBoard
from bot.window.logins import PageSessions
from bot.window.mini_app_login import MiniAppLogin
from bot.window.oauth_login import OAuthLogin
from bot.window.overview import channel_row
from bot.window.page_changes import PageChanges
from bot.window.recent_captures import RecentCaptures
from bot.window.site import Site, SiteAddress
from bot.window.visit import WindowSources

PROBED_MS = 20_000
"""For so long what the doctor found is shown again."""
_MAX_PROBED = 50
_KEY_BYTES = 32


class HostCortexWiring(CortexWiring):
    """The same doors, as they are open to whoever can read the files."""

    @cached_property
    def targets(self) -> TargetResolver:
        bot, store = self.bot, self.bot.edges.store
        access = HostAccess({}, bot.edges.platforms, inspect_dms=True)
        finder = TargetParser(store, bot.config.platform_names)
        return TargetResolver(bot.judge.agents, store, finder, bot.registry, bot.edges.platforms, access)


class DeadCortexWiring(HostCortexWiring):
    """The same over a data directory alone: what a running bot would know of itself is not there to be asked."""

    @cached_property
    def collector(self) -> EvidenceCollector:
        edges = self.bot.edges
        return EvidenceCollector(edges.store, edges.clock, self.bot.config)


def site_of(bot: BotCore, page: WebPageConfig, doors: CortexWiring | None) -> Site:
    """Return the page of a bot; without the `doors` of a running one only its host gets in, and nothing is written."""
    edges, started_at = bot.edges, bot.edges.clock.now()
    signer = signer_of(bot, page)
    others = edges.open_page_logins() if edges.open_page_logins and doors else PageLogins()
    return Site(
        address=SiteAddress(page.url),
        sessions=PageSessions(signer, edges.clock, edges.entropy, started_at),
        app=MiniAppLogin(others.app, edges.clock, started_at) if others.app else None,
        oauth=_oauth(bot, page, others.oauth) if others.oauth else None,
        clock=edges.clock,
        redactor=bot.redactor,
        language=partial(_language_of, bot),
        host=_sources(HostCortexWiring(bot) if doors else DeadCortexWiring(bot), runs=doors is not None),
        people=_sources(doors, runs=True) if doors else None,
        audit=edges.store.audit if doors else None,
        changes=_changes(doors) if doors else None,
    )


def _language_of(bot: BotCore, person: PersonKey | None, browser: str) -> str:
    """Return the language that somebody chose, else that of their browser, else what is known otherwise."""
    own = known_language(bot.languages.own(person)) if person else ""
    return own or browser or (bot.languages.of(person) if person else bot.config.bot.language)


def _oauth(bot: BotCore, page: WebPageConfig, service: OAuthService) -> OAuthLogin:
    clock, entropy = bot.edges.clock, bot.edges.entropy
    # a key of this process alone: what was begun before a start does not end after it
    return OAuthLogin(service, page.sign_in_back, clock, entropy, entropy.token(_KEY_BYTES))


def signer_of(bot: BotCore, page: WebPageConfig) -> LinkSigner:
    """Return what makes links to the page; raise UserError where there is no key to sign with."""
    key = bot.edges.store.secret_key
    if not key:
        raise UserError(say("lifecycle.no-key-yet"))
    return LinkSigner(key, page.url)


async def serve_pages(site: Site, server: PageServer, page: WebPageConfig, ready: Callable[[], None]) -> None:
    """Answer browsers until cancelled; raise UserError where the address cannot be used."""
    await server.serve(site.answer, page.host, page.port, ready, lambda: site.language(None, ""))


def _changes(wiring: CortexWiring) -> PageChanges:
    bot = wiring.bot
    return PageChanges(
        store=bot.edges.store,
        threads=wiring.threads,
        platforms=bot.edges.platforms,
        commands=wiring.context,
        press=PagePresses(
            presses=wiring.presses, inquiry=wiring.inquiry, post=wiring.post, looks=wiring.cortex.looks
        ).take,
    )


def _sources(wiring: CortexWiring, *, runs: bool) -> WindowSources:
    bot = wiring.bot

    async def last_signs() -> Sequence[ProbeResult]:
        return pulse(await bot.edges.store.heartbeat(), bot.edges.clock.now())

    probed = LRUCache[tuple[str, tuple[ChannelId, ...]], tuple[int, Sequence[ProbeResult]]](_MAX_PROBED)

    async def examine(*channels: ChannelId) -> tuple[int, Sequence[ProbeResult]]:
        # what was found is in words
        name = (language_spoken(), channels)
        known, now = probed.get(name), bot.edges.clock.now()
        if known is not None and known[0] <= now < known[0] + PROBED_MS:
            # services are asked: a page that is read again and again asks them no more often
            return known
        # a page over a directory reaches no platform and no service
        here = DoctorSubjects(bot.edges.store, {}, {}, checks={"process": last_signs})
        found = await examination.examine(wiring.context.patients if runs else here, *channels)
        probed.put(name, (now, found))
        return now, found

    async def diagnose(target: TargetChannel, about: EvidenceQuery) -> Diagnosis:
        return await wiring.inquiry.diagnosis(target, about)

    return WindowSources(
        store=bot.edges.store,
        clock=bot.edges.clock,
        targets=wiring.targets,
        looking=wiring.looking,
        opener=wiring.opener,
        memories=wiring.memories,
        versions=wiring.versions,
        spreads=wiring.spreads,
        redactor=bot.redactor,
        thresholds=lambda: thresholds_of(bot.config.compaction),
        diagnose=diagnose,
        examine=examine,
        captures=RecentCaptures(bot.edges.store, bot.edges.clock, wiring.looking),
        board=ChannelBoard(
            bot.edges.store,
            bot.edges.clock,
            lambda: wiring.targets.agents.names,
            wiring.looking.settings,
            channel_row,
        ),
    )
