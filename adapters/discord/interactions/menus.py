"""Register the commands with Discord, where they differ from what is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog
from discord import Permissions

from adapters.discord.base.markup import cut_to_units
from adapters.discord.rest import errors
from adapters.discord.rest.account import INTERACTIONS
from adapters.discord.rest.client import Failure
from adapters.discord.speaking.deps import DiscordDeps
from bot.domain.access import Authority
from bot.errors import name_of
from bot.ports.platform import CommandMenu, MenuEntry

log = structlog.get_logger(__name__)

Json = dict[str, Any]
Note = Callable[[str, str], None]

COMMANDS = "commands"
"""The fact that tells how registering went: `synced`, or `failed:<code>`."""
SYNCED_FACT = "synced"

# https://discord.com/developers/docs/interactions/application-commands
_MAX_COMMANDS, _MAX_ON_MESSAGES, _MAX_HELP_CHARS, _MAX_ARGUMENT_CHARS = 100, 15, 100, 1000
_NAME = re.compile(r"[^\w-]")
_MAX_NAME_CHARS = 32
_TYPED, _ON_MESSAGE, _STRING = 1, 3, 3
_IN_GUILDS, _WITH_THE_BOT = 0, 1
_COMMANDS_PATH = "/applications/{application_id}/commands"
_STEERS = str(Permissions(manage_guild=True).value)


async def publish(desk: DiscordDeps, menu: CommandMenu, note: Note) -> None:
    """Register what differs, and note how it went; never raises."""
    wanted = commands(menu.entries)
    try:
        application = await desk.account.application_id()
        if desk.account.endpoint:
            log.warning("discord_commands_go_elsewhere", host=desk.account.endpoint)
            note(INTERACTIONS, desk.account.endpoint)
        there = await desk.rest.call("GET", _COMMANDS_PATH, application_id=application) or []
        named = {one["name"] for one in wanted if one["type"] == _ON_MESSAGE}
        ours = [one for one in there if _type(one) == _TYPED or (_type(one) == _ON_MESSAGE and one["name"] in named)]
        others = [one for one in there if one not in ours]
        if _comparable_commands(ours) != _comparable_commands(wanted):
            # what else is registered would be removed together with what is out of date
            await desk.rest.call(
                "PUT", _COMMANDS_PATH, json=[*wanted, *map(kept_fields, others)], application_id=application
            )
            log.info("discord_commands_registered", count=len(wanted))
    except Failure as error:
        code = errors.code_of(error)
        log.warning("discord_commands_not_registered", code=code, error=name_of(error))
        note(COMMANDS, f"failed:{code}")
    else:
        note(COMMANDS, SYNCED_FACT)


def commands(entries: Sequence[MenuEntry]) -> list[Json]:
    """Write entries as Discord takes them; a name that it cannot write is left out.

    Discord shows what steers the bot to those who manage the guild; whether they may use it is not decided by that.
    What moderators use in private is shown to everybody: some of them manage messages and not the guild, others the
    other way round, and Discord asks for all rights that are named. Whoever may not use it is told so alone.
    """
    typed = (entry for entry in entries if not entry.on_message)
    found = {name: _command(name, entry) for entry in typed if (name := _name(entry.name))}
    picked = [_message_command(entry) for entry in entries if entry.on_message]
    return [*list(found.values())[:_MAX_COMMANDS], *picked[:_MAX_ON_MESSAGES]]


def picked_line(entry: str) -> str:
    """Write what stands in the menu of a message as it would be typed in reply to that one."""
    return f"/{_name(entry)}"


def _message_command(entry: MenuEntry) -> Json:
    return {
        "type": _ON_MESSAGE,
        "name": entry.on_message[:_MAX_NAME_CHARS],
        "description": "",
        "options": [],
        **_whom(entry),
    }


def _command(name: str, entry: MenuEntry) -> Json:
    argument = _name(entry.argument)
    option = {"type": _STRING, "name": argument, "description": cut_to_units(entry.argument.strip(), _MAX_HELP_CHARS)}
    option |= {"required": False, "max_length": _MAX_ARGUMENT_CHARS}
    return {
        "type": _TYPED,
        "name": name,
        "description": cut_to_units(" ".join(entry.help.split()), _MAX_HELP_CHARS) or name,
        "options": [option] if argument else [],
        **_whom(entry),
    }


def _whom(entry: MenuEntry) -> Json:
    return {
        "default_member_permissions": None if _is_shown_to_all(entry) else _STEERS,
        "contexts": [_IN_GUILDS, _WITH_THE_BOT],
        "integration_types": [0],
    }


def _is_shown_to_all(entry: MenuEntry) -> bool:
    return entry.tier is Authority.EVERYONE or (entry.tier is Authority.MODERATOR and entry.private)


def _type(one: Mapping[str, Any]) -> int:
    return int(one.get("type") or _TYPED)


def _name(name: str) -> str:
    return _NAME.sub("", name.strip().lower().replace(" ", "-"))[:_MAX_NAME_CHARS]


def _comparable_commands(found: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Leave only what this program writes, in one order, so that two lists can be compared."""
    return sorted((_core_fields(one) for one in found), key=lambda one: (one["type"], str(one["name"])))


def _core_fields(one: Mapping[str, Any]) -> Json:
    options = [
        {
            "type": option.get("type"),
            "name": option.get("name"),
            "description": option.get("description"),
            "required": bool(option.get("required")),
            "max_length": option.get("max_length"),
        }
        for option in one.get("options") or ()
    ]
    return {
        "type": _type(one),
        "name": one.get("name"),
        "description": one.get("description"),
        "options": options,
        "default_member_permissions": one.get("default_member_permissions"),
        "contexts": sorted(one.get("contexts") or ()),
    }


def kept_fields(one: Mapping[str, Any]) -> Json:
    taken = ("id", "type", "name", "description", "handler", "contexts", "integration_types")
    return {field: one[field] for field in (*taken, "default_member_permissions") if field in one}
