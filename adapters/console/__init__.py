"""The terminal as a chat platform: several people and channels on one screen, or a script."""

from adapters.console.adapter import ConsoleAdapter, Settings, create

__all__ = ["ConsoleAdapter", "Settings", "create"]
