"""A bot whose model answers over a real socket: the real client here, a server that follows a script there."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.anthropic import create as anthropic
from adapters.openai import create as openai
from bot.ports.model import LLMProvider
from tests.dialogs.bot import Bot, a_bot
from tests.servers.model import Language, ModelServer

CREATE = {"openai": openai, "anthropic": anthropic}
MODEL = """
[providers.{language}]
kind = "{language}"
[model]
name = "{language}/test-model"
context_window = 128000
max_output_tokens = 1000
retries = {retries}
retry_wait = 0.01
cool_down = 0.5
rounds = 4
{model}
"""


def model_config(more: str = "", *, model: str = "", retries: int = 1, language: Language = "openai") -> str:
    """Write the tables of a bot that asks the server; `model` are further keys of `[model]`."""
    return MODEL.format(retries=retries, model=model, language=language) + more


def client_of(server: ModelServer, **client: Any) -> LLMProvider:
    """Make the real client of a server; `client` are the provider's own keys."""
    return CREATE[server.language](server.language, {"base_url": server.base_url, **client})


@asynccontextmanager
async def online(data: Path, server: ModelServer, more: str = "", **client: Any) -> AsyncIterator[Bot]:
    """Run a bot on a model server; `more` is further configuration, `client` the provider's own keys."""
    provider, language = client_of(server, **client), server.language
    try:
        async with a_bot(data, providers={language: provider}, more=more or model_config(language=language)) as bot:
            yield bot
    finally:
        await provider.close()


async def types_on(bot: Bot, line: str) -> None:
    """Type a line and go on at once, as people do who do not wait for answers."""
    await bot.console.type(line, bot.app.manager)


class Stopwatch:
    """Real time, for the few promises that are made in it."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0

    def __enter__(self) -> Stopwatch:
        self._began = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._began
