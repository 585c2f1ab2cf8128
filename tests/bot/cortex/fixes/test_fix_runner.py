"""A fix is offered, previewed, confirmed by the same admin in the same chat, done once, and can be taken back."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.ledger import Outcome
from bot.domain.memory import MemoryType
from bot.sentences import say
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, ANN, GENERAL, OWNER, SILENCING, STRANGER, chat, config, dm_of
from tests.fakes.platform import refused
from tests.fakes.provider import calls, says

KEY = ChannelKey(MAIN, GENERAL)
PRESSES = 200


def obeys(request):
    """Keep silent towards ann as long as the prompt says so, like a model that reads its memories."""
    if "You are the inspection branch" in request.system_text:
        return says('{"findings":[],"summary":""}')
    if SILENCING in request.system_text and request.messages[-1].role == "user":
        return calls(("skip", {"reason": "I was told not to answer ann.", "category": "instructed"}))
    return says("yes, I am here")


async def forgotten(bot, row):
    return bool((await bot.store.memories.get(row)).forgotten_at)


async def test_the_worked_example_from_silence_to_answer_and_back(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        row = await bot.remembers()
        name = handle(HandleKind.MEMORY, row)
        bot.clock.advance(2 * 3600)
        silent = await bot.hears("are you there?")
        assert await bot.outcome(silent) is Outcome.SKIPPED

        await bot.hears("!cortex why", OWNER)
        assert bot.public == []
        assert name in bot.last
        await bot.presses(f"Show {name}")
        assert "A memory: decision, importance 0.90." in bot.last
        assert SILENCING in bot.last
        await bot.presses(f"Forget {name}…")
        assert SILENCING in bot.last
        assert "Last 24 h here: " in bot.last
        assert "can be undone for 24 h" in bot.last
        assert not await forgotten(bot, row)

        assert await bot.presses(f"Forget {name}") == "Done."
        assert await forgotten(bot, row)
        assert "Answer it now?" in bot.last
        await bot.presses("Answer i")
        assert bot.public == ["yes, I am here"]
        assert "answered a member" in bot.last

        await bot.hears("and now?")
        assert bot.public == ["yes, I am here"] * 2

        await bot.presses("Undo")
        assert not await forgotten(bot, row)
        again = await bot.hears("still there?")
        assert await bot.outcome(again) is Outcome.SKIPPED
        assert await bot.store.audit.verify() == 0


async def offered(bot):
    row = await bot.remembers()
    await bot.hears("hello")
    name = handle(HandleKind.MEMORY, row)
    await bot.hears(f"!cortex memory forget {name}", ADMIN)
    return row, bot.button(f"Forget {name}").data


async def test_another_admin_cannot_press_and_the_offer_stays_open(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        wrong = ((ADMIN_TOO, None), (OWNER, None), (ANN, GENERAL), (ADMIN, GENERAL))
        for by, where in wrong * 250:
            sent = len(bot.platform.sent)
            assert await bot.press_data(data, by, where) == say("cortex.not-yours")
            assert len(bot.platform.sent) == sent
        assert not await forgotten(bot, row)
        assert await bot.press_data(data, ADMIN) == "Done."


async def test_a_double_press_does_it_once(tmp_path):
    patient = config(tmp_path / "data", cortex={"per_minute": 10_000})
    async with chat(tmp_path, settings=patient) as bot:
        row, data = await offered(bot)
        answers = await asyncio.gather(*(bot.press_data(data, ADMIN) for _ in range(PRESSES)))
        assert answers.count("Done.") == 1
        assert all(answer.startswith("Done at ") for answer in answers if answer != "Done.")
        assert (await bot.store.memories.get(row)).version == 2
        rows = await bot.store.audit.newest(None, 50)
        assert sum(entry.body.action == "forget memory" for entry in rows) == 1


async def test_keep_it_closes_the_offer(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        assert await bot.presses("Keep it", ADMIN) == "Kept. Nothing was changed."
        assert (await bot.press_data(data, ADMIN)).startswith("Declined")
        assert not await forgotten(bot, row)


async def test_an_expired_offer_does_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        bot.clock.advance(601)
        assert "expired" in await bot.press_data(data, ADMIN)
        assert "expired" in await bot.press_data(data, ADMIN)
        assert not await forgotten(bot, row)


async def test_a_stale_memory_is_left_alone(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        await bot.hears(f"!cortex memory forget {handle(HandleKind.MEMORY, row)}", OWNER)
        await bot.presses("Forget", OWNER)
        await bot.presses("Undo", OWNER)
        assert "Nothing was changed" in await bot.press_data(data, ADMIN)
        assert not await forgotten(bot, row)


async def test_a_demoted_admin_changes_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        bot.platform.admins.discard((ADMIN, GENERAL))
        assert "Nothing was changed" in await bot.press_data(data, ADMIN)
        assert not await forgotten(bot, row)
        bot.platform.admins.add((ADMIN, GENERAL))
        assert await bot.press_data(data, ADMIN) == "Done."


async def test_an_undo_needs_the_right_again_and_works_once(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        await bot.press_data(data, ADMIN)
        undo = bot.button("Undo").data
        assert await bot.press_data(undo, OWNER) == say("cortex.not-yours")
        bot.platform.admins.discard((ADMIN, GENERAL))
        assert "may not" in await bot.press_data(undo, ADMIN)
        bot.platform.admins.add((ADMIN, GENERAL))
        assert await forgotten(bot, row)
        answers = await asyncio.gather(*(bot.press_data(undo, ADMIN) for _ in range(5)))
        assert answers.count("Undone.") == 1
        assert not await forgotten(bot, row)


async def test_after_a_day_nothing_is_undone(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        await bot.press_data(data, ADMIN)
        bot.clock.advance(25 * 3600)
        assert "more than 24 h ago" in await bot.presses("Undo", ADMIN)
        assert await forgotten(bot, row)


async def test_a_restart_between_offer_and_press_changes_nothing(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
    async with chat(tmp_path, clock=bot.clock) as again:
        assert await again.press_data(data, ADMIN) == "Done."
        assert await forgotten(again, row)


async def test_typed_undo_shows_first_and_then_undoes(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        await bot.hears("!cortex undo", ADMIN)
        assert "nothing to undo" in bot.last
        await bot.press_data(data, ADMIN)
        await bot.hears("!cortex undo", ADMIN)
        assert await forgotten(bot, row)
        await bot.presses("Undo a", ADMIN)
        assert not await forgotten(bot, row)


async def test_restore_is_offered_the_same_way(tmp_path):
    async with chat(tmp_path) as bot:
        row, data = await offered(bot)
        await bot.press_data(data, ADMIN)
        await bot.hears(f"!cortex memory restore {handle(HandleKind.MEMORY, row)}", ADMIN)
        assert await forgotten(bot, row)
        await bot.presses("Restore", ADMIN)
        assert not await forgotten(bot, row)


async def test_resuming_a_channel_reaches_the_gates_at_once(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!pause", OWNER)
        stopped = await bot.hears("anybody?")
        assert await bot.outcome(stopped) is Outcome.GATED
        await bot.hears("!cortex why", OWNER)
        await bot.presses("Resume")
        assert "can be undone" in bot.last
        await bot.presses("Resume")
        assert "is no longer paused" in bot.last
        await bot.presses("Answer i")
        assert [text for text in bot.public if not text.startswith("Paused")] == ["yes", "yes"]
        assert "answered a member" in bot.last
        fine = await bot.hears("thanks")
        assert await bot.outcome(fine) is Outcome.REPLIED


async def test_after_a_silence_the_channel_is_told_when_the_admin_has_read_the_line(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("!pause", OWNER)
        await bot.hears("!cortex why", OWNER)
        await bot.presses("Resume")
        await bot.presses("Resume")
        spoken = len(bot.public)
        await bot.presses("Tell #general…")
        assert say("cortex.back") in bot.last and "cannot be undone" in bot.last and len(bot.public) == spoken
        data = bot.button("Post it").data
        assert await bot.press_data(data, STRANGER) == say("cortex.not-yours")
        assert await bot.press_data(data) == "Posted."
        assert bot.public[spoken:] == [say("cortex.back")] and "✓ posted in #general" in bot.last
        assert "already" in await bot.press_data(data)
        assert bot.public[spoken:] == [say("cortex.back")]


async def test_a_line_that_is_not_wanted_or_cannot_be_posted(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("!pause", OWNER)
        await bot.hears("!cortex why", OWNER)
        await bot.presses("Resume")
        await bot.presses("Resume")
        spoken = len(bot.public)
        await bot.presses("Tell")
        assert await bot.presses("Leave it") == "Kept. Nothing was changed."
        await bot.presses("Tell")
        bot.platform.fails([refused()])
        assert "I could not post it in #general" in await bot.presses("Post it")
        assert len(bot.public) == spoken


async def test_an_answer_button_answers_once(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        row = await bot.remembers()
        await bot.hears("are you there?")
        await bot.hears(f"!cortex memory forget {handle(HandleKind.MEMORY, row)}", OWNER)
        await bot.presses("Forget")
        data = bot.button("Answer i").data
        await asyncio.gather(*(bot.press_data(data) for _ in range(5)))
        await bot.press_data(data)
        assert bot.public == ["yes, I am here"]


@pytest.mark.parametrize("data", ["", "x", "A" * 32, "A" * 64, "\x00" * 32, "é" * 32])
async def test_what_was_never_a_button_does_nothing(tmp_path, data):
    async with chat(tmp_path) as bot:
        assert await bot.press_data(data) == say("cortex.not-ours")


async def test_a_memory_of_another_channel_is_not_offered(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=dm_of(ANN))
        row = await bot.remembers("private", channel=dm_of(ANN), type=MemoryType.FACT)
        await bot.hears(f"!cortex memory forget {handle(HandleKind.MEMORY, row)}", ADMIN)
        assert "no such record" in bot.last
        await bot.hears(f"!cortex {handle(HandleKind.MEMORY, row)}", OWNER)
        assert "private" not in "".join(s.text for s in bot.private)
