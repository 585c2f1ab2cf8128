"""A model that takes its time: a local one may load for minutes, people are told, and nothing is asked twice."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.online import online
from tests.dialogs.served import BOTS, a_stage
from tests.dialogs.stores import OF_ONE_PROCESS
from tests.faults.leaping import leaping
from tests.inside.store import is_busy
from tests.servers.model import Calls, Garbage, Hangs, Says, SlowBy, model_server
from tests.servers.model.wire import Asked, Data, Pause, Wire, stream

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
        await it.passes(15)
        assert it.bot.app.sender.streams.typing_since(it.key.channel), "it types on beside the line"
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


@OF_ONE_PROCESS
@PLATFORMS
async def test_why_says_that_it_has_not_begun_and_until_when_it_is_waited_for(tmp_path, platform):
    async with a_stage(tmp_path / "data", platform) as it:
        it.server.script += [Hangs()]
        await it.asks()
        await it.passes(200)
        said = "\n".join(await it.told("why"))
        assert "is in progress" in said and "stuck" not in said
        assert "The bot asked openai/test-model at " in said and "no word yet" in said
        assert "may still be loading the model" in said and "The bot waits for it until " in said


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
        with leaping(lambda: is_busy(bot.store)):
            lines = await bot.says("ann", "@glassmind hello")
    assert lines == [f"[#general] glassmind< {LINE} I'm still on it …", f"[#general] glassmind< {ANSWER}"]


async def test_where_drafts_fade_the_line_is_shown_again(tmp_path):
    async with a_stage(tmp_path / "data", "telegram") as it:
        bot = it.bot
        private = bot.dm(bot.ann)
        private.is_started = True
        it.server.script += [SlowBy(70, Says(ANSWER))]
        bot.say(bot.ann, "hello", private)
        await bot.settled()
        drafts = [call for call in bot.server.calls("sendMessageDraft") if LINE in str(call)]
        assert bot.texts(private) == [ANSWER] and len(drafts) == 3
