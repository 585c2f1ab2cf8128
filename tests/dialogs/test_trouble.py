"""What goes wrong in one channel: its owners get one message that follows it to its end, with what helps."""

from __future__ import annotations

import pytest

from bot.domain.channel import ChannelSettings, ProcessKind
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.messages import ChannelPlace
from bot.domain.turn import TurnEnd, TurnOutcome, TurnStart, TurnStatus
from bot.errors import ProviderFault
from bot.sentences import say
from tests.bot.cortex.chat import ADMIN, ANN, GENERAL, OWNER, STRANGER, chat, config
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import calls, fails, says

MINUTE = 60
KEY = ChannelKey(MAIN, GENERAL)


def skips(request):
    return calls(("skip", {"reason": "I was told to.", "category": "instructed"}))


def cards(bot):
    """The newest form of each message about trouble."""
    found = {}
    for number, sent in enumerate(bot.private):
        if sent.text.startswith(("✗ Since", "✓ Over")):
            found[sent.edits or f"new {number}"] = sent
    return list(found.values())


async def answered(bot, count=40):
    """Turns of earlier days, as the journal keeps them."""
    await bot.store.channels.meet(KEY, "#general", ChannelPlace(guild_id="1"), ChannelSettings())
    for _ in range(count):
        bot.clock.advance(MINUTE)
        at, journal = bot.clock.now(), bot.store.journal
        turn = await journal.begin_turn(TurnStart(agent=MAIN, channel=GENERAL, kind=ProcessKind.CHANNEL, at=at), ())
        end = TurnEnd(turn=turn, agent=MAIN, channel=GENERAL, at=at, status=TurnStatus.REPLIED, rounds=1, messages=())
        await journal.end_turn(end)


async def chats(bot, count, text="Glass, hello"):
    for number in range(count):
        bot.clock.advance(MINUTE)
        await bot.hears(f"{text} {number}")


class Model:
    """Answers or skips, as it is told."""

    def __init__(self):
        self.is_silent = False

    def __call__(self, request):
        return skips(request) if self.is_silent else says("yes")


@pytest.fixture
def model():
    return Model()


def loud(tmp_path):
    return config(tmp_path / "data", cortex={"per_minute": 10_000}, compaction={"enabled": False})


async def test_one_message_follows_a_streak_of_skips_to_its_end(tmp_path, model):
    async with chat(tmp_path, model, settings=loud(tmp_path)) as bot:
        await answered(bot)
        assert cards(bot) == []
        model.is_silent = True
        await chats(bot, 7)
        first = cards(bot)[0]
        assert first.text.startswith("✗ Since") and "in #general" in first.text and "Before: 0 of 20" in first.text
        assert (
            "told to" in first.text
            and "1 person is waiting there for 5 answers" in first.text
            and "hello" not in first.text
        )
        assert [one.label for one in first.buttons][:1] == ["Why?"]
        model.is_silent = False
        await chats(bot, 7)
        assert cards(bot)[-1].text.startswith("✓ Over: #general is answered as usual again.")
        assert "Answer the" in cards(bot)[-1].buttons[-1].label
        assert all(sent.to.private_to == OWNER for sent in cards(bot))


async def test_those_who_waited_are_answered_from_the_message(tmp_path, model):
    async with chat(tmp_path, model, settings=loud(tmp_path)) as bot:
        await answered(bot)
        model.is_silent = True
        await chats(bot, 7)
        model.is_silent = False
        data = bot.button("Answer the").data
        assert await bot.press_data(data, STRANGER) != "" and await bot.press_data(data, ADMIN) != "Done."
        spoken = len(bot.public)
        await bot.press_data(data, OWNER)
        assert "each gets a turn" in bot.last and len(bot.public) == spoken
        assert await bot.presses("Answer 7 messages") == "Done."
        assert len(bot.public) > spoken and "✓" in bot.last and "answered" in bot.last and "✗" not in bot.last


async def test_the_channel_is_told_after_the_line_was_read(tmp_path, model):
    async with chat(tmp_path, model, settings=loud(tmp_path)) as bot:
        await answered(bot)
        model.is_silent = True
        await chats(bot, 7)
        spoken = len(bot.public)
        await bot.presses("Tell the channel")
        assert say("cortex.trouble") in bot.last and len(bot.public) == spoken
        assert await bot.presses("Post it") == "Posted."
        assert bot.public[spoken:] == [say("cortex.trouble")]


async def test_why_is_answered_from_the_message(tmp_path, model):
    async with chat(tmp_path, model, settings=loud(tmp_path)) as bot:
        await answered(bot)
        model.is_silent = True
        await chats(bot, 7)
        assert await bot.presses("Why?") == "The answer is in the thread."
        assert "it repeats its own silence" in bot.last


async def test_a_restart_tells_nothing_again_and_goes_on_in_the_same_message(tmp_path, model):
    platform = FakePlatform(idempotent=True, max_units=4096)
    async with chat(tmp_path, model, settings=loud(tmp_path), platform=platform) as bot:
        await answered(bot)
        model.is_silent = True
        await chats(bot, 7)
        before = sum(not one.edits for one in cards(bot))
    async with chat(tmp_path, model, settings=loud(tmp_path), clock=bot.clock, platform=platform) as again:
        await chats(again, 1)
        assert sum(not one.edits for one in cards(again)) == before
        model.is_silent = False
        await chats(again, 7)
        assert cards(again)[-1].text.startswith("✓ Over") and cards(again)[-1].edits


async def test_a_private_chat_is_nobodys_business(tmp_path, model):
    async with chat(tmp_path, model, settings=loud(tmp_path)) as bot:
        for is_silent in (True,):
            model.is_silent = is_silent
            for number in range(3):
                bot.clock.advance(MINUTE)
                await bot.dm(f"hello {number}", ANN)
        assert cards(bot) == []


async def test_a_full_history_is_told_until_it_has_room_again(tmp_path, model):
    """The ends of turns are handed over as the turns hand them over: nothing else of them matters here."""
    async with chat(tmp_path, model, settings=loud(tmp_path)) as bot:
        await bot.hears("hello")
        for fullness in (85.0, 79.0, 85.0, 86.0, 87.0, 88.0):
            bot.app.outcomes.ended(ended(bot, fullness))
            await bot.settled()
        (card,) = [sent for sent in bot.private if sent.text.startswith("✗ The history")]
        assert "of #general fills 87 % of a request" in card.text and "fix compact" in card.text
        bot.app.outcomes.ended(ended(bot, 40.0))
        await bot.settled()
        bot.clock.advance(MINUTE)
        await bot.settled()
        assert bot.last.startswith("✓ Over: the history of #general has room again (40 %).")


def ended(bot, fullness):
    bot.clock.advance(MINUTE)
    at = bot.clock.now()
    return TurnOutcome(KEY, "#general", False, at, TurnStatus.REPLIED, "", at, at, fullness)


async def test_who_waits_for_a_dead_service_is_answered_from_its_message(tmp_path):
    dead = fails(ProviderFault.AUTH)
    async with chat(tmp_path, dead, dead, dead, says("here again"), settings=loud(tmp_path)) as bot:
        for text in ("one?", "two?", "three?"):
            await bot.hears(text)
            bot.clock.advance(MINUTE)
        await bot.settled()
        card = [sent for sent in bot.private if sent.text.startswith("✗ The model service")][-1]
        assert "1 person is waiting for" in card.text
        assert [one.label for one in card.buttons] == ["Use another model…", "Tell the channels…", "Answer the 3…"]
        await bot.hears("four?")
        bot.clock.advance(MINUTE)
        await bot.settled()
        over = [sent for sent in bot.private if sent.to.private_to == OWNER][-1]
        assert over.text.startswith("✓ Over") and [one.label for one in over.buttons] == ["Answer the 3…"]
        spoken = len(bot.public)
        data = over.buttons[0].data
        told = {await bot.press_data(data, ADMIN), await bot.press_data(data, STRANGER, GENERAL)}
        assert told == {say("cortex.not-ours")}
        assert await bot.press_data(data, OWNER) == ""
        assert "3 messages since" in bot.last
        await bot.presses("Answer 3 messages")
        assert bot.public[spoken:] and set(bot.public[spoken:]) == {"here again"} and "answered" in bot.last
