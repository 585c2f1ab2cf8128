"""What platforms refuse, and what the bot makes of it for people: the place is named, and what to do about it."""

from __future__ import annotations

from tests.dialogs.discord import a_discord_bot

JWT = f"eyJhbGciOiJIUzI1NiJ9.{'eyJpZCI6IjEifQ' * 12}.{'x' * 342}"


# a token of another shape


async def test_a_token_of_a_server_of_ones_own_is_taken(tmp_path):
    async with a_discord_bot(tmp_path / "data", begins=False) as bot:
        bot.world.name_token(JWT)
        await bot.open()
        await bot.settled()
        (answer,) = await bot.hears(bot.ann, f"{bot.at} say yes")
        assert answer.text == "yes"


async def test_the_server_says_no_to_a_token_of_any_shape(tmp_path):
    async with a_discord_bot(tmp_path / "data", begins=False) as bot:
        bot.world.name_token(JWT)
        await bot.open()
        bot.world.revoke()
        bot.server.gateway.close(4004)
        await bot.server.until(lambda: bot.discord.health().code == "token")
        assert JWT not in str(bot.discord.health())
