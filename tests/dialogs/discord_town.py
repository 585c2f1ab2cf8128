"""Two servers on Discord with people of every role, and what each of them may look into there."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.config import parse_config
from bot.domain.access import AccessRight
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.messages import ChannelPlace
from bot.messaging.policy.access import AccessPolicy, tiers_of
from tests.dialogs.discord import TOKEN, DiscordBot, a_discord_bot
from tests.servers.discord import Channel
from tests.servers.discord import Person as Account

ROLES = ["owner", "admin", "demoted admin", "moderator", "demoted moderator", "manager only", "stranger"]
PLACES = ["text channel", "thread", "private thread", "post in a forum", "channel under a category"]
TARGETS = ["managed", "of another server", "hidden", "without history", "own private chat", "another's private chat"]
CELLS = list(itertools.product(ROLES, PLACES, TARGETS))


@dataclass
class Town:
    """Two servers with the same places; people of every role are in both, and manage at most the first."""

    bot: DiscordBot
    people: dict[str, Account]
    places: dict[tuple[str, str], Channel]
    access: AccessPolicy

    def key(self, role: str, place: str, target: str) -> tuple[ChannelKey, ChannelPlace]:
        if target.endswith("private chat"):
            whose = self.people[role] if target.startswith("own") else self.bot.ann
            return ChannelKey(MAIN, ChannelId(f"discord:dm:{whose.id}")), ChannelPlace(is_dm=True)
        channel = self.places[place, target]
        return self.bot.key(channel), ChannelPlace(guild_id=str(channel.guild.id))

    async def decides(self, role: str, place: str, target: str) -> tuple[bool, bool]:
        person = PersonKey("discord", UserId(str(self.people[role].id)))
        key, where = self.key(role, place, target)
        inspects = await self.access.may_inspect(person, key, where)
        return inspects.allowed, (await self.access.may_read_content(person, key, where)).allowed

    async def remembers(self, role: str, place: str, target: str) -> tuple[bool, bool]:
        """Whether they may look through what is remembered there, and whether they may read the words of it."""
        person = PersonKey("discord", UserId(str(self.people[role].id)))
        audits = await self.access.may(AccessRight.AUDIT, person, *self.key(role, place, target))
        recalls = await self.access.may(AccessRight.RECALL, person, *self.key(role, place, target))
        return audits.allowed, recalls.allowed


@asynccontextmanager
async def a_town(directory: Path) -> AsyncIterator[Town]:
    """Found one."""
    async with a_discord_bot(directory / "data") as bot:
        people = {role: bot.world.person(role.title()) for role in ROLES}
        bot.house.admit(*people.values())
        managers = ("admin", "moderator", "manager only")
        bot.house.role("stewards", "manage_guild", members=tuple(people[role] for role in managers))
        den = bot.world.guild("Den", bot.ann, bot.me, *people.values())
        places = {}
        for place, target in itertools.product(PLACES, TARGETS[:4]):
            places[place, target] = await a_place(bot, den if "another" in target else bot.house, place, target, people)
        await bot.settled()
        yield Town(
            bot, people, places, AccessPolicy(tiers_of(config(people)), {"discord": bot.discord}, inspect_dms=False)
        )


def config(people: dict[str, Account]):
    tiers = {
        "owner_ids": ["owner"],
        "admin_ids": ["admin", "demoted admin"],
        "moderator_ids": ["moderator", "demoted moderator"],
    }
    lines = [f"{name} = {[people[role].id for role in roles]}" for name, roles in tiers.items()]
    text = "\n".join(["[platforms.discord]", f'token = "env:{TOKEN}"', *lines])
    return parse_config(text, {TOKEN: "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.x"}).config


async def a_place(bot: DiscordBot, guild, place: str, target: str, people: dict[str, Account]) -> Channel:
    parent = guild.category("rooms") if "category" in place else None
    if "forum" in place:
        channel = guild.forum("posts")
        found = await bot.ann.posts(channel, "tea", "tea?")
    else:
        found = channel = guild.channel("room", under=parent)
        if "thread" in place:
            found = await bot.ann.starts_thread(channel, "tea", private="private" in place)
    if place == "private thread":
        for who in (bot.me, *people.values()):
            found.admit(who)
    lacking = {"hidden": "view_channel", "without history": "read_message_history"}.get(target)
    if lacking:
        for role in ROLES:
            channel.deny(people[role], lacking)
    return found


def expected(role: str, target: str) -> tuple[bool, bool]:
    """Whether they may inspect, and whether they may read what was said."""
    if target == "another's private chat":
        return False, False
    if role == "owner":
        return True, True
    if target == "own private chat":
        return (role in {"admin", "demoted admin"},) * 2
    if role != "admin" or target == "of another server":
        return False, False
    return True, target == "managed"


def remembered(role: str, target: str) -> tuple[bool, bool]:
    """Whether they may look through what is remembered there, and whether they may read the words of it."""
    if role == "moderator":
        return (target == "managed",) * 2
    return expected(role, target)
