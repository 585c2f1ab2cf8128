"""Threat g8: a provider's key is in no log line at DEBUG, on no screen and in no file, whatever goes wrong."""

from __future__ import annotations

import asyncio
import base64
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest

from bot.runtime.logs import configure_logs
from bot.text.redaction import Redactor
from tests.dialogs.online import model_config, online
from tests.fakes.logs import plain_logs
from tests.servers.model import Cut, Drops, Fails, Garbage, Hangs, Language, NotHttp, Reply, Says, model_server

KEY = "sk-canary-0123456789abcdefghijKLMNOP"
SPELT = (KEY, base64.b64encode(KEY.encode()).decode(), KEY.encode().hex(), KEY[8:30])
REPLIES: dict[str, Reply] = {
    "answers": Says("hello"),
    "says the key": Says(f"your key is {KEY} and Bearer {KEY}"),
    "refuses and repeats the key": Fails(401, "invalid_api_key", f"Incorrect API key provided: {KEY}."),
    "asks for money and repeats the key": Fails(402, message=f"No credit on {KEY}"),
    "is overloaded": Fails(529, message=f"try later, {KEY}", retry_after=0.01),
    "shows a page with the key": Garbage(f"<html>Authorization: Bearer {KEY}".encode(), 502, "text/html"),
    "streams garbage with the key": Garbage(f'data: {{"x": "{KEY}"\n\n'.encode()),
    "breaks off": Cut(40, Says(KEY)),
    "closes at once": Drops(),
    "does not speak HTTP": NotHttp(f"{KEY}".encode()),
    "hangs": Hangs(),
}
LOOKS = ("why", "why isn't this responding", "last", "context", "export", "ledger", "doctor")


@contextmanager
def logged() -> Iterator[StringIO]:
    """Keep whatever is logged while a bot runs."""
    root, level, hook, stderr = (
        list(logging.getLogger().handlers),
        logging.getLogger().level,
        sys.excepthook,
        sys.stderr,
    )
    shown = sys.stderr = StringIO()
    try:
        configure_logs("debug", Redactor.of({"providers.openai.api_key": KEY}))
        yield shown
    finally:
        sys.excepthook, sys.stderr = hook, stderr
        logging.getLogger().handlers[:] = root
        logging.getLogger().setLevel(level)
        plain_logs()


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


async def leaks(directory: Path, how: str, language: Language) -> list[str]:
    """Let a service answer so, have everything looked at, and name the places where the key stands."""
    kind = f'kind = "{language}"'
    config = model_config(retries=1, language=language).replace(kind, f'{kind}\napi_key = "{KEY}"')
    quick = {"api_key": KEY, "first_token_timeout": 0.2, "between_tokens_timeout": 0.2}
    with logged() as stream:
        async with model_server(language=language) as server:
            server.answer = lambda _: REPLIES[how]
            async with online(directory / "data", server, config, **quick) as bot:
                await bot.says("ann", "@glassmind hello")
                for look in LOOKS:
                    await bot.says("root", f"!cortex {look}")
                await bot.app.settled()
                said = "\n".join(bot.lines)
            assert any(KEY in str(request.headers) for request in server.received)
    written = await asyncio.to_thread(contents, directory)
    assert any(name.endswith("-context.json") for name in written)
    # what a model said is kept byte for byte, and redacted wherever it is shown
    kept = {name: content for name, content in written.items() if how != "says the key" or name.endswith(".json")}
    places = {"said": said.encode(), "logged": stream.getvalue().encode(), **kept}
    return [f"{name}: {secret}" for name, text in places.items() for secret in SPELT if secret.encode() in text]


@pytest.mark.parametrize(
    ("how", "language"), [(how, ("openai", "anthropic")[number % 2]) for number, how in enumerate(REPLIES)]
)
async def test_the_key_stays_where_it_is(tmp_path: Path, how: str, language: Language):
    """Each in one language; `make faults FAMILY=R23` plays all in both."""
    assert await leaks(tmp_path, how, language) == []


OTHER = "purple-elephant-walks-9876543210"
"""The key of a second service: the first one's adapter does not know it."""
ANOTHER = f"""
[providers.spare]
kind = "openai"
base_url = "http://127.0.0.1:9/v1"
api_key = "{OTHER}"
"""


@pytest.mark.parametrize(
    "reply", [Fails(401, message=f"no such key: {OTHER}"), Garbage(OTHER.encode(), 502)], ids=["refusal", "page"]
)
async def test_what_a_service_says_of_another_ones_key_is_in_no_record(tmp_path: Path, reply: Reply):
    async with model_server(language="openai") as server:
        server.answer = lambda _: reply
        async with online(tmp_path / "data", server, model_config(ANOTHER, retries=1), api_key=KEY) as bot:
            await bot.says("ann", "@glassmind hello")
            for look in LOOKS:
                await bot.says("root", f"!cortex {look}")
            await bot.app.settled()
            said = "\n".join(bot.lines)
    assert "[redacted:providers.spare.api_key:" in said
    assert OTHER not in said
    for name, content in (await asyncio.to_thread(contents, tmp_path)).items():
        assert OTHER.encode() not in content, name
