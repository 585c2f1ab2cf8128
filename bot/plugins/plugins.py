"""The plugins of one bot: what they bring to it, and how each of them does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # what none but a bot with plugins loads
    from bot.context.section import Section
    from bot.cortex.commands.cortex_command import CommandForm, CortexCommand
    from bot.diagnostics.rules import Rule
    from bot.domain.channel import ProcessKind
    from bot.messaging.commands.context import ChatCommand
    from bot.messaging.policy.gates import Gate
    from bot.plugins.chat_parts import GuardedHook
    from bot.plugins.context_parts import GuardedTheme
    from bot.plugins.guard import Listener, PartGuard
    from bot.plugins.memory_parts import GuardedMemories
    from bot.plugins.plugin import PluginAdapter, PluginGatherer, PluginLanguage, PluginSection
    from bot.plugins.plugin_tools import GuardedTool
    from bot.ports.model import LLMProvider, TokenCounter
    from bot.ports.platform import Platform
    from bot.ports.store import Store
    from bot.task_prompt.prioritisers import Prioritiser


class PluginState(StrEnum):
    """What became of a plugin."""

    RUNS = "runs"
    DISABLED = "disabled"
    UNNAMED = "unnamed"
    MISSING = "missing"
    REFUSED = "refused"


@dataclass(frozen=True)
class PluginRecord:
    """One plugin: its origin is `name version`; `why` says why it does not run, or what was left out of it."""

    name: str
    version: str
    distribution: str
    state: PluginState
    guards: tuple[PartGuard, ...] = ()
    why: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """How it is called wherever something of it is shown."""
        return f"{self.name} {self.version}".strip()


class SwitchedOff:
    """Hands on that a part was switched off, to whoever listens."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Let somebody hear of every part that is switched off from now on."""
        self._listeners.append(listener)

    def __call__(self, guard: PartGuard) -> None:
        for listener in self._listeners:
            listener(guard)


@dataclass(frozen=True)
class Plugins:
    """What all plugins bring, each part behind its guard."""

    records: tuple[PluginRecord, ...] = ()
    tools: tuple[GuardedTool, ...] = ()
    gates: tuple[Gate, ...] = ()
    rules: tuple[Rule, ...] = ()
    commands: tuple[ChatCommand, ...] = ()
    pages: tuple[CortexCommand, ...] = ()
    sections: tuple[PluginSection, ...] = ()
    gatherers: tuple[PluginGatherer, ...] = ()
    prioritisers: tuple[Prioritiser, ...] = ()
    hooks: tuple[GuardedHook, ...] = ()
    providers: tuple[PluginAdapter[LLMProvider], ...] = ()
    platforms: tuple[PluginAdapter[Platform], ...] = ()
    memories: tuple[GuardedMemories, ...] = ()
    counters: tuple[TokenCounter, ...] = ()
    languages: tuple[PluginLanguage, ...] = ()
    themes: tuple[GuardedTheme, ...] = ()
    switched_off: SwitchedOff = field(default_factory=SwitchedOff)

    def order(self, own: Mapping[ProcessKind, Sequence[Section]]) -> Mapping[ProcessKind, Sequence[Section]]:
        """Return the sections of every process, worded by themes; a plugin's own behind the last of its stability."""
        if not self.sections and not self.themes:
            return own
        found = {kind: list(sections) for kind, sections in own.items()}
        for theme in self.themes:
            found = {kind: [theme.over(section) for section in sections] for kind, sections in found.items()}
        for one in self.sections:
            for kind in one.kinds:
                places = [n for n, other in enumerate(found[kind]) if other.stability is one.section.stability]
                found[kind].insert(places[-1] + 1 if places else len(found[kind]), one.section)
        return found

    def over(self, store: Store) -> Store:
        """Return the store with what plugins put before its memories."""
        if not self.memories:
            return store
        # imported here: hardly any plugin does
        from bot.plugins.memory_parts import store_over

        return store_over(store, self.memories)

    @property
    def pages_by_name(self) -> Mapping[str, Sequence[CommandForm]]:
        """What can be typed behind `!cortex` beside the bot's own."""
        return {form.name: (form,) for page in self.pages for form in page.forms}


NO_PLUGINS = Plugins()
"""What a bot has that names none."""
