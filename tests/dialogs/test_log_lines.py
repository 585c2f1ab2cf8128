"""The log knows the bot: a line for each turn, fault, alert, fix and refusal, and no words of people in any."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import orjson
import pytest
import structlog

from bot.runtime.logs import configure_logs
from bot.text.redaction import Redactor
from tests.dialogs.chat_bot import labels_of
from tests.dialogs.online import online
from tests.dialogs.served import BOTS, Stage, a_stage
from tests.fakes.logs import plain_logs
from tests.servers.discord import Refuses as NotHere
from tests.servers.model import Calls, Fails, Garbage, Reply, Says, model_server
from tests.servers.telegram import Refuses as NotThere

CANARY = "zyzzyva"
"""Stands in everything that people, models and services say; in no line of the log."""
WORDS: list[Reply] = [
    Says(f"the answer {CANARY}"),
    Calls([("memory_save", f'{{"text": "ann likes {CANARY}", "about": "ann"}}')]),
    Says(f"saved {CANARY}"),
    Calls([("memory_recall", f'{{"query": "{CANARY}"}}'), (f"no_such_{CANARY}", f'{{"{CANARY}": 1}}')]),
    Says(f"found {CANARY}"),
    Calls([("skip", f'{{"reason": "because of {CANARY}", "category": "nothing_to_add"}}')]),
    Fails(400, message=f"I do not like {CANARY}"),
    Fails(401, message=f"who is {CANARY}"),
    Fails(500, message=f"broke at {CANARY}"),
    Garbage(f"<html>{CANARY}".encode(), kind="text/html"),
    Garbage(f"data: {CANARY}\n\n".encode(), kind="text/event-stream"),
]


@contextmanager
def logged(monkeypatch: Any, level: str) -> Iterator[StringIO]:
    """Log as a running program does."""
    root, written = logging.getLogger(), StringIO()
    handlers, before = root.handlers[:], root.level
    monkeypatch.setattr("sys.stderr", written)
    monkeypatch.setattr("sys.excepthook", __import__("sys").excepthook)
    configure_logs(level, Redactor.of({}))
    try:
        yield written
    finally:
        root.handlers[:] = handlers
        root.setLevel(before)
        structlog.contextvars.clear_contextvars()
        plain_logs()


def lines(written: StringIO) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in written.getvalue().splitlines()]


def of(written: StringIO, event: str) -> list[dict[str, Any]]:
    return [line for line in lines(written) if line["event"] == event]


async def play(it: Stage) -> None:
    """Talk until the model has said everything that it can, and let the owner look at it."""
    it.server.script += WORDS
    for _ in range(9):
        await it.asks(f"tell me of {CANARY}")
        await it.bot.settled()
    for question in ("why", f"why is {CANARY} so", "doctor", f"memory search {CANARY}"):
        await it.told(question)
        await it.bot.settled()


@pytest.mark.parametrize("platform", BOTS)
@pytest.mark.parametrize("level", ["debug", "info"])
async def test_no_words_of_anybody_are_logged(tmp_path, monkeypatch, platform, level):
    with logged(monkeypatch, level) as written:
        async with a_stage(tmp_path / "data", platform) as it:
            setattr(it.bot.ann, "first_name" if platform == "telegram" else "display", f"Ann {CANARY}")
            await play(it)
            assert CANARY in "\n".join(it.bot.texts())
    assert not [line for line in written.getvalue().splitlines() if CANARY in line]
    assert all(line["correlation"] for line in lines(written))


@pytest.mark.parametrize("platform", BOTS)
async def test_each_turn_and_each_fault_has_its_line(tmp_path, monkeypatch, platform):
    with logged(monkeypatch, "info") as written:
        async with a_stage(tmp_path / "data", platform) as it:
            it.server.script += [Says("hello"), Fails(401)]
            for _ in range(2):
                await it.asks()
                await it.bot.settled()
            channel = it.key.channel
    good, bad = of(written, "turn")
    assert (good["channel"], good["outcome"], good["code"], good["rounds"]) == (channel, "replied", "", 1)
    assert good["tokens_in"] > 0 and good["tokens_out"] > 0 and good["ms"] >= 0 and good["turn"].startswith("t")
    assert (bad["outcome"], bad["code"]) == ("failed", "provider:auth")
    (fault,) = of(written, "model_fault")
    assert (fault["provider"], fault["fault"], fault["status"]) == ("openai", "auth", 401)
    assert fault["correlation"] == bad["correlation"] != good["correlation"]
    assert {line["platform"] for line in of(written, "alert")} == {platform}


@pytest.mark.parametrize("platform", BOTS)
async def test_a_refusal_of_authority_has_its_line(tmp_path, monkeypatch, platform):
    with logged(monkeypatch, "info") as written:
        async with a_stage(tmp_path / "data", platform) as it:
            bot = it.bot
            words = f"!cortex why {CANARY}"
            if bot.name == "telegram":
                bot.say(bot.ann, words)
            else:
                await bot.says(bot.ann, words)
            await bot.settled()
            user = str(bot.ann.id)
    (line,) = of(written, "refused")
    assert (line["what"], line["user"]) == ("cortex", user) and line["correlation"] != "-"
    assert CANARY not in written.getvalue()


@pytest.mark.parametrize("level", ["debug", "info"])
async def test_nor_on_the_terminal(tmp_path, monkeypatch, level):
    with logged(monkeypatch, level) as written:
        async with model_server(*WORDS) as server, online(tmp_path, server) as bot:
            for _ in range(9):
                await bot.says("ann", f"@glassmind tell me of {CANARY}")
            for question in ("why", f"why is {CANARY} so", f"memory search {CANARY}"):
                await bot.says("root", f"!cortex {question}")
            assert CANARY in "\n".join(bot.lines)
    assert not [line for line in written.getvalue().splitlines() if CANARY in line]
    assert len(of(written, "turn")) >= 9


@pytest.mark.parametrize("platform", BOTS)
async def test_a_fix_has_its_line_and_so_has_a_press_of_somebody_else(tmp_path, monkeypatch, platform):
    with logged(monkeypatch, "info") as written:
        async with a_stage(tmp_path / "data", platform) as it:
            bot = it.bot
            it.server.script += [Says("hello")]
            await it.asks()
            await bot.settled()
            channel = it.key.channel
            await it.told("fix new")
            await bot.settled()
            offer = [one for one in bot.written(bot.dm(bot.root)) if labels_of(one, "")][-1]
            (label, *_) = labels_of(offer, "")
            await bot.presses(bot.ann, label, offer)
            await bot.presses(bot.root, label, offer)
            root, ann = str(bot.root.id), str(bot.ann.id)
    (refused,) = [line for line in of(written, "refused") if line["user"] == ann]
    assert refused["what"] == "press"
    (fix,) = of(written, "fix")
    assert (fix["what"], fix["channel"], fix["user"]) == ("done", channel, root)
    assert fix["correlation"].startswith("a") and all(line["correlation"] for line in lines(written))


@pytest.mark.parametrize("platform", BOTS)
async def test_a_platform_that_takes_no_message_has_its_lines(tmp_path, monkeypatch, platform):
    with logged(monkeypatch, "info") as written:
        async with a_stage(tmp_path / "data", platform, streaming=False) as it:
            bot = it.bot
            it.server.script += [Says("hello")]
            if platform == "telegram":
                bot.server.fault("sendMessage", NotThere(403, f"Forbidden: {CANARY}"), times=9)
            else:
                bot.server.fault("create_message", NotHere(403, 50013, CANARY), times=9)
            await it.asks()
            await bot.settled()
            channel = it.key.channel
    fault, lost, turn = of(written, "platform_fault")[0], of(written, "not_delivered")[0], of(written, "turn")[0]
    assert (fault["platform"], fault["channel"]) == (platform, channel) and fault["code"]
    assert (lost["channel"], lost["code"], lost["uncertain"]) == (channel, fault["code"], False)
    assert fault["correlation"] == lost["correlation"] == turn["correlation"] != "-"
    assert CANARY not in written.getvalue()


async def test_a_platform_that_is_heard_no_more_has_its_line_and_so_has_its_return(tmp_path, monkeypatch):
    with logged(monkeypatch, "info") as written:
        async with a_stage(tmp_path / "data", "telegram") as it:
            watching = asyncio.get_running_loop().create_task(it.bot.app.watch.run())
            it.bot.server.fault("getUpdates", NotThere(500, "Internal Server Error"), times=15)
            await it.passes(1800)
            watching.cancel()
            await asyncio.wait([watching])
    gone, back, *_ = of(written, "platform_hears")
    assert gone["platform"] == back["platform"] == "telegram"
    assert (gone["hearing"], gone["code"], back["hearing"]) == ("partly", "network", "well")
    assert all(line["correlation"] for line in lines(written))
