"""Every kind of part that a plugin may bring. Add one: a field of `Contributions`, and a line in KINDS."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from inspect import iscoroutinefunction
from typing import Any, NamedTuple

from bot.context.sections import ORDER
from bot.cortex.commands.command_table import BY_NAME as PAGES
from bot.cortex.commands.cortex_command import CortexCommand, PageCommand
from bot.cortex.fixes.rule_fixes import RULE_FIXES
from bot.diagnostics.evidence.evidence_reader import GateName
from bot.messaging.commands.context import ChatCommand
from bot.messaging.policy.command_syntax import ALIASES
from bot.plugins import adapter_parts, chat_parts, context_parts, memory_parts
from bot.plugins.fault import WrongPart
from bot.plugins.guard import PartGuard
from bot.plugins.plugin import (
    PluginAdapter,
    PluginCounter,
    PluginGate,
    PluginGatherer,
    PluginHook,
    PluginLanguage,
    PluginMemories,
    PluginPrioritiser,
    PluginRule,
    PluginSection,
    PluginTheme,
)
from bot.sentences import own_languages, say
from bot.text.text import excerpt
from bot.tools.runtime.tool import ToolSpec
from bot.tools.toolsets import TOOLSETS

_HYPHENED, _WORD = re.compile(r"[a-z][a-z0-9-]{0,31}"), re.compile(r"[a-z][a-z0-9_]{0,31}")
_COMMAND, _PAGE = re.compile(r"[a-z][a-z_]{0,31}"), re.compile(r"[a-z]+(?: [a-z]+)?")
_RULE, _LANGUAGE = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+){0,6}"), re.compile(r"[a-z]{2,3}")

_OWN_TOOLS = frozenset(spec.name for specs in TOOLSETS.values() for spec in specs)
_OWN_SECTIONS = frozenset(section.name for order in ORDER.values() for section in order)
_OWN_ADAPTERS = frozenset({"anthropic", "console", "discord", "openai", "simulated", "telegram"})


class ContributionKind(NamedTuple):
    """A kind: where its parts stand in `Contributions`, what they are made of, and how one is put behind its guard.

    `names` are those of a part, the first of which it is called by; `own` are names that the bot has itself.
    `lacks` says what else is wrong with a part (empty: nothing).
    """

    kind: str
    place: str
    made_of: type
    names: Callable[[Any], Sequence[str]]
    pattern: re.Pattern[str]
    own: Callable[[], Collection[str]]
    guarded: Callable[[Any, PartGuard], Any]
    lacks: Callable[[Any], str] = lambda _: ""

    def name_of(self, part: object) -> str:
        """Return the name of a part that can be taken; raise WrongPart."""
        try:
            names = self.names(part) if isinstance(part, self.made_of) else ()
        except (AttributeError, TypeError):
            names = ()
        if not names or not all(isinstance(name, str) for name in names):
            raise WrongPart(say("plugins.no-such-kind", kind=self.kind, found=type(part).__name__))
        for name in names:
            if not self.pattern.fullmatch(name):
                pattern, shown = self.pattern.pattern, excerpt(name, 40)
                raise WrongPart(say("plugins.bad-name", kind=self.kind, name=shown, pattern=pattern))
            if name in self.own():
                raise WrongPart(say("plugins.own-name", part=f"{self.kind} {name}"))
        if problem := self.lacks(part):
            raise WrongPart(problem)
        return names[0]


def _tool_lacks(tool: ToolSpec) -> str:
    if tool.name.startswith("mcp_"):
        return say("plugins.own-name", part=f"tool {tool.name}")
    return say("plugins.tool-needs-words", tool=tool.name) if tool.group or not tool.description else ""


def _check_lacks(part: PluginGate | PluginRule) -> str:
    is_plain = callable(part.check) and not iscoroutinefunction(part.check)
    return "" if is_plain else say("plugins.no-such-kind", kind="check", found=type(part.check).__name__)


def _page_names(page: CortexCommand) -> Sequence[str]:
    return [form.name for form in page.forms if isinstance(form, PageCommand)]


def _no_names() -> Collection[str]:
    return ()


KINDS: tuple[ContributionKind, ...] = (
    ContributionKind(
        "tool",
        "tools",
        ToolSpec,
        lambda one: [one.name],
        _WORD,
        lambda: _OWN_TOOLS,
        chat_parts.guarded_tool,
        _tool_lacks,
    ),
    ContributionKind(
        "gate",
        "gates",
        PluginGate,
        lambda one: [one.name],
        _HYPHENED,
        lambda: {*GateName, "command"},
        chat_parts.guarded_gate,
        _check_lacks,
    ),
    ContributionKind(
        "rule",
        "rules",
        PluginRule,
        lambda one: [one.id],
        _RULE,
        lambda: RULE_FIXES,
        chat_parts.GuardedRule,
        _check_lacks,
    ),
    ContributionKind(
        "command",
        "commands",
        ChatCommand,
        lambda one: [one.name],
        _COMMAND,
        lambda: ALIASES,
        chat_parts.guarded_command,
    ),
    ContributionKind("page", "pages", CortexCommand, _page_names, _PAGE, lambda: PAGES, chat_parts.guarded_page),
    ContributionKind(
        "section",
        "sections",
        PluginSection,
        lambda one: [one.section.name],
        _WORD,
        lambda: _OWN_SECTIONS,
        context_parts.guarded_section,
    ),
    ContributionKind(
        "gatherer",
        "gatherers",
        PluginGatherer,
        lambda one: [one.gather.__name__],
        _WORD,
        _no_names,
        context_parts.guarded_gatherer,
    ),
    ContributionKind(
        "prioritiser",
        "prioritisers",
        PluginPrioritiser,
        lambda one: [one.name],
        _WORD,
        _no_names,
        context_parts.guarded_prioritiser,
    ),
    ContributionKind("hook", "hooks", PluginHook, lambda one: [one.name], _HYPHENED, _no_names, chat_parts.GuardedHook),
    ContributionKind(
        "provider",
        "providers",
        PluginAdapter,
        lambda one: [one.name],
        _WORD,
        lambda: _OWN_ADAPTERS,
        adapter_parts.guarded_provider,
    ),
    ContributionKind(
        "platform",
        "platforms",
        PluginAdapter,
        lambda one: [one.name],
        _WORD,
        lambda: _OWN_ADAPTERS,
        adapter_parts.guarded_platform,
    ),
    ContributionKind(
        "memories",
        "memories",
        PluginMemories,
        lambda one: [one.name],
        _HYPHENED,
        _no_names,
        memory_parts.GuardedMemories,
    ),
    ContributionKind(
        "counter", "counters", PluginCounter, lambda one: ["counter"], _WORD, _no_names, adapter_parts.GuardedCounter
    ),
    ContributionKind(
        "language",
        "languages",
        PluginLanguage,
        lambda one: [one.code],
        _LANGUAGE,
        own_languages,
        adapter_parts.spoken_language,
    ),
    ContributionKind(
        "theme", "themes", PluginTheme, lambda one: [one.name], _HYPHENED, _no_names, context_parts.guarded_theme
    ),
)
