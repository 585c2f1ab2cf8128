"""Run the bot until somebody stops it."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from pathlib import Path

from bot.config import LoadedConfig, load_config
from bot.domain.redaction import Redactor
from bot.edges import adapter_problems, machine, open_edges
from bot.logs import configure_logs
from bot.wiring import build

SWITCH_SECONDS = 0.0005


def run_bot(path: Path, data: str) -> int:
    """Start with a configuration file; return the exit status."""
    loaded = with_data(load_config(path, os.environ, adapter_problems), data)
    configure_logs(loaded.config.bot.log_level, Redactor.of(loaded.secrets), _log_file(loaded))
    asyncio.run(_run(loaded))
    return 0


def with_data(loaded: LoadedConfig, data: str) -> LoadedConfig:
    """Return the configuration with its data directory found: from the command line, or beside the file."""
    bot = loaded.config.bot
    base = loaded.path.parent if loaded.path else Path()
    directory = Path(data) if data else base / bot.data_dir
    bot = bot.model_copy(update={"data_dir": str(directory)})
    return LoadedConfig(loaded.config.model_copy(update={"bot": bot}), loaded.origins, loaded.secrets, loaded.path)


def _log_file(loaded: LoadedConfig) -> str:
    bot, console = loaded.config.bot, loaded.config.platforms.get("console")
    if bot.log_file or console is None or not console.enabled or not sys.stderr.isatty():
        return bot.log_file
    # people chat in this terminal: log lines between their words would help nobody
    directory = Path(bot.data_dir)
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(directory / "glassmind.log")


async def _run(loaded: LoadedConfig) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if stop.is_set():
            # asked twice: leave at once; what is stored is safe whenever the process ends
            os._exit(1)
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, on_signal)
    async with open_edges(loaded, machine()) as edges:
        app = build(edges, loaded)
        put_the_loop_first()
        await app.run(stop)


def put_the_loop_first() -> None:
    """Tune the interpreter for a loop that nobody should wait for: short waits for other threads, short collections."""
    # how long a thread may keep the interpreter while the loop asks for it; 5 ms each time unless somebody says so
    sys.setswitchinterval(SWITCH_SECONDS)
    # what the start has made stays, and walking it stalls everybody; there is no garbage in it worth a look
    gc.freeze()
    # our values are trees, so there is hardly a cycle to be found; looking less often costs nothing
    gc.set_threshold(10_000, 20, 20)
