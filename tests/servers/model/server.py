"""The model server itself: it keeps every request, asks the test what to answer, and plays the answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import orjson
from aiohttp import web

from . import scruples
from .cache import PromptCache
from .completion import quarter
from .listener import HOST, Listener
from .objections import objection, parse
from .player import Gate, Player
from .replies import Fails, Lists, Says
from .services import Objection
from .wire import Asked, Language, Reply, Wire

CHATS: Mapping[Language, tuple[str, str]] = {
    "openai": ("POST", "/v1/chat/completions"),
    "anthropic": ("POST", "/v1/messages"),
}
MODELS = ("GET", "/v1/models")

Answer = Callable[[dict[str, Any]], Reply]


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came over the wire; `headers` may be asked in any case."""

    body: bytes
    headers: Mapping[str, str]
    at_index: int
    method: str
    path: str

    def json(self) -> Any:
        """Parse the body."""
        return orjson.loads(self.body)

    @property
    def is_chat(self) -> bool:
        """Say whether this asked for a completion."""
        return (self.method, self.path) in CHATS.values()


def echo(request: dict[str, Any]) -> Reply:
    """Repeat the last message, which is what a server does that nobody told anything."""
    content = request["messages"][-1].get("content")
    if isinstance(content, list) and all(block.get("type") == "text" for block in content):
        content = " ".join(block["text"] for block in content)
    return Says(f"echo: {content if isinstance(content, str) else json.dumps(content)}")


class ModelServer:
    """An OpenAI-compatible or Anthropic server whose behaviour is a value: `script` first, then `answer`.

    Replies in `script` are used up one per accepted chat request. `key` demands a bearer token, `strict` refuses what
    a real provider refuses, `objects` what a particular one does, and no refusal uses the script up. `count` guesses
    the prompt's tokens for `usage`, and `cache` is where prefixes are kept for Anthropic's. Exceptions of the test's
    own replies become a 500 and are kept in `problems`. `listing` is sent instead of the list of `models`, which
    everybody may read where it is a `public_list`.
    """

    def __init__(
        self, *script: Reply, key: str | None = None, strict: bool = True, language: Language = "openai"
    ) -> None:
        self.script: list[Reply] = list(script)
        self.answer: Answer = echo
        self.key = key
        self.strict = strict
        self.objects: Objection = lambda _: None
        self.language: Language = language
        self.cache = PromptCache()
        self.models: tuple[str, ...] = ("test-model",)
        self.listing: Reply | None = None
        self.public_list = False
        self.count: Callable[[bytes], int] = quarter
        self.received: list[Received] = []
        self.problems: list[Exception] = []
        self.open_replies = 0
        self._changed = asyncio.Event()
        self.gate = Gate(self._changed)
        self._listener = Listener(self._handle)
        self.address = f"http://{HOST}:{self._listener.port}"

    @property
    def base_url(self) -> str:
        """Name the root that a client puts in its configuration."""
        return f"{self.address}/v1"

    @property
    def chats(self) -> list[Any]:
        """Parse the chat requests received so far, in order."""
        return [received.json() for received in self.received if received.is_chat]

    async def accept(self) -> None:
        """Accept connections (again), on the same port."""
        await self._listener.accept()

    async def refuse(self) -> None:
        """Drop every connection, and refuse connections until `accept`."""
        await self._listener.refuse()

    def release(self) -> None:
        """Let the replies that hang now send their rest."""
        self.gate.release()

    async def heard(self, count: int) -> None:
        """Wait until so many requests have arrived."""
        await self._until(lambda: len(self.received) >= count)

    async def hung(self, count: int = 1) -> None:
        """Wait until so many replies hang, which makes `release` sure to reach them."""
        await self._until(lambda: self.gate.hanging >= count)

    async def idle(self) -> None:
        """Wait until no reply is under way, because each was sent, cut or abandoned by its client."""
        await self._until(lambda: self.open_replies == 0)

    async def open(self) -> None:
        """Start listening; `model_server` does it for you."""
        await self._listener.open()

    async def close(self) -> None:
        """Let go of everything that hangs, and stop."""
        self.gate.close()
        await self._listener.close()

    async def _until(self, question: Callable[[], bool]) -> None:
        while not question():
            self._changed.clear()
            await self._changed.wait()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.content.read()
        received = Received(body, request.headers, len(self.received), request.method, request.path)
        self.received.append(received)
        self.open_replies += 1
        self._changed.set()
        try:
            return await Player(request, self.gate).play(self._wire(received))
        finally:
            self.open_replies -= 1
            self._changed.set()

    def _wire(self, received: Received) -> Wire:
        try:
            reply, asked = self._decide(received)
            return reply.wire(asked)
        except Exception as problem:  # noqa: BLE001 - the test's own mistake, raised when the server closes
            self.problems.append(problem)
            return Fails(500, None, f"the test's reply raised {problem!r}").wire(Asked({}, language=self.language))

    def _decide(self, received: Received) -> tuple[Reply, Asked]:
        plain = Asked({}, received.at_index, language=self.language)
        lists = (received.method, received.path) == MODELS
        denied = self._denial(received.headers)
        if denied and not (lists and self.public_list):
            return denied, plain
        if lists:
            return self.listing or Lists(self.models), plain
        if (received.method, received.path) != CHATS[self.language]:
            return Fails(404, None, f"Invalid URL ({received.method} {received.path})"), plain
        request = parse(received.body) if self.language == "openai" else scruples.parse(received.body)
        if isinstance(request, Fails):
            return request, plain
        asked = Asked(request, received.at_index, self.count(received.body), self.language)
        if refused := (self._objection(request) if self.strict else None) or self.objects(request):
            return refused, asked
        if self.language == "anthropic":
            read, written = self.cache.look(request)
            asked = replace(asked, cached_tokens=read, written_tokens=written)
        return self.script.pop(0) if self.script else self.answer(request), asked

    def _denial(self, headers: Mapping[str, str]) -> Fails | None:
        denial = _denial if self.language == "openai" else scruples.denial
        return denial(headers, self.key)

    def _objection(self, request: dict[str, Any]) -> Fails | None:
        return objection(request) if self.language == "openai" else scruples.objection(request)


@asynccontextmanager
async def model_server(
    *script: Reply, key: str | None = None, strict: bool = True, language: Language = "openai"
) -> AsyncIterator[ModelServer]:
    """Run a model server for a test; closing it waits for nobody, and raises `problems`."""
    server = ModelServer(*script, key=key, strict=strict, language=language)
    await server.open()
    try:
        yield server
    finally:
        await server.close()
    if server.problems:
        raise ExceptionGroup("the test's replies raised", server.problems)


def _denial(headers: Mapping[str, str], key: str | None) -> Fails | None:
    """Check the bearer token; like the real one, the refusal shows a masked form of what was given."""
    given = headers.get("Authorization")
    if key is None or given == f"Bearer {key}":
        return None
    if given is None:
        text = (
            "You didn't provide an API key. You need to provide your API key in an Authorization header "
            "using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
        )
        return Fails(401, None, text, kind="invalid_request_error")
    shown = given.removeprefix("Bearer ")
    masked = f"{shown[:3]}{'*' * max(0, len(shown) - 7)}{shown[-4:]}" if len(shown) > 7 else "***"
    text = f"Incorrect API key provided: {masked}. You can find your API key at https://platform.openai.com/account/api-keys."
    return Fails(401, "invalid_api_key", text, kind="invalid_request_error")
