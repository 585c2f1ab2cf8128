"""Telegram counts what is sent to a chat, whatever topic it goes to: all topics of a chat wait together."""

from __future__ import annotations

from tests.dialogs.telegram import AT, a_telegram_bot
from tests.servers.telegram import Flood


async def test_a_chat_that_is_told_to_wait_waits_in_all_its_topics(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        forum = bot.world.supergroup("forum", bot.root, bot.ann, bot.me, forum=True)
        tea, cake = (bot.world.topic(forum, name) for name in ("tea", "cake"))
        await bot.settled()
        bot.server.fault("sendMessage", Flood(30))
        bot.say(bot.ann, f"{AT} say one", forum, topic=tea)
        await bot.server.called("sendMessage")
        bot.say(bot.ann, f"{AT} say two", forum, topic=cake)
        bot.say(bot.ann, f"{AT} say three")
        await bot.settled()
        refused, *sent = [call for call in bot.server.calls() if call.method == "sendMessage"]
        assert refused.status == 429 and [call.status for call in sent] == [200] * 3
        waited = {call.params["text"]: call.at - refused.at for call in sent}
        assert waited["one"] >= 30 and waited["two"] >= 30 and waited["three"] < 5
