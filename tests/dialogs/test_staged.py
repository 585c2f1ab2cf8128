"""What a tool promised for the end of its turn, and what was dropped, is promised in no record and to no model."""

from __future__ import annotations

from bot.domain.ids import MAIN
from bot.domain.memory import MemoryReach
from bot.errors import ProviderFault
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, calls, fails, says

SAVES = calls(("memory_save", {"content": "The standup is at 9:30.", "type": "fact"}))
TOO_LONG = fails(ProviderFault.CONTEXT_LENGTH, "too many tokens")


async def remembered(bot) -> list[str]:
    found = await bot.store.memories.in_reach(MemoryReach(agent=MAIN, channel=bot.key().channel))
    return [memory.body.content for memory in found]


def read(request) -> str:
    return "\n".join(text for message in request.messages for text in message.texts)


async def test_a_turn_that_fails_keeps_what_it_was_told_to_remember(tmp_path):
    model = ScriptedProvider(SAVES, fails(), says("I know"))
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        await bot.hears(bot.ann, f"{AT} remember: the standup is at 9:30")
        assert "could not" in bot.texts()[-1] or "answer" in bot.texts()[-1]
        assert await remembered(bot) == ["The standup is at 9:30."]


async def test_a_turn_of_which_nothing_may_be_kept_says_so_in_its_record(tmp_path):
    model = ScriptedProvider(SAVES, TOO_LONG, TOO_LONG, says("no"), says("still no"))
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        await bot.hears(bot.ann, f"{AT} remember: the standup is at 9:30")
        assert await remembered(bot) == []
        await bot.hears(bot.ann, f"{AT} do you remember it?")
        told = read(model.requests[-1])
        assert "tool=memory_save state=cancelled" in told and "Nothing of this was kept" in told
        assert await bot.store.verify() == []


async def test_what_a_killed_turn_was_to_remember_is_saved_when_it_is_run_again(tmp_path):
    def again(request):
        kept = "Nothing of this was kept" in read(request)
        return SAVES if kept else says("it is saved already")

    def falls(_):
        bot.falls()
        return says("never sent")

    model = ScriptedProvider(SAVES, falls)
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        bot.say(bot.ann, f"{AT} remember: the standup is at 9:30")
        await bot.server.until(lambda: bot.left_behind is not None)
        await bot.dies()
        model.script = [again, says("saved")]
        await bot.lives_again()
        await bot.settled()
        assert bot.texts()[-1] == "saved"
        assert await remembered(bot) == ["The standup is at 9:30."]


async def test_the_log_of_calls_tells_it_too(tmp_path):
    asks = calls(("retrieve_tool_call_log", {"tool_name": "memory_save"}))
    model = ScriptedProvider(SAVES, fails(ProviderFault.BAD_REQUEST), asks, says("read"))
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        await bot.hears(bot.ann, f"{AT} remember: the standup is at 9:30")
        await bot.hears(bot.ann, f"{AT} what did you save?")
        (result,) = [result for message in model.requests[-1].messages for result in message.results]
        assert "Nothing of this was kept" in result.text
