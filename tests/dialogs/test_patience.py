"""A model that takes its time: a local one may load for minutes, people are told, and nothing is asked twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from bot.domain.ledger import Outcome
from bot.domain.messages import AuthorKind
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.online import client_of, model_config, online
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.faults.leaping import LeapingClock, leaping
from tests.servers.model import Calls, Garbage, Hangs, Says, SlowBy, model_server
from tests.servers.model.wire import Asked, Data, Pause, Wire, stream

BOTS = {"discord": a_discord_bot, "telegram": a_telegram_bot}
LINE = "This is taking longer than usual."
ANSWER = "Hi Ann!"


@dataclass(frozen=True)
class Beats:
    """Keep the line alive for so long, every five seconds, and answer then with these bytes."""

    beat: bytes
    seconds: int
    answer: bytes

    def wire(self, asked: Asked) -> Wire:
        kept = (step for _ in range(self.seconds // 5) for step in (Data(self.beat), Pause(5)))
        return stream((*kept, Data(self.answer)))


@dataclass
class Stage:
    """A bot on a platform, and the model server that it asks."""

    bot: Any
    server: Any

    async def asks(self, text: str = "hello") -> None:
        bot = self.bot
        if bot.name == "telegram":
            bot.say(bot.ann, f"{AT} {text}")
        else:
            await bot.says(bot.ann, f"{bot.at} {text}")

    async def outcome(self) -> Outcome | None:
        heard = await self.bot.store.ledger.recent(self.key, 9)
        return next(one.outcome for one in heard if one.inbound.author.kind is AuthorKind.PERSON and one.inbound.text)

    @property
    def key(self) -> Any:
        return self.bot.app.registry.keys()[0]

    async def told(self, question: str) -> list[str]:
        """Let the owner ask in private about the kitchen; return what the bot wrote there at once."""
        bot = self.bot
        private = bot.dm(bot.root)
        before = bot.texts(private)
        if bot.name == "telegram":
            bot.say(bot.root, f"!cortex {question} #kitchen", private)
        else:
            await bot.root.says(bot.me, f"!cortex {question} #kitchen")
        await self.passes(3)
        return bot.texts(private)[len(before) :]

    async def passes(self, seconds: float) -> None:
        """Let the loop's time leap."""
        await asyncio.sleep(seconds)


@asynccontextmanager
async def a_stage(
    data, platform: str, *, streaming: bool = True, model: str = "", **client: Any
) -> AsyncIterator[Stage]:
    async with model_server() as server:
        clock = LeapingClock()
        async with BOTS[platform](data, clock=clock, begins=False, streaming=streaming) as bot:
            provider = client_of(server, **client)
            bot.providers = {**bot.providers, "openai": provider}
            bot.more = model_config(retries=2).replace("cool_down = 0.5", "cool_down = 60")
            if platform == "telegram":
                bot.server.set_second(1.0)
            clock.is_busy = bot.is_writing
            try:
                await bot.open()
                await bot.settled()
                yield Stage(bot, server)
            finally:
                await provider.close()


PLATFORMS = pytest.mark.parametrize("platform", BOTS)


@PLATFORMS
@pytest.mark.parametrize("seconds", [45, 240])
@pytest.mark.parametrize("before", ["headers", "first_token"])
async def test_a_local_model_gets_the_time_to_load(tmp_path, platform, seconds, before):
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.script += [SlowBy(seconds, Says(ANSWER), before=before)]
        await it.asks()
        await it.bot.settled()
        assert it.bot.texts() == [ANSWER] and await it.outcome() is Outcome.REPLIED
        assert len(it.server.chats) == 1, "one load, and none that was left"
        assert all(not one.failures and not one.cooling_until for one in it.bot.app.mind.turns.models.health())


@PLATFORMS
@pytest.mark.parametrize("streaming", [True, False])
async def test_after_twenty_seconds_people_see_that_it_takes_longer(tmp_path, platform, streaming):
    async with a_stage(tmp_path / "data", platform, streaming=streaming) as it:
        it.server.script += [SlowBy(45, Says(ANSWER))]
        await it.asks()
        await it.passes(15)
        assert it.bot.texts() == []
        await it.passes(10)
        (line,) = it.bot.texts()
        assert line.startswith(LINE)
        await it.bot.settled()
        assert it.bot.texts() == [ANSWER]


@PLATFORMS
async def test_who_stops_a_slow_answer_sees_no_more_of_it(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.script += [Hangs()]
        await it.asks()
        await it.passes(30)
        assert len(it.bot.texts()) == 1
        it.bot.app.registry.live(it.key).stop()
        await it.bot.settled()
        assert it.bot.texts() == [] and await it.outcome() is Outcome.CANCELLED


@PLATFORMS
async def test_a_local_model_that_never_begins_is_asked_once(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.script += [Hangs(), Says("too late")]
        await it.asks()
        await it.passes(290)
        assert await it.outcome() is None
        await it.bot.settled()
        (notice,) = it.bot.texts()
        assert notice.startswith("I could not answer: the model service did not answer in time.")
        assert len(it.server.chats) == 1


async def test_the_key_says_how_long(tmp_path):
    async with a_stage(tmp_path / "data", "telegram", first_token_timeout=30.0) as it:
        it.server.script += [SlowBy(45, Says("late")), Says(ANSWER)]
        await it.asks()
        await it.bot.settled()
        assert it.bot.texts() == [ANSWER] and len(it.server.chats) == 2


@pytest.mark.parametrize("beat", [b": still here\n\n", b"data: \n\n", b"data:\n\n"])
async def test_comments_and_empty_events_are_signs_of_life(tmp_path, beat):
    words = b'data: {"choices":[{"delta":{"content":"Hi Ann!"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    async with a_stage(tmp_path / "data", "telegram", first_token_timeout=10.0) as it:
        it.server.script += [Beats(beat, 60, words)]
        await it.asks()
        await it.bot.settled()
        assert it.bot.texts() == [ANSWER] and len(it.server.chats) == 1


@pytest.mark.parametrize("empty", [b"data:\n\n", b"data: \n\n", b":\n\ndata:   \n\n"])
async def test_an_empty_event_is_nothing_unreadable(tmp_path, empty):
    body = empty.join(
        [
            b'data: {"choices":[{"delta":{"content":"Hi "}}]}\n\n',
            b'data: {"choices":[{"delta":{"content":"Ann!"},"finish_reason":"stop"}]}\n\n',
            b"data: [DONE]\n\n",
        ]
    )
    async with a_stage(tmp_path / "data", "telegram") as it:
        it.server.script += [Garbage(empty + body, kind="text/event-stream")]
        await it.asks()
        await it.bot.settled()
        assert it.bot.texts() == [ANSWER]


@PLATFORMS
async def test_why_says_that_it_has_not_begun_and_until_when_it_is_waited_for(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.script += [Hangs()]
        await it.asks()
        await it.passes(200)
        said = "\n".join(await it.told("why"))
        assert "is in progress" in said and "stuck" not in said
        assert "openai/test-model was asked at " in said and "no word yet" in said
        assert "may still be loading the model" in said and "I wait for it until " in said


@PLATFORMS
async def test_who_was_answered_meanwhile_is_not_told_that_it_takes_longer(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.script += [Calls([("reply", '{"text": "At once."}')]), SlowBy(45, Calls([("finish", "{}")]))]
        await it.asks()
        await it.passes(40)
        assert it.bot.texts() == ["At once."]
        await it.bot.settled()
        assert it.bot.texts() == ["At once."]


async def test_the_terminal_says_it_too(tmp_path):
    async with model_server(SlowBy(45, Says(ANSWER))) as server, online(tmp_path, server) as bot:
        with leaping(lambda: bool(bot.store._database.writer._draining or any(bot.store._database._pending))):
            lines = await bot.says("ann", "@glassmind hello")
    assert lines == [f"[#general] glassmind< {LINE} I am still at it …", f"[#general] glassmind< {ANSWER}"]
