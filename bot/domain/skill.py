"""Skills: instructions of the operator that a model looks up when it needs them, one folder with a SKILL.md each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bot.domain.base import Digest, FrozenModel, digest_text
from bot.text.front_matter import read_front_matter
from bot.text.text import clean, visible

FILE = "SKILL.md"
MAX_DESCRIPTION_CHARS = 1024
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MAX_NAME_CHARS = 64
_SOURCE = "skill:"
Switches = Mapping[str, bool]
"""What people switched in a channel: skills by name, on or off."""


class Skill(FrozenModel):
    """One skill. `path` is how people find its file: relative to the data directory, or as it is configured."""

    name: str
    description: str
    body: str
    path: str
    digest: Digest

    @property
    def source(self) -> str:
        """Its provenance id: name, digest and file."""
        return f"{_SOURCE}{self.name}@{self.digest[:12]} {self.path}"


class BadSkill(FrozenModel):
    """A file that is no skill, and why, with what to do."""

    path: str
    reason: str


class SkillShelf(FrozenModel):
    """Every skill, by name, and what was left out, by path."""

    skills: tuple[Skill, ...] = ()
    bad: tuple[BadSkill, ...] = ()

    def get(self, name: str) -> Skill | None:
        """Return a skill; None when there is none of that name."""
        return next((skill for skill in self.skills if skill.name == name), None)


def read_skill(text: str, path: str) -> Skill:
    """Make a skill of the text of its file; raise ValueError with what is wrong, which leaves it out."""
    head = read_front_matter(text)
    name, description = head.values.get("name", ""), " ".join(head.values.get("description", "").split())
    if not name:
        raise ValueError("its head has no `name:`")
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME_CHARS:
        raise ValueError(
            f"its name is {visible(name[:_MAX_NAME_CHARS])!r}: write small letters and digits with single hyphens "
            f"between them, at most {_MAX_NAME_CHARS} characters"
        )
    if not description:
        raise ValueError("its head has no `description:`, by which a model knows when to look it up")
    if len(description) > MAX_DESCRIPTION_CHARS:
        raise ValueError(f"its description has {len(description):,} characters; {MAX_DESCRIPTION_CHARS:,} are the most")
    if not head.body.strip():
        raise ValueError("there is nothing below its head")
    body = clean(head.body).text
    return Skill(name=name, description=clean(description).text, body=body, path=path, digest=digest_text(text))


def put_on_shelf(found: Iterable[Skill], bad: Iterable[BadSkill]) -> SkillShelf:
    """Put skills on a shelf; of several with one name the first stays."""
    kept: dict[str, Skill] = {}
    left_out = list(bad)
    for skill in found:
        if (first := kept.setdefault(skill.name, skill)) is not skill:
            reason = f"its name {skill.name} is that of {first.path}; give it another, or remove one of them"
            left_out.append(BadSkill(path=skill.path, reason=reason))
    return SkillShelf(
        skills=tuple(kept[name] for name in sorted(kept)), bad=tuple(sorted(left_out, key=lambda one: one.path))
    )


def skills_in(sources: Iterable[str]) -> dict[str, str]:
    """Return the skills among provenance ids: their names, and the digest and file of each."""
    named = (source.removeprefix(_SOURCE) for source in sources if source.startswith(_SOURCE))
    return {name: rest for name, _, rest in (one.partition("@") for one in named)}
