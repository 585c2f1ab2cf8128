"""A message that the service's filter refuses: the newest is refused alone, an earlier one is found and left out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialogs.online import model_config, online
from tests.servers.model import Fails, Reply, Says, model_server

CONFIG = model_config(retries=0, model="").replace("cool_down = 0.5", "cool_down = 60")
FILTERED = Fails(
    400,
    "content_filter",
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
)
MARK = "xyzzy"


def filtering(request: dict[str, Any]) -> Reply:
    return FILTERED if MARK in str(request["messages"]) else Says("Hello")


@pytest.fixture
async def server():
    async with model_server() as server:
        server.answer = filtering
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server, CONFIG) as bot:
        yield bot


async def is_answered(bot, name: str, place: str = "#general", text: str = "are you there?") -> bool:
    return any("glassmind< Hello" in line for line in await bot.says(name, f"@glassmind {text}", place))


async def test_an_overheard_message_is_left_out_for_good_and_named(bot, server):
    for number in range(10):
        await bot.says("james", f"talk {number}" + (f" {MARK}" if number == 3 else ""))
    assert await is_answered(bot, "ann")
    tries = len(server.received)
    assert tries <= 8
    sent = server.received[-1].body.decode()
    assert MARK not in sent and "left out because" in sent and "talk 2" in sent and "talk 4" in sent
    assert await is_answered(bot, "ann", text="and now?")
    assert len(server.received) == tries + 1
    await bot.says("root", "!cortex why")
    report = "\n".join(bot.lines)
    assert "Left out of requests: i" in report


async def test_a_refusal_that_repeats_the_words_keeps_them_from_no_erasure(bot, server):
    def repeats(request: dict[str, Any]) -> Reply:
        words = f"Flagged by the content management policy: talk {MARK}4711"
        return Fails(400, "content_filter", words) if MARK in str(request["messages"]) else Says("Hello")

    server.answer = repeats
    await bot.says("james", f"talk {MARK}4711")
    assert await is_answered(bot, "ann")
    assert "are forgotten" in "\n".join(await bot.says("james", "!forgetme now", "dm"))
    for key in [known.key for known in await bot.store.channels.known()]:
        assert MARK not in (await bot.store.channels.load(key)).settings.model_dump_json()
    for row in range(1, 9):
        found = await bot.store.ledger.inbound(row)
        assert found is None or MARK not in f"{found.outcome_reason}{found.inbound.text}"


async def test_an_admin_brings_it_back(bot, server):
    await bot.says("james", f"talk {MARK}")
    assert await is_answered(bot, "ann")
    server.answer = lambda _: Says("Hello")
    await bot.says("root", "!cortex why")
    report = "\n".join(bot.lines)
    name = report.partition("`undo ")[2].partition("`")[0]
    await bot.types("/as root", "/dm", f"undo {name}", "/press Show models again")
    assert f"{name} is shown to models again" in "\n".join(bot.lines)
    assert await is_answered(bot, "ann", text="and now?")
    assert MARK in server.received[-1].body.decode()


async def test_it_stays_left_out_after_a_restart(bot, server):
    await bot.says("james", f"talk {MARK}")
    assert await is_answered(bot, "ann")
    tries = len(server.received)
    await bot.restart()
    assert await is_answered(bot, "ann", text="and now?")
    assert len(server.received) == tries + 1 and MARK not in server.received[-1].body.decode()


async def test_an_earlier_question_is_found_too(bot, server):
    server.answer = lambda _: Says("Hello")
    assert await is_answered(bot, "ann", text=f"what of {MARK}?")
    assert await is_answered(bot, "ann", text="and pears?")
    server.answer = filtering
    assert await is_answered(bot, "ann", text="and apples?")
    assert "and pears?" in server.received[-1].body.decode() and MARK not in server.received[-1].body.decode()


async def test_the_newest_message_is_refused_alone(bot, server):
    await bot.says("james", "talk")
    lines = await bot.says("ann", f"@glassmind what of {MARK}?")
    assert any("does not accept the words of this message" in line for line in lines)
    assert len(server.received) == 2
    assert await is_answered(bot, "james") and await is_answered(bot, "ann")
