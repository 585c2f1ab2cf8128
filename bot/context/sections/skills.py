"""Which skills can be looked up here: a line each, as far as they fit; their texts come when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.context.section import SectionSources, absent_section, loaded_section, section_values
from bot.domain.base import JsonText, quarter_bytes
from bot.domain.channel import ChannelState
from bot.domain.skill import Skill
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render
from bot.text.text import excerpt

_MAX_DESCRIPTION_CHARS = 400


class SkillsSection:
    """Names and descriptions, in the order of the names: the same until a file or a switch changes."""

    name = "skills"
    stability = SectionStability.EPOCH
    priority = 70

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Choose the skills that are listed."""
        skills = sources.skills
        found = skills.usable(state.agent) if skills is not None else ()
        if skills is None or not found:
            return _NONE
        here = tuple(skill for skill in found if skills.is_on(skill.name, state.settings.switches))
        if not here:
            return absent_section(self.name, f"none of {len(found)} skills is on in this channel")
        return _loaded(here, *skills.room)

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/skills", **section_values(data))


def skills_that_fit(skills: Sequence[Skill], most: int, tokens: int) -> tuple[Skill, ...]:
    """Take skills in order while they fit; the first that does not ends the list, so that its order tells which."""
    chosen: list[Skill] = []
    for skill in skills[:most]:
        tokens -= quarter_bytes(f"- {skill.name}: {_described(skill)}\n")
        if tokens < 0:
            break
        chosen.append(skill)
    return tuple(chosen)


def _described(skill: Skill) -> str:
    return excerpt(skill.description, _MAX_DESCRIPTION_CHARS)


@lru_cache(maxsize=64)
def _loaded(here: tuple[Skill, ...], most: int, tokens: int) -> LoadedSection:
    # the same in every turn until something changes
    shown = skills_that_fit(here, most, tokens)
    if not shown:
        return absent_section(
            SkillsSection.name, f"none of {len(here)} skills fits: skills.listed, skills.listed_tokens"
        )
    data = {
        "skills": [[skill.name, _described(skill)] for skill in shown],
        "left_out": [skill.name for skill in here[len(shown) :]],
    }
    return loaded_section(SkillsSection.name, data, *(skill.source for skill in shown))


_NONE = absent_section(SkillsSection.name, "no skills are installed")
