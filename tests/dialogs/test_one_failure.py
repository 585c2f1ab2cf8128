"""One failure stays one failure: who else is answered after a model failed, by the kind of failure and of work."""

from __future__ import annotations

import pytest

from bot.domain.health import WorkKind
from tests.dialogs.online import model_config, online
from tests.servers.model import FAILURES, Cut, Drops, Fails, Garbage, Reply, Says, model_server

CONFIG = model_config(retries=0).replace("cool_down = 0.5", "cool_down = 60")
OF_ONE: dict[str, Reply] = {
    "a refused key": FAILURES["bad_key"],
    "no credit": FAILURES["no_credit"],
    "a flagged message": FAILURES["forbidden"],
    "an unknown model": FAILURES["no_such_model"],
    "a bad request": Fails(400),
    "a broken service": FAILURES["broken"],
    "an empty answer": Says(""),
    "garbage": Garbage(b"\x00\xff nonsense"),
    "a line that closes": Drops(),
    "a line that breaks off": Cut(200, Says("Hello and so on")),
    "a limit that names no wait": FAILURES["rate_limited"],
}
OF_ALL: dict[str, Reply] = {
    "overload": FAILURES["unavailable"],
    "a limit with a wait": Fails(429, retry_after=300),
}


@pytest.fixture
async def server():
    async with model_server() as server:
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(
        tmp_path, server, model_config(retries=0, model="").replace("cool_down = 0.5", "cool_down = 60")
    ) as bot:
        yield bot


def cooling(bot) -> list[WorkKind]:
    return [one.work for one in bot.app.mind.turns.models.health() if one.cooling_until]


async def fails(bot, server, reply: Reply, place: str = "#general") -> None:
    server.script.extend([reply] * 2 if reply == OF_ONE["an empty answer"] else [reply])
    await bot.says("ann", "@glassmind hello", place)
    server.script.clear()


async def is_answered(bot, name: str, place: str) -> bool:
    return any("glassmind< Hello" in line for line in await bot.says(name, "@glassmind are you there?", place))


@pytest.mark.parametrize("trouble", OF_ONE)
async def test_what_one_message_met_leaves_everybody_alone(bot, server, trouble: str):
    server.answer = lambda _: Says("Hello")
    await fails(bot, server, OF_ONE[trouble])
    assert not cooling(bot)
    assert await is_answered(bot, "james", "#random")
    assert await is_answered(bot, "ann", "#general")


@pytest.mark.parametrize("trouble", OF_ALL)
async def test_what_everybody_would_meet_is_not_tried_again_for_a_while(bot, server, trouble: str):
    server.answer = lambda _: Says("Hello")
    await fails(bot, server, OF_ALL[trouble])
    assert cooling(bot) == [WorkKind.CONVERSATION]
    asked = len(server.received)
    assert not await is_answered(bot, "james", "#random") and len(server.received) == asked
    await bot.says("root", "!cortex why", "#random")
    report = "\n".join(bot.lines)
    assert "waiting for a failing model" in report and "in another channel" in report and "Next try from" in report
    bot.clock.advance(301)
    assert await is_answered(bot, "james", "#random")


async def test_nobody_there_is_everybodys_trouble(bot, server):
    await server.refuse()
    await bot.says("ann", "@glassmind hello")
    assert cooling(bot) == [WorkKind.CONVERSATION]


@pytest.mark.parametrize("trouble", sorted(set(OF_ONE) - {"a bad request", "an empty answer"}))
async def test_two_channels_in_a_row_that_meet_the_same_are_the_service(bot, server, trouble: str):
    server.answer = lambda _: Says("Hello")
    await fails(bot, server, OF_ONE[trouble])
    await fails(bot, server, OF_ONE[trouble], "#random")
    assert cooling(bot) == [WorkKind.CONVERSATION]


@pytest.mark.parametrize("trouble", OF_ONE | OF_ALL)
async def test_looking_silences_nobody(bot, server, trouble: str):
    server.answer = lambda _: Says("Hello")
    assert await is_answered(bot, "ann", "#general")
    for place in ("#general", "#random"):
        server.answer = lambda _: (OF_ONE | OF_ALL)[trouble]
        await bot.says("root", "!cortex why was that so short?", place)
    assert set(cooling(bot)) <= {WorkKind.BACKGROUND}
    server.answer = lambda _: Says("Hello")
    assert await is_answered(bot, "ann", "#general") and await is_answered(bot, "james", "#random")


async def test_the_doctor_says_which_work_is_left_alone_and_who_met_it(bot, server):
    server.answer = lambda _: Says("Hello")
    assert await is_answered(bot, "ann", "#general")
    server.answer = lambda _: FAILURES["unavailable"]
    await bot.says("root", "!cortex why was that so short?")
    await bot.says("root", "!cortex doctor")
    report = "\n".join(bot.lines)
    assert "model openai/test-model, background work: on a break for" in report
    assert "an inspection hit that" in report
    await bot.says("root", "!cortex why")
    assert "Background work is leaving a model alone for another" in "\n".join(bot.lines)
