"""Answer browsers over HTTP: one loop, bounded in size, number and time; what is said is decided elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any

from aiohttp import web

from bot.errors import UserError
from bot.ports.page_server import AnswerPage, PageRequest, PageResponse
from bot.sentences import Words, later, said_in, say

MAX_BODY_BYTES = 4096
MAX_AT_ONCE = 32
"""Requests that are answered or sent at the same time; a browser that comes then is told to come again."""
ANSWER_SECONDS = 20.0
SEND_SECONDS = 30.0
"""How long a browser may take to fetch its answer; then it is let go, so that a slow one holds nothing."""
EVENT_SECONDS = 10.0
"""How long one event may wait to be fetched."""
_SILENT = logging.Logger("page_server", logging.CRITICAL + 1)
_MAX_LINE, _MAX_FIELD = 4096, 8190
_IDLE_SECONDS = 30.0


class _Refused(Exception):
    """What is not even handed on."""

    def __init__(self, status: int, words: Words, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status)
        self.status = status
        self.words = words
        self.headers = headers


class AiohttpPageServer:
    """Implements `bot.ports.page_server.PageServer`."""

    async def serve(
        self, answer: AnswerPage, host: str, port: int, ready: Callable[[], None], language: Callable[[], str]
    ) -> None:
        """Answer until cancelled."""
        server = web.Server(
            _handler(answer, language),
            access_log=None,
            # what is no HTTP is refused, and is nothing that an operator has to read of
            logger=_SILENT,
            keepalive_timeout=_IDLE_SECONDS,
            max_line_size=_MAX_LINE,
            max_field_size=_MAX_FIELD,
            lingering_time=1.0,
        )
        runner = web.ServerRunner(server, handle_signals=False, shutdown_timeout=1.0)
        await runner.setup()
        try:
            try:
                await web.TCPSite(runner, host, port).start()
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise UserError(say("machine.port-taken", port=str(port), host=host, why=why)) from None
            ready()
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()


def _handler(answer: AnswerPage, language: Callable[[], str]) -> Callable[[web.BaseRequest], Any]:
    at_once = asyncio.Semaphore(MAX_AT_ONCE)

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        try:
            return await _answered(request, answer, at_once)
        except ConnectionError:
            # it went away in the middle; nobody is left to be told
            _let_go(request)
            return web.Response(status=400)
        except web.PayloadAccessError:
            refused = _Refused(400, later("window.request-unreadable"))
        except _Refused as error:
            refused = error
        words = said_in(_asked(request, b"").language or language(), refused.words)
        return web.Response(status=refused.status, text=f"{words}\n", headers=refused.headers)

    return handle


async def _answered(request: web.BaseRequest, answer: AnswerPage, at_once: asyncio.Semaphore) -> web.StreamResponse:
    if at_once.locked():
        raise _Refused(503, later("window.too-many-at-once"), {"Retry-After": "2"})
    async with at_once:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                body = await _body(request)
                if body is None:
                    raise _Refused(413, later("window.request-too-large"))
                found = await answer(_asked(request, body))
        except TimeoutError:
            raise _Refused(503, later("window.took-too-long")) from None
        if found.events is None:
            return await _send(request, found)
    # what lasts holds no place of those that are answered at once; how many last is decided where they are made
    return await _stream(request, found, found.events)


async def _send(request: web.BaseRequest, found: PageResponse) -> web.StreamResponse:
    response = web.Response(status=found.status, body=found.body)
    for name, value in found.headers:
        if name in response.headers and name == "Set-Cookie":
            # each cookie has a header of its own
            response.headers.add(name, value)
        else:
            response.headers[name] = value
    try:
        async with asyncio.timeout(SEND_SECONDS):
            await response.prepare(request)
            await response.write_eof()
    except TimeoutError:
        _let_go(request)
    return response


async def _stream(
    request: web.BaseRequest, found: PageResponse, events: AsyncGenerator[bytes, None]
) -> web.StreamResponse:
    """Send events as they come; a browser that does not fetch them is let go, and one that is gone ends them."""
    response = web.StreamResponse(status=found.status, headers=dict(found.headers))
    try:
        async with contextlib.aclosing(events):
            await asyncio.wait_for(response.prepare(request), SEND_SECONDS)
            if request.transport is not None:
                # no piece waits in memory for a browser that does not read: the next one waits until it was taken
                request.transport.set_write_buffer_limits(high=0)
            async for piece in events:
                await asyncio.wait_for(response.write(piece), EVENT_SECONDS)
            await asyncio.wait_for(response.write_eof(), EVENT_SECONDS)
    except (TimeoutError, ConnectionError):
        _let_go(request)
    return response


def _let_go(request: web.BaseRequest) -> None:
    if request.transport is not None:
        request.transport.abort()


async def _body(request: web.BaseRequest) -> bytes | None:
    if not request.can_read_body:
        return b""
    if (request.content_length or 0) > MAX_BODY_BYTES:
        return None
    found = bytearray()
    async for piece in request.content.iter_chunked(MAX_BODY_BYTES):
        found += piece
        if len(found) > MAX_BODY_BYTES:
            return None
    return bytes(found)


def _asked(request: web.BaseRequest, body: bytes) -> PageRequest:
    path, _, query = request.path_qs.partition("?") if "?" in request.path_qs else (request.path_qs, "", "")
    return PageRequest(request.method, path, query, _headers(request.headers), body)


def _headers(headers: Mapping[str, str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in headers.items():
        found.setdefault(name.lower(), []).append(value)
    return found


def create(settings: Mapping[str, Any]) -> AiohttpPageServer:
    """Build the server; it listens when it is told to."""
    return AiohttpPageServer()
