"""Who the bot is on Discord, asked once."""

from __future__ import annotations

from typing import Any

from yarl import URL

from adapters.discord.rest.client import RestClient
from bot.domain.bot_accounts import BotAccount

INTERACTIONS = "interactions_host"
"""The fact that names where interactions go, when that is not here."""


class DiscordAccount:
    """The bot's own account and its application. `my_id` is 0 until the platform has said it.

    `endpoint` is the host to which the portal sends slash commands and presses in the gateway's place (empty: none).
    """

    def __init__(self, rest: RestClient) -> None:
        self._rest = rest
        self._application_id = 0
        self.my_id = 0
        self.name = ""
        self.endpoint = ""

    async def me(self) -> int:
        """Return the bot's user id; raise one of `rest.Failure`."""
        return self.my_id or (await self.ask())[0]

    async def ask(self) -> tuple[int, str]:
        """Ask now who the bot is: its id and its name; raise one of `rest.Failure`."""
        found = await self._rest.static_login(self._rest.settings.token.get_secret_value())
        self.my_id, self.name = int(found["id"]), str(found.get("username", ""))
        return self.my_id, self.name

    async def log_in(self) -> BotAccount:
        """Ask now who the bot is, as it is kept beside what was read; raise one of `rest.Failure`."""
        me, name = await self.ask()
        return BotAccount(str(me), name)

    async def application(self) -> dict[str, Any]:
        """Ask now for the application, as it came; raise one of `rest.Failure`."""
        found: dict[str, Any] = await self._rest.call("GET", "/applications/@me")
        self._application_id = int(found["id"])
        self.endpoint = host_of(found.get("interactions_endpoint_url"))
        return found

    async def application_id(self) -> int:
        """Return the application's id; raise one of `rest.Failure`."""
        return self._application_id or int((await self.application())["id"])

    def is_me(self, user: int) -> bool:
        """Say whether an account is the bot's own."""
        return bool(self.my_id) and user == self.my_id


def host_of(url: object) -> str:
    """Return the host of an address of the portal, which may hold secrets elsewhere; empty for none."""
    try:
        return (URL(str(url)).host or "an address that cannot be read") if url else ""
    except ValueError:
        return "an address that cannot be read"
