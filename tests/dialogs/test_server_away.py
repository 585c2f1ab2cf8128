"""The server that keeps the store is away for a moment: people wait, are answered once, and owners can read of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.adapters.postgres.opened import settings_in
from tests.dialogs import bot as console
from tests.dialogs.bot import a_bot
from tests.servers.postgres import postgres_server
from tests.servers.postgres_proxy import a_proxy


async def test_whoever_speaks_meanwhile_is_answered_once_when_it_is_back(tmp_path: Path, monkeypatch):
    server = postgres_server()
    server.emptied()
    from adapters.postgres import create

    async with a_proxy(server) as proxy:
        monkeypatch.setattr(console, "open_store", lambda of: create(settings_in(of.directory, proxy.url, of.clock)))
        async with a_bot(tmp_path) as bot:
            await bot.says("ann", "@glassmind say one")
            await proxy.go_away()
            asked = asyncio.gather(bot.says("ann", "@glassmind say two"))
            while not bot.store.outages.is_away:  # noqa: ASYNC110 - a thread waits for the server
                await asyncio.sleep(0.001)
            await proxy.come()
            await asked
            # the answer to a commit is lost in the middle of a turn
            proxy.cut = lambda passed: proxy.cuts == 0 and passed.says_committed
            await bot.says("ann", "@glassmind say three")
            assert bot.lines == [f"[#general] glassmind< {word}" for word in ("one", "two", "three")]
            await bot.says("root", "!cortex doctor")
            assert any("store connection: lost" in line for line in bot.private()), bot.private()
