"""Look again at tools, skills and MCP servers without a restart, and say what came, what went and what failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.channel import ProcessKind
from bot.domain.finding import ReloadTools, StoredSession
from bot.domain.health import AdapterState
from bot.prompts import render
from bot.sentences import say
from bot.skills import SkillLibrary
from bot.text.text import excerpt, file_name, quote_line
from bot.tools.runtime.toolbox import Toolbox

if TYPE_CHECKING:
    from bot.tools.mcp.foreign_tools import ForeignTools

_MAX_NAMED = 20


async def offer_reload(offering: OfferMaker, session: StoredSession, target: TargetChannel) -> ThreadReply:
    """Offer to look again; nothing is looked at before the press."""
    fix = ReloadTools(channel=target.key.channel)
    return await offering.change(session, target, fix, render("cortex/fix_effect", kind=fix.kind))


class _Offer(NamedTuple):
    """What there is at one moment: tools, and skills with the digests of their files."""

    tools: Mapping[str, str]
    skills: Mapping[str, str]


@dataclass(frozen=True)
class ToolReload:
    """Reads the files of skills now, asks every MCP server for its list, and tries those that are not there."""

    toolbox: Toolbox
    skills: SkillLibrary
    servers: Callable[[], ForeignTools | None]

    async def run(self) -> str:
        """Do it, and return what admins read of it."""
        before = self._offer()
        servers = self.servers()
        if servers is not None:
            await servers.reload()
        await self.skills.look()
        return "\n".join(self._lines(before, self._offer()))

    def _offer(self) -> _Offer:
        tools = {tool.name: tool.definition.digest for kind in ProcessKind for tool in self.toolbox.of(kind)}
        return _Offer(tools, {skill.name: skill.digest for skill in self.skills.shelf.skills})

    def _lines(self, before: _Offer, now: _Offer) -> Iterator[str]:
        changes = [*_changes("tools", before.tools, now.tools), *_changes("skills", before.skills, now.skills)]
        yield from changes or (say("fixes.reload-same", tools=len(now.tools), skills=len(now.skills)),)
        for bad in self.skills.shelf.bad[:_MAX_NAMED]:
            yield say("fixes.reload-failed", what=file_name(bad.path, 60), why=excerpt(bad.reason(), 160))
        servers = self.servers()
        for one in servers.health() if servers is not None else ():
            if one.state in {AdapterState.DOWN, AdapterState.STARTING}:
                why = quote_line(one.detail or one.state.value, 160)
                yield say("fixes.reload-failed", what=one.name, why=why)
        for group, broken in (servers.broken() if servers is not None else {}).items():
            for tool in broken[:_MAX_NAMED]:
                what = f"{group}: {quote_line(tool.name, 60)}"
                yield say("fixes.reload-failed", what=what, why=quote_line(tool.why(), 160))


_WORDS = {
    "tools": ("fixes.reload-tools-came", "fixes.reload-tools-went", "fixes.reload-tools-changed"),
    "skills": ("fixes.reload-skills-came", "fixes.reload-skills-went", "fixes.reload-skills-changed"),
}


def _changes(what: str, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    came, went = sorted(now.keys() - before.keys()), sorted(before.keys() - now.keys())
    other = sorted(name for name in now.keys() & before.keys() if now[name] != before[name])
    for sentence, names in zip(_WORDS[what], (came, went, other), strict=True):
        if names:
            left = len(names) - _MAX_NAMED
            more = f", … +{left}" if left > 0 else ""
            yield say(sentence, count=len(names), names=f"{', '.join(names[:_MAX_NAMED])}{more}")
