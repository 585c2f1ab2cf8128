"""One HTTP request after another: which bot, which method, which fault; every call is kept."""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from aiohttp import web

from .ask import Ask
from .exchange import BYTES, JSON, Applied, Exchange, Gate, line_of
from .faults import Faults
from .methods import BY_LOWER
from .params import decoded, read
from .refusals import NOT_FOUND, UNAUTHORIZED, Refused, dumped
from .state import Upload
from .values import Bot, Json
from .world import World

DOWNLOAD = "file"  # what a download is called among the calls


@dataclass(slots=True, eq=False)
class Call:
    """One call as it came: parameters decoded, files by field; `answer` is what the method said, sent or lost.

    `line` names its connection. `status` is what went out, 0 when nothing did; `is_applied` says whether the method
    took effect, `is_over` whether nothing more will happen.
    """

    index: int
    method: str
    bot: Bot
    params: Json
    files: Mapping[str, Upload]
    at: int
    line: int = 0
    status: int = 0
    is_applied: bool = False
    is_over: bool = False
    answer: Json | None = None

    @property
    def result(self) -> Any:
        """Return the method's result."""
        return None if self.answer is None else self.answer.get("result")


class Dispatch:
    """The API's front door."""

    def __init__(self, world: World, second: float) -> None:
        self.world = world
        self.second = second
        self.log: list[Call] = []
        self.under_way = 0
        self.problems: list[Exception] = []
        self.faults = Faults()
        self.changed = asyncio.Event()
        self.gate = Gate(self.changed)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request, and say when."""
        response = await self._answered(request)
        if not response.prepared:
            response.headers["Date"] = formatdate(self.world.now, usegmt=True)
        return response

    async def _answered(self, request: web.BaseRequest) -> web.StreamResponse:
        try:
            is_file = request.path.startswith("/file/bot")
            return await (self._file(request) if is_file else self._method(request))
        except Refused as refused:
            return _plain(refused)
        except ConnectionError:
            return _plain(Refused(500, "Internal Server Error: the client has gone"))
        except Exception as problem:  # noqa: BLE001 - a mistake of the server or the test, raised when the server closes
            self.problems.append(problem)
            return _plain(Refused(500, f"Internal Server Error: {problem!r}"))

    async def _method(self, request: web.BaseRequest) -> web.StreamResponse:
        bot, name = self._asked(request.path, "/bot")
        if name.lower() not in BY_LOWER:
            raise Refused(*NOT_FOUND)
        raw, files = await read(request)
        call = self._heard(BY_LOWER[name.lower()][0], bot, decoded(raw), files)
        call.line = line_of(request)
        return await self._play(call, Exchange(request, self.gate, lambda: self.run(call), JSON))

    async def _file(self, request: web.BaseRequest) -> web.StreamResponse:
        bot, path = self._asked(request.path, "/file/bot")
        call = self._heard(DOWNLOAD, bot, {"path": path}, {})
        return await self._play(call, Exchange(request, self.gate, lambda: self._content(call), BYTES))

    def _asked(self, path: str, prefix: str) -> tuple[Bot, str]:
        """Find the bot by the token in a path, and what follows it."""
        token, _, rest = path.removeprefix(prefix).partition("/")
        if not path.startswith(prefix) or ":" not in token:
            raise Refused(*NOT_FOUND)
        if token not in self.world.bots:
            raise Refused(*UNAUTHORIZED)
        return self.world.bots[token], rest

    def _heard(self, method: str, bot: Bot, params: Json, files: Mapping[str, Upload]) -> Call:
        call = Call(len(self.log), method, bot, params, files, self.world.now)
        self.log.append(call)
        self.under_way += 1
        self.changed.set()
        return call

    async def _play(self, call: Call, exchange: Exchange) -> web.StreamResponse:
        fault = self.faults.take(call.method, call.params)
        try:
            await (exchange.answer() if fault is None else fault.play(exchange))
        finally:
            call.status, call.is_over = exchange.status, True
            self.under_way -= 1
            self.changed.set()
        return exchange.response

    async def run(self, call: Call) -> Applied:
        ask = Ask(self.world, call.bot, call.params, call.files, self.second)
        status = 200
        try:
            outcome = BY_LOWER[call.method.lower()][1](ask)
            if inspect.isawaitable(outcome):
                self.changed.set()
                outcome = await outcome
            call.answer = {"ok": True, "result": outcome}
        except Refused as refused:
            status, call.answer = refused.code, refused.body()
        call.is_applied = True
        call.answer = copy.deepcopy(call.answer)
        return status, dumped(call.answer)

    async def _content(self, call: Call) -> Applied:
        call.is_applied = True
        for stored in self.world.files.values():
            if stored.path == call.params["path"]:
                return 200, stored.upload.content
        return 404, dumped(Refused(*NOT_FOUND).body())


def _plain(refused: Refused) -> web.Response:
    return web.Response(status=refused.code, body=dumped(refused.body()), content_type=JSON)
