"""Telegram, by its Bot API: an own polling loop that loses nothing, and sends that never repeat what was lost."""

from adapters.telegram.adapter import Telegram, create
from adapters.telegram.settings import Settings

__all__ = ["Settings", "Telegram", "create"]
