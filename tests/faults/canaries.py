"""Secrets of a bot, put wherever they might slip out, in every spelling in which they travel; nowhere may they show."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import random
import string
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from pydantic import SecretStr

from adapters.openai import create as openai
from bot.cli.host_queries import HostAnswer
from bot.cli.main import run
from bot.cli.mcp import InspectorDoctorArgs, InspectorEndpoint
from bot.cli.run_bot import with_data
from bot.config import load_config, parse_config
from bot.domain.base import canonical_json
from bot.runtime.logs import configure_logs
from bot.text.redaction import Redactor
from tests.bot.text.test_redaction import ENCODINGS, core
from tests.dialogs.bot import CONFIG, Bot, a_bot
from tests.fakes.logs import plain_logs
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.servers.model import Fails, model_server

_CHANCE = random.Random(20_261_122)
_PLAIN = string.ascii_letters + string.digits
_ODD = _PLAIN + "-_+/=!?#&%$\\'<>"
SECRETS = {
    f"secret{number}": "kqzQ"[number % 4]
    + "".join(_CHANCE.choices(_ODD if number % 3 == 0 else _PLAIN, k=_CHANCE.randrange(8, 64)))
    + "x"
    for number in range(40)
}
"""Keys as services give them, and every third with all that a header can carry."""
NAMES = tuple(f"providers.p{number}.api_key" for number in range(len(SECRETS)))
VALUES = dict(zip(NAMES, SECRETS.values(), strict=True))
_TABLES = "".join(
    f'[providers.p{number}]\nkind = "openai"\napi_key = {canonical_json(value)}\n'
    for number, value in enumerate(SECRETS.values())
)
_MODEL = """
[providers.scripted]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
retries = 0
rounds = 4
[cortex]
per_minute = 1000
"""
_REFUSED = '[model]\nname = "p0/m"\nretries = 0\n[cortex]\nper_minute = 1000\n'
MORE = _MODEL + _TABLES
_AT_ONCE = 10
"""Secrets in one message."""
_PIECE = 14
"""Characters; of a secret that is cut, no end of this length may be left either."""
_LOOKS = (
    *("why", "last", "context", "export", "ledger", "memory", "memory search walrus", 'find "walrus"', "doctor"),
    *("diff", "cache", "gap", "usage", "tools", "audit", "what happened here?"),
)
_HOST = (["status"], ["why", "#general"], ["why", "--all"], ["ledger", "#general"], ["context", "#general"], ["diff"])
_MCP = (
    ("list_channels", {}),
    ("read_context", {"channel": "#general", "part": "dump"}),
    ("read_context", {"channel": "#general", "part": "history"}),
    ("ledger", {"target": "#general"}),
    ("why", {"target": "#general"}),
    ("diff", {"channel": "#general"}),
    ("find", {"channel": "#general", "words": "walrus"}),
    ("usage", {"channel": "#general"}),
)


@dataclass
class Seen:
    """Everything that somebody may read afterwards, by the place where it stood."""

    places: dict[str, list[str]] = field(default_factory=dict)

    def add(self, place: str, text: str) -> None:
        self.places.setdefault(place, []).append(text)

    def leaks(self, kind: str) -> list[str]:
        """Name the secrets that can be read somewhere, with the place: whole, in a spelling, or a long end of one."""
        wholes = {place: "\n".join(texts) for place, texts in self.places.items()}
        found = []
        for name, secret in VALUES.items():
            for place, text in wholes.items():
                if any(form in text for form in _forms(secret, kind)):
                    found.append(f"{name} as {kind} in {place}")
        return found


def _forms(secret: str, kind: str) -> set[str]:
    spelt = core(kind, ENCODINGS[kind](secret))
    forms = {secret, spelt, orjson.dumps(secret).decode()[1:-1], orjson.dumps(spelt).decode()[1:-1]}
    if len(secret) >= 2 * _PIECE and kind == "plain":
        forms |= {secret[:_PIECE], secret[-_PIECE:]}
    return forms


def spelt(kind: str) -> list[str]:
    """Return texts that hold all secrets in a spelling, a few each."""
    texts = [ENCODINGS[kind](secret) for secret in SECRETS.values()]
    return [" ; ".join(texts[at : at + _AT_ONCE]) for at in range(0, len(texts), _AT_ONCE)]


@contextmanager
def logs(seen: Seen, place: str = "log") -> Iterator[None]:
    """Keep whatever is logged at DEBUG, by us and by the libraries."""
    root, level, hook = list(logging.getLogger().handlers), logging.getLogger().level, sys.excepthook
    out = io.StringIO()
    try:
        with redirect_stderr(out):
            configure_logs("debug", Redactor.of(VALUES))
            yield
    finally:
        logging.getLogger().handlers[:] = root
        logging.getLogger().setLevel(level)
        sys.excepthook = hook
        plain_logs()
        seen.add(place, out.getvalue())


# where they are put


async def log_event(kind: str, directory: Path) -> Seen:
    import structlog

    seen = Seen()
    with logs(seen):
        for text in spelt(kind):
            structlog.get_logger("bot.x").debug("said", text=text, deep={"a": [text, {"b": text}], text: 1})
            structlog.get_logger("bot.x").error(text, exc_info=ValueError(text))
    return seen


async def log_of_a_library(kind: str, directory: Path) -> Seen:
    seen = Seen()
    with logs(seen):
        for text in spelt(kind):
            for name in ("discord.http", "telegram.ext", "aiohttp.client", "httpx", "asyncio"):
                logging.getLogger(name).warning("sent %s to %r", text, {"x": text})
                logging.getLogger(name).debug(text)
    return seen


async def traceback(kind: str, directory: Path) -> Seen:
    """What nobody caught, with a cause and values."""
    seen = Seen()
    with logs(seen):
        for text in spelt(kind):
            try:
                try:
                    raise OSError(5, text, text)
                except OSError as error:
                    raise RuntimeError(f"while asking {text}") from error
            except RuntimeError as error:
                logging.getLogger("bot").exception("broke")
                sys.excepthook(type(error), error, error.__traceback__)
    return seen


async def broken_provider(kind: str, directory: Path) -> Seen:
    """An exception of which nobody knows what it holds, in the middle of a turn."""
    steps = [RuntimeError(f"broke: {text}") for text in spelt(kind)]
    return await _life(directory, ScriptedProvider(*steps), ["hello"] * len(steps), kept=True)


async def refusal(kind: str, directory: Path) -> Seen:
    """Services that repeat the key that they were shown, in the words of their refusal; each has a channel."""
    seen, keys = Seen(), list(SECRETS.values())
    tables = "".join(
        f'[providers.p{n}]\nkind = "openai"\n[channels."console:#c{n}"]\nmodel = "p{n}/m"\n' for n in range(len(keys))
    )
    with logs(seen):
        async with model_server(language="openai") as server, AsyncExitStack() as stack:
            providers = {}
            for n, key in enumerate(keys):
                providers[f"p{n}"] = openai(f"p{n}", {"base_url": server.base_url, "api_key": SecretStr(key)})
                stack.push_async_callback(providers[f"p{n}"].close)
            async with a_bot(directory / "data", providers=providers, more=_REFUSED + tables) as bot:
                for n, key in enumerate(keys):
                    words = f"Incorrect key {ENCODINGS[kind](key)} given"
                    server.answer = lambda _, words=words: Fails(401, "invalid_api_key", words)
                    await bot.says("ann", "@glassmind hello", f"#c{n}")
                for look in ("why", "ledger"):
                    for n in range(0, len(keys), 5):
                        await bot.says("root", f"!cortex {look}", f"#c{n}")
                seen.add("chat", "\n".join(bot.lines))
    assert "invalid_api_key" in "".join(seen.places["log"]) or "401" in "".join(seen.places["chat"])
    _files(directory, seen, kept=True)
    return seen


async def message(kind: str, directory: Path) -> Seen:
    return await _life(directory, ScriptedProvider(says("walrus")), [f"walrus {text}" for text in spelt(kind)])


async def answer(kind: str, directory: Path) -> Seen:
    steps = [says(f"the walrus says {text} and goes") for text in spelt(kind)]
    return await _life(directory, ScriptedProvider(*steps), ["hello"] * len(steps))


async def memory(kind: str, directory: Path) -> Seen:
    """What a model remembers, and what it puts into calls that are refused."""
    steps: list[Any] = []
    for text in spelt(kind):
        kept = {"content": f"walrus {text}", "type": "fact"}
        asked = {"query": text, "x": text}
        steps += [calls(("memory_save", kept), ("memory_recall", asked), ("skip", text)), says("ok")]
    return await _life(directory, ScriptedProvider(*steps), ["remember"] * (len(steps) // 2))


async def question(kind: str, directory: Path) -> Seen:
    """What an admin pastes into a question."""
    forms = ("why is {} not working", 'find "{}"', "memory search {}")
    asked = [f"!cortex {form.format(text)}" for text in spelt(kind) for form in forms]
    return await _life(directory, ScriptedProvider(says("walrus")), ["walrus"], asked=asked)


async def configuration(kind: str, directory: Path) -> Seen:
    """What stands in the file, and in one that is broken."""
    seen = Seen()
    path = directory / "config.toml"
    broken = "".join(f"[providers.q{n}]\nkind = {canonical_json(text)}\n" for n, text in enumerate(spelt(kind)))
    looks = (["config", "explain"], ["config", "explain", "--json"], ["config", "check"], ["doctor", "--json"])
    for text in (MORE, MORE + broken, MORE + f"[bot]\n{broken[:40]}\nx = {canonical_json(spelt(kind)[0])}"):
        path.write_text("[platforms.console]\nowner_ids = [1]\n" + text)
        path.chmod(0o600)
        for words in looks:
            await asyncio.to_thread(_typed, [*words, "--config", str(path)], seen, "host")
    loaded = parse_config(CONFIG.format(data=directory, ambient=1, more=MORE), {})
    seen.add("repr", repr((loaded, Redactor.of(loaded.secrets))).replace(repr(loaded.config), ""))
    return seen


async def host(kind: str, directory: Path) -> Seen:
    """What the commands of the host say of a talk that holds them all."""
    await message(kind, directory)
    seen = Seen()
    path = _written(directory)
    for words in _HOST:
        for more in ([], ["--json"]):
            typed = [*words, *more, "--config", str(path), "--data", str(directory / "data")]
            await asyncio.to_thread(_typed, typed, seen, "host")
    await asyncio.to_thread(
        _typed, ["export", "#general", "--config", str(path), "--data", str(directory / "data")], seen, "host"
    )
    _files(directory, seen, kept=False)
    return seen


async def editor(kind: str, directory: Path) -> Seen:
    """What an editor is told of it."""
    await message(kind, directory)
    seen = Seen()

    async def nothing(args: InspectorDoctorArgs) -> HostAnswer:
        return HostAnswer("\n".join(spelt(kind)), {"rows": spelt(kind), **dict.fromkeys(spelt(kind), 1)})

    with logs(seen):
        loaded = with_data(load_config(_written(directory), {}), str(directory / "data"))
        desk = InspectorEndpoint(loaded, nothing)
        finds = (("find", {"channel": "#general", "words": text}) for text in spelt(kind))
        for name, args in (*_MCP, ("doctor", {}), *finds):
            told = await desk.ask(name, args)
            seen.add("editor", told.text + orjson.dumps(told.value).decode())
    return seen


PLACES: Mapping[str, Callable[[str, Path], Any]] = {
    "log": log_event,
    "library": log_of_a_library,
    "traceback": traceback,
    "provider": broken_provider,
    "refusal": refusal,
    "message": message,
    "answer": answer,
    "memory": memory,
    "question": question,
    "configuration": configuration,
    "host": host,
    "editor": editor,
}


# who lives, and who looks


async def _life(
    directory: Path, provider: ScriptedProvider, said: Sequence[str], *, asked: Sequence[str] = (), kept: bool = False
) -> Seen:
    """Let people talk and an admin look. `kept`: nobody but the bot had them, so that they stand in no file either."""
    seen = Seen()
    with logs(seen):
        async with a_bot(directory / "data", providers={"scripted": provider}, more=MORE) as bot:
            for text in said:
                await bot.says("ann", f"@glassmind {text}")
            before = len(bot.lines)
            for line in asked:
                await bot.says("root", line)
            await _look(bot, seen)
            ours = [line for line in bot.lines[:before] if "ann>" not in line] + bot.lines[before:]
            seen.add("chat", "\n".join(ours))
    _files(directory, seen, kept=kept)
    return seen


async def _look(bot: Bot, seen: Seen) -> None:
    for look in _LOOKS:
        await bot.says("root", f"!cortex {look}")
    await bot.app.settled()
    seen.add("cortex", "\n".join(bot.private()))


def _files(directory: Path, seen: Seen, *, kept: bool) -> None:
    """Take the files: exports, and where nobody said a secret, the store too."""
    for path in sorted(directory.rglob("*")):
        if path.is_file() and (kept or "context" in path.parts) and path.name != "config.toml":
            seen.add(f"file {path.suffix}", path.read_bytes().decode("utf-8", "replace"))


def _written(directory: Path) -> Path:
    path = directory / "config.toml"
    path.write_text("[platforms.console]\nowner_ids = [1]\n" + MORE)
    path.chmod(0o600)
    return path


def _typed(words: list[str], seen: Seen, place: str) -> None:
    out, before, masked = io.StringIO(), dict(os.environ), os.umask(0o077)
    try:
        with redirect_stdout(out), redirect_stderr(out):
            run(words)
    finally:
        os.umask(masked)
        os.environ.clear()
        os.environ.update(before)
        plain_logs()
    seen.add(place, out.getvalue())
