"""A configuration that is read anew says what may be decided otherwise from now on."""

from __future__ import annotations

from bot.config import LoadedConfig
from bot.domain.decision_check import DecisionCheck
from tests.bot.cortex.chat import ANN, OWNER, chat, config
from tests.fakes.provider import says


async def reload(chatting, tmp_path, **tables) -> list[str]:
    before = len(chatting.private)
    await chatting.app.running.reload(lambda: LoadedConfig(config=config(tmp_path, **tables), origins={}, secrets={}))
    await chatting.settled()
    return [sent.text for sent in chatting.private[before:]]


async def test_who_keeps_checks_is_told_to_run_them_after_a_change_that_decides(tmp_path):
    persona = {"bot": {"name": "Glass", "data_dir": str(tmp_path), "persona": "Answer in rhymes."}}
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("!cortex", OWNER)
        assert not [text for text in await reload(bot, tmp_path, **persona) if "check" in text]
        await reload(bot, tmp_path)
        await bot.store.checks.keep(DecisionCheck(request=1, expected="replied", platform="console", actor=ANN, at=1))
        told = await reload(bot, tmp_path, cortex={"rounds": 5})
        assert not [text for text in told if "kept" in text]
        told = await reload(bot, tmp_path, **persona)
        assert [
            text for text in told if "1 check is kept: `glassmind check` says whether the bot still decides" in text
        ]
