"""A group becomes a supergroup while an answer to it is being written, where everybody can see it grow."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from bot.domain.ledger import Outcome
from bot.domain.llm import LLMRequest
from bot.domain.turn import OutboxState
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot, files_of
from tests.fakes.provider import ScriptedProvider, Writes, fails, says
from tests.servers.telegram import Chat

WHOLE = "the tea is cold because nobody drank it in time, and the pot is still full"
WORDS = len(WHOLE.split())
TALK = ("one", "two", "three", "four", "five", "six")


class WritesWhile(Writes):
    """The model writes, and something happens after so many words."""

    def __init__(self, words: int, happens: Callable[[], None], *args, **more) -> None:
        super().__init__(*args, **more)
        self.words, self.happens = words, happens

    async def write(self, on_text):
        written = 0

        def heard(piece: str) -> None:
            nonlocal written
            written += 1
            on_text(piece)
            if written == self.words:
                self.happens()

        return await super().write(heard)


@dataclass
class Yard:
    """A group that moves while the bot writes; the numbers of what is said in it mean something else afterwards.

    The bot may delete everybody's messages, so that it could delete the wrong ones. Untold, it hears of the move only
    when Telegram refuses something.
    """

    bot: TelegramBot
    old: Chat
    new: Chat | None = None
    is_told: bool = True

    def moves(self) -> None:
        bot = self.bot
        self.new = bot.world.migrate(self.old)
        bot.world.promote(self.new, bot.me)
        for words in TALK:
            bot.say(bot.ann, words, self.new)
        if not self.is_told:
            bot.me.inlet.clear()

    def writes(self, after: int, text: str = WHOLE, **more) -> Callable[[LLMRequest], Writes]:
        return lambda _: WritesWhile(after, self.moves, self.bot.clock, text, 0.4, **more)

    def grows(self) -> bool:
        """Whether what is shown in the new group was changed there already."""
        return self.new is not None and any(one.edits for one in self.bot.written(self.new))

    def told_apart(self) -> None:
        """See that nothing of the bot answers somebody else's words, and that nobody's words are gone."""
        assert self.new is not None
        said = [one.text for one in self.bot.world.messages(self.new) if one.author is self.bot.ann]
        assert said[: len(TALK)] == list(TALK)
        assert [one.reply_to for one in self.bot.written(self.new)] == [None] * len(self.bot.written(self.new))
        assert not any(one.reactions for one in self.bot.world.messages(self.new))

    async def left_open(self) -> list[OutboxState]:
        return [row.state for row in await self.bot.store.previews.left()]


@asynccontextmanager
async def a_yard(tmp_path, *, is_told: bool = True, **changes) -> AsyncIterator[Yard]:
    model = ScriptedProvider(says("fine"))
    async with a_telegram_bot(tmp_path / "data", model=model, streaming=True, **changes) as bot:
        yard = Yard(bot, bot.world.group("yard", bot.root, bot.ann, bot.me), is_told=is_told)
        for words in TALK[:3]:
            await bot.hears(bot.ann, words, yard.old)
        yield yard


def scripted(yard: Yard, *script) -> None:
    yard.bot.providers["scripted"].script = list(script)


def is_half(text: str) -> bool:
    return text.endswith(" …") and WHOLE.startswith(text.removesuffix(" …"))


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "untold"])
@pytest.mark.parametrize("after", [1, 4, 9, WORDS])
async def test_the_answer_stands_once_where_the_group_is_now(tmp_path, after, is_told):
    async with a_yard(tmp_path, is_told=is_told) as yard:
        bot = yard.bot
        scripted(yard, yard.writes(after), says("fine"))
        await bot.hears(bot.ann, f"{AT} tea?", yard.old)
        assert bot.texts(yard.new) == [WHOLE]
        yard.told_apart()
        # what stood in the old group cannot be touched any more by anybody
        assert all(is_half(text) for text in bot.texts(yard.old)) and len(bot.texts(yard.old)) < 2
        assert await yard.left_open() == []
        asked = await bot.store.ledger.recent(bot.key(yard.new), 20)
        (found,) = [one for one in asked if "tea?" in one.inbound.text]
        assert (found.outcome, found.outcome_reason) == (Outcome.REPLIED, "")
        (again,) = await bot.hears(bot.ann, f"{AT} more tea?", yard.new)
        assert again.chat is yard.new and again.reply_to


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "untold"])
async def test_it_goes_on_being_seen(tmp_path, is_told):
    async with a_yard(tmp_path, is_told=is_told) as yard:
        bot = yard.bot
        scripted(yard, yard.writes(5), says("fine"))
        await bot.hears(bot.ann, f"{AT} tea?", yard.old)
        (half,), (answer,) = bot.written(yard.old), bot.written(yard.new)
        assert is_half(half.text) and answer.text == WHOLE and answer.edits > 1


async def test_an_answer_that_is_stopped_stays_unfinished_where_the_group_is_now(tmp_path):
    async with a_yard(tmp_path) as yard:
        bot = yard.bot
        scripted(yard, yard.writes(5), says("fine"))
        bot.say(bot.ann, f"{AT} tea?", yard.old)
        await bot.server.until(yard.grows)
        stops = bot.say(bot.root, f"{AT} /stop", yard.new)
        await bot.settled()
        cut, told = bot.written(yard.new)
        assert cut.text.endswith(" ⏹") and WHOLE.startswith(cut.text.removesuffix(" ⏹"))
        assert (cut.reply_to, told.reply_to) == (None, stops.id)
        assert await yard.left_open() == []


async def test_a_failure_takes_the_place_of_what_was_shown_where_the_group_is_now(tmp_path):
    async with a_yard(tmp_path) as yard:
        bot = yard.bot
        scripted(yard, yard.writes(5, then=fails()))
        await bot.hears(bot.ann, f"{AT} tea?", yard.old)
        (told,) = bot.texts(yard.new)
        assert told.startswith("I could not answer")
        yard.told_apart()
        assert await yard.left_open() == []


async def test_an_answer_that_becomes_a_file_leaves_nothing_half_where_the_group_is_now(tmp_path):
    whole = "\n\n".join(f"{n}. the kettle, and what it says about us" for n in range(900))
    async with a_yard(tmp_path) as yard:
        bot = yard.bot
        scripted(yard, yard.writes(5, then=says(whole)))
        await bot.hears(bot.ann, f"{AT} tea?", yard.old)
        (answer,) = bot.written(yard.new)
        assert files_of(answer).endswith(".md")
        yard.told_apart()
        assert await yard.left_open() == []


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "untold"])
@pytest.mark.parametrize("seen_in", ["old", "new"])
async def test_a_kill_after_it_leaves_one_answer(tmp_path, seen_in, is_told):
    async with a_yard(tmp_path, is_told=is_told) as yard:
        bot = yard.bot
        scripted(yard, yard.writes(5), says(WHOLE))
        bot.say(bot.ann, f"{AT} tea?", yard.old)
        await bot.server.until(lambda: yard.new is not None and (seen_in == "old" or yard.grows()))
        await bot.dies()
        await bot.lives_again()
        await bot.settled()
        assert bot.texts(yard.new) == [WHOLE]
        yard.told_apart()
        assert all(is_half(text) for text in bot.texts(yard.old))
        await bot.dies()
        await bot.lives_again()
        await bot.settled()
        assert await yard.left_open() == []
        assert bot.texts(yard.new) == [WHOLE]
