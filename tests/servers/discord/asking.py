"""Calls about accounts, applications, guilds, members and roles, and the one that opens a direct message."""

from __future__ import annotations

from . import writing
from .ask import Ask
from .permissions import EVERYTHING, sees
from .posting import direct
from .refusals import Refused, unknown
from .state import found
from .values import Json


def get_me(ask: Ask) -> Json:
    """GET the bot's own account."""
    return ask.bot.me()


def get_user(ask: Ask) -> Json:
    """GET any account."""
    return found(ask.world.users, ask.path["user"], "User").json()


def get_application(ask: Ask) -> Json:
    """GET the application, whose flags tell of the privileged intents."""
    return ask.bot.application()


def get_gateway(ask: Ask) -> Json:
    """GET the address of the gateway."""
    return {"url": f"{ask.world.address.replace('http', 'ws')}/gateway"}


def get_gateway_bot(ask: Ask) -> Json:
    """GET the address of the gateway with what is left of today's sessions."""
    total = ask.world.switches.identifies
    left = max(total - len(ask.bot.identifies), 0)
    start = {"total": total, "remaining": left, "reset_after": 86_400_000, "max_concurrency": 1}
    return get_gateway(ask) | {"shards": 1, "session_start_limit": start}


def create_dm(ask: Ask) -> Json:
    """POST a direct message channel; it opens even for somebody who takes none, and refuses the message then."""
    number = str(ask.form.get("recipient_id"))
    person = ask.world.users.get(int(number)) if number.isdecimal() else None
    if person is None:
        raise Refused(400, 50033, "Invalid Recipient(s)")
    if person is ask.bot or person.is_bot:
        raise Refused(400, 50007, "Cannot send messages to this user")
    return direct(ask.world, ask.bot, person).json(ask.bot)


def get_guild(ask: Ask) -> Json:
    """GET a guild."""
    return writing.guild(ask.guild) | {"approximate_member_count": len(ask.guild.members)}


def get_audit_log(ask: Ask) -> Json:
    """GET who did what in a guild; it needs a permission of its own."""
    ask.needs_in(ask.guild, "view_audit_log")
    entries = ask.guild.audit[: ask.whole("limit", 50, 1, 100)]
    people = [ask.world.users[int(number)] for number in {entry["user_id"] for entry in entries}]
    return {"audit_log_entries": entries, "users": [one.json() for one in people], "webhooks": [], "integrations": []}


def get_guilds(ask: Ask) -> list[Json]:
    """GET the guilds the bot is in."""
    mine = [one for one in ask.world.guilds.values() if ask.bot.id in one.members]
    return [{"id": str(one.id), "name": one.name, "permissions": str(EVERYTHING), "features": []} for one in mine]


def get_guild_channels(ask: Ask) -> list[Json]:
    """GET the channels of a guild, without threads and without what is hidden from the bot."""
    return [one.json(ask.bot) for one in ask.guild.channels.values() if not one.is_hidden_from(ask.bot)]


def get_roles(ask: Ask) -> list[Json]:
    """GET the roles of a guild."""
    return [role.json() for role in writing.roles(ask.guild)]


def get_member(ask: Ask) -> Json:
    """GET somebody's membership."""
    found(ask.world.users, ask.path["user"], "User")
    return found(ask.guild.members, ask.path["user"], "Member").json()


def get_members(ask: Ask) -> list[Json]:
    """GET the members of a guild by their ids; it needs the members intent of the portal."""
    if "members" not in ask.bot.granted:
        raise Refused(403, 50001, "Missing Access")
    after = ask.whole("after", 0, 0, 1 << 63)
    every = sorted(number for number in ask.guild.members if number > after)
    return [ask.guild.members[number].json() for number in every[: ask.whole("limit", 1, 1, 1000)]]


def edit_me(ask: Ask) -> Json:
    """PATCH the bot's own membership: its name in the guild."""
    guild = ask.guild
    guild.rename(ask.bot, ask.form.get("nick"))
    return guild.members[ask.bot.id].json()


def leave_guild(ask: Ask) -> None:
    """DELETE the bot's own membership."""
    guild = found(ask.world.guilds, ask.path["guild"], "Guild")
    if ask.bot.id not in guild.members:
        raise unknown("Guild")
    guild.leave(ask.bot)


def get_channel(ask: Ask) -> Json:
    """GET a channel, thread or direct message."""
    return ask.channel.json(ask.bot)


def get_active_threads(ask: Ask) -> Json:
    """GET the threads of a guild that are open."""
    threads = [one for one in ask.world.channels.values() if one.guild is ask.guild and one.is_thread]
    active = [one for one in threads if not one.is_archived and sees(one, ask.bot)]
    joined = [one.membership(ask.bot) for one in active if ask.bot.id in one.joined]
    return {"threads": [one.json(ask.bot) for one in active], "members": joined}
