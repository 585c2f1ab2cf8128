"""Calls that register application commands, everywhere or in one guild, with the quota of a day."""

from __future__ import annotations

import re

from . import forms
from .ask import Ask
from .refusals import DAILY_CREATES, Refused, invalid, unknown
from .state import found
from .values import Json

NAME = re.compile(r"[-_'\w]{1,32}")
CHAT = 1
MOST = {CHAT: 100, 2: 15, 3: 15}
DAY = 86_400


def get_commands(ask: Ask) -> list[Json]:
    """GET the commands of a scope."""
    return _scope(ask)


def get_command(ask: Ask) -> Json:
    """GET one command."""
    return _named(ask)


def put_commands(ask: Ask) -> list[Json]:
    """PUT the whole list: what is not in it is removed, what is new by its name counts as created."""
    if not isinstance(ask.body, list):
        raise invalid("_errors", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
    for index, form in enumerate(ask.body):
        _check(form, f"{index}.")
    _check_count(ask.body)
    old = {_key(one): one for one in _scope(ask)}
    _spend(ask, sum(_key(form) not in old for form in ask.body))
    new = [_made(ask, form, old.get(_key(form))) for form in ask.body]
    ask.bot.commands[_guild(ask)] = new
    return new


def create_command(ask: Ask) -> Json:
    """POST one command; one of the same name is overwritten."""
    _check(ask.form, "")
    commands = _scope(ask)
    old = next((one for one in commands if _key(one) == _key(ask.form)), None)
    if old is None:
        _spend(ask, 1)
        _check_count([*commands, ask.form])
    made = _made(ask, ask.form, old)
    ask.bot.commands[_guild(ask)] = [one for one in commands if one is not old] + [made]
    return made


def edit_command(ask: Ask) -> Json:
    """PATCH one command."""
    command = _named(ask)
    _check(command | ask.form, "")
    command.update(ask.form, version=str(ask.world.snowflake()))
    return command


def delete_command(ask: Ask) -> None:
    """DELETE one command."""
    _scope(ask).remove(_named(ask))


def _scope(ask: Ask) -> list[Json]:
    if ask.path["application"] != str(ask.bot.id):
        raise unknown("Application")
    return ask.bot.commands.setdefault(_guild(ask), [])


def _guild(ask: Ask) -> int | None:
    if "guild" not in ask.path:
        return None
    guild = found(ask.world.guilds, ask.path["guild"], "Guild")
    if ask.bot.id not in guild.members or not guild.takes_commands:
        raise Refused(403, 50001, "Missing Access")
    return guild.id


def _named(ask: Ask) -> Json:
    command = next((one for one in _scope(ask) if one["id"] == ask.path["command"]), None)
    if command is None:
        raise unknown("application command")
    return command


def _key(command: Json) -> tuple[int, str]:
    return command.get("type") or CHAT, command["name"]


def _made(ask: Ask, form: Json, old: Json | None) -> Json:
    """Write the `ApplicationCommand` object; one that was there keeps its id, and its version when nothing changed."""
    usual: Json = {"type": CHAT, "description": "", "options": [], "default_member_permissions": None, "nsfw": False}
    usual |= {"contexts": None, "integration_types": [0], "dm_permission": True}
    usual |= {"name_localizations": None, "description_localizations": None}
    command = usual | form
    number = old["id"] if old else str(ask.world.snowflake())
    command |= {"id": number, "application_id": str(ask.bot.id)}
    command |= {"guild_id": ask.path["guild"]} if "guild" in ask.path else {}
    same = old is not None and {**old, "version": ""} == {**command, "version": ""}
    return command | {"version": old["version"] if old and same else str(ask.world.snowflake())}


def _spend(ask: Ask, count: int) -> None:
    now, switches = ask.world.now, ask.world.switches
    ask.bot.creates[:] = [at for at in ask.bot.creates if at > now - DAY]
    if len(ask.bot.creates) + count > switches.creates:
        left = {"retry_after": DAY - (now - ask.bot.creates[0]) if ask.bot.creates else DAY, "global": False}
        raise Refused(switches.quota_status, 30034, DAILY_CREATES, **(left if switches.quota_status == 429 else {}))
    ask.bot.creates += [now] * count


def _check_count(commands: list[Json]) -> None:
    for kind, most in MOST.items():
        if sum((one.get("type") or CHAT) == kind for one in commands) > most:
            raise Refused(400, 30032, f"Maximum number of application commands reached ({most}).")


def _check(form: Json, path: str) -> None:
    forms.check(form, forms.COMMAND, path)
    if not form.get("name"):
        raise invalid(f"{path}name", "BASE_TYPE_REQUIRED", "This field is required")
    name, words = str(form.get("name", "")), str(form.get("description") or "")
    if (form.get("type") or CHAT) != CHAT:
        return
    if not NAME.fullmatch(name) or name != name.lower():
        raise invalid(f"{path}name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    if not 1 <= len(words) <= 100:
        raise invalid(f"{path}description", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    for index, option in enumerate(form.get("options") or ()):
        _check(option | {"type": CHAT}, f"{path}options.{index}.")
