"""The life of a process that only looks: pages and numbers, from the database or a replica of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from bot import __version__
from bot.app.bot import Bot
from bot.app.gauges import BotGauges
from bot.app.lease_keeper import RENEWALS
from bot.app.window import serve_pages, site_of
from bot.config import LoadedConfig
from bot.errors import ConfigError, StoreError, UserError
from bot.ports.edges import Edges
from bot.ports.leases import Leases
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say

log = structlog.get_logger(__name__)

AGAIN_SECONDS = 60.0
"""Seconds after which it is tried again to be named among the processes: a replica may have become the primary."""


class LookerProcess:
    """Takes no lease and changes no row of the bot's; what it says of itself is that it is there, where it can."""

    def __init__(self, edges: Edges, loaded: LoadedConfig, open_leases: Callable[[], Awaitable[Leases]]) -> None:
        page = loaded.config.web_page
        if not page.enabled and edges.exporter is None:
            raise ConfigError([say("cli.looker-shows-nothing")])
        self.bot = Bot(edges, loaded)
        self._open_leases = open_leases
        # it hears nobody, and is asked about nothing of the kind
        self._gauges = BotGauges(edges._replace(platforms={}), self.bot.fatal, self.bot.stalls)

    async def run(self, stop: asyncio.Event) -> None:
        """Show until `stop` is set."""
        edges, house = self.bot.edges, TaskSupervisor(self.bot.fatal.hear)
        log.info("started", version=__version__, role="looker", data=self.bot.config.bot.data_dir)
        self._gauges.note_start()
        house.spawn("stalls", self.bot.stalls.run())
        house.spawn("presence", self.say_it_is_there())
        if edges.exporter is not None:
            house.spawn("metrics", edges.exporter.serve(self._gauges.read))
        if edges.open_page_server is not None:
            house.spawn("web page", self.show_pages())
        ends = [house.spawn("stop", stop.wait()), house.spawn("failure", self.bot.fatal.wait())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        await house.close()
        log.info("stopped", reason="stopped by a signal" if stop.is_set() else "something failed")
        if self.bot.fatal.error is not None:
            raise self.bot.fatal.error

    async def show_pages(self) -> None:
        """Answer the host's browsers; a look of anybody else is to be recorded, and nothing is written here."""
        page, open_server = self.bot.config.web_page, self.bot.edges.open_page_server
        assert open_server is not None
        await asyncio.to_thread(self.bot.load_the_rest)
        try:
            site = site_of(self.bot, page, None)
            await serve_pages(site, open_server(), page, lambda: log.info("web_page_open", address=page.url))
        except UserError as error:
            log.error("web_page_not_open", why=str(error))

    async def say_it_is_there(self) -> None:
        """Say again and again that this process lives; where the database takes nothing, `doctor` does not know it."""
        while True:
            try:
                await self._say()
            except StoreError as error:
                log.info("looks_unnamed", why=str(error))
            await self.bot.edges.clock.sleep(AGAIN_SECONDS)

    async def _say(self) -> None:
        leases = await self._open_leases()
        try:
            while True:
                await leases.renew()
                await self.bot.edges.clock.sleep(leases.seconds / RENEWALS)
        finally:
            with suppress(StoreError):
                await leases.give_back()
            await leases.close()
