"""Two programs with one account: of two answers people get one where Discord can see to it, and the owners hear."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from adapters.discord.speaking.own_messages import MAX_NONCE_CHARS, nonce_of
from tests.dialogs import stores
from tests.dialogs.discord import DiscordBot, a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.dialogs.tide import TidalClock
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.servers.discord import Drops, Message, posting
from tests.servers.telegram import CONFLICT


@dataclass
class Pair(DiscordBot):
    """A bot with a second process on its account, which has a data directory of its own."""

    twin: Any = None

    @property
    def read_so_far(self) -> dict[str, int]:
        return super().read_so_far | (self.twin.read_so_far if self.twin is not None else {})

    async def settled(self) -> None:
        await super().settled()
        while self.twin is not None and (self.twin.busy or not self.twin.has_read_all or self.busy):
            await asyncio.sleep(self.clock.soon)
            await self.twin.settled()
            await super().settled()


CHANGES_ARE_HEARD = pytest.mark.skipif(
    stores.SEVERAL, reason="who listens knows of no message whose it is, and who knows it hears of no change"
)


@pytest.fixture
async def bot(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await long_there(bot)
        yield bot


async def long_there(bot: DiscordBot) -> None:
    """Let a bot have been in the kitchen for a while: of what was said just before, nobody can say whose it is."""
    await bot.hears(bot.ann, "good morning")
    bot.clock.advance(10)


@asynccontextmanager
async def both(bot: DiscordBot, data: Path, model: ScriptedProvider) -> AsyncIterator[DiscordBot]:
    """Let a second process run beside a bot."""
    twin = copy.copy(bot)
    twin.data, twin.app, twin.discord = data, None, None  # type: ignore[assignment]
    twin.providers = bot.providers | {"scripted": model}
    bot.__class__, bot.twin = Pair, None  # type: ignore[attr-defined]
    await twin.open()
    bot.twin = twin  # type: ignore[attr-defined]
    await bot.settled()
    await long_there(bot)
    try:
        yield twin
    finally:
        await bot.settled()
        bot.twin = None  # type: ignore[attr-defined]
        await twin.close()


async def speaks(bot: DiscordBot, text: str, asked: Message | None = None) -> Message:
    """Let some other program post with the bot's account."""
    said = posting.post(bot.kitchen, bot.me, text, **posting.reply_fields(asked))
    await bot.world.flushed()
    await bot.settled()
    return said


def alerts(bot: DiscordBot) -> list[str]:
    return [text for text in bot.texts(bot.dm(bot.root)) if "Another program is using my account" in text]


async def test_of_two_answers_of_two_programs_people_get_one_and_the_owners_hear_of_it(tmp_path):
    first, second = ScriptedProvider(says("it is noon")), ScriptedProvider(says("I would not know"))
    async with a_discord_bot(tmp_path / "data", model=first) as bot, both(bot, tmp_path / "other", second) as twin:
        await bot.says(bot.ann, f"{bot.at} what time is it?")
        await bot.settled()
        assert len(bot.texts()) == 1, bot.transcript()
        assert first.requests and second.requests
        assert len(alerts(bot)) >= 1
        names = [(await one.newest()).outcome for one in (bot, twin)]
        assert names == ["replied", "replied"]


async def test_an_answer_in_parts_of_the_second_program_leaves_no_part_behind(tmp_path):
    words = " ".join(f"word{number}" for number in range(600))
    first, second = ScriptedProvider(says("short")), ScriptedProvider(says(words))
    async with a_discord_bot(tmp_path / "data", model=first) as bot, both(bot, tmp_path / "other", second):
        await bot.says(bot.ann, f"{bot.at} say something")
        await bot.settled()
        assert bot.texts() == ["short"] or (len(bot.texts()) > 1 and "short" not in bot.texts())


async def test_what_a_command_says_stands_there_once(tmp_path):
    first, second = ScriptedProvider(says("yes")), ScriptedProvider(says("no"))
    async with a_discord_bot(tmp_path / "data", model=first) as bot, both(bot, tmp_path / "other", second):
        await bot.says(bot.ann, f"{bot.at} !help")
        await bot.settled()
        assert len(bot.texts()) == 1, bot.transcript()


async def test_why_says_that_another_one_was_first(bot):
    first = posting.post(bot.kitchen, bot.me, "the other one's words")
    before = len(bot.kitchen.standing)
    said = await bot.says(bot.ann, f"{bot.at} say yes")
    bot.world.nonces[bot.me.id, nonce_of(bot.kitchen.id, f"{said.id}:0", 0)] = first
    await bot.settled()
    assert len(bot.kitchen.standing) == before + 1
    await bot.hears(bot.root, "!cortex why")
    assert "answered by another program" in bot.private(bot.root)
    (alert,) = alerts(bot)
    assert "#kitchen" in alert and "revoke the token" in alert


async def test_the_first_word_of_another_program_is_an_alert_and_the_doctor_says_it(bot):
    asked = await bot.says(bot.ann, f"{bot.at} say yes")
    await bot.settled()
    await speaks(bot, "no", asked)
    (alert,) = alerts(bot)
    assert "People may get two answers" in alert
    await bot.hears(bot.root, "!cortex doctor")
    assert "second program" in bot.private(bot.root) and "another program spoke" in bot.private(bot.root)
    await speaks(bot, "no again", asked)
    assert len(alerts(bot)) == 1


async def changes(bot: DiscordBot, message: Message, text: str) -> None:
    """Let some other program change a message of the bot's account."""
    posting.revise(message, content=text)
    await bot.world.flushed()
    await bot.settled()


def edits(bot: DiscordBot) -> list[str]:
    return [text for text in alerts(bot) if "changed" in text]


@CHANGES_ARE_HEARD
async def test_an_answer_that_another_program_changed_is_in_the_trail_and_the_owners_hear_of_it(bot):
    await bot.hears(bot.ann, f"{bot.at} say yes")
    answer = bot.written(bot.kitchen)[-1]
    await changes(bot, answer, "buy my coin")
    (alert,) = edits(bot)
    assert "#kitchen" in alert and "revoke the token" in alert and "coin" not in alert
    await bot.hears(bot.root, "!cortex why")
    report = bot.private(bot.root)
    assert "the answer was changed" in report and "confirmed" in report and "this bot did not" in report
    await bot.hears(bot.root, "!cortex doctor")
    assert "another program spoke" in bot.private(bot.root)
    await changes(bot, answer, "buy two")
    assert len(edits(bot)) == 1


async def test_what_the_bot_changes_itself_and_what_another_changes_of_its_own_is_no_such_change(tmp_path):
    clock = TidalClock()
    model = ScriptedProvider(lambda _: Writes(clock, " ".join(f"word{n}" for n in range(12)), 1.0))
    async with a_discord_bot(tmp_path / "data", model=model, clock=clock, streaming=True) as bot:
        await bot.hears(bot.ann, f"{bot.at} tell me")
        answer = bot.written(bot.kitchen)[-1]
        assert len(answer.versions) > 2
        posting.unfold(answer, {"type": "article", "url": "https://example.org/x", "title": "Tea"})
        await bot.world.flushed()
        await bot.settled()
        await bot.hears(bot.root, "!cortex why")
        await bot.presses(bot.root, "All")
        assert alerts(bot) == []
        theirs = await speaks(bot, "no")
        before = len(alerts(bot))
        await changes(bot, theirs, "no, no")
        assert (len(alerts(bot)), edits(bot)) == (before, [])


@CHANGES_ARE_HEARD
async def test_what_an_earlier_process_changed_is_told_late_and_no_other_programs(bot):
    await bot.hears(bot.ann, f"{bot.at} say yes")
    answer = bot.written(bot.kitchen)[-1]
    await bot.close()
    posting.revise(answer, content="changed before the restart")
    bot.clock.advance(60)
    await bot.open()
    await bot.settled()
    assert alerts(bot) == []
    await changes(bot, answer, "changed after it")
    assert len(edits(bot)) == 1


async def test_processes_that_share_the_shards_of_a_bot_write_to_people_in_private_without_an_alert(tmp_path):
    async with a_discord_bot(tmp_path / "data", platform="shard_count = 1\nshard_ids = [0]") as bot:
        await bot.hears(bot.ann, f"{bot.at} say yes")
        bot.clock.advance(10)
        await bot.hears(bot.ann, "say yes", bot.me)
        posting.post(bot.dm(bot.root), bot.me, "an alert of the process next door")
        await bot.world.flushed()
        await bot.settled()
        assert alerts(bot) == []
        await speaks(bot, "who am I?")
        assert len(alerts(bot)) == 1


async def test_nothing_of_its_own_is_taken_for_another_programs(bot):
    await bot.hears(bot.ann, f"{bot.at} say yes")
    await bot.hears(bot.ann, f"{bot.at} !help")
    await bot.hears(bot.root, "!cortex why")
    bot.server.fault("create_message", Drops(applied=True))
    await bot.hears(bot.ann, f"{bot.at} say that again")
    await bot.restart()
    await bot.settled()
    await bot.hears(bot.ann, f"{bot.at} say yes")
    assert alerts(bot) == []


async def test_what_was_sent_before_a_death_is_no_other_programs(bot):
    await bot.hears(bot.ann, f"{bot.at} say yes")
    await bot.dies()
    await bot.lives_again()
    await bot.settled()
    await bot.hears(bot.ann, f"{bot.at} say yes again")
    assert alerts(bot) == [] and bot.texts() == ["yes", "yes again"]


async def test_an_answer_that_is_shown_while_it_is_written_is_one_message_for_two_programs(tmp_path):
    clock = TidalClock()
    text = " ".join(f"word{number}" for number in range(12))
    first, second = (ScriptedProvider(lambda _, t=t: Writes(clock, f"{t} {text}", 1.0)) for t in ("one", "two"))
    async with (
        a_discord_bot(tmp_path / "data", model=first, clock=clock, streaming=True) as bot,
        both(bot, tmp_path / "other", second),
    ):
        await bot.says(bot.ann, f"{bot.at} tell me")
        await bot.settled()
        assert [one[4:] for one in bot.texts()] == [text], bot.transcript()


def test_a_nonce_is_as_long_as_discord_takes_it_and_of_one_part_alone():
    names = {nonce_of(channel, answers, part) for channel in (1, 2) for answers in ("3:0", "3:1") for part in (0, 1)}
    assert len(names) == 8 and all(len(name) <= MAX_NONCE_CHARS for name in names)


async def test_on_telegram_the_owners_hear_of_the_first_conflict_and_the_doctor_says_it_later(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        await bot.hears(bot.ann, f"{AT} say yes")
        bot.server.fault("getUpdates", CONFLICT)
        bot.me.inlet.wake()
        await bot.server.until(lambda: bot.telegram.health().code == "conflict")
        bot.app.watch.look()
        await bot.settled()
        assert "another program polls with this token" in bot.private(bot.root)
        bot.clock.advance(60)
        await bot.server.until(lambda: bot.telegram.health().state == "up")
        await bot.hears(bot.root, "!cortex doctor")
        # of what is over only the process knows that listens
        assert ("another program polled with this token at" in bot.private(bot.root)) is not stores.SEVERAL
