"""Where an admin talks with the cortex; a tool of that talk asks for it by type."""

from __future__ import annotations

from typing import Protocol


class AdminSession(Protocol):
    """One admin's conversation with the cortex about one channel. Implemented by `bot.cortex.service.chat`."""

    @property
    def session(self) -> int:
        """The number of the session; what is started for it reports there."""

    @property
    def question(self) -> str:
        """What the admin asked, in their own words."""

    def config(self, prefix: str) -> tuple[str, ...]:
        """List the keys of the configuration that begin with a prefix, with value and origin; secrets only as that."""

    async def servers(self) -> str:
        """Say where the bot is: platforms, servers and groups, MCP servers; return a page."""

    async def doctor(self) -> str:
        """Probe every part of the bot, and the channel; return a page."""
