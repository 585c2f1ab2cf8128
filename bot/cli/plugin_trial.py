"""Try a plugin in a whole bot of its own: offline, with a simulated model, and gone afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from bot.app.adapters import ClockAndEntropy, machine, open_edges
from bot.app.bot import Bot
from bot.app.named_platform import named_platform
from bot.app.named_plugins import added_pieces
from bot.cli.platform_trial import PlatformTrial
from bot.config import LoadedConfig
from bot.config.schema import Config
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.errors import ConfigError, UserError
from bot.plugins.chat_parts import GuardedRule
from bot.plugins.guard import PartGuard
from bot.plugins.plugin import PluginAdapter, PluginScenario
from bot.plugins.plugins import PluginRecord, PluginState
from bot.ports.platform import Platform
from bot.sentences import language_problems, say
from bot.task_prompt.chunk import ChunkPriority, ChunkType, ContextChunk
from bot.task_prompt.gatherers import GatherGrounds, gather_for
from bot.task_prompt.prioritise import prioritise
from bot.task_prompt.task import TaskBrief, TaskType
from bot.text.text import one_line_name

GENERAL = ChannelKey(MAIN, ChannelId("console:#general"))
_PEOPLE = {"admin": 1, "ann": 42}
_ODD_TEXTS = ("", "hello", "x" * 4000, "🦉 na\u0301ïve \u202e", "```\n!cortex\n```")


class CheckedPart(NamedTuple):
    """One thing that was tried, and why it is not well (empty: it is)."""

    what: str
    why: str = ""

    @property
    def is_well(self) -> bool:
        """Whether nothing was wrong."""
        return not self.why


class TrialClock:
    """A clock that stands, and is moved on by whoever waits."""

    def __init__(self, at: int) -> None:
        self._at = at
        self._passed = 0.0

    def now(self) -> int:
        """Return UTC milliseconds."""
        return int(self._at + self._passed * 1000)

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return 1000.0 + self._passed

    async def sleep(self, seconds: float) -> None:
        """Skip instead of waiting."""
        self._passed += max(0.0, seconds)
        await asyncio.sleep(0)


class PluginTrial:
    """Tries what a plugin brings. `settings` are the keys of its table, `platforms` those of platforms, by kind."""

    def __init__(
        self, name: str, settings: Mapping[str, Any], folder: Path, platforms: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self._name = name
        self._settings = settings
        self._folder = folder
        self._platforms = platforms
        self._lives = 0

    async def run(self) -> list[CheckedPart]:
        """Return a row for each thing that was tried; raise UserError where there is nothing to try."""
        rows: list[CheckedPart] = []
        async with self._bot(self._settings, 0) as bot:
            record = self._record(bot)
            if record.state is PluginState.MISSING:
                raise UserError(say("plugins.check-missing", plugin=self._name))
            if record.state is not PluginState.RUNS:
                return [CheckedPart(record.origin, "; ".join(record.why) or record.state.value)]
            rows += [CheckedPart(record.origin, why) for why in record.why] or [CheckedPart(record.origin)]
            await self._talk(bot)
            rows += [row async for row in _contexts(bot)]
            rows += _adapters(bot)
            for platform in bot.plugins.platforms:
                guard = next(guard for guard in record.guards if guard.part == f"platform {platform.name}")
                rows += await _platform(platform, self._platforms.get(platform.name, {}), bot, guard)
            for language in bot.plugins.languages:
                rows += [
                    CheckedPart(say("plugins.part-language", name=language.code), why)
                    for why in language_problems(language.code)
                ]
            rows += [CheckedPart(guard.part, guard.last.words if guard.last else "") for guard in record.guards]
            rules = [rule for rule in bot.plugins.rules if isinstance(rule, GuardedRule)]
        for one in rules:
            rows.append(await self._scenario(one.rule.id, one.rule.scenario))
        return rows

    def _record(self, bot: Bot) -> PluginRecord:
        return next(record for record in bot.plugins.records if record.name == self._name)

    async def _talk(self, bot: Bot) -> None:
        """Let people say all kinds of things, and ask for everything that the plugin answers."""
        for text in _ODD_TEXTS:
            await _types(bot, f"[#general] ann> @glassmind {text}".replace("\n", " "))
        for command in bot.plugins.commands:
            await _types(bot, f"[#general] admin> /{command.name}")
        for page in bot.plugins.pages:
            for form in page.forms:
                await _types(bot, f"[#general] admin> !cortex {one_line_name(form.name)}")

    async def _scenario(self, rule: str, scenario: PluginScenario) -> CheckedPart:
        what = say("plugins.check-scenario", rule=rule)
        async with self._bot({**self._settings, **scenario.settings}, scenario.at) as bot:
            await _types(bot, f"[#general] ann> @glassmind {scenario.says}")
            inquiry = bot.cortex_wiring.inquiry
            target = await bot.cortex_wiring.targets.of(GENERAL)
            if target is None:
                return CheckedPart(what, say("plugins.check-silent"))
            diagnosis = await inquiry.diagnosis(target, EvidenceQuery())
            found = [finding.rule for finding in diagnosis.findings]
        other = say("plugins.check-other", found=", ".join(found) or "-")
        return CheckedPart(what, "" if found[:1] == [rule] else other)

    @asynccontextmanager
    async def _bot(self, settings: Mapping[str, Any], at: int) -> AsyncIterator[Bot]:
        self._lives += 1
        tables = {
            "bot": {"data_dir": str(self._folder / f"life{self._lives}"), "log_level": "error"},
            "platforms": {"console": {"owner_ids": [1], "people": _PEOPLE, "names": ["glassmind"], "echo": False}},
            "conversation": {"debounce": 0},
            "limits": {"user_per_minute": 0, "user_commands_per_minute": 0, "channel_commands_per_minute": 0},
            "plugins": {self._name: dict(settings)},
        }
        loaded = LoadedConfig(config=Config.model_validate(tables), origins={}, secrets={})
        real = machine()
        on = ClockAndEntropy(TrialClock(at or real.clock.now()), real.entropy)
        async with open_edges(loaded, on) as edges:
            bot = Bot(edges, loaded)
            await bot.start()
            yield bot
            await bot.close(say("plugins.trial-ended"))


async def _types(bot: Bot, line: str) -> None:
    console: Any = bot.edges.platforms["console"]
    await console.type(line, bot.manager)
    await bot.settled()


async def _contexts(bot: Bot) -> AsyncIterator[CheckedPart]:
    """Look at what the model is told, as often as twice: the same must come of the same."""
    if bot.plugins.sections:
        found = [(await bot.mind.inspector.inspect(GENERAL)).snapshot for _ in range(2)]
        seen = [snapshot.sections for snapshot in found if snapshot is not None]
        for one in bot.plugins.sections:
            name = one.section.name
            texts = {tuple(trace.digest for trace in sections if trace.name == name) for sections in seen}
            yield CheckedPart(
                say("plugins.part-section", name=name), "" if len(texts) == 1 else say("plugins.check-impure")
            )
    if bot.plugins.gatherers or bot.plugins.prioritisers:
        added = added_pieces(bot.plugins)
        chunk = ContextChunk(content="x", source="x", chunk_type=ChunkType.PINNED, priority=ChunkPriority.LOW)
        for kind in TaskType:
            task = TaskBrief(task_type=kind, request="silent", at=0, budget=1000)
            gathered = await gather_for(task, GatherGrounds(), added=added.gatherers)
            scored = [prioritise((chunk, *gathered.chunks), task, added.every) for _ in range(2)]
            if scored[0] != scored[1]:
                yield CheckedPart(say("plugins.part-prioritisers", task=kind.value), say("plugins.check-impure"))


def _adapters(bot: Bot) -> Iterator[CheckedPart]:
    """Make what a plugin adapts; one that needs keys says so."""
    for service in bot.plugins.providers:
        yield CheckedPart(
            say("plugins.part-provider", name=one_line_name(service.name)), _made(service, service.name, {})
        )
    for counter in bot.plugins.counters:
        counts = [counter.count(text) for text in _ODD_TEXTS]
        is_well = all(isinstance(count, int) and count >= 0 for count in counts)
        yield CheckedPart("counter", "" if is_well else say("plugins.check-counts"))


async def _platform(
    one: PluginAdapter[Platform], settings: Mapping[str, Any], bot: Bot, guard: PartGuard
) -> list[CheckedPart]:
    """Make a platform and try everything that the bot would ask of it; without the keys that it needs, only the first.

    Secrets are not read for that: where one is needed, no service is asked in anybody's name.
    """
    why = _made(one, settings, bot.edges.clock)
    rows = [CheckedPart(say("plugins.part-platform", name=one_line_name(one.name)), why)]
    if why:
        return rows
    try:
        made = one.create(settings, bot.edges.clock)
    except ValidationError:
        return rows
    tried = await PlatformTrial(named_platform(made, one.name), _ODD_TEXTS, guard).run()
    return [*rows, *(CheckedPart(step.what, step.why) for step in tried)]


def _made(one: PluginAdapter[Any], *values: Any) -> str:
    try:
        one.create(*values)
    except ValidationError:
        # without its keys it cannot be made, and says which
        return ""
    except ConfigError as error:
        return error.problems[0]
    return ""
