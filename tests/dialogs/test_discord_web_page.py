"""The web page on Discord: the link in private, and where people can sign in afterwards."""

from __future__ import annotations

from tests.dialogs.discord import a_discord_bot
from tests.servers.sign_in import CLIENT_ID, CLIENT_SECRET

PAGE = f"""
[web_page]
enabled = true
address = "https://bot.example.org"
discord_client_id = "{CLIENT_ID}"
discord_client_secret = "{CLIENT_SECRET}"
"""


async def test_an_owner_hears_where_to_sign_in_later(tmp_path):
    async with a_discord_bot(tmp_path / "data", more=PAGE) as bot:
        await bot.hears(bot.root, "!cortex web")
        said = bot.private(bot.root)
        assert "https://bot.example.org/enter/" in said
        assert said.rstrip().endswith("Later, sign in with Discord:\nhttps://bot.example.org")
        assert CLIENT_SECRET not in said
