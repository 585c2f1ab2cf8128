"""The whole bot: what a start needs, its life, and what is imported and made when somebody first asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import structlog

from bot.app.lifecycle import Lifecycle
from bot.domain.base import complete_values
from bot.errors import UserError
from bot.runtime.lean_imports import lean_imports

if TYPE_CHECKING:
    from bot.app.cortex import CortexWiring
    from bot.app.mind import AgentMind
    from bot.cortex.alerts.rights_alerts import RightsAlerts
    from bot.cortex.fixes.chunk_resender import ChunkResender
    from bot.cortex.service.cortex import Cortex
    from bot.inspect.capture.inspector import ChannelContextInspector
    from bot.ports.page_server import PageServer

log = structlog.get_logger(__name__)


class Bot(Lifecycle):
    """A bot, ready to run. What is imported here no start needs; it is loaded as soon as nobody waits any more."""

    @cached_property
    def mind(self) -> AgentMind:
        """What answers; raise ConfigError when a tool lacks something."""
        with lean_imports():
            from bot.app.agent import AgentWiring
        return AgentWiring(self)

    @cached_property
    def rights(self) -> RightsAlerts:
        """What asks a platform about rights; hardly ever are they touched."""
        with lean_imports():
            from bot.cortex.alerts.rights_alerts import RightsAlerts
            from bot.cortex.sessions.buttons import ButtonFactory
        return RightsAlerts(
            alerts=self.alerts,
            store=self.edges.store,
            clock=self.edges.clock,
            platforms=self.edges.platforms,
            card=ButtonFactory(self.edges.store.secret_key).card,
            tasks=self.task_groups.background,
        )

    @cached_property
    def resends(self) -> ChunkResender:
        """What sends once more; few ever do."""
        with lean_imports():
            from bot.cortex.fixes.chunk_resender import ChunkResender
        return ChunkResender(self.edges.store, self.access, self.edges.clock)

    @cached_property
    def cortex_wiring(self) -> CortexWiring:
        """The parts of the cortex. The web page has the very same: what it offers stands in the chat too."""
        with lean_imports():
            from bot.app.cortex import CortexWiring
        return CortexWiring(self)

    @cached_property
    def cortex(self) -> Cortex:
        return self.cortex_wiring.cortex

    @property
    def inspector(self) -> ChannelContextInspector:
        return self.mind.inspector

    async def show_pages(self, open_server: Callable[[], PageServer]) -> None:
        """Answer browsers until cancelled; the bot goes on without where that cannot be, and `!cortex web` says why."""
        await asyncio.to_thread(self.load_the_rest)
        with lean_imports():
            from bot.app.window import serve_pages, site_of
        page = self.config.web_page
        try:
            site = site_of(self, page, self.cortex_wiring)
            await serve_pages(site, open_server(), page, lambda: log.info("web_page_open", address=page.url))
        except UserError as error:
            self.page_trouble = str(error)
            log.error("web_page_not_open", why=self.page_trouble)

    def load_the_rest(self) -> None:
        """Load what a start leaves out; call it from a thread."""
        with lean_imports():
            import bot.app.agent
            import bot.app.cortex
            import bot.cortex.alerts.rights_alerts  # noqa: F401
        complete_values()
