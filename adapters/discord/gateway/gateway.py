"""Stay connected: a line for each shard, and what follows when Discord refuses the bot altogether."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import structlog
from yarl import URL

from adapters.accounts import AccountClaim
from adapters.discord.gateway.identify_budget import IdentifyBudget
from adapters.discord.gateway.shard_connection import (
    CONTENT_REFUSED,
    BacklogFull,
    IntentGranted,
    ShardConnection,
    ShardDeps,
    ShardRefused,
)
from adapters.discord.rest.login_failures import LoginFailures
from bot.domain.bot_accounts import BotAccount
from bot.domain.health import AdapterState
from bot.ports.platform import PlatformListener
from bot.runtime.tasks import TaskSupervisor

log = structlog.get_logger(__name__)

_FULL_RETRY_SECONDS = 5.0


class GatewayRunner:
    """Keeps every shard connected until cancelled; whatever fails shows in the state and is tried again."""

    def __init__(self, means: ShardDeps, claim: AccountClaim) -> None:
        self._means = means
        self._claim = claim
        self._identifies = IdentifyBudget(means.rest, means.clock, means.state)
        self._failures = LoginFailures(means.state)

    async def run(self, ears: PlatformListener) -> None:
        """Stay connected until cancelled."""
        while True:
            try:
                await self._live(ears)
            except Exception as error:  # noqa: BLE001 - the loop is the adapter's life: the failure shows in its state
                self._claim.note_attempt()
                await self._means.clock.sleep(self._failed(error))

    async def _live(self, ears: PlatformListener) -> None:
        means, state = self._means, self._means.state
        if state.is_full:
            raise BacklogFull
        state.my_id = await means.account.me()
        await self._claim.make(ears, BotAccount(str(state.my_id), means.account.name))
        limits = await self._identifies.limits()
        self._failures.reset()
        count = means.settings.shard_count or limits.shards
        shards = list(means.settings.shard_ids or range(count))
        await means.client.prepare(shards, count)
        state.begin(shards)
        address = URL(means.settings.gateway_url or limits.url)
        log.info("discord_account", id=state.my_id, name=means.account.name, shards=len(shards), of=count)
        lines = [ShardConnection(means, self._identifies, shard, address, ears.language) for shard in shards]
        await _until_one_ends({f"shard {shard}": line for shard, line in zip(shards, lines, strict=True)})

    def _failed(self, error: Exception) -> float:
        """Let the state say what is wrong; return the seconds until the next try."""
        state = self._means.state
        if isinstance(error, ShardRefused) and error.close_code == CONTENT_REFUSED and self._asks_for_content():
            log.error("discord_content_refused", fix="Switch Message Content Intent on in the developer portal.")
            self._ask_for(content=False)
            return 0.0
        if isinstance(error, BacklogFull):
            state.enter(AdapterState.DEGRADED, "store", "discord_state.backlog-full")
            return _FULL_RETRY_SECONDS
        if isinstance(error, IntentGranted):
            log.info("discord_content_granted")
            self._ask_for(content=True)
            return 0.0
        return self._failures.note(error)

    def _asks_for_content(self) -> bool:
        return self._means.client.intents.message_content

    def _ask_for(self, *, content: bool) -> None:
        self._means.client.ask_for(content=content)
        self._means.state.asks(content=content)


async def _until_one_ends(lines: Mapping[str, ShardConnection]) -> None:
    """Run them side by side; raise what the first one raises, when all have ended.

    Not a TaskGroup: that of Python 3.11 cannot tell its own cancelling from that of who stops the bot, and where a
    shard was refused at the same moment nobody would stop.
    """
    tasks = TaskSupervisor()
    running = [tasks.start(name, line.run()) for name, line in lines.items()]
    try:
        await asyncio.wait(running, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        await tasks.close()
    errors = [task.exception() for task in running if task.done() and not task.cancelled()]
    # every shard is refused for the same reason
    if error := next(filter(None, errors), None):
        raise error
