"""Skills, and agents: several minds in one bot, each with conversations, memories and tools of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated

from pydantic import BeforeValidator, Field, PositiveInt

from bot.config.config_table import ConfigTable, keys
from bot.config.id_forms import text_id
from bot.domain.ids import MAIN
from bot.sentences import say

AgentName = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,31}$")]
Listed = Annotated[str, BeforeValidator(text_id)]


class SkillsConfig(ConfigTable):
    """Instructions that the model looks up when it needs them: folders with a `SKILL.md` each.

    `<data_dir>/skills` is always looked into, and then these folders, relative to this file. `enabled` are on in every
    channel until somebody switches them off there (absent: all; empty: none). Of what stands in the prompt, `listed`
    and `listed_tokens` are the most; a file larger than `file_kb` is left out. Files are looked at again after
    `check_seconds`.
    """

    live = keys("enabled listed listed_tokens file_kb check_seconds")
    folders: tuple[str, ...] = ()
    enabled: tuple[str, ...] | None = None
    listed: int = Field(30, ge=0, le=200)
    listed_tokens: int = Field(1500, ge=0, le=20_000)
    file_kb: PositiveInt = Field(16, le=64)
    check_seconds: float = Field(10, ge=0, le=3600)


class AgentConfig(ConfigTable):
    """A mind beside `main`; what it does not say is as `[bot]`, `[model]` and the rest have it.

    It has the channels (ids, or ids of what they lie in) and the platforms that it names. `tools` are groups that it
    may use where `[tools]` opens them, and `skills` those it may look up (absent: all; empty: none).
    """

    name: str = Field("", max_length=64)
    persona: str | None = None
    model: str = ""
    fallbacks: tuple[str, ...] | None = None
    organisation: str | None = None
    tools: tuple[str, ...] | None = None
    skills: tuple[str, ...] | None = None
    channels: tuple[Listed, ...] = ()
    platforms: tuple[str, ...] = ()


NO_AGENT = AgentConfig()
"""What `main` differs in: nothing."""


def agent_problems(agents: Mapping[str, AgentConfig], platforms: Sequence[str], groups: Sequence[str]) -> Iterator[str]:
    """Say what does not fit together; `groups` are the tables below `[tools]`."""
    for name, agent in agents.items():
        yield from _own_problems(name, agent, platforms, groups)
    for (one, first), (other, second) in combinations(agents.items(), 2):
        for channel in first.channels:
            if rival := next((claimed for claimed in second.channels if _same(channel, claimed, platforms)), ""):
                entries = "one" if rival == channel else "two"
                facts = {"agent": other, "other": one, "channel": channel, "rival": rival}
                yield say("config.one-channel", entries=entries, **facts)
        for platform in first.platforms:
            if platform in second.platforms:
                yield say("config.one-platform", agent=other, other=one, platform=platform)


def _own_problems(name: str, agent: AgentConfig, platforms: Sequence[str], groups: Sequence[str]) -> Iterator[str]:
    if name == MAIN:
        yield say("config.main-agent", agent=name)
    for platform in agent.platforms:
        if platform not in platforms:
            known = ", ".join(platforms) or say("config.no-platforms")
            yield say("config.no-such-platform", agent=name, platform=platform, known=known)
    for group in agent.tools or ():
        if group not in groups:
            yield say("config.no-such-group", agent=name, group=group, known=", ".join(groups))
    if not agent.channels and not agent.platforms:
        yield say("config.talks-to-nobody", agent=name)


def _same(one: str, other: str, platforms: Sequence[str]) -> bool:
    """Say whether two entries are certainly one channel: with or without the platform and the server in front."""
    (first, path), (second, other_path) = _parted(one, platforms), _parted(other, platforms)
    same = path == other_path or path.endswith(f":{other_path}") or other_path.endswith(f":{path}")
    return same and (first == second or not (first and second))


def _parted(entry: str, platforms: Sequence[str]) -> tuple[str, str]:
    platform, colon, path = entry.partition(":")
    return (platform, path) if colon and platform in platforms else ("", entry)
