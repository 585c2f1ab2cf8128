"""What an admin reads about skills: their files, what is on in a channel, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.targets.texts import channel_word
from bot.domain.channel import ChannelSettings
from bot.domain.health import ProbeResult
from bot.domain.ids import ChannelKey
from bot.domain.skill import Skill, SkillShelf
from bot.sentences import say
from bot.skills import SkillLibrary
from bot.text.text import excerpt, file_name

_MAX_SKILLS = 40


@dataclass(frozen=True)
class SkillPages:
    """Writes the page; `settings_of` says what people set in a channel."""

    skills: SkillLibrary
    settings_of: Callable[[ChannelKey], ChannelSettings]

    async def page(self, target: TargetChannel) -> str:
        """List every skill with its file, as it is now."""
        shelf = await self.skills.look()
        return "\n".join(self._lines(shelf, target))

    def _lines(self, shelf: SkillShelf, target: TargetChannel) -> Iterator[str]:
        switches = self.settings_of(target.key).switches
        found = self.skills.usable(target.key.agent)
        on = [skill for skill in found if self.skills.is_on(skill.name, switches)]
        yield say("memory_pages.skills-on", place=channel_word(target), on=len(on), all=len(found))
        for skill in found[:_MAX_SKILLS]:
            yield f"{'✓' if skill in on else '○'} {_line(skill)}{_why_off(skill, on, switches)}"
        other = say("memory_pages.not-for-agent")
        yield from (f"○ {_line(skill)} · {other}" for skill in shelf.skills if skill not in found)
        if len(found) > _MAX_SKILLS:
            yield say("memory_pages.and-more", count=len(found) - _MAX_SKILLS)
        yield from (f"✗ {file_name(bad.path, 100)}: {excerpt(bad.reason(), 200)}" for bad in shelf.bad[:_MAX_SKILLS])
        if len(shelf.bad) > _MAX_SKILLS:
            yield say("memory_pages.more-left-out", count=len(shelf.bad) - _MAX_SKILLS)
        if not (shelf.skills or shelf.bad):
            yield say("memory_pages.what-a-skill-is")


async def skill_probes(skills: SkillLibrary) -> Sequence[ProbeResult]:
    """Say whether every skill can be read; nothing where there are none."""
    shelf = await skills.look()
    fix = say("memory_pages.skill-fix")
    rows = [
        ProbeResult(
            name=say("memory_pages.skill-row", name=str(bad.path)), state="warning", evidence=bad.reason(), fix=fix
        )
        for bad in shelf.bad
    ]
    unknown = sorted(set(skills.config.enabled or ()) - {skill.name for skill in shelf.skills})
    if unknown:
        evidence = say("memory_pages.skills-missing", names=", ".join(unknown))
        missing_fix = say("memory_pages.skills-missing-fix")
        rows.append(ProbeResult(name="skills", state="warning", evidence=evidence, fix=missing_fix))
    elif shelf.skills:
        names = ", ".join(skill.name for skill in shelf.skills)
        evidence = say("memory_pages.skills-found", count=len(shelf.skills), names=names)
        rows.insert(0, ProbeResult(name="skills", state="ok", evidence=evidence))
    return rows


def _line(skill: Skill) -> str:
    return say(
        "memory_pages.skill",
        name=skill.name,
        file=file_name(skill.path, 100),
        size=len(skill.body),
        digest=skill.digest[:12],
    )


def _why_off(skill: Skill, on: Sequence[Skill], switches: dict[str, bool]) -> str:
    if skill.name in switches:
        return f" · {say('memory_pages.switched-here')}"
    return "" if skill in on else f" · {say('memory_pages.off-by-config')}"
