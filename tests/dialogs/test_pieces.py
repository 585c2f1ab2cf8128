"""Pieces of one thought are one turn: a comment and its forward, an album, a text that was too long for one message."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.domain.ledger import LedgerStage, Outcome
from tests.dialogs import reading
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, SCRIPTED, TelegramBot, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.servers.telegram import Upload

PICTURE = b"\x89PNG\r\n\x1a\n"
FORWARD = {"forward_origin": {"type": "hidden_user", "sender_user_name": "Bob", "date": 1_760_000_000}}


def album(number: int) -> dict:
    return {"media_group_id": str(number)}


def photo(number: int) -> Upload:
    return Upload(f"{number}.png", PICTURE + bytes([number]) * 64, "image/png")


class Held:
    """A model that answers "one", "two" and so on, and is kept waiting at its first request until `goes_on`."""

    def __init__(self, first=None) -> None:
        self.asked, self.goes_on = asyncio.Event(), asyncio.Event()
        self.model = ScriptedProvider(self._waits, says("two"), says("three"), says("four"))
        self.first = first or says("one")

    async def _waits(self, _):
        self.asked.set()
        await self.goes_on.wait()
        return self.first


def words(request) -> list[str]:
    """What people said in a request, without its headers."""
    return [message.text.rsplit("\n", 1)[-1] for message in request.messages if message.role.value == "user"]


async def rows(bot, where) -> list:
    return list(reversed(await bot.store.ledger.recent(bot.key(where), 20)))


async def gathered(bot, row) -> dict[str, str]:
    trail = await bot.store.ledger.trail(row.id)
    found = [stage for stage in trail.stages if stage.stage is LedgerStage.COALESCED and stage.detail]
    return dict(found[-1].detail) if found else {}


@pytest.mark.parametrize("debounce", [0, 1.5])
async def test_a_comment_and_the_forward_that_comes_after_it_are_one_turn(tmp_path: Path, debounce: float) -> None:
    model = ScriptedProvider(says("both"))
    async with a_telegram_bot(tmp_path / "data", model=model, debounce=debounce) as bot:
        dm = bot.dm(bot.ann)
        bot.say(bot.ann, "is this true?", dm)
        bot.say(bot.ann, "the moon is a cheese", dm, extra=FORWARD)
        await bot.settled()
        assert bot.texts(dm) == ["both"]
        comment, forward = await rows(bot, dm)
        assert (comment.outcome, forward.outcome) == (Outcome.SUPERSEDED, Outcome.REPLIED)
        assert words(model.requests[-1])[-2:] == ["is this true?", "the moon is a cheese"]
        assert (await gathered(bot, comment))["sign"] == "a forward"


@pytest.mark.parametrize("signed", ["forward", "album", "private", "group"])
async def test_a_request_under_way_gives_way_to_the_piece_that_it_is_about(tmp_path: Path, signed: str) -> None:
    held = Held()
    async with a_telegram_bot(tmp_path / "data", model=held.model, debounce=1.5) as bot:
        where = bot.kitchen if signed == "group" else bot.dm(bot.ann)
        bot.say(bot.ann, f"{AT} is this true?", where)
        await held.asked.wait()
        if signed == "album":
            bot.say(bot.ann, "", where, photo=photo(1), extra=album(7))
            bot.say(bot.ann, "", where, photo=photo(2), extra=album(7))
        else:
            bot.say(bot.ann, "the moon is a cheese", where, extra=FORWARD)
        await bot.settled()
        assert bot.texts(where) == ["two"], "nothing is answered twice"
        last = held.model.requests[-1]
        assert "is this true?" in words(last)[-2 if signed != "album" else -3]
        first, *_, newest = await rows(bot, where)
        assert (first.outcome, newest.outcome) == (Outcome.SUPERSEDED, Outcome.REPLIED)
        told = await gathered(bot, newest)
        assert told["began_again"] == "yes" and told["messages"] == ("3" if signed == "album" else "2")
        # the next turn reads nothing of the one that was begun in vain
        await bot.hears(bot.ann, f"{AT} thanks", where)
        assert "interrupted" not in held.model.requests[-1].messages[-1].text


async def test_a_turn_that_has_done_something_is_not_broken_off(tmp_path: Path) -> None:
    looks = calls(("memory_recall", {"query": "moon"}))
    asked, goes_on = asyncio.Event(), asyncio.Event()

    async def waits(_):
        asked.set()
        await goes_on.wait()
        return says("one")

    model = ScriptedProvider(looks, waits, says("two"))
    async with a_telegram_bot(tmp_path / "data", model=model, debounce=1.5) as bot:
        dm = bot.dm(bot.ann)
        bot.say(bot.ann, "is this true?", dm)
        await asked.wait()
        bot.say(bot.ann, "the moon is a cheese", dm, extra=FORWARD)
        await bot.server.caught_up()
        goes_on.set()
        await bot.settled()
        assert bot.texts(dm) == ["one", "two"]


async def test_a_private_message_without_a_sign_is_answered_at_once_and_by_itself(tmp_path: Path) -> None:
    model = ScriptedProvider(says("one"), says("two"))
    async with a_telegram_bot(tmp_path / "data", model=model, debounce=1.5) as bot:
        dm, began = bot.dm(bot.ann), bot.clock.monotonic()
        bot.say(bot.ann, "first", dm)
        bot.say(bot.ann, "second", dm)
        await bot.settled()
        assert bot.texts(dm) == ["one", "two"]
        assert bot.clock.monotonic() - began < 1.5, "it was waited for more"


@pytest.mark.parametrize("caption", [0, 1, 2])
@pytest.mark.parametrize("place", ["private", "group"])
async def test_an_album_is_one_turn_with_all_pictures(tmp_path: Path, place: str, caption: int) -> None:
    model = ScriptedProvider(says("three pictures"))
    more = SCRIPTED.format(model="sees_images = true")
    async with a_telegram_bot(tmp_path / "data", model=model, more=more, debounce=1.5) as bot:
        where = bot.kitchen if place == "group" else bot.dm(bot.ann)
        for number in range(3):
            text = f"{AT} what is in these?" if number == caption else ""
            bot.say(bot.ann, text, where, photo=photo(number), extra=album(7))
        await bot.settled()
        assert bot.texts(where) == ["three pictures"]
        request = model.requests[-1]
        assert len([image for message in request.messages for image in message.images]) == 3
        outcomes = [row.outcome for row in await rows(bot, where)]
        assert outcomes == [Outcome.SUPERSEDED, Outcome.SUPERSEDED, Outcome.REPLIED]


async def test_an_album_that_nobody_sent_to_the_bot_is_overheard(tmp_path: Path) -> None:
    async with a_telegram_bot(tmp_path / "data", debounce=1.5) as bot:
        await bot.hears(bot.james, f"{AT} hello")
        for number in range(3):
            bot.say(bot.ann, "our garden", bot.kitchen, photo=photo(number), extra=album(7))
        await bot.settled()
        assert len(bot.texts()) == 1


async def test_a_long_text_that_an_app_cut_is_one_turn(tmp_path: Path) -> None:
    model = ScriptedProvider(says("read"))
    async with a_telegram_bot(tmp_path / "data", model=model, debounce=1.5) as bot:
        for where, who in ((bot.dm(bot.ann), bot.ann), (bot.kitchen, bot.james)):
            bot.say(who, (f"{AT} please sum up. " + "word " * 900)[:4090], where)
            bot.say(who, "and this is the end", where)
            await bot.settled()
            assert bot.texts(where) == ["read"]
            assert words(model.requests[-1])[-1] == "and this is the end"


async def test_on_discord_a_forward_waits_for_its_comment(tmp_path: Path) -> None:
    model = ScriptedProvider(says("both"), says("alone"))
    async with a_discord_bot(tmp_path / "data", model=model, debounce=1.5) as bot:
        said = await bot.says(bot.james, "the moon is a cheese")
        carried = {"type": 0, "content": said.text, "embeds": [], "attachments": [], "flags": 0}
        carried |= {"timestamp": "2025-10-09T08:53:20+00:00", "edited_timestamp": None}
        reference = {"type": 1, "channel_id": str(bot.kitchen.id), "message_id": str(said.id)}
        forward = {"message_reference": reference, "message_snapshots": [{"message": carried}], "flags": 1 << 14}
        await bot.says(bot.ann, "", bot.me, **forward)
        await bot.says(bot.ann, "is this true?", bot.me)
        await bot.settled()
        assert bot.texts(bot.dm(bot.ann)) == ["both"]
        await bot.hears(bot.ann, "x" * 1990, bot.me)
        assert bot.texts(bot.dm(bot.ann)) == ["both", "alone"]


async def test_the_wait_and_its_reason_stand_in_the_trail(tmp_path: Path) -> None:
    async with a_telegram_bot(tmp_path / "data", debounce=1.5) as bot:
        dm = bot.dm(bot.root)
        await bot.hears(bot.root, "the moon is a cheese", dm, extra=FORWARD)
        (row,) = [one for one in await rows(bot, dm) if one.outcome is Outcome.REPLIED]
        assert await gathered(bot, row) == {
            "into": (await gathered(bot, row))["into"],
            "messages": "1",
            "sign": "a forward",
            "waited": "1.5 s",
        }


async def told_of(bot: TelegramBot, question: str, **more) -> str:
    return "\n".join(message.text for message in await bot.hears(bot.root, question, bot.kitchen, **more))


async def test_why_and_this_say_that_pieces_were_gathered(tmp_path: Path) -> None:
    model = ScriptedProvider(says("three pictures"))
    more = SCRIPTED.format(model="sees_images = true")
    async with a_telegram_bot(tmp_path / "data", model=model, more=more, debounce=1.5) as bot:
        for number in range(3):
            text = f"{AT} are you there?" if number == 0 else ""
            bot.say(bot.root, text, bot.kitchen, photo=photo(number), extra=album(7))
        await bot.settled()
        assert "3 messages became one turn" in await told_of(bot, "!cortex why")
        answer = bot.written(bot.kitchen)[0]
        this = await told_of(bot, "!cortex this", reply_to=answer)
        assert "3 messages became one turn: the bot waited 1.5 s for more (an album)." in this


@pytest.mark.parametrize("caption", [0, 2])
@pytest.mark.parametrize("place", ["private", "group"])
async def test_an_album_counts_as_one_message_against_the_limit(tmp_path: Path, place: str, caption: int) -> None:
    model = ScriptedProvider(says("three pictures"), says("two pictures"))
    more = SCRIPTED.format(model="sees_images = true")
    async with a_telegram_bot(tmp_path / "data", model=model, more=more, debounce=1.5, per_minute=2) as bot:
        where = bot.kitchen if place == "group" else bot.dm(bot.ann)
        for album_number, pictures in ((7, 3), (8, 2)):
            for number in range(pictures):
                text = f"{AT} what is in these?" if number == min(caption, pictures - 1) else ""
                bot.say(bot.ann, text, where, photo=photo(number), extra=album(album_number))
            await bot.settled()
            bot.clock.advance(3)
        assert bot.texts(where) == ["three pictures", "two pictures"]
        await bot.hears(bot.ann, f"{AT} and one thing more", where)
        newest = (await rows(bot, where))[-1]
        assert (newest.outcome, newest.outcome_reason) == (Outcome.GATED, "rate")


async def test_a_comment_and_its_forward_count_as_one_and_what_is_said_later_by_itself(tmp_path: Path) -> None:
    model = ScriptedProvider(says("both"), says("two"))
    async with a_telegram_bot(tmp_path / "data", model=model, debounce=1.5, per_minute=2) as bot:
        dm = bot.dm(bot.ann)
        bot.say(bot.ann, "is this true?", dm)
        bot.say(bot.ann, "the moon is a cheese", dm, extra=FORWARD)
        await bot.settled()
        bot.clock.advance(10)
        await bot.hears(bot.ann, "thanks", dm)
        await bot.hears(bot.ann, "really", dm)
        assert [row.outcome for row in await rows(bot, dm)][-3:] == [Outcome.REPLIED, Outcome.REPLIED, Outcome.GATED]


async def test_nobody_gets_around_the_limit_by_a_sign_on_every_message(tmp_path: Path) -> None:
    model = ScriptedProvider(*[says("read")] * 30)
    async with a_telegram_bot(tmp_path / "data", model=model, debounce=1.5, per_minute=2) as bot:
        dm = bot.dm(bot.ann)
        for number in range(20):
            bot.say(bot.ann, f"number {number}", dm, extra=FORWARD)
            await bot.settled()
            bot.clock.advance(1)
        assert Outcome.GATED in [row.outcome for row in await rows(bot, dm)]


@pytest.mark.parametrize("restarts", [False, True])
async def test_an_album_whose_caption_is_told_later_is_one_turn_with_all_pictures(
    tmp_path: Path, restarts: bool
) -> None:
    model = ScriptedProvider(says("three pictures"), says("as I said"))
    more = SCRIPTED.format(model="sees_images = true")
    async with a_telegram_bot(tmp_path / "data", model=model, more=more, debounce=1.5) as bot:
        bot.say(bot.james, "look at this", bot.kitchen)
        for number in range(2):
            bot.say(bot.ann, "", bot.kitchen, photo=photo(number), extra=album(7))
        await bot.settled()
        assert not model.requests
        if restarts:
            await bot.restart()
        bot.say(bot.ann, f"{AT} what is in these?", bot.kitchen, photo=photo(2), extra=album(7))
        await bot.settled()
        assert bot.texts() == ["three pictures"]
        assert len([image for message in model.requests[-1].messages for image in message.images]) == 3
        assert not any("not looked at" in message.text for message in model.requests[-1].messages)
        *_, first, second, newest = await rows(bot, bot.kitchen)
        assert [one.outcome for one in (first, second, newest)] == ["stored_only", "stored_only", "replied"]
        told = [await gathered(bot, one) for one in (first, second, newest)]
        assert {(one["into"], one["messages"], one["of_album"]) for one in told} == {(told[2]["into"], "3", "3")}
        assert "3 messages became one turn" in await told_of(bot, "!cortex why")
        await bot.hears(bot.ann, f"{AT} thanks", bot.kitchen)
        assert len([image for message in model.requests[-1].messages for image in message.images]) == 3


async def test_an_album_of_somebody_else_stays_what_it_is(tmp_path: Path) -> None:
    model = ScriptedProvider(says("one picture"))
    more = SCRIPTED.format(model="sees_images = true")
    async with a_telegram_bot(tmp_path / "data", model=model, more=more, debounce=1.5) as bot:
        bot.say(bot.james, "", bot.kitchen, photo=photo(0), extra=album(6))
        bot.say(bot.ann, "", bot.kitchen, photo=photo(1), extra=album(5))
        await bot.settled()
        bot.say(bot.ann, f"{AT} what is in this?", bot.kitchen, photo=photo(2), extra=album(7))
        await bot.settled()
        assert len([image for message in model.requests[-1].messages for image in message.images]) == 1


async def test_group_privacy_keeps_the_other_pictures_of_an_album_back_and_why_says_so(tmp_path: Path) -> None:
    model = ScriptedProvider(says("one picture"))
    more = SCRIPTED.format(model="sees_images = true")
    async with a_telegram_bot(tmp_path / "data", model=model, more=more, debounce=1.5, begins=False) as bot:
        bot.me.privacy = True
        await bot.open()
        for number in range(3):
            text = f"{AT} what is in these?" if number == 0 else ""
            bot.say(bot.root, text, bot.kitchen, photo=photo(number), extra=album(7))
        await bot.settled()
        assert bot.texts() == ["one picture"]
        (row,) = await rows(bot, bot.kitchen)
        assert (await gathered(bot, row))["of_album"] == "1"
        told = await reading.told(bot, f"!cortex why {bot.key().channel}")
        assert "not checkable: " in told and "the album's other pictures (1 arrived, group privacy is on)" in told
