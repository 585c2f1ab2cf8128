"""One connection to the gateway after the other, for one shard: resumed where it can be, begun anew where it must."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import structlog
from aiohttp import ClientError
from discord.activity import CustomActivity
from discord.errors import ConnectionClosed, DiscordException, HTTPException
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from yarl import URL

from adapters.discord.base.settings import Settings
from adapters.discord.base.state import DiscordState, spoken
from adapters.discord.gateway.identify_budget import IdentifyBudget
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.rest.account import DiscordAccount
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.login_failures import TOKEN_REFUSAL, AccountRefused, in_words
from bot.ports.clock import Clock
from bot.runtime.backoff import Backoff
from bot.sentences import Words, later, said_in

log = structlog.get_logger(__name__)

_CONNECT_SECONDS = 60.0
_MAX_RESUMES = 5
"""After so many failures in a row the address to resume at is not believed any more."""
_STEADY_SECONDS = 30.0
"""A connection that lasted for so long is no failure when it ends."""
_CLOSE_SECONDS = 2.0
_MAX_EVENTS_AHEAD = 1000
_NEW_SESSION_WAIT = (1.0, 4.0)
"""Discord asks for a wait of one to five seconds before a session that it calls invalid is begun anew."""
TOKEN_REFUSED, CONTENT_REFUSED = 4004, 4014
REFUSALS = {
    TOKEN_REFUSED: TOKEN_REFUSAL,
    4010: ("shards", "discord_state.no-such-shard"),
    4011: ("shards", "discord_state.too-few-shards"),
    4012: ("api_version", "discord_state.old-version"),
    4013: ("intents", "discord_state.no-such-intents"),
    CONTENT_REFUSED: ("intents", "discord_state.intents-refused"),
}
"""The close codes after which trying again is no use (https://discord.com/developers/docs/topics/opcodes-and-status-codes)."""


class ShardRefused(AccountRefused):
    """The gateway does not take the bot as it comes."""

    def __init__(self, code: int) -> None:
        super().__init__(*REFUSALS[code])
        self.close_code = code


class IntentGranted(Exception):
    """The portal grants what it refused before: a new session may ask for it."""


class BacklogFull(Exception):
    """More is held than may be: it is better not to listen for a while, and to read back what was said then."""


@dataclass(slots=True)
class _Session:
    """What is needed to go on where a connection broke."""

    gateway: URL
    id: str
    sequence: int | None


class _SequenceNumbers:
    """Which events of a session came. `whole` is the last one before which none is missing: there it is resumed."""

    def __init__(self) -> None:
        self._session: str | None = None
        self._beyond: set[int] = set()
        self.whole: int | None = None

    def take(self, session: str | None, number: int | None) -> None:
        """Note the number of what came last."""
        if session is None or number is None:
            return
        if session != self._session or self.whole is None:
            self._session, self.whole = session, number
            self._beyond.clear()
        elif number > self.whole:
            self._beyond.add(number)
        if len(self._beyond) > _MAX_EVENTS_AHEAD:  # then they are not counted as they should be
            self.whole = number
            self._beyond.clear()
        while self.whole + 1 in self._beyond:
            self.whole += 1
            self._beyond.discard(self.whole)


@dataclass(slots=True)
class ShardDeps:
    """What a connection is made with."""

    client: LibraryClient
    rest: RestClient
    account: DiscordAccount
    settings: Settings
    clock: Clock
    state: DiscordState


class ShardConnection:
    """One connection after the other."""

    def __init__(
        self,
        means: ShardDeps,
        identifies: IdentifyBudget,
        number: int,
        address: URL,
        language: Callable[[], str],
    ) -> None:
        self._means = means
        self._identifies = identifies
        self._language = language
        self._number = number
        self._address = address
        self._session: _Session | None = None
        self._backoff = Backoff()
        self._numbers = _SequenceNumbers()
        self._steady_from = 0.0
        self._told_in = ""
        """The language in which this connection told people that Discord keeps back what messages say."""

    async def run(self) -> None:
        """Listen until cancelled, or until the gateway refuses the bot; raise ShardRefused then."""
        try:
            while True:
                await self._pause(await self._listen())
        finally:
            await self._end(1000)

    async def _listen(self) -> float:
        """Connect and listen to the end; return the seconds until the next try."""
        try:
            await self._connect()
            while True:
                await self._next()
        except (IntentGranted, BacklogFull):
            raise
        except Exception as error:  # noqa: BLE001 - what the gateway says must not end the adapter
            return self._after(error)

    def _after(self, error: Exception) -> float:
        """Say what ended a connection, or kept it from being made; raise ShardRefused when trying again is no use."""
        match error:
            case ReconnectWebSocket():
                return self._ended(resume=error.resume)
            case ConnectionClosed():
                if error.code not in REFUSALS:
                    return self._ended(resume=True)
                self._means.state.shards.closed(error.code)
                raise ShardRefused(error.code) from None
            case HTTPException(status=401):
                raise ShardRefused(TOKEN_REFUSED) from None
            case ValueError() | zlib.error():
                return self._broke("network", later("discord_state.unreadable", error=type(error).__name__))
            case ClientError() | OSError() | DiscordException():
                return self._broke("network", in_words(error))
            case _:
                log.error("discord_shard_broke", shard=self._number, error_type=type(error).__name__, exc_info=error)
                return self._broke("internal", type(error).__name__)

    async def _connect(self) -> None:
        if self._session is None:
            await self._identifies.leave(self._number)
        session = self._session
        self._means.rest.open()
        async with asyncio.timeout(_CONNECT_SECONDS):
            await DiscordWebSocket.from_client(
                self._means.client,
                gateway=session.gateway if session else self._address,
                shard_id=self._number,
                session=session.id if session else None,
                sequence=session.sequence if session else None,
                resume=session is not None,
            )

    async def _next(self) -> None:
        """Wait for what comes next, and note that it came."""
        socket, state = self._socket, self._means.state
        assert socket is not None
        beats = socket._keep_alive
        before = beats._last_ack if beats is not None else 0.0
        await socket.poll_event()
        self._numbers.take(socket.session_id, socket.sequence)
        state.shards.frame(self._number, is_ack=beats is not None and beats._last_ack != before)
        now = self._means.clock.monotonic()
        if not state.shards.is_up(self._number):
            self._steady_from, self._told_in = now + _STEADY_SECONDS, ""
            return
        if state.is_full:
            raise BacklogFull
        if state.may_ask_again:
            raise IntentGranted
        if state.lacks_content_intent and self._told_in != (language := self._language()):
            # what people see beside the bot's name while Discord keeps back what messages say
            activity = CustomActivity(said_in(language, later("discord_state.hard-of-hearing")))
            await socket.change_presence(activity=activity, status="online")
            self._told_in = language
        if self._backoff.failures and now >= self._steady_from:
            self._backoff.reset()

    def _ended(self, *, resume: bool) -> float:
        """Note that the gateway ended a connection; return the seconds until the next."""
        code = self._keep_session(resume=resume)
        failures = self._backoff.failures
        log.info("discord_connection_ended", shard=self._number, code=code, resumes=resume, failures=failures)
        words = later("discord_state.ended", code=str(code or "none"))
        self._means.state.shards.broken(self._number, "network", words)
        if not resume:
            return max(_NEW_SESSION_WAIT[0] + self._number % _NEW_SESSION_WAIT[1], self._backoff.next())
        wait = self._backoff.next()
        return wait if failures else 0.0

    def _broke(self, code: str, detail: str | Words) -> float:
        """Note that a connection broke or was not made; return the seconds until the next."""
        self._keep_session(resume=self._backoff.failures < _MAX_RESUMES)
        self._means.state.shards.broken(self._number, code, detail)
        wait = self._backoff.next()
        write = log.warning if self._backoff.failures in {1, 10, 100} else log.debug
        write("discord_connection_failed", shard=self._number, code=code, detail=spoken(detail), wait=round(wait, 1))
        return wait

    def _keep_session(self, *, resume: bool) -> int | None:
        """Remember where to go on, if there is anything to go on with; return the close code."""
        socket, code = self._socket, None
        if socket is not None:
            code = int(socket._close_code or socket.socket.close_code or 0) or None
            self._means.state.shards.closed(code)
            if socket.session_id:
                self._numbers.take(socket.session_id, socket.sequence)
                self._session = _Session(socket.gateway, socket.session_id, self._numbers.whole)
        if not resume:
            self._session = None
        return code

    async def _pause(self, seconds: float) -> None:
        await self._end(4000)  # any other code than 1000 and 1001 leaves the session alive
        if seconds:
            await self._means.clock.sleep(seconds)

    async def _end(self, code: int) -> None:
        socket = self._means.client.sockets.pop(self._number, None)
        if socket is not None:
            with suppress(TimeoutError, OSError, ClientError):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await socket.close(code)

    @property
    def _socket(self) -> DiscordWebSocket | None:
        return self._means.client.sockets.get(self._number)
