"""Skills: instructions of the operator that a model looks up when it needs them, one folder with a SKILL.md each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bot.domain.base import Digest, FrozenModel, digest_text
from bot.errors import WordedError
from bot.sentences import Words, later
from bot.text.front_matter import FrontMatter, HeadFault, WrongHead, read_front_matter
from bot.text.text import clean, visible

FILE = "SKILL.md"
MAX_DESCRIPTION_CHARS = 1024
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MAX_NAME_CHARS = 64
_SOURCE = "skill:"
_HEAD_FAULTS = {
    HeadFault.MISSING: "skills.head-missing",
    HeadFault.NOT_CLOSED: "skills.head-not-closed",
    HeadFault.KEY_TWICE: "skills.key-twice",
    HeadFault.NO_KEY: "skills.line-without-key",
    HeadFault.QUOTES_OPEN: "skills.quotes-open",
}
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


class WrongSkill(WordedError):
    """A file that cannot be used; the words say why, with what to do."""


class BadSkill(NamedTuple):
    """A file that is no skill, and why, with what to do."""

    path: str
    reason: Words


class SkillShelf(NamedTuple):
    """Every skill, by name, and what was left out, by path."""

    skills: tuple[Skill, ...] = ()
    bad: tuple[BadSkill, ...] = ()

    def get(self, name: str) -> Skill | None:
        """Return a skill; None when there is none of that name."""
        return next((skill for skill in self.skills if skill.name == name), None)


def read_skill(text: str, path: str) -> Skill:
    """Make a skill of the text of its file; raise WrongSkill, which leaves it out."""
    head = _head(text)
    name, description = head.values.get("name", ""), " ".join(head.values.get("description", "").split())
    if not name:
        raise WrongSkill(later("skills.no-name"))
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME_CHARS:
        raise WrongSkill(later("skills.bad-name", name=visible(name[:_MAX_NAME_CHARS]), most=_MAX_NAME_CHARS))
    if not description:
        raise WrongSkill(later("skills.no-description"))
    if len(description) > MAX_DESCRIPTION_CHARS:
        raise WrongSkill(later("skills.description-too-long", count=len(description), most=MAX_DESCRIPTION_CHARS))
    if not head.body.strip():
        raise WrongSkill(later("skills.nothing-below"))
    body = clean(head.body).text
    return Skill(name=name, description=clean(description).text, body=body, path=path, digest=digest_text(text))


def _head(text: str) -> FrontMatter:
    try:
        return read_front_matter(text)
    except WrongHead as wrong:
        raise WrongSkill(later(_HEAD_FAULTS[wrong.fault], at=wrong.at)) from None


def put_on_shelf(found: Iterable[Skill], bad: Iterable[BadSkill]) -> SkillShelf:
    """Put skills on a shelf; of several with one name the first stays."""
    kept: dict[str, Skill] = {}
    left_out = list(bad)
    for skill in found:
        if (first := kept.setdefault(skill.name, skill)) is not skill:
            reason = later("skills.name-taken", name=skill.name, other=first.path)
            left_out.append(BadSkill(path=skill.path, reason=reason))
    return SkillShelf(
        skills=tuple(kept[name] for name in sorted(kept)), bad=tuple(sorted(left_out, key=lambda one: one.path))
    )


def skills_in(sources: Iterable[str]) -> dict[str, str]:
    """Return the skills among provenance ids: their names, and the digest and file of each."""
    named = (source.removeprefix(_SOURCE) for source in sources if source.startswith(_SOURCE))
    return {name: rest for name, _, rest in (one.partition("@") for one in named)}
