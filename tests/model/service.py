"""The model service that is played against, and the whole bot in front of it, in real time and with patience."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from adapters.openai import create as openai
from adapters.system import SystemClock, SystemEntropy
from adapters.tiktoken import create as counter
from bot.domain.dialect import Dialect
from bot.domain.health import ProbeResult
from bot.domain.llm import LLMRequest, LLMResponse, WireRequest
from bot.errors import ProviderError
from bot.ports.model import LLMProvider, OnText
from tests.dialogs.bot import GENERAL, Bot

PROVIDER = "real"
SECONDS = 3600
"""What every limit of time is set to: a small model on a processor reads a prompt for minutes."""
CONFIG = """
[providers.real]
kind = "openai"
base_url = "{url}"
[model]
name = "real/{name}"
context_window = {window}
max_output_tokens = {output}
retries = 0
rounds = 4
cool_down = 0.01
turn_timeout = {seconds}
[memory]
bulletin_words = 100
[cortex]
seconds = {seconds}
rounds = 4
per_minute = 1000
proof_runs = 20
context_window = {window}
[work]
branch_seconds = {seconds}
worker_seconds = {seconds}
[compaction]
seconds = {seconds}
{more}
"""


@dataclass(frozen=True)
class Service:
    """Where the model is, from the environment: MODEL_URL, MODEL_NAME, and maybe the rest."""

    url: str
    name: str
    key: str = ""
    note: str = ""
    window: int = 8192
    output: int = 512
    max_tokens_field: str = "max_tokens"

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Service:
        """Read it; raise KeyError for what is missing."""
        return cls(
            url=environ["MODEL_URL"],
            name=environ["MODEL_NAME"],
            key=environ.get("MODEL_KEY", ""),
            note=environ.get("MODEL_NOTE", ""),
            window=int(environ.get("MODEL_WINDOW", "8192")),
            output=int(environ.get("MODEL_OUTPUT", "512")),
            max_tokens_field=environ.get("MODEL_MAX_TOKENS_FIELD", "max_tokens"),
        )

    def provider(self, dialect: Sequence[str] = ()) -> LLMProvider:
        """Make the adapter that the bot uses, with the patience that a slow model needs."""
        settings = {
            "base_url": self.url,
            "max_tokens_field": self.max_tokens_field,
            "dialect": [*dialect],
            "first_token_timeout": SECONDS,
            "between_tokens_timeout": SECONDS,
            **({"api_key": self.key} if self.key else {}),
        }
        return openai(PROVIDER, settings)

    def config(self, more: str = "") -> str:
        """Write what the bot's configuration has beside the usual."""
        return CONFIG.format(
            url=self.url, name=self.name, window=self.window, output=self.output, seconds=SECONDS, more=more
        )


class Answered(NamedTuple):
    """One request that was answered: how long it took, in how many pieces it came, the text that streamed."""

    response: LLMResponse
    seconds: float
    first: float
    pieces: int
    streamed: str

    @property
    def is_whole(self) -> bool:
        """Whether what streamed is what was answered."""
        return self.streamed == self.response.text


class Told:
    """Says how it goes on, a line for each request: nobody watches a slow model in silence."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet

    def say(self, line: str) -> None:
        """Print a line at once."""
        if not self._quiet:
            print(line, flush=True)


@dataclass
class Listened:
    """A service of which every answer is kept and told. Implements `bot.ports.model.LLMProvider`."""

    inner: LLMProvider
    told: Told
    answers: list[Answered] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        # whatever else a service has that the bot asks for
        return getattr(self.inner, name)

    def encode(self, request: LLMRequest, dialect: Dialect | None = None) -> WireRequest:
        return self.inner.encode(request, dialect)

    async def complete(self, wire: WireRequest, on_text: OnText) -> LLMResponse:
        began, pieces = time.monotonic(), list[tuple[float, str]]()

        def heard(text: str) -> None:
            pieces.append((time.monotonic() - began, text))
            on_text(text)

        try:
            response = await self.inner.complete(wire, heard)
        except ProviderError as error:
            self.failures.append(f"{error.fault.value}: {error}")
            self.told.say(f"      failed after {time.monotonic() - began:.1f} s: {error}")
            raise
        seconds = time.monotonic() - began
        first = pieces[0][0] if pieces else seconds
        found = Answered(response, seconds, first, len(pieces), "".join(text for _, text in pieces))
        self.answers.append(found)
        self.told.say(f"      {_line(found)}")
        return response

    async def probe(self) -> Sequence[ProbeResult]:
        return await self.inner.probe()

    async def close(self) -> None:
        await self.inner.close()


def _line(found: Answered) -> str:
    usage = found.response.usage
    calls = ", ".join(call.name for call in found.response.calls)
    what = f"calls {calls}" if calls else f"{found.response.text[:60]!r}"
    cached = "" if usage.cached is None else f" ({usage.cached} cached)"
    return f"{found.seconds:.1f} s, {usage.input} in{cached}, {usage.output} out, {found.pieces} pieces: {what}"


class _Clock(SystemClock):
    """Real time; whoever moves it moves nothing."""

    def advance(self, seconds: float) -> None:
        """Do nothing."""


@dataclass
class Stage:
    """A running bot with a real model."""

    bot: Bot
    model: Listened
    told: Told

    async def says(self, name: str, text: str) -> list[str]:
        """Let somebody say something in the channel; return what was printed until everything had settled."""
        self.told.say(f"    {name}> {text[:100]}")
        lines = await self.bot.says(name, text)
        for line in self.replies(lines):
            self.told.say(f"    < {line[:160]}")
        return lines

    @staticmethod
    def replies(lines: Sequence[str]) -> list[str]:
        """Return what the bot said in the channel."""
        return [line.partition("glassmind< ")[2] for line in lines if line.startswith("[#general] glassmind< ")]

    async def outcome(self) -> str:
        """Return what became of the newest message."""
        (newest,) = await self.bot.store.ledger.recent(GENERAL, 1)
        return newest.outcome.value if newest.outcome else "none"


@asynccontextmanager
async def a_stage(
    data: Path, service: Service, told: Told, more: str = "", dialect: Sequence[str] = ()
) -> AsyncIterator[Stage]:
    """Run a bot with a store of its own."""
    model = Listened(service.provider(dialect), told)
    bot = Bot(
        data=data,
        clock=_Clock(),  # type: ignore[arg-type]
        entropy=SystemEntropy(),  # type: ignore[arg-type]
        providers={PROVIDER: model},
        counter=counter({}),
        more=service.config(more),
    )
    await bot.open()
    try:
        yield Stage(bot, model, told)
    finally:
        await bot.close()
        await model.close()
