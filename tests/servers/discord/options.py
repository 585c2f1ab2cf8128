"""A command as somebody types it, turned into the data of its interaction."""

from __future__ import annotations

from typing import Any

from .bot import Bot
from .channel import Channel
from .message import Message
from .values import Json, User

IN_CHAT, ON_MESSAGE = 1, 3
SUBCOMMAND, GROUP, TEXT, WHOLE, FLAG, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER = range(1, 11)


def chosen(bot: Bot, channel: Channel, words: str, values: dict[str, Any]) -> Json:
    """Find a registered command and fill its options; `needs` are the permissions it is hidden without."""
    name, *rest = words.split()
    command, data = _registered(bot, channel, name, IN_CHAT)
    options, resolved = _filled(command.get("options") or [], rest, values), _resolved(channel, values)
    data |= {"options": options} if options else {}
    data |= {"resolved": resolved} if resolved else {}
    return data | {"needs": command["default_member_permissions"]}


def picked(bot: Bot, channel: Channel, name: str, message: Message) -> Json:
    """Find a registered command of messages and point it at one; `needs` as above."""
    command, data = _registered(bot, channel, name, ON_MESSAGE)
    data |= {"target_id": str(message.id), "resolved": {"messages": {str(message.id): message.json(bot)}}}
    return data | {"needs": command["default_member_permissions"]}


def _registered(bot: Bot, channel: Channel, name: str, kind: int) -> tuple[Json, Json]:
    """Return a command as it is registered, and what an interaction says of it."""
    guild, shown = channel.guild.id if channel.guild else None, f"/{name}" if kind == IN_CHAT else repr(name)
    scopes = [*bot.commands.get(guild, ()), *bot.commands.get(None, ())] if guild else bot.commands.get(None, [])
    if channel.guild is not None and not channel.guild.takes_commands:
        scopes = []
    command = next((one for one in scopes if (one["name"], one["type"]) == (name, kind)), None)
    if command is None:
        raise ValueError(f"no command {shown}; there are {[one['name'] for one in scopes if one['type'] == kind]}")
    if guild is None and (command["dm_permission"] is False or 1 not in (command["contexts"] or [1])):
        raise ValueError(f"{shown} is not shown in direct messages")
    data: Json = {"id": command["id"], "name": name, "type": command["type"]}
    return command, data | ({"guild_id": str(guild)} if guild else {})


def _filled(options: list[Json], path: list[str], values: dict[str, Any]) -> list[Json]:
    known = {one["name"]: one for one in options}
    if path:
        if path[0] not in known:
            raise ValueError(f"no subcommand {path[0]!r}; there are {list(known)}")
        step = known[path[0]]
        inner = _filled(step.get("options") or [], path[1:], values)
        return [{"name": step["name"], "type": step["type"], "options": inner}]
    if any(one["type"] in (SUBCOMMAND, GROUP) for one in options):
        raise ValueError(f"name a subcommand; there are {list(known)}")
    if strange := set(values) - set(known):
        raise ValueError(f"no options {sorted(strange)}; there are {list(known)}")
    if missing := [name for name, one in known.items() if one.get("required") and name not in values]:
        raise ValueError(f"the options {missing} are required")
    return [{"name": name, "type": known[name]["type"], "value": _plain(value)} for name, value in values.items()]


def _plain(value: Any) -> Any:
    return str(value.id) if hasattr(value, "id") else value


def _resolved(channel: Channel, values: dict[str, Any]) -> Json:
    people = [value for value in values.values() if isinstance(value, User)]
    places = [value for value in values.values() if isinstance(value, Channel)]
    resolved: Json = {}
    if people:
        resolved["users"] = {str(one.id): one.json() for one in people}
        members = channel.guild.members if channel.guild else {}
        inside = {str(one.id): members[one.id].json(user=False) for one in people if one.id in members}
        resolved["members"] = {number: body | {"permissions": "0"} for number, body in inside.items()}
    if places:
        resolved["channels"] = {str(one.id): _place(one) for one in places}
    return resolved


def _place(channel: Channel) -> Json:
    return {"id": str(channel.id), "name": channel.name, "type": channel.kind, "permissions": "0"}
