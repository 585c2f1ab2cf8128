"""Show and switch the skills of a channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.channel import ChannelSettings
from bot.domain.skill import Skill
from bot.errors import UserError
from bot.messaging.commands.context import CommandContext, GivenCommand, shown
from bot.skills import SkillLibrary

_MAX_LISTED = 25
_MAX_DESCRIPTION_CHARS = 80
_WORDS = {"enable": True, "on": True, "disable": False, "off": False}


async def skills(call: GivenCommand, desk: CommandContext) -> str:
    """List what can be looked up here, or switch one of it on or off in this channel."""
    word, _, name = call.line.words.partition(" ")
    name = name.strip().strip("`\"'").lower()
    if not word:
        return await _listed(call, desk)
    if word.lower() not in _WORDS or not name or " " in name:
        raise UserError(f"Write {call.prefix}skills, or {call.prefix}skills enable|disable and the name of one.")
    return await _switch(call, desk, name, on=_WORDS[word.lower()])


async def _listed(call: GivenCommand, desk: CommandContext) -> str:
    shelf = await desk.skills.look()
    found, settings = desk.skills.usable(call.key.agent), desk.book.of(call.key)
    lines = list(listing(desk.skills, found, settings))
    if shelf.bad:
        lines.append(f"Left out, because something is wrong with them: {len(shelf.bad)}. `!cortex skills` says what.")
    return "\n".join(lines)


def listing(skills: SkillLibrary, found: Sequence[Skill], settings: ChannelSettings) -> Iterator[str]:
    """Write a line for each skill, those that are on first."""
    if not found:
        yield "There are no skills here. Each is a folder with a SKILL.md, in `skills` of the data directory."
        return
    on = [skill for skill in found if skills.is_on(skill.name, settings.switches)]
    ordered = (*on, *(skill for skill in found if skill not in on))
    yield f"Skills here: {len(on)} of {len(found)} on."
    for skill in ordered[:_MAX_LISTED]:
        set_here = ", set here" if skill.name in settings.switches else ""
        mark, state = ("✓", "on") if skill in on else ("○", "off")
        yield f"{mark} {skill.name} ({state}{set_here}): {shown(skill.description, _MAX_DESCRIPTION_CHARS)}"
    if len(found) > _MAX_LISTED:
        yield f"… and {len(found) - _MAX_LISTED} more: {', '.join(skill.name for skill in ordered[_MAX_LISTED:])}"


async def _switch(call: GivenCommand, desk: CommandContext, name: str, *, on: bool) -> str:
    await desk.skills.look()
    found = desk.skills.usable(call.key.agent)
    if all(skill.name != name for skill in found):
        names = ", ".join(skill.name for skill in found[:_MAX_LISTED]) or "none"
        raise UserError(f"There is no skill {shown(name, 64)} here. Skills: {names}.")
    settings = desk.book.of(call.key)
    word, other = ("on", "disable") if on else ("off", "enable")
    if desk.skills.is_on(name, settings.switches) == on:
        return f"{name} is {word} here already."
    switches = {**settings.switches, name: on}
    # as usual again: nothing is set, and what the configuration says counts
    if desk.skills.is_on(name, {}) == on:
        del switches[name]
    await desk.book.change(
        call.key,
        call.inbound.channel_name,
        call.inbound.place,
        settings.replace(skills=tuple(sorted(switches.items()))),
        call.changed_by,
    )
    return f"{name} is {word} in this channel from now on. {call.prefix}skills {other} {name} takes it back."
