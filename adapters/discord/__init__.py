"""Discord, by its gateway and its REST interface: what was missed is read back, and a repeated send is one message."""

from adapters.discord.adapter import Discord, create
from adapters.discord.base.settings import Settings

__all__ = ["Discord", "Settings", "create"]
