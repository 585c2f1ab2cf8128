"""What Telegram's adapter has under way, and where it calls."""

from __future__ import annotations

from adapters.telegram import TelegramAdapter
from bot.runtime.tasks import TaskSupervisor


def presses_of(telegram: TelegramAdapter) -> TaskSupervisor:
    """What people pressed, and is still under way."""
    return telegram._tasks


def call_elsewhere(telegram: TelegramAdapter, base_url: str) -> None:
    """Let every further call go to another address."""
    connection = telegram._connection
    for carrier in (connection.carrier, connection._polling):
        carrier._settings = carrier._settings.model_copy(update={"base_url": base_url})
        carrier._addresses.clear()
