"""Find out who deleted a message of the bot, where the server lets the bot read its audit log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import structlog

from adapters.discord.base.targets import TargetKind, target_of
from adapters.discord.people import rights
from adapters.discord.rest import errors
from adapters.discord.rest.client import Failure
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.find_posted import sent_at
from bot.domain.ids import ChannelId, UserId
from bot.domain.messages import Author, AuthorKind
from bot.errors import DeliveryError
from bot.text.text import clean

log = structlog.get_logger(__name__)

_DELETED_EVENT, _BULK_DELETED_EVENT = 72, 73
"""https://discord.com/developers/docs/resources/audit-log#audit-log-entry-object-audit-log-events."""
_ENTRY_MS = 300_000
"""How old an entry may be: deletions of one author's messages in one channel by the same person are counted in one."""
_SLACK_MS = 10_000
_RETRY_SECONDS = 2.0
"""Seconds after which the log is read once more: an entry may come after the deletion itself."""
_MAX_ENTRIES = 20

A_PROGRAM = Author(user_id=UserId("0"), name="", kind=AuthorKind.BOT)
"""Whoever deletes one message and is not named: the log leaves out bots that do, and authors of what they delete."""


MayView = Callable[[int], Awaitable[bool]]
"""Says whether the bot may view the audit log of a guild; may raise one of `rest.Failure`."""


async def asked_right(desk: DiscordDeps, guild: int) -> bool:
    """Ask Discord whether the bot may view the audit log of a guild, where no gateway tells."""
    me = await desk.account.me()
    found = await desk.rest.call("GET", "/guilds/{guild_id}", guild_id=guild)
    member = await desk.rest.call("GET", "/guilds/{guild_id}/members/{user_id}", guild_id=guild, user_id=me)
    return rights.in_guild(found, member).view_audit_log


class RemovalLookup:
    """Asks for no right: where the bot may not view the audit log, nobody is named."""

    def __init__(self, desk: DiscordDeps, may_view: MayView) -> None:
        self._desk = desk
        self._may_view = may_view

    async def who_deleted(self, channel: ChannelId, at: int) -> Author | None:
        """Return who deleted messages of the bot in a channel at a time (UTC ms); None where that cannot be known."""
        try:
            target = target_of(channel)
        except DeliveryError:
            return None
        if target.kind is not TargetKind.GUILD:
            return None
        try:
            if not await self._may_view(target.guild):
                return None
            found = await self._read(target.guild, target.number, at)
            if found is None:
                await self._desk.clock.sleep(_RETRY_SECONDS)
                found = await self._read(target.guild, target.number, at)
        except Failure as error:
            log.info("discord_audit_log_not_read", code=errors.code_of(error))
            return None
        return found or A_PROGRAM

    async def _read(self, guild: int, channel: int, at: int) -> Author | None:
        asked = {"limit": _MAX_ENTRIES}
        page: Any = await self._desk.rest.call("GET", "/guilds/{guild_id}/audit-logs", guild_id=guild, params=asked)
        me = str(await self._desk.account.me())
        users = {str(one.get("id")): one for one in (page or {}).get("users") or ()}
        for entry in _entries_about(page, me, str(channel)):
            begun = sent_at(int(entry["id"]))
            if at - _ENTRY_MS <= begun <= at + _SLACK_MS:
                number = str(entry.get("user_id") or "0")
                return _author(number, users.get(number) or {})
        return None


def _entries_about(page: Any, me: str, channel: str) -> Iterator[Mapping[str, Any]]:
    """Go through the entries about messages of the bot in a channel, the newest first."""
    for entry in (page or {}).get("audit_log_entries") or ():
        kind, about = entry.get("action_type"), str(entry.get("target_id"))
        where = str((entry.get("options") or {}).get("channel_id"))
        if (kind == _DELETED_EVENT and about == me and where == channel) or (
            kind == _BULK_DELETED_EVENT and about == channel
        ):
            yield entry


def _author(number: str, user: Mapping[str, Any]) -> Author:
    kind = AuthorKind.BOT if user.get("bot") else AuthorKind.PERSON
    name = user.get("global_name") or user.get("username") or number
    return Author(user_id=UserId(number), name=clean(str(name)).text, kind=kind)
