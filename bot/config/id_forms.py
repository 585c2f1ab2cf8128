"""What an id looks like on each platform: a list that names somebody by anything else would quietly match nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bot.sentences import say

_POSITIVE = r"[1-9][0-9]{0,19}"
_USER = re.compile(_POSITIVE)
_MAX_ID = 2**63 - 1
"""Ids are at most 64 bits wide on every platform (Telegram: 52, Discord: 63)."""


class IdForms(NamedTuple):
    """The forms of one platform: `channel` and `guild` are patterns, the words are sentences that say what is meant."""

    channel: re.Pattern[str]
    guild: re.Pattern[str]
    channel_words: str
    guild_words: str


_NUMBER_WORDS = "config.form-number"
_DISCORD = IdForms(_USER, _USER, _NUMBER_WORDS, _NUMBER_WORDS)
_TELEGRAM = IdForms(
    re.compile(rf"-?{_POSITIVE}(?::{_POSITIVE})?"),
    re.compile(rf"-?{_POSITIVE}"),
    "config.form-telegram-channel",
    "config.form-telegram-group",
)
_OTHER_PLATFORMS = IdForms(
    re.compile(r"[^\s@\x00-\x1f\x7f-\x9f][^\s\x00-\x1f\x7f-\x9f]{0,199}"),
    re.compile(r"[^\s@#\x00-\x1f\x7f-\x9f][^\s\x00-\x1f\x7f-\x9f]{0,199}"),
    "config.form-other",
    "config.form-other",
)
"""The console's channels are called #general, and so are those of a platform that nobody here knows."""
_FORMS: Mapping[str, IdForms] = {"discord": _DISCORD, "telegram": _TELEGRAM}


def text_id(value: object) -> str:
    """Return an id as text, however it is written; raise ValueError for what is none, such as true or 1.5."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(say("config.must-be-id"))
    return str(value)


def user_problem(value: str) -> str:
    """Say what is wrong with the id of a person; empty when it can be one."""
    if _USER.fullmatch(value) and int(value) <= _MAX_ID:
        return ""
    return say("config.not-a-person", typed=_shown(value))


def channel_problem(kind: str, name: str, value: str) -> str:
    """Say what is wrong with the id of a channel on a platform of this kind; `name:` may stand in front of it."""
    forms = _FORMS.get(kind, _OTHER_PLATFORMS)
    path = value.removeprefix(f"{name}:")
    # a direct message has an id of its own form, and a Discord thread may be written below its server
    parts = path.removeprefix("dm:").split(":") if kind == "discord" else [path]
    if len(parts) <= 2 and all(forms.channel.fullmatch(part) and _fits(part) for part in parts):
        return ""
    return say("config.not-a-channel", typed=_shown(value), form=say(forms.channel_words))


def guild_problem(kind: str, value: str) -> str:
    """Say what is wrong with the id of a server or group."""
    forms = _FORMS.get(kind, _OTHER_PLATFORMS)
    if forms.guild.fullmatch(value) and _fits(value):
        return ""
    return say("config.not-a-server", typed=_shown(value), form=say(forms.guild_words))


def list_problems(name: str, kind: str, lists: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Name every entry of a platform's lists that cannot be an id, with its place."""
    for key, entries in lists.items():
        for place, entry in enumerate(entries):
            if key.endswith("_users"):
                problem = user_problem(entry)
            elif key.endswith("_guilds"):
                problem = guild_problem(kind, entry)
            else:
                problem = channel_problem(kind, name, entry)
            if problem:
                yield say("config.at-place", key=f"platforms.{name}.{key}[{place}]", problem=problem)


def _fits(text: str) -> bool:
    return all(int(number) <= _MAX_ID for number in re.findall(r"(?<![^:-])[0-9]+(?![^:])", text))


def _shown(value: str) -> str:
    return ascii(value[:40]) if not value.isprintable() else f'"{value[:40]}"'
