"""Skills for tests: none, or those of a folder."""

from __future__ import annotations

from pathlib import Path

from bot.config.agents import AgentConfig, SkillsConfig
from bot.ports.clock import Clock
from bot.skills import SkillFolder, SkillLibrary
from tests.fakes.clock import FakeClock

TEXT = """---
name: {name}
description: {description}
---
{body}
"""


def no_skills() -> SkillLibrary:
    return SkillLibrary(SkillsConfig(), {}, (), FakeClock())


def skills_in(
    *folders: Path, clock: Clock | None = None, agents: dict[str, AgentConfig] | None = None, **config: object
) -> SkillLibrary:
    """What lies in some folders, which are called by their own names."""
    named = tuple(SkillFolder(path, path.name) for path in folders)
    return SkillLibrary(SkillsConfig.model_validate(config), agents or {}, named, clock or FakeClock())


def write_skill(
    folder: Path, name: str, body: str = "Do it well.", description: str = "Use it when it fits.", *, file: str = ""
) -> Path:
    """Write a skill into a folder of skills; return its file."""
    path = folder / (file or name) / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TEXT.format(name=name, description=description, body=body), encoding="utf-8")
    return path
