"""Carry calls to Discord's REST interface: discord.py's buckets, with limits, timeouts and failures of our own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import aiohttp
import structlog
from aiolimiter import AsyncLimiter
from discord import File
from discord.errors import DiscordException, HTTPException, LoginFailure, RateLimited
from discord.gateway import DiscordClientWebSocketResponse
from discord.http import HTTPClient, Ratelimit, Route
from discord.utils import MISSING, _to_json

from adapters.discord.base.settings import Settings
from adapters.discord.rest.invalid_budget import InvalidRequestBudget
from adapters.failures import call_words
from adapters.server_clock import ServerClock

log = structlog.get_logger(__name__)

_MAX_WAIT_SECONDS, _MIN_WAIT_SECONDS = 30.0, 0.001
"""Seconds that a call may wait for its bucket; who has to wait longer is told so, and waits where it can be seen."""
_MIN_KEPT_BUCKETS = 512
_WS_CLOSE_SECONDS = 3.0
_BURST_SECONDS = 0.2
_FOR_INTERACTIONS = ("/interactions/", "/webhooks/")
"""What is not counted by the limit of all calls (https://discord.com/developers/docs/topics/rate-limits)."""
_INTERACTION_SECONDS = 2.5
"""Seconds for the answer to an interaction, which is too late after three."""

# at DEBUG the library writes down every message, and at WARNING addresses that hold an interaction's token
for _name in ("discord.http", "discord.webhook.async_"):
    logging.getLogger(_name).disabled = True
_RESOLUTION = 0.001


class RateLimitBucket(Ratelimit):
    """Waits before a call that would be one too many. The library's own waits behind the call that was the last one.

    Who sent that one would hear seconds later that it has arrived.
    """

    __slots__ = ("_timer",)

    def __init__(self, longest_wait: float | None) -> None:
        super().__init__(longest_wait)
        self._timer: asyncio.TimerHandle | None = None

    async def acquire(self) -> None:
        """Take a place; raise RateLimited when that would take too long."""
        self._last_request = self._loop.time()
        if self.is_expired():
            self.reset()
        while self.remaining <= 0:
            self._must_be_soon()
            await self._turn()
        self.remaining -= 1
        self.outgoing += 1

    async def __aexit__(self, *_: object) -> None:
        self.outgoing -= 1
        if self.remaining > self.outgoing:
            self._wake(self.remaining - self.outgoing)
        elif self.expires is None:
            # the platform tells no pace here: one call after another
            self._begin_anew()
        else:
            self._wait_for_it()

    def _must_be_soon(self) -> None:
        """Raise RateLimited when places are given out later than anybody is to wait.

        The library refuses even who would find a place.
        """
        if self._is_too_long:
            raise RateLimited(self._left)

    @property
    def _left(self) -> float:
        return self.expires - self._loop.time() if self.expires is not None else 0.0

    @property
    def _is_too_long(self) -> bool:
        return self._max_ratelimit_timeout is not None and self._left > self._max_ratelimit_timeout

    async def _turn(self) -> None:
        """Wait until places are given out again; who goes away meanwhile takes none."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._pending_requests.append(future)
        self._wait_for_it()
        try:
            await future
        except BaseException:
            if self.remaining > 0:
                self._wake_next()
            raise

    def reset(self) -> None:
        """Give all places out anew, but for the calls that are under way."""
        self.remaining, self.reset_after = self.limit - self.outgoing, 0.0
        self.expires, self.dirty = None, False

    def _wait_for_it(self) -> None:
        """Give places out when the platform does. Until it has said when, the calls under way do it as they end."""
        if self._timer is None and self.expires is not None:
            self._timer = self._loop.call_at(self.expires, self._is_time)
        if self._is_too_long:
            # who waited before it was known is told so
            self._wake(len(self._pending_requests))

    def _is_time(self) -> None:
        self._timer = None
        if self._left > _RESOLUTION:
            # an answer has told of a later time meanwhile
            self._wait_for_it()
        else:
            self._begin_anew()

    def _begin_anew(self) -> None:
        self.reset()
        self._wake(self.remaining)


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


class DiscordCallUnsent(aiohttp.ClientError):
    """The call never left: it can be repeated. `kind` is the class of the failure in one word."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class DiscordCallLost(aiohttp.ClientError):
    """The call went out and no answer of Discord came back: it may have been carried out.

    `status` is that of an answer which came from something in between (0: none).
    """

    def __init__(self, message: str, kind: str, status: int = 0) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status


Failure = (DiscordException, DiscordCallUnsent, DiscordCallLost)
"""Everything that a call raises."""


@dataclass(slots=True)
class _CallState:
    """A call. `sent` becomes true when the first byte of any of its attempts is about to leave.

    `status` is that of the newest answer; `heard` is told of each.
    """

    what: str
    seconds: float
    heard: Callable[[aiohttp.ClientResponse], None]
    sent: bool = False
    status: int = 0


class RestClient(HTTPClient):
    """One session for everything that is not the gateway; who takes it into a `discord.Client` cannot close it.

    Nothing that it raises tells an address: those of interactions hold their secret.
    """

    def __init__(self, settings: Settings, time: Callable[[], float] = _loop_time) -> None:
        tracing = aiohttp.TraceConfig()
        tracing.on_request_headers_sent.append(_on_sent)
        tracing.on_request_end.append(_on_answer)
        super().__init__(
            MISSING, proxy=settings.proxy or None, http_trace=tracing, max_ratelimit_timeout=_MAX_WAIT_SECONDS
        )
        self.settings = settings
        self.token = settings.token.get_secret_value()
        self._session: aiohttp.ClientSession | None = None
        self._is_closed = False
        self._most_buckets = _MIN_KEPT_BUCKETS
        self._processes = 1
        self._limit: AbstractAsyncContextManager[None] = nullcontext()
        self._aside: AbstractAsyncContextManager[None] = nullcontext()
        self.invalid = InvalidRequestBudget(_loop_time)
        self.server_clock = ServerClock(time)

    def __repr__(self) -> str:
        return f"Rest({self.settings.rest_url!r})"

    def open(self) -> aiohttp.ClientSession:
        """Return the session, opened by the first who asks for it; raise DiscordCallUnsent once it is closed."""
        if self._is_closed:
            raise DiscordCallUnsent("the connections are closed", "closed")
        if self._session is None:
            connect = self.settings.connect_timeout
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                timeout=aiohttp.ClientTimeout(total=None, connect=connect, sock_connect=connect),
                ws_response_class=DiscordClientWebSocketResponse,
                trace_configs=[self.http_trace] if self.http_trace else None,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
            # the library opens its session only together with a call that asks who the bot is
            self._HTTPClient__session = self._session
            self._global_over = asyncio.Event()
            self._global_over.set()
            self._limit_calls()
        return self._session

    def share(self, processes: int) -> None:
        """Keep to one of so many equal parts of the calls in a second; who waits already waits as before."""
        if processes != self._processes:
            self._processes = max(1, processes)
            self._limit_calls()

    async def static_login(self, token: str) -> Any:
        """Ask who the bot is; raise LoginFailure for a token that Discord does not know."""
        self.token = token
        try:
            return await self.call("GET", "/users/@me")
        except HTTPException as error:
            if error.status == 401:
                raise LoginFailure("Discord does not know the token") from error
            raise

    async def ws_connect(self, url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        """Open the gateway; a dead one is not waited for when it is closed."""
        return await self.open().ws_connect(
            url,
            proxy=self.proxy,
            autoclose=False,
            max_msg_size=0,
            compress=compress,
            headers={"User-Agent": self.user_agent},
            timeout=aiohttp.ClientWSTimeout(ws_close=_WS_CLOSE_SECONDS),
        )

    async def close(self) -> None:
        """Do nothing: a client that is done with the gateway leaves this to others."""

    async def close_connections(self) -> None:
        """Close the connections for good: a call that comes late must not open one that nobody closes."""
        self._is_closed = True
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def call(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, Any] | None = None,
        files: Sequence[File] = (),
        **parameters: Any,
    ) -> Any:
        """Return an object or a list as it came, None for an empty answer; raise one of `Failure`.

        `parameters` stand in the path; `channel_id`, `guild_id`, `webhook_id` and `webhook_token` have buckets of
        their own.
        """
        options: dict[str, Any] = {"params": params} if params else {}
        if files:
            options |= {"files": files, "form": _form(json, files)}
        elif json is not None:
            options["json"] = json
        answer = await self.request(Route(method, path, **parameters), **options)
        if isinstance(answer, str) and answer:
            raise DiscordCallLost(f"{method} {path}: no answer of Discord came back", "answer", 200)
        return answer or None if isinstance(answer, str) else answer

    @property
    def low_priority(self) -> AbstractAsyncContextManager[None]:
        """Enter this before a call that can wait when there is much to do, such as a preview."""
        self.open()
        return self._aside

    async def request(self, route: Route, **options: Any) -> Any:
        """Carry one call, for the library too; raise one of `Failure`."""
        self.open()
        is_of_interaction = route.path.startswith(_FOR_INTERACTIONS)
        asked = _CallState(f"{route.method} {route.path}", self._seconds(route, options), self._heard)
        if route.url.startswith(Route.BASE):
            route.url = self.settings.rest_url + route.url.removeprefix(Route.BASE)
        options |= {
            "timeout": aiohttp.ClientTimeout(total=asked.seconds, sock_connect=self.settings.connect_timeout),
            "trace_request_ctx": asked,
            "allow_redirects": False,
        }
        try:
            async with nullcontext() if is_of_interaction else self._limit:
                if not is_of_interaction:
                    await self.invalid.turn()
                return await super().request(route, **options)
        except DiscordException:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it becomes an error of our own
            failure = _call_error(error, asked)
        # raised out here: neither its chain nor the variables of its traceback lead to the address
        raise failure

    def get_ratelimit(self, key: str) -> RateLimitBucket:
        """Return a bucket, made for the first who asks for it."""
        found = self._buckets.get(key)
        if not isinstance(found, RateLimitBucket):
            found = self._buckets[key] = RateLimitBucket(_MAX_WAIT_SECONDS)
            self._try_clear_expired_ratelimits()
        return found

    def _try_clear_expired_ratelimits(self) -> None:
        """Look for buckets that nobody uses when there are twice as many, and not whenever there is a new one."""
        if len(self._buckets) >= self._most_buckets:
            super()._try_clear_expired_ratelimits()
            self._most_buckets = max(_MIN_KEPT_BUCKETS, 2 * len(self._buckets))

    def _heard(self, response: aiohttp.ClientResponse) -> None:
        """Count what is refused; while it is much, nothing is tried again in here, where it would not wait its turn."""
        self.server_clock.note(response.headers.get("Date", ""))
        self.invalid.note(response.status, response.headers)
        self.max_ratelimit_timeout = _MIN_WAIT_SECONDS if self.invalid.is_exceeded else _MAX_WAIT_SECONDS

    def _limit_calls(self) -> None:
        per_second = self.settings.calls_per_second / self._processes
        self._limit, self._aside = _limiter(per_second), _limiter(per_second / 2)

    def _seconds(self, route: Route, options: Mapping[str, Any]) -> float:
        if options.get("form"):
            return self.settings.upload_timeout
        longest = self.settings.request_timeout
        return min(longest, _INTERACTION_SECONDS) if route.path.startswith("/interactions/") else longest


def _limiter(per_second: float) -> AbstractAsyncContextManager[None]:
    """Let so many calls pass in a second, a few of them at once; both together stay below what Discord counts."""
    return (
        AsyncLimiter(max(1.0, per_second * _BURST_SECONDS), max(1 / per_second, _BURST_SECONDS))
        if per_second
        else nullcontext()
    )


def _form(json: Any, files: Sequence[File]) -> list[dict[str, Any]]:
    form: list[dict[str, Any]] = [{"name": "payload_json", "value": _to_json(json or {})}]
    form += [
        {"name": f"files[{n}]", "value": file.fp, "filename": file.filename, "content_type": "application/octet-stream"}
        for n, file in enumerate(files)
    ]
    return form


async def _on_sent(_: aiohttp.ClientSession, context: SimpleNamespace, __: Any) -> None:
    asked = context.trace_request_ctx
    if isinstance(asked, _CallState):
        asked.sent, asked.status = True, 0


async def _on_answer(_: aiohttp.ClientSession, context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams) -> None:
    asked = context.trace_request_ctx
    if not isinstance(asked, _CallState):
        return
    asked.status = ended.response.status
    asked.heard(ended.response)
    if asked.status == 429:
        # the library waits by itself, and nobody else would ever hear of it
        headers = ended.response.headers
        scope, seconds = headers.get("X-RateLimit-Scope", ""), headers.get("Retry-After", "")
        log.info("discord_asked_to_wait", call=asked.what, seconds=seconds, scope=scope)


def _call_error(error: Exception, asked: _CallState) -> DiscordCallUnsent | DiscordCallLost:
    """Name a failure without its own words: they may hold the address."""
    kind, words = call_words(error, asked.seconds, sent=asked.sent)
    text = f"{asked.what}: {words} ({type(error).__name__})"
    return DiscordCallLost(text, kind, asked.status) if asked.sent else DiscordCallUnsent(text, kind)
