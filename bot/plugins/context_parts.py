"""Parts of plugins that take part in what a model is told: sections, themes, gatherers, prioritisers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.context.section import Section, SectionSources, absent_section
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.plugins.fault import PluginFault, WrongPart
from bot.plugins.guard import PartGuard, awaited
from bot.plugins.plugin import PluginGatherer, PluginPrioritiser, PluginSection, PluginTheme
from bot.prompts import ReplacementProblem, replacement_problem, template_lines, templates_replaced
from bot.sentences import say
from bot.task_prompt.chunk import ChunkPriority, ContextChunk
from bot.task_prompt.gatherers import FoundChunks, GatherGrounds
from bot.task_prompt.prioritisers import Prioritiser, ScorePoints
from bot.task_prompt.task import TaskBrief
from bot.text.text import one_line_name

_SECTION_SECONDS, _GATHERER_SECONDS = 5.0, 10.0
_SECTIONS, _ENDING = "sections/", ".md.j2"
_TEMPLATE, _THEME = "file:prompts/", "theme:"


@dataclass(frozen=True, eq=False)
class GuardedSection:
    """Implements `bot.context.section.Section`: one that breaks is left out, and the request says why."""

    inner: Any
    guard: PartGuard
    name: str
    stability: SectionStability
    priority: int

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Read what the section needs; its plugin is one of its sources."""
        try:
            found = await self.guard.wait(awaited(self.inner.load, state, sources), _SECTION_SECONDS)
            if not isinstance(found, LoadedSection) or found.name != self.name:
                raise self.guard.wrong(type(found).__name__)
        except PluginFault as fault:
            return absent_section(self.name, say("plugins.part-fault", plugin=self.guard.origin, why=fault.words))
        return found.model_copy(update={"sources": (*found.sources, f"plugin:{self.guard.origin}")})

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Turn what was read into text."""
        try:
            text = self.guard.call(self.inner.render, state, trigger, data)
            if not isinstance(text, str):
                raise self.guard.wrong(type(text).__name__)
        except PluginFault:
            return ""
        return text


def guarded_section(one: PluginSection, guard: PartGuard) -> PluginSection:
    """Return the section behind its guard."""
    inner = one.section
    return replace(one, section=GuardedSection(inner, guard, inner.name, inner.stability, inner.priority))


@dataclass(frozen=True, eq=False)
class GuardedTheme:
    """Words sections in other words, behind its guard. `texts` are templates by the names that they stand for."""

    guard: PartGuard
    texts: Mapping[str, str]

    def over(self, section: Section) -> Section:
        """Return a section that is worded so; where that fails it has the bot's own words."""
        if _SECTIONS + section.name not in self.texts:
            return section
        return _ThemedSection(section, self, section.name, section.stability, section.priority)


@dataclass(frozen=True, eq=False)
class _ThemedSection:
    inner: Section
    theme: GuardedTheme
    name: str
    stability: SectionStability
    priority: int

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        found = await self.inner.load(state, sources)
        kept = [source for source in found.sources if not source.startswith(_TEMPLATE)]
        return found.model_copy(update={"sources": (*kept, f"{_THEME}{self.theme.guard.origin}")})

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        try:
            with templates_replaced(self.theme.texts):
                return self.theme.guard.call(self.inner.render, state, trigger, data)
        except PluginFault:
            return self.inner.render(state, trigger, data)


def guarded_theme(one: PluginTheme, guard: PartGuard) -> GuardedTheme:
    """Read the templates of a theme; raise WrongPart where one cannot stand for the bot's own."""
    texts: dict[str, str] = {}
    for file in sorted(one.folder.iterdir()):
        template = _SECTIONS + file.name.removesuffix(_ENDING)
        if not template_lines(template):
            raise WrongPart(say("plugins.theme-no-such", file=one_line_name(file.name)))
        texts[template] = file.read_text("utf-8")
        if problem := replacement_problem(template, texts[template]):
            raise WrongPart(_why(file.name, problem))
    return GuardedTheme(guard, texts)


def _why(file: str, problem: ReplacementProblem) -> str:
    shown = one_line_name(file)
    if problem.broken:
        return say("plugins.theme-broken", file=shown, why=one_line_name(problem.broken))
    if problem.unknown:
        return say("plugins.theme-unknown", file=shown, values=", ".join(problem.unknown))
    return say("plugins.theme-uncleaned", file=shown, values=", ".join(problem.uncleaned))


def guarded_gatherer(one: PluginGatherer, guard: PartGuard) -> PluginGatherer:
    """Return the gatherer; a failure is an exclusion with its reason, as with every gatherer."""

    async def gather(task: TaskBrief, grounds: GatherGrounds, priority: ChunkPriority) -> FoundChunks:
        found = await guard.wait(awaited(one.gather, task, grounds, priority), _GATHERER_SECONDS)
        if not isinstance(found, FoundChunks) or not all(isinstance(chunk, ContextChunk) for chunk in found.chunks):
            raise guard.wrong(type(found).__name__)
        return found

    gather.__name__ = f"{one.gather.__name__} ({guard.origin})"
    return replace(one, gather=gather)


def guarded_prioritiser(one: PluginPrioritiser, guard: PartGuard) -> Prioritiser:
    """Return the prioritiser; one that breaks gives no points."""

    def points(chunk: ContextChunk, task: TaskBrief) -> ScorePoints:
        try:
            found = guard.call(one.points, chunk, task)
            if not isinstance(found, ScorePoints):
                raise guard.wrong(type(found).__name__)
        except PluginFault:
            return ScorePoints(0.0)
        return found

    # it is named by its module, where the parts of a score are shown
    points.__module__ = f"{one.name} of {guard.origin.partition(' ')[0]}"
    return points
