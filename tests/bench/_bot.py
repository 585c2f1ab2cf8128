"""A whole bot as it runs in life: real clock, real store, the OpenAI adapter; only the terminal is not printed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from bot.app.adapters import machine, open_edges
from bot.app.bot import Bot
from bot.cli.run_bot import keep_one_heap, loop_first
from bot.config import parse_config
from bot.runtime.logs import configure_logs
from bot.text.redaction import Redactor

CONFIG = """
[bot]
data_dir = "{data}"
log_level = "warning"
{persona}
[model]
name = "openai/gpt-5-mini"
context_window = 2000000
max_output_tokens = 4096
[providers.openai]
kind = "openai"
base_url = "{url}"
api_key = "sk-0123456789abcdef0123"
[platforms.console]
owner_ids = [1]
names = ["glassmind"]
people = {{ root = 1, ann = 101 }}
default_mode = "{mode}"
[conversation]
debounce = 0
[limits]
user_per_minute = 0
channel_per_minute = 0
"""


@dataclass(frozen=True)
class Setup:
    """What differs from measurement to measurement."""

    data: Path
    url: str = "http://127.0.0.1:9/v1"
    persona: str = ""
    mode: str = "mention_only"
    more: str = ""


@dataclass
class Bench:
    """A running bot, and a way to talk to it."""

    app: Bot
    console: Any
    screen: StringIO = field(default_factory=StringIO)

    async def says(self, text: str) -> None:
        """Say something to the bot and wait until it has answered and come to rest."""
        with redirect_stdout(self.screen):
            await self.console.type(f"[#general] ann> @glassmind {text}", self.app.manager)
            await self.app.settled()


@asynccontextmanager
async def a_bot(setup: Setup) -> AsyncIterator[Bench]:
    """Start a bot, and close it."""
    persona = f'persona = "{setup.persona}"' if setup.persona else ""
    text = CONFIG.format(data=setup.data, url=setup.url, persona=persona, mode=setup.mode) + setup.more
    loaded = parse_config(text, {})
    configure_logs(loaded.config.bot.log_level, Redactor.of(loaded.secrets))
    keep_one_heap()
    async with open_edges(loaded, machine()) as edges:
        app = Bot(edges, loaded)
        async with loop_first(edges.clock):
            await app.start()
            yield Bench(app, edges.platforms["console"])
            await app.close("the measurement is over")
