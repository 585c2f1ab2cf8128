"""Show and switch the skills of a channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.domain.channel import ChannelSettings
from bot.domain.skill import Skill
from bot.errors import UserError
from bot.messaging.commands.context import CommandContext, GivenCommand, shown
from bot.sentences import say
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
        raise UserError(say("chat_commands.skills-how", command=f"{call.prefix}skills"))
    return await _switch(call, desk, name, on=_WORDS[word.lower()])


async def _listed(call: GivenCommand, desk: CommandContext) -> str:
    shelf = await desk.skills.look()
    found, settings = desk.skills.usable(call.key.agent), desk.book.of(call.key)
    lines = list(listing(desk.skills, found, settings))
    if shelf.bad:
        lines.append(say("chat_commands.skills-bad", count=len(shelf.bad)))
    return "\n".join(lines)


def listing(skills: SkillLibrary, found: Sequence[Skill], settings: ChannelSettings) -> Iterator[str]:
    """Write a line for each skill, those that are on first."""
    if not found:
        yield say("chat_commands.no-skills")
        return
    on = [skill for skill in found if skills.is_on(skill.name, settings.switches)]
    ordered = (*on, *(skill for skill in found if skill not in on))
    yield say("chat_commands.skills-on", on=len(on), all=len(found))
    for skill in ordered[:_MAX_LISTED]:
        if skill in on:
            line = "chat_commands.skill-on-here" if skill.name in settings.switches else "chat_commands.skill-on"
        else:
            line = "chat_commands.skill-off-here" if skill.name in settings.switches else "chat_commands.skill-off"
        yield say(line, name=skill.name, about=shown(skill.description, _MAX_DESCRIPTION_CHARS))
    if len(found) > _MAX_LISTED:
        names = ", ".join(skill.name for skill in ordered[_MAX_LISTED:])
        yield say("chat_commands.more-skills", count=len(found) - _MAX_LISTED, names=names)


async def _switch(call: GivenCommand, desk: CommandContext, name: str, *, on: bool) -> str:
    await desk.skills.look()
    found = desk.skills.usable(call.key.agent)
    if all(skill.name != name for skill in found):
        names = ", ".join(skill.name for skill in found[:_MAX_LISTED]) or say("chat_commands.none")
        raise UserError(say("chat_commands.no-such-skill", name=shown(name, 64), names=names))
    settings = desk.book.of(call.key)
    if desk.skills.is_on(name, settings.switches) == on:
        return say("chat_commands.skill-on-already" if on else "chat_commands.skill-off-already", name=name)
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
    now = "chat_commands.skill-now-on" if on else "chat_commands.skill-now-off"
    return say(now, name=name, command=f"{call.prefix}skills")
