"""Two bots of one platform in one process: each has a name, a token and conversations of its own."""

from __future__ import annotations

from typing import Any

from bot.domain.ids import ChannelKey
from tests.dialogs.test_metrics import read_by_monitor
from tests.dialogs.twins import SECOND, DiscordTwins, Twins, discord_twins, telegram_twins
from tests.servers.discord.world import TOKEN as NO_TOKEN

METERED = '[metrics]\nlisten = "127.0.0.1:0"\n'


def at(account: Any) -> str:
    return f"<@{account.id}>"


async def is_answered_by(bots: Twins, key: ChannelKey) -> list[tuple[str, str]]:
    """Say by which bot's name what people wrote in a channel was heard, and how it ended."""
    found = await bots.store.ledger.recent(key, 20)
    return [(one.inbound.adapter, str(one.outcome)) for one in found if one.inbound.author.kind == "person"]


async def is_counted(bots: Twins) -> dict[str, int]:
    """Say how many messages a monitor finds answered, by the bot's name; it finds that both are heard."""
    async with read_by_monitor(bots.app) as monitor:
        counted = await monitor.total("glassmind_inbound")
        status, ready = await monitor.get("/readyz")
    # what never happened is counted from the start, so that an increase can be seen
    assert {platform for _, platform in counted} == set(bots.app.edges.platforms)
    assert status == 200 and all(f'"{name}": {{"hears": true' in ready for name in bots.app.edges.platforms)
    return {platform: number for (outcome, platform), number in counted.items() if outcome == "replied"}


async def publishes(bots: Twins) -> None:
    """Let both bots register their commands, twice as after a restart."""
    for name in [*bots.app.edges.platforms] * 2:
        await bots.app.publish(name)


async def test_two_bots_on_discord_answer_each_for_itself(tmp_path):
    async with discord_twins(tmp_path / "data", more=METERED) as bots:
        await bots.settled()
        first, second, ann, root = bots.first, bots.second, bots.ann, bots.root
        await bots.told(ann, f"{at(first.me)} say one")
        await bots.told(ann, f"{at(second.me)} say two", bots.cellar)
        assert (first.texts(bots.kitchen), second.texts(bots.kitchen)) == (["one"], [])
        assert (first.texts(bots.cellar), second.texts(bots.cellar)) == ([], ["two"])
        assert (SECOND, "replied") in await is_answered_by(bots, bots.key_of_second(bots.cellar))

        await bots.told(ann, f"{at(first.me)} {at(second.me)} say three")
        assert "three" in first.texts(bots.kitchen)[1] and "three" in second.texts(bots.kitchen)[0]
        assert len(bots.kitchen.standing) == 5, "neither of them answers the other one"
        await bots.told(ann, f"{at(second.me)} say four", bots.cellar)
        assert await is_counted(bots) == {"discord": 2, SECOND: 3}

        await publishes(bots)
        put = bots.server.calls("put_commands")
        assert [call.bot for call in put] == [first.me, second.me], "each under its own token, once"
        assert all(call.parts["application"] == str(call.bot.id) for call in put)
        assert {"cortex", "why"} <= {one["name"] for one in second.me.commands[None]}
        for half in (first, second):
            assert ("commands", "synced") in half.discord.health().facts
            (line,) = (await half.slash(root, "status", half.dm(root))).shown
            assert line.author is half.me and line.text

        await bots.told(root, f"{at(second.me)} !cortex why", bots.cellar)
        assert "#cellar: all is well" in second.private(root) and first.private(root) == ""
        await bots.told(root, f"{at(first.me)} !cortex why")
        assert "#kitchen: all is well" in first.private(root)
        await bots.told(root, "!cortex doctor", second.dm(root))
        assert "✓ discord account: glassmind answers" in second.private(root)
        assert "✓ support account (discord): helper answers" in second.private(root)
        assert "Another program" not in first.private(root) + second.private(root)


async def test_both_bots_go_on_after_a_restart_with_what_was_written_meanwhile(tmp_path):
    async with discord_twins(tmp_path / "data") as bots:
        await bots.settled()
        await bots.told(bots.ann, f"{at(bots.me)} say one")
        await bots.told(bots.ann, f"{at(bots.second_account)} say two")
        await bots.close()
        await bots.ann.says(bots.kitchen, f"{at(bots.second_account)} say three")
        bots.clock.advance(1)
        await bots.open()
        await bots.settled()
        assert (bots.first.texts(), bots.second.texts()) == (["one"], ["two", "three"])
        heard = await is_answered_by(bots, bots.key_of_second(bots.kitchen))
        assert heard.count((SECOND, "replied")) == 2
        assert not [one for one in heard if one[0] != SECOND]

        await bots.told(bots.ann, "!forgetme now", bots.second.dm(bots.ann))
        kept = [one.inbound.text for one in await bots.store.ledger.recent(bots.key(), 20)]
        gone = [one.inbound.text for one in await bots.store.ledger.recent(bots.key_of_second(bots.kitchen), 20)]
        assert any("say one" in text for text in kept), "the other bot keeps what it was told"
        assert not any("say two" in text or "say three" in text for text in gone)


class BadToken(DiscordTwins):
    async def settled(self) -> None:
        await self.first.settled()


async def test_a_bot_whose_token_is_refused_does_not_keep_the_other_one_from_answering(tmp_path):
    async with discord_twins(tmp_path / "data", made=BadToken, second_token=f"{NO_TOKEN}nobody") as bots:
        await bots.settled()
        await bots.told(bots.ann, f"{at(bots.me)} say one")
        assert bots.first.texts() == ["one"]
        health = bots.app.edges.health_of(SECOND)
        assert (health.name, health.state, health.code) == (SECOND, "down", "token")
        assert "platforms.support.token" in health.fix
        await bots.told(bots.root, "!cortex doctor", bots.first.dm(bots.root))
        said = bots.first.private(bots.root)
        assert "✗ support account" in said and "platforms.support.token" in said
        assert "✓ discord account: glassmind answers" in said


async def test_two_bots_on_telegram_answer_each_for_itself_before_and_after_a_restart(tmp_path):
    async with telegram_twins(tmp_path / "data", more=METERED) as bots:
        await bots.settled()
        first, second, ann, root = bots.first, bots.second, bots.ann, bots.root
        await bots.told(ann, "@glassmind_bot say one")
        await bots.told(ann, "@helper_bot say two")
        assert (first.texts(), second.texts()) == (["one"], ["two"])
        await bots.told(ann, "@glassmind_bot @helper_bot say three")
        assert "three" in first.texts()[1] and "three" in second.texts()[1]
        assert (SECOND, "replied") in await is_answered_by(bots, bots.key_of_second(bots.kitchen))
        assert await is_counted(bots) == {"telegram": 2, SECOND: 2}

        await publishes(bots)
        for bot in (first.me, second.me):
            everyone = [command["command"] for command in bot.commands["default"]]
            assert "help" in everyone and "pause" not in everyone
            assert any("pause" in str(menu) for scope, menu in bot.commands.items() if str(root.id) in scope)
        put = [call.bot for call in bots.server.calls("setMyCommands") if call.status == 200]
        assert put.count(first.me) == len(first.me.commands) and put.count(second.me) == len(second.me.commands)

        await bots.told(root, "@helper_bot !cortex why")
        assert "kitchen: all is well" in second.private(root) and first.private(root) == ""
        await bots.told(root, "/cortex@glassmind_bot why")
        assert "kitchen: not addressed to the bot" in first.private(root), "what the other one was asked last"
        assert second.private(root).count("all is well") == 1
        await bots.told(root, "!cortex doctor", first.dm(root))
        assert "✓ telegram account: ＠glassmind_bot answers" in first.private(root)
        assert "✓ support account (telegram): ＠helper_bot answers" in first.private(root)

        await bots.close()
        first.say(ann, "@helper_bot say four")
        bots.clock.advance(1)
        await bots.open()
        await bots.settled()
        assert (len(bots.first.texts()), bots.second.texts()[2:]) == (2, ["four"])
