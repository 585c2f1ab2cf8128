"""Put the commands into Telegram's own menu, where they differ from what is there."""

from __future__ import annotations

import re
from collections.abc import Sequence

import structlog
from telegram import BotCommand, BotCommandScope, BotCommandScopeChat, BotCommandScopeDefault
from telegram.error import TelegramError

from adapters.telegram.api import Api
from bot.domain.access import Authority
from bot.errors import name_of
from bot.ports.platform import Menu, MenuEntry

log = structlog.get_logger(__name__)

# https://core.telegram.org/bots/api#botcommand
_MOST_COMMANDS = 100
_LONGEST_NAME = 32
_LONGEST_HELP = 256


async def publish(api: Api, menu: Menu) -> None:
    """Set the menu of everyone, and of those who may more in their own chats; never raises."""
    await _set(api, BotCommandScopeDefault(), menu.of(Authority.EVERYONE))
    for user in sorted(menu.tiers.everybody, key=int):
        await _set(api, BotCommandScopeChat(int(user)), menu.of(menu.tiers.of(user)))


async def _set(api: Api, scope: BotCommandScope, entries: Sequence[MenuEntry]) -> None:
    wanted = commands(entries)
    try:
        if await api.get_my_commands(scope=scope) != wanted:
            await api.set_my_commands(wanted, scope=scope)
    except TelegramError as error:
        # somebody who never opened the chat has no menu yet
        log.debug("telegram_menu_not_set", scope=scope.type, error=name_of(error))


def commands(entries: Sequence[MenuEntry]) -> tuple[BotCommand, ...]:
    """Write entries as Telegram takes them; a name that it cannot write is left out."""
    found = {_name(entry.name): entry.help.strip()[:_LONGEST_HELP] for entry in entries}
    listed = [BotCommand(name, text or name) for name, text in found.items() if name]
    return tuple(listed[:_MOST_COMMANDS])


def _name(name: str) -> str:
    return re.sub(r"[^a-z0-9_]", "", name.lower().replace("-", "_"))[:_LONGEST_NAME]
