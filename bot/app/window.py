"""Wire the web page; imported when somebody wants one, because no start needs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from bot.app.core import BotCore
from bot.app.cortex import CortexWiring
from bot.config.schema import WebPageConfig
from bot.cortex.pages.usage_page import thresholds_of
from bot.cortex.sessions.page_links import LinkSigner
from bot.cortex.targets.target_parser import TargetParser
from bot.cortex.targets.target_resolver import TargetResolver
from bot.errors import UserError
from bot.messaging.policy.access import HostAccess
from bot.ports.page_server import PageServer
from bot.window.logins import PageSessions
from bot.window.site import Site, SiteAddress
from bot.window.visit import WindowSources


class HostCortexWiring(CortexWiring):
    """The same doors, as they are open to whoever can read the files."""

    @cached_property
    def targets(self) -> TargetResolver:
        bot, store = self.bot, self.bot.edges.store
        access = HostAccess({}, bot.edges.platforms, inspect_dms=True)
        return TargetResolver(bot.judge.agents, store, TargetParser(store), bot.registry, bot.edges.platforms, access)


def site_of(bot: BotCore, page: WebPageConfig, *, runs: bool) -> Site:
    """Return the page of a bot; one that never `runs` lets only its host in, and writes nothing down."""
    edges = bot.edges
    signer = signer_of(bot, page)
    return Site(
        address=SiteAddress(page.url),
        sessions=PageSessions(signer, edges.clock, edges.entropy, edges.clock.now()),
        clock=edges.clock,
        redactor=bot.redactor,
        host=_sources(HostCortexWiring(bot)),
        people=_sources(CortexWiring(bot)) if runs else None,
        audit=edges.store.audit if runs else None,
    )


def signer_of(bot: BotCore, page: WebPageConfig) -> LinkSigner:
    """Return what makes links to the page; raise UserError where there is no key to sign with."""
    key = bot.edges.store.secret_key
    if not key:
        raise UserError("The data directory has no key yet (secret.key). Start the bot once, then try again.")
    return LinkSigner(key, page.url)


async def serve_pages(site: Site, server: PageServer, page: WebPageConfig, ready: Callable[[], None]) -> None:
    """Answer browsers until cancelled; raise UserError where the address cannot be used."""
    await server.serve(site.answer, page.host, page.port, ready)


def _sources(wiring: CortexWiring) -> WindowSources:
    bot = wiring.bot
    return WindowSources(
        store=bot.edges.store,
        clock=bot.edges.clock,
        targets=wiring.targets,
        looking=wiring.looking,
        opener=wiring.opener,
        memories=wiring.memories,
        versions=wiring.versions,
        redactor=bot.redactor,
        thresholds=lambda: thresholds_of(bot.config.compaction),
    )
