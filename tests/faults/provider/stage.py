"""A bot, a model's service that fails at one moment as it is told to, and everything that anybody noticed of it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from structlog.testing import capture_logs

from bot.domain.dialect import Dialect
from bot.domain.health import ProbeResult
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.domain.patience import Patience
from bot.ports.model import DialectBook, LLMProvider, OnText
from tests.dialogs.bot import Bot, a_bot
from tests.dialogs.chat_bot import alive
from tests.dialogs.online import client_of
from tests.dialogs.telegram import TelegramBot
from tests.dialogs.tide import TidalClock
from tests.faults.provider.kinds import ANSWER, Broken, Kind, look
from tests.faults.provider.request import Request, Who
from tests.servers.model import Calls, Hangs, Language, ModelServer, Reply, Says, model_server
from tests.servers.telegram import World, telegram_server

ROUNDS, RETRIES = 4, 1
FINE, BY_TOOL, LET_ME_SEE, CAME_BACK = "Fine.", "Here you are.", "Let me see.", "That is what came back."
MODEL = """
[providers.{language}]
kind = "{language}"
[providers.{other}]
kind = "{other}"
[model]
name = "{language}/test-model"
fallbacks = {fallbacks}
context_window = {window}
max_output_tokens = {output}
retries = {retries}
retry_wait = 0.01
cool_down = 0.05
rounds = {rounds}
turn_timeout = 30
"""
QUICK = {"first_token_timeout": 0.2, "between_tokens_timeout": 0.2}
OTHER: dict[Language, Language] = {"openai": "anthropic", "anthropic": "openai"}


class Struck:
    """A model's client as the bot has it: where a connection is to fail, one that can make none takes its place."""

    def __init__(self, stage: Stage, server: ModelServer, quick: bool) -> None:
        self._stage = stage
        self._made = {"": client_of(server, **(QUICK if quick else {}))}
        self._server = server
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))  # bound and not listening: whoever comes is refused
        self.under_way = 0
        self.name = server.language

    @property
    def patience(self) -> Patience:
        return self._made[""].patience

    @property
    def encoder(self) -> str:
        return self._made[""].encoder

    @property
    def dialects(self) -> DialectBook:
        return self._made[""].dialects

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        return self._made[""].encode(request, dialect)

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        broken = self._stage.strikes(orjson.loads(wire.body), self.name)
        self.under_way += 1
        try:
            return await self._client(broken).complete(wire, on_text)
        finally:
            self.under_way -= 1

    async def probe(self) -> Sequence[ProbeResult]:
        return await self._made[""].probe()

    async def close(self) -> None:
        self._closed.close()
        for client in self._made.values():
            await client.close()  # type: ignore[attr-defined]

    def _client(self, broken: str) -> LLMProvider:
        if broken not in self._made:
            port = self._closed.getsockname()[1]
            url = {
                Broken.REFUSED: f"http://127.0.0.1:{port}/v1",
                Broken.DNS: "http://no-such-host.invalid/v1",
                Broken.TLS: self._server.base_url.replace("http:", "https:"),
            }[Broken(broken)]
            self._made[broken] = client_of(_Elsewhere(self._server.language, url))  # type: ignore[arg-type]
        return self._made[broken]


@dataclass(frozen=True)
class _Elsewhere:
    language: Language
    base_url: str


@dataclass
class Stage:
    """What is played: `at` says which requests the fault strikes; all others are answered as a good model would."""

    kind: Kind
    number: int
    language: Language
    at: Callable[[Request], bool] = lambda _: False
    hangs: bool = False
    """Whether whatever is asked now hangs."""
    struck: int = 0
    most: int = 10**6
    asked: Counter[Who] = field(default_factory=Counter)
    spent: Counter[Who] = field(default_factory=Counter)
    """Requests of the process that the fault strikes, from then on."""
    decided: dict[bytes, list[Reply]] = field(default_factory=dict)
    """Replies by the request that each is for: what was decided when it left."""
    servers: dict[Language, ModelServer] = field(default_factory=dict)
    clients: list[Struck] = field(default_factory=list)
    logs: list[Any] = field(default_factory=list)
    escaped: list[str] = field(default_factory=list)
    _is_over: bool = False

    def strikes(self, body: dict[str, Any], language: str) -> str:
        """Decide what becomes of a request; return what is wrong with its connection, if that is it."""
        request = Request(body)
        request = Request(body, self.asked[request.who])
        self.asked[request.who] += 1
        if self.hangs:
            self._decide(body, Hangs())
            return ""
        is_meant = self._is_meant(request, language)
        self.spent[request.who] += (self.struck > 0 and not self._is_over) or is_meant
        if not is_meant:
            self._decide(body, _good(request))
            return ""
        self.struck += 1
        reply = self.kind.fault(request, self.number)
        if isinstance(reply, Broken):
            return reply.value
        self._decide(body, reply)
        return ""

    def _decide(self, body: dict[str, Any], reply: Reply) -> None:
        self.decided.setdefault(orjson.dumps(body), []).append(reply)

    def _is_meant(self, request: Request, language: str) -> bool:
        if self.kind.second == "same" and request.model != "test-model":
            return False
        if self.kind.second == "other" and language != self.language:
            return False
        return self.struck < (1 if self.kind.once else self.most) and self.at(request)

    def answer(self, body: dict[str, Any]) -> Reply:
        """Give the server what was decided when the request left."""
        return self.decided[orjson.dumps(body)].pop(0)

    @property
    def refused(self) -> int:
        """How many requests the services would not even look at, because they were no proper ones."""
        return sum(len(left) for left in self.decided.values())

    def over(self) -> None:
        """Let the service be well again."""
        self.at = lambda _: False
        self._is_over = True

    @property
    def is_asking(self) -> bool:
        """Whether a model is at work; one that hangs is not."""
        hanging = sum(server.gate.hanging for server in self.servers.values())
        return sum(client.under_way for client in self.clients) > hanging

    def config(self, more: str = "", *, fallback: bool = False, output: int = 1000, window: int = 0) -> str:
        other = OTHER[self.language]
        seconds = {"same": f"{self.language}/second-model", "other": f"{other}/test-model"}
        found = seconds.get(self.kind.second, seconds["same"] if fallback else "")
        return more + MODEL.format(
            language=self.language,
            other=other,
            fallbacks=f'["{found}"]' if found else "[]",
            window=window or self.kind.window,
            output=min(output, self.kind.window // 20),
            retries=RETRIES,
            rounds=ROUNDS,
        )

    @asynccontextmanager
    async def on_the_console(self, data: Path, more: str = "", **config: Any) -> AsyncIterator[Bot]:
        providers = {client.name: client for client in self.clients}
        async with a_bot(data, providers=providers, more=self.config(more, **config)) as bot:
            yield bot

    @asynccontextmanager
    async def on_telegram(self, data: Path) -> AsyncIterator[TelegramBot]:
        """Run it where answers are seen while they are written."""
        clock = TidalClock()
        world = World(clock=lambda: clock.now() / 1000)
        async with telegram_server(world) as telegram:
            whole = _Patient(
                data=data,
                world=world,
                server=telegram,
                clock=clock,
                providers={client.name: client for client in self.clients},
                more=self.config(),
                streaming=True,
            )
            whole.stage = self
            async with alive(whole) as bot:
                yield bot


def _good(request: Request) -> Reply:
    """Answer as a good model would that was asked this."""
    done = request.done
    match request.who:
        case Who.COMPACTOR:
            return Says("They talked about tea.")
        case Who.WORKER:
            return Calls([("finish", json.dumps({"outcome": "done", "result": ANSWER}))])
        case Who.INSPECTION:
            return Says('{"findings":[],"summary":"' + ANSWER + '"}') if done else Calls([look(request)])
        case Who.BRANCH | Who.TALK:
            return Says(ANSWER) if done else Calls([look(request)])
        case Who.CHANNEL:
            return _in_a_channel(request, request.asked, done)


def _in_a_channel(request: Request, asked: str, done: int) -> Reply:
    if "and now?" in asked:
        return Says(FINE)
    if '"is":"result"' in asked:
        return Says(CAME_BACK)
    if "for long" in asked and request.may_call:
        return Calls([look(request, f"tea {done}")])
    if done:
        return Says(LET_ME_SEE if "think" in asked or "work" in asked else ANSWER)
    return _first(request, asked)


def _first(request: Request, asked: str) -> Reply:
    words = LET_ME_SEE if "with words" in asked else ""
    if "look" in asked:
        return Calls([look(request)], text=words)
    if "reply first" in asked:
        return Calls([("reply", json.dumps({"text": BY_TOOL}))])
    if "think" in asked:
        return Calls([("branch", json.dumps({"task": "find the tea"}))])
    if "work" in asked:
        return Calls([("spawn_worker", json.dumps({"task": "find the tea"}))])
    return Says(ANSWER)


class _Patient(TelegramBot):
    """Time stands still while a model answers, unless it hangs."""

    stage: Stage

    def is_called(self) -> bool:
        return super().is_called() or self.stage.is_asking


@asynccontextmanager
async def a_stage(kind: Kind, number: int, language: Language) -> AsyncIterator[Stage]:
    """Open the services and listen to what nobody should have to hear."""
    stage = Stage(kind, number, language)
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(lambda _, told: stage.escaped.append(str(told.get("exception") or told["message"])))
    async with model_server(language="openai") as one, model_server(language="anthropic") as two:
        stage.servers = {"openai": one, "anthropic": two}
        stage.clients = [Struck(stage, server, kind.quick) for server in (one, two)]
        one.answer = two.answer = stage.answer
        try:
            with capture_logs() as logs:
                yield stage
        finally:
            for client in stage.clients:
                await client.close()
            loop.set_exception_handler(before)
        stage.escaped += [str(line) for line in logs if line.get("exc_info") or line["log_level"] in ("critical",)]
        stage.escaped += [repr(problem) for server in (one, two) for problem in server.problems]
