"""Show the mind in a browser over a data directory, read-only; or print a link for a page that is open already."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from pathlib import Path

from bot.app.adapters import looking_edges, machine, page_server
from bot.app.bot import Bot
from bot.app.window import serve_pages, signer_of, site_of
from bot.cli.run_bot import load_for_reading, with_data
from bot.config import LoadedConfig
from bot.config.schema import WebPageConfig
from bot.messaging.policy.access import HOST_PERSON
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import complain, print_text
from bot.sentences import say
from bot.text.redaction import Redactor


def web(args: Namespace, path: Path) -> int:
    """Answer browsers until Ctrl-C, or print a link; return the exit status."""
    loaded = with_data(load_for_reading(path, args.config), args.data)
    configure_logs("error", Redactor.of(loaded.secrets))
    asyncio.run(_web(args, loaded))
    return 0


async def _web(args: Namespace, loaded: LoadedConfig) -> None:
    async with looking_edges(loaded, machine(), signs=True) as edges:
        bot, configured = Bot(edges, loaded), loaded.config.web_page
        page = configured
        if args.port or not args.link:
            # a page of its own, at this machine alone whatever is configured for that of the bot
            page = WebPageConfig(port=args.port or configured.port)
        if args.link:
            print_text(signer_of(bot, page).link(HOST_PERSON, edges.clock.now(), edges.entropy))
            return
        site = site_of(bot, page, None)

        def ready() -> None:
            link = site.sessions.signer.link(HOST_PERSON, edges.clock.now(), edges.entropy)
            print_text(say("cli.open-page", link=link))
            complain(say("cli.page-open"))

        await serve_pages(site, page_server(), page, ready)
