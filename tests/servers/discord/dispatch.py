"""One HTTP request after another: which bot, which call, which fault; every call is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any

import orjson
from aiohttp import web
from aiohttp.web_request import FileField

from tests.servers.telegram.faults import Faults

from .ask import Ask
from .bot import Bot
from .exchange import BYTES, JSON, Applied, Exchange, Gate
from .gateway import Gateway
from .refusals import BAD_JSON, NOT_FOUND, UNAUTHORIZED, Refused, dumped
from .routes import DOWNLOAD, STRANGE, Route, major, matching
from .values import Json, Upload
from .world import World

Sent = tuple[Any, dict[int, Upload]]
API = ("/api/v10", "/api/v9")
OPEN_TO_ALL = ("callback", "create_followup", "get_gateway")
LARGEST = 60 * 1024 * 1024


@dataclass(slots=True, eq=False)
class Call:
    """One call as it came; `answer` is what the handler said, sent or lost.

    `status` is what went out, 0 when nothing did; `is_applied` says whether the call took effect, `is_over` whether
    nothing more will happen.
    """

    index: int
    operation: str
    method: str
    path: str
    bot: Bot | None
    parts: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    files: Mapping[int, Upload]
    headers: Mapping[str, str]
    at: float
    status: int = 0
    is_applied: bool = False
    is_over: bool = False
    answer: Any = None
    limits: dict[str, str] = field(default_factory=dict)

    @property
    def json(self) -> Json:
        """Return the body as an object."""
        return self.body if isinstance(self.body, dict) else {}


class Dispatch:
    """The front door: the API, the files, and the gateway."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.log: list[Call] = []
        self.under_way = 0
        self.problems: list[Exception] = []
        self.faults = Faults()
        self.gate = Gate(world.changed)
        self.gateway = Gateway(world)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        try:
            if request.path.startswith("/gateway"):
                return await self.gateway.handle(request)
            return await (self._file(request) if request.path.startswith("/cdn/") else self._call(request))
        except Refused as refused:
            return _plain(refused)
        except ConnectionError:
            return _plain(Refused(500, 0, "500: Internal Server Error: the client has gone"))
        except Exception as problem:  # noqa: BLE001 - a mistake of the server or the test, raised when the server closes
            self.problems.append(problem)
            return _plain(Refused(500, 0, f"500: Internal Server Error: {problem!r}"))

    async def _call(self, request: web.BaseRequest) -> web.StreamResponse:
        prefix = next((one for one in API if request.path.startswith(one + "/")), None)
        found = prefix and matching(request.method, request.rel_url.raw_path.removeprefix(prefix))
        body, files = await _read(request)
        if not found:
            return await self._unknown(request, body)
        route, parts = found
        bot = self._bot(route, request, parts)
        call = self._heard(request, route.operation, bot, parts, (body, files))
        verdict = self.world.limits.judge(route.operation, major(route, parts))
        call.limits = verdict.headers
        exchange = Exchange(request, self.gate, lambda: self.run(call, route), JSON)
        exchange.headers = {"Date": formatdate(self.world.now, usegmt=True), **verdict.headers}
        if bot is None:
            return await self._refuse(call, exchange, Refused(*UNAUTHORIZED))
        if verdict.refused is not None:
            return await self._refuse(call, exchange, verdict.refused)
        return await self._play(call, exchange)

    async def _unknown(self, request: web.BaseRequest, body: Any) -> web.StreamResponse:
        """Refuse what this server does not speak; the books show it, as it may be the server that lacks something."""
        call = self._heard(request, STRANGE, None, {}, (body, {}))
        exchange = Exchange(request, self.gate, lambda: self._content(call), JSON)
        return await self._refuse(call, exchange, Refused(*NOT_FOUND))

    async def _file(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path.removeprefix("/cdn/")
        call = self._heard(request, DOWNLOAD, None, {"path": path}, (None, {}))
        return await self._play(call, Exchange(request, self.gate, lambda: self._content(call), BYTES))

    def _bot(self, route: Route, request: web.BaseRequest, parts: Mapping[str, str]) -> Bot | None:
        """Find the bot by its token; answers to interactions carry their own."""
        if "token" in parts:
            interaction = self.world.interactions.get(parts["token"])
            return interaction.bot if interaction else next(iter(self.world.bots.values()), None)
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        return self.world.bots.get(token) if scheme == "Bot" else None

    def _heard(
        self, request: web.BaseRequest, operation: str, bot: Bot | None, parts: Mapping[str, str], sent: Sent
    ) -> Call:
        body, files = sent
        call = Call(
            index=len(self.log),
            operation=operation,
            method=request.method,
            path=request.path,
            bot=bot,
            parts=parts,
            query=dict(request.query),
            body=body,
            files=files,
            headers=dict(request.headers),
            at=self.world.now,
        )
        self.log.append(call)
        self.under_way += 1
        self.world.changed.set()
        return call

    async def _refuse(self, call: Call, exchange: Exchange, refused: Refused) -> web.StreamResponse:
        call.answer = refused.body()
        await exchange.send(refused.status, dumped(call.answer))
        call.status, call.is_over = refused.status, True
        self.under_way -= 1
        self.world.changed.set()
        return exchange.response

    async def _play(self, call: Call, exchange: Exchange) -> web.StreamResponse:
        fault = self.faults.take(call.operation, {"path": dict(call.parts), "query": dict(call.query)} | call.json)
        try:
            await (exchange.answer() if fault is None else fault.play(exchange))
        finally:
            call.status, call.is_over = exchange.status, True
            self.under_way -= 1
            self.world.changed.set()
        return exchange.response

    async def run(self, call: Call, route: Route) -> Applied:
        assert call.bot is not None
        status = 200
        try:
            call.answer = route.handler(Ask(self.world, call.bot, call.parts, call.query, call.body, call.files))
            call.is_applied = True
        except Refused as refused:
            status, call.answer = refused.status, refused.body()
        if call.answer is None:
            return 204, b""
        body = dumped(call.answer)
        call.answer = orjson.loads(body)  # a copy: what it was made of goes on changing
        return status, body

    async def _content(self, call: Call) -> Applied:
        content = self.world.opened(call.parts["path"], call.query)
        call.is_applied = content is not None
        return (404, b"This content is no longer available.") if content is None else (200, content)


async def _read(request: web.BaseRequest) -> Sent:
    """Read the body of a request, and its files by the index in `files[0]`."""
    if not request.content_type.startswith("multipart/"):
        return _parsed(await request.read()), {}
    form = await request.clone(client_max_size=LARGEST).post()
    files: dict[int, Upload] = {}
    for name, value in form.items():
        if isinstance(value, FileField):
            with value.file as file:
                files[int(name.removeprefix("files[").rstrip("]"))] = Upload(
                    value.filename, file.read(), value.content_type
                )
    text = form.get("payload_json", "{}")
    return _parsed(text.encode() if isinstance(text, str) else b"{}"), files


def _parsed(body: bytes) -> Any:
    try:
        return orjson.loads(body or b"{}")
    except orjson.JSONDecodeError:
        raise Refused(*BAD_JSON) from None


def _plain(refused: Refused) -> web.Response:
    return web.Response(status=refused.status, body=dumped(refused.body()), content_type=JSON)
