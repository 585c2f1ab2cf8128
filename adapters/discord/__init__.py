"""Discord, by its gateway and its REST interface: what was missed is read back, and a repeated send is one message."""

from adapters.discord.adapter import DiscordAdapter, create, parts
from adapters.discord.base.settings import Settings

__all__ = ["DiscordAdapter", "Settings", "create", "parts"]
