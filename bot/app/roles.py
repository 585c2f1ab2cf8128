"""What a process does of what a bot does: all of it, listening alone, or answering in channels that it shares."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from bot.app.bot import Bot
from bot.app.core import FatalFailure
from bot.app.lease_keeper import ProcessRole
from bot.config import LoadedConfig
from bot.ports.edges import Edges
from bot.ports.leases import Lease, Leases


class RoleProcess(NamedTuple):
    """A process, ready to run. `bot` is what answers in it; None where nothing does."""

    bot: Bot | None
    fatal: FatalFailure
    run: Callable[[asyncio.Event], Awaitable[None]]


def process_of(role: ProcessRole, edges: Edges, loaded: LoadedConfig, leases: Leases, lease: Lease) -> RoleProcess:
    """Make the process of a role; it lives by a `lease`."""
    relay = edges.store.relay
    if role is ProcessRole.GATEWAY and relay is not None:
        # imported here: few processes are one of several
        from bot.app.gateway_process import GatewayProcess

        gateway = GatewayProcess(
            store=edges.store,
            relay=relay,
            leases=leases,
            platforms=edges.platforms,
            clock=edges.clock,
            config=loaded.config,
        )
        return RoleProcess(None, gateway.fatal, gateway.run)
    if role is ProcessRole.ALL or relay is None:
        bot = Bot(edges, loaded)
        return RoleProcess(bot, bot.fatal, bot.run)
    from bot.app.worker_process import Shares, WorkerProcess

    worker = WorkerProcess(edges, loaded, Shares(leases, relay, lease.name))
    return RoleProcess(worker.bot, worker.bot.fatal, worker.run)
