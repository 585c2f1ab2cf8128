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
from bot.skills import SkillLibrary
from bot.text.figures import exact_number
from bot.text.text import excerpt, file_name

_MAX_SKILLS = 40
_FIX = "Correct the file; it is read again by itself."


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
        yield f"{channel_word(target)}: {len(on)} of {len(found)} skills on"
        for skill in found[:_MAX_SKILLS]:
            yield f"{'✓' if skill in on else '○'} {_line(skill)}{_why_off(skill, on, switches)}"
        yield from (f"○ {_line(skill)} · not for this agent" for skill in shelf.skills if skill not in found)
        if len(found) > _MAX_SKILLS:
            yield f"… and {len(found) - _MAX_SKILLS} more"
        yield from (f"✗ {file_name(bad.path, 100)}: {excerpt(bad.reason, 200)}" for bad in shelf.bad[:_MAX_SKILLS])
        if len(shelf.bad) > _MAX_SKILLS:
            yield f"… and {len(shelf.bad) - _MAX_SKILLS} more that are left out"
        if not (shelf.skills or shelf.bad):
            yield "A skill is a folder with a SKILL.md, in `skills` of the data directory or in `skills.folders`."


async def skill_probes(skills: SkillLibrary) -> Sequence[ProbeResult]:
    """Say whether every skill can be read; nothing where there are none."""
    shelf = await skills.look()
    rows = [ProbeResult(name=f"skill {bad.path}", state="warning", evidence=bad.reason, fix=_FIX) for bad in shelf.bad]
    unknown = sorted(set(skills.config.enabled or ()) - {skill.name for skill in shelf.skills})
    if unknown:
        evidence = f"skills.enabled names what is not there: {', '.join(unknown)}"
        rows.append(
            ProbeResult(name="skills", state="warning", evidence=evidence, fix="Correct the list, or add the skill.")
        )
    elif shelf.skills:
        names = ", ".join(skill.name for skill in shelf.skills)
        rows.insert(
            0, ProbeResult(name="skills", state="ok", evidence=f"{len(shelf.skills)} can be looked up: {names}")
        )
    return rows


def _line(skill: Skill) -> str:
    size = exact_number(len(skill.body))
    return f"{skill.name} · {file_name(skill.path, 100)} · {size} characters · {skill.digest[:12]}"


def _why_off(skill: Skill, on: Sequence[Skill], switches: dict[str, bool]) -> str:
    if skill.name in switches:
        return " · switched here"
    return "" if skill in on else " · off by skills.enabled"
