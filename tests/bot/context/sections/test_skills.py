"""The list of skills in the prompt."""

from __future__ import annotations

from bot.context.section import SectionSources, section_values
from bot.context.sections.skills import SkillsSection
from bot.domain.base import quarter_bytes
from bot.domain.skill import Skill, read_skill
from bot.domain.snapshot import Trigger
from bot.text.redaction import Redactor
from tests.fakes.contexts import FACTS, Stack
from tests.fakes.skills import TEXT
from tests.fakes.values import channel, settings

NOBODY = Trigger(messages=(), at=0)


def skill(name: str, description: str = "Use it.") -> Skill:
    return read_skill(TEXT.format(name=name, description=description, body="Do it."), f"skills/{name}/SKILL.md")


class AtHand:
    def __init__(self, *skills: Skill, room: tuple[int, int] = (30, 1500)) -> None:
        self.skills, self.room = skills, room

    def usable(self, agent: str) -> tuple[Skill, ...]:
        return self.skills

    def is_on(self, name, switches) -> bool:
        return switches.get(name, True)


async def load(*skills: Skill, room: tuple[int, int] = (30, 1500), off: str = ""):
    stack = Stack()
    sources = SectionSources(
        stack.memories, stack.channels, stack.journal, FACTS, Redactor.of({}), AtHand(*skills, room=room)
    )
    state = channel(settings=settings(skills=((off, False),) if off else ()))
    return await SkillsSection().load(state, sources)


def render(found) -> str:
    return SkillsSection().render(channel(), NOBODY, found.data)


async def test_a_line_a_skill_with_its_file():
    found = await load(skill("coffee"), skill("tea", "For\u200b guests."))
    assert "- coffee: Use it.\n- tea: For⟨U+200B⟩ guests." in render(found)
    assert [source.partition("@")[0] for source in found.sources] == ["skill:coffee", "skill:tea"]
    assert "not described" not in render(found)


async def test_why_there_are_none():
    assert (await load()).reason == "no skills are installed"
    assert (await load(skill("tea"), off="tea")).reason == "none of 1 skills is on in this channel"
    assert "none of 1 skills fits" in (await load(skill("tea"), room=(0, 100))).reason


async def test_what_does_not_fit_is_said():
    many = [skill(f"s{number:02}", "x" * 300) for number in range(40)]
    by_number = await load(*many, room=(10, 20_000))
    assert "30 more are not described here: s10, s11" in render(by_number) and ", and others." in render(by_number)
    by_tokens = await load(*many, room=(40, 200))
    lines = [line for line in render(by_tokens).splitlines() if line.startswith("- s")]
    assert len(lines) == 2 and sum(quarter_bytes(line) for line in lines) <= 200
    assert section_values(by_tokens.data)["left_out"][0] == "s02"


async def test_the_same_files_give_the_same_bytes():
    one, other = await load(skill("a"), skill("b")), await load(skill("a"), skill("b"))
    assert one == other and (await load(skill("a"))).data != one.data
