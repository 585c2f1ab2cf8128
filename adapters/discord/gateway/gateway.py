"""Stay connected: a line for each shard, and what follows when Discord refuses the bot altogether."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import structlog
from discord.errors import HTTPException, LoginFailure
from yarl import URL

from adapters.accounts import AccountClaim, ForeignAccount
from adapters.discord.gateway.identify_budget import IdentifyBudget
from adapters.discord.gateway.shard_connection import (
    CONTENT_REFUSED,
    REFUSALS,
    TOKEN_REFUSED,
    BacklogFull,
    IntentGranted,
    ShardConnection,
    ShardDeps,
    ShardRefused,
    in_words,
)
from adapters.discord.rest.client import Failure
from bot.domain.bot_accounts import FOREIGN, BotAccount
from bot.domain.health import AdapterState
from bot.errors import StoreError
from bot.ports.platform import PlatformListener
from bot.runtime.backoff import Backoff
from bot.runtime.tasks import TaskSupervisor

log = structlog.get_logger(__name__)

_REFUSED_RETRY_SECONDS = 300.0
"""Seconds between tries when somebody has to do something first, such as mending the token."""
_FULL_RETRY_SECONDS = 5.0
_PASSING_CODES = frozenset({"network", "internal", "store"})
_BACKLOG_FULL_WORDS = "what arrives cannot be stored, and too much of it is held: nobody listens until it is stored"


class GatewayRunner:
    """Keeps every shard connected until cancelled; whatever fails shows in the state and is tried again."""

    def __init__(self, means: ShardDeps, claim: AccountClaim) -> None:
        self._means = means
        self._claim = claim
        self._identifies = IdentifyBudget(means.rest, means.clock, means.state)
        self._backoff = Backoff()
        self._said = ""

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
        self._backoff.reset()
        count = means.settings.shard_count or limits.shards
        shards = list(means.settings.shard_ids or range(count))
        await means.client.prepare(shards, count)
        state.begin(shards)
        address = URL(means.settings.gateway_url or limits.url)
        log.info("discord_account", id=state.my_id, name=means.account.name, shards=len(shards), of=count)
        lines = [ShardConnection(means, self._identifies, shard, address) for shard in shards]
        await _until_one_ends({f"shard {shard}": line for shard, line in zip(shards, lines, strict=True)})

    def _failed(self, error: Exception) -> float:
        """Let the state say what is wrong; return the seconds until the next try."""
        state = self._means.state
        if isinstance(error, ShardRefused) and error.close_code == CONTENT_REFUSED and self._asks_for_content():
            log.error("discord_content_refused", fix="Switch Message Content Intent on in the developer portal.")
            self._ask_for(content=False)
            return 0.0
        if isinstance(error, BacklogFull):
            state.enter(AdapterState.DEGRADED, "store", _BACKLOG_FULL_WORDS)
            return _FULL_RETRY_SECONDS
        if isinstance(error, IntentGranted):
            log.info("discord_content_granted")
            self._ask_for(content=True)
            return 0.0
        if isinstance(error, ForeignAccount):
            state.fixes[FOREIGN] = error.fix
            for name, value in error.facts.items():
                state.note(name, value)
        code, detail, wait = self._judged(error)
        state.enter(AdapterState.DEGRADED if code in _PASSING_CODES else AdapterState.DOWN, code, detail)
        say = log.debug if self._said == code + detail else log.error if wait == _REFUSED_RETRY_SECONDS else log.warning
        self._said = code + detail
        say("discord_cannot_connect", code=code, detail=detail, fix=state.health().fix, wait=round(wait, 1))
        return wait

    def _judged(self, error: Exception) -> tuple[str, str, float]:
        match error:
            case ShardRefused():
                return *REFUSALS[error.close_code], _REFUSED_RETRY_SECONDS
            case LoginFailure():
                return *REFUSALS[TOKEN_REFUSED], _REFUSED_RETRY_SECONDS
            case HTTPException(status=401):
                return *REFUSALS[TOKEN_REFUSED], _REFUSED_RETRY_SECONDS
            case ForeignAccount():
                return FOREIGN, str(error), _REFUSED_RETRY_SECONDS
            case StoreError():
                return "store", str(error), self._backoff.next()
            case _ if isinstance(error, Failure):
                return "network", in_words(error), self._backoff.next()
            case _:
                log.error("discord_gateway_broke", error_type=type(error).__name__, exc_info=error)
                return "internal", type(error).__name__, self._backoff.next()

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
