"""Kept as a check from the chat: what is right is asked, listed, taken away; nobody else's press counts."""

from __future__ import annotations

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import PersonKey, UserId
from tests.bot.cortex.chat import ADMIN, ANN, OWNER, chat, dm_of
from tests.bot.cortex.proving.test_proof_runner import KEY, obeys
from tests.fakes.provider import says


async def test_a_silence_that_was_wrong_is_kept_with_what_is_right(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        await bot.remembers()
        await bot.hears("are you there?")
        asked = len(bot.provider.requests)
        row = (await bot.store.journal.recent_requests(KEY, 1))[0].id
        name = handle(HandleKind.REQUEST, row)
        await bot.hears("!cortex prove", OWNER)
        await bot.presses("Prove it")
        public, runs = list(bot.public), len(bot.provider.requests)
        assert await bot.presses("Keep as a check…") == ""
        assert f"{name} as a check" in bot.last and "On record it decided to stay silent." in bot.last
        labels = [button.label for button in bot.private[-1].buttons]
        assert labels == ["As it did: stay silent", "It should answer"]
        should = bot.button("It should answer").data
        assert await bot.press_data(should, ADMIN, dm_of(ADMIN)) != "" and not await bot.store.checks.kept()
        assert await bot.press_data(should) == "" and await bot.press_data(should) == ""
        assert f"Kept: of {name} the bot should answer." in bot.last
        (kept,) = await bot.store.checks.kept()
        assert (kept.request, kept.expected, kept.actor) == (row, "replied", OWNER)
        await bot.hears("!cortex checks", OWNER)
        assert f"{name} should answer" in bot.last
        assert bot.public == public and len(bot.provider.requests) == runs > asked
        await bot.dm(f"checks drop {name}")
        assert f"{name} is not a check any more." in bot.last and not await bot.store.checks.kept()
        await bot.dm(f"checks drop {name}")
        assert f"{name} is not a check here." in bot.last


async def test_typed_by_message_by_request_and_by_nobody_else(tmp_path):
    async with chat(tmp_path, says("yes, I am here")) as bot:
        await bot.hears("!cortex checks keep", OWNER)
        assert "Only requests of a channel" in bot.last
        await bot.hears("are you there?")
        await bot.hears("!cortex checks keep", OWNER)
        await bot.presses("As it did: answer")
        await bot.hears("!cortex checks keep", ANN)
        await bot.hears("!cortex checks", ANN)
        assert "Kept: of" in bot.last and len(await bot.store.checks.kept()) == 1
        await bot.hears("!cortex checks", ADMIN)
        assert "should answer" in bot.last
        await bot.dm("checks", OWNER)
        row = (await bot.store.journal.recent_requests(KEY, 1))[0].id
        await bot.dm(f"checks keep {handle(HandleKind.REQUEST, row)}")
        await bot.presses("It should stay silent")
        (kept,) = await bot.store.checks.kept()
        assert kept.expected == "skipped"


async def test_a_check_whose_words_were_erased_says_so(tmp_path):
    async with chat(tmp_path, says("yes, I am here")) as bot:
        await bot.hears("are you there?")
        await bot.hears("!cortex checks keep", OWNER)
        data = bot.button("As it did").data
        await bot.store.erasures.erase(PersonKey("console", UserId(ANN)))
        assert "words of somebody were erased from it" in await bot.press_data(data)
        assert not await bot.store.checks.kept()


async def test_a_check_is_run_from_the_chat_with_the_prompt_of_today(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        memory = await bot.remembers()
        await bot.hears("are you there?")
        await bot.hears("!cortex checks keep", OWNER)
        await bot.presses("It should answer")
        name = handle(HandleKind.REQUEST, (await bot.store.journal.recent_requests(KEY, 1))[0].id)
        asked = len(bot.provider.requests)
        await bot.dm(f"checks run {name}")
        assert "A check: it should answer." in bot.last and "Up to 8 runs" in bot.last
        assert len(bot.provider.requests) == asked
        public = list(bot.public)
        await bot.presses("Ask it again")
        assert f"✗ {name}" in bot.last and "should answer: 0 of 2 (stay silent: 2)" in bot.last
        await bot.dm(f"memory forget {handle(HandleKind.MEMORY, memory)}")
        await bot.presses("Forget")
        await bot.dm(f"checks run {name}")
        await bot.presses("Ask it again")
        assert f"✓ {name}" in bot.last and "should answer: 2 of 2" in bot.last and bot.public == public
        await bot.dm("checks run rzzzz")
        assert "rzzzz is not a check here." in bot.last
