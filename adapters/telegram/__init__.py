"""Telegram, by its Bot API: an own polling loop that loses nothing, and sends that never repeat what was lost."""

from bot.runtime.lean_imports import lean_imports

# 15 ms for the secrets of Telegram's Passport, which no bot of ours is ever sent
with lean_imports("cryptography"):
    from adapters.telegram.adapter import TelegramAdapter, create
    from adapters.telegram.settings import Settings

__all__ = ["Settings", "TelegramAdapter", "create"]
