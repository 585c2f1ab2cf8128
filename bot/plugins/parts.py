"""Make parts of the bot out of parts of a plugin: each behind its guard, each with its origin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from inspect import isawaitable, iscoroutinefunction
from typing import Any

from bot.cortex.commands.command_table import BY_NAME as PAGES
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.fixes.rule_fixes import RULE_FIXES
from bot.cortex.targets.session_context import SessionContext
from bot.diagnostics.evidence.evidence import Evidence, MissingEvidence
from bot.diagnostics.evidence.evidence_reader import GateName
from bot.domain.finding import Finding
from bot.domain.ledger import PLUGIN, GateVerdict
from bot.errors import ToolError, UserError
from bot.messaging.commands.context import ChatCommand, CommandContext, GivenCommand
from bot.messaging.policy.command_syntax import ALIASES
from bot.messaging.policy.gates import Gate
from bot.messaging.policy.gates.facts import GateFacts, passed
from bot.plugins.fault import FaultKind, PluginFault
from bot.plugins.guard import PartGuard
from bot.plugins.plugin import PluginGate, PluginRule
from bot.plugins.plugin_tools import GuardedTool
from bot.sentences import say
from bot.text.text import excerpt
from bot.tools.runtime.tool import ToolSpec
from bot.tools.toolsets import TOOLSETS

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_COMMAND = re.compile(r"[a-z][a-z_]{0,31}")
_TOOL = re.compile(r"[a-z][a-z0-9_]{0,63}")
_RULE = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+){0,6}")
_PAGE = re.compile(r"[a-z]+(?: [a-z]+)?")
_FOREIGN = "mcp_"
_COMMAND_SECONDS, _TOOL_SLACK_SECONDS = 30.0, 5.0
_MAX_VALUES, _MAX_CHARS, _MAX_FINDINGS = 12, 200, 3

OWN_TOOLS = frozenset(spec.name for specs in TOOLSETS.values() for spec in specs)
Guarding = Callable[[str], PartGuard]
"""Makes the guard of a part, which is told what it is: `gate quiet-hours`."""


class WrongPart(Exception):
    """A part of a plugin cannot be taken; the text says why."""


@dataclass(frozen=True)
class GuardedRule:
    """A rule with its guard; it is asked as a rule is."""

    rule: PluginRule
    guard: PartGuard

    def __call__(self, evidence: Evidence) -> Iterator[Finding]:
        yield from self._found(evidence)

    def _found(self, evidence: Evidence) -> tuple[Finding, ...]:
        def ask() -> list[Finding]:
            found: list[Finding] = []
            # what it found before it came upon something missing stands
            with suppress(MissingEvidence):
                found.extend(self.rule.check(evidence))
            return found

        try:
            found = self.guard.call(ask)
            for one in found:
                if not isinstance(one, Finding) or one.rule != self.rule.id:
                    raise self.guard.wrong(f"{type(one).__name__} {getattr(one, 'rule', '')}")
        except PluginFault:
            return ()
        origin = say("plugins.said-by", plugin=self.guard.origin)
        return tuple(one.replace(why=(*one.why[:4], origin)) for one in found[:_MAX_FINDINGS])


def guarded_gate(gate: PluginGate, guard: PartGuard) -> Gate:
    """Return the gate; one that breaks lets everything through, and says so."""
    origin = (PLUGIN, guard.origin)

    def check(facts: GateFacts) -> GateVerdict:
        try:
            verdict = guard.call(gate.check, facts)
            if not isinstance(verdict, GateVerdict) or verdict.gate != gate.name:
                raise guard.wrong(f"{type(verdict).__name__} {getattr(verdict, 'gate', '')}")
        except PluginFault as fault:
            return passed(gate.name, origin, (fault.kind.value, fault.detail))
        compared = [(excerpt(name, 40), excerpt(value, _MAX_CHARS)) for name, value in verdict.compared[:_MAX_VALUES]]
        return verdict.model_copy(update={"compared": (origin, *compared), "reason": excerpt(verdict.reason, 60)})

    return check


def guarded_command(command: ChatCommand, guard: PartGuard) -> ChatCommand:
    """Return the command; one that breaks is apologised for as any other is."""

    async def run(call: GivenCommand, desk: CommandContext) -> str:
        try:
            text = await guard.wait(awaited(command.run, call, desk), _COMMAND_SECONDS)
            if not isinstance(text, str):
                raise guard.wrong(type(text).__name__)
        except PluginFault as fault:
            if fault.kind is FaultKind.OFF:
                raise UserError(say("plugins.command-off", plugin=guard.origin)) from None
            raise
        return text

    return command._replace(run=run, origin=guard.origin)


def guarded_page(page: CortexCommand, guard: PartGuard) -> CortexCommand:
    """Return the page with what answers it behind the guard."""

    def form(one: Any) -> PageCommand[Any]:
        async def run(talk: SessionContext, args: Any, sources: CommandSources) -> ThreadReply:
            try:
                reply = await guard.wait(awaited(one.run, talk, args, sources), _COMMAND_SECONDS)
                if not isinstance(reply, ThreadReply):
                    raise guard.wrong(type(reply).__name__)
            except PluginFault as fault:
                raise UserError(say("plugins.page-fault", plugin=guard.origin, why=fault.words)) from None
            return reply

        return replace(one, run=run)

    first, *more = map(form, page.forms)
    return CortexCommand(f"{page.help} ({guard.origin})", first, *more)


def guarded_tool(spec: ToolSpec, guard: PartGuard) -> GuardedTool:
    """Return the tool; its time is the executor's to keep, as it is for every tool."""

    @wraps(spec.run)
    async def run(*values: Any, **named: Any) -> str:
        try:
            # the executor ends it before that; one that takes long goes on in the background
            found = await guard.wait(awaited(spec.run, *values, **named), spec.timeout + _TOOL_SLACK_SECONDS)
            if not isinstance(found, str):
                raise guard.wrong(type(found).__name__)
        except PluginFault as fault:
            words = say("plugins.tool-fault", tool=spec.name, plugin=guard.origin, why=fault.words)
            raise ToolError(words) from None
        return found

    return GuardedTool(replace(spec, run=run, origin=guard.origin), guard)


async def awaited(run: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """Call what should be a coroutine function, in a step of its own; one that is none is taken, too."""
    found = run(*values, **named)
    return await found if isawaitable(found) else found


def taken_tool(one: object) -> str:
    """Return the name of a tool that can be taken; raise WrongPart."""
    if not isinstance(one, ToolSpec):
        raise WrongPart(_wrong_kind("tool", one))
    _fitting("tool", one.name, _TOOL)
    if one.name in OWN_TOOLS or one.name.startswith(_FOREIGN):
        raise WrongPart(say("plugins.own-name", part=f"tool {one.name}"))
    if not one.description or one.group:
        raise WrongPart(say("plugins.tool-needs-words", tool=one.name))
    return one.name


def taken_gate(one: object) -> str:
    """Return the name of a gate that can be taken; raise WrongPart."""
    if not isinstance(one, PluginGate) or not callable(one.check) or iscoroutinefunction(one.check):
        raise WrongPart(_wrong_kind("gate", one))
    _fitting("gate", one.name, _NAME)
    if one.name in {*GateName, "command"}:
        raise WrongPart(say("plugins.own-name", part=f"gate {one.name}"))
    return one.name


def taken_rule(one: object) -> str:
    """Return the id of a rule that can be taken; raise WrongPart."""
    if not isinstance(one, PluginRule) or not callable(one.check):
        raise WrongPart(_wrong_kind("rule", one))
    _fitting("rule", one.id, _RULE)
    if one.id in RULE_FIXES:
        raise WrongPart(say("plugins.own-name", part=f"rule {one.id}"))
    return one.id


def taken_command(one: object) -> str:
    """Return the name of a command that can be taken; raise WrongPart."""
    if not isinstance(one, ChatCommand) or not callable(one.run):
        raise WrongPart(_wrong_kind("command", one))
    _fitting("command", one.name, _COMMAND)
    if one.name in ALIASES:
        raise WrongPart(say("plugins.own-name", part=f"command {one.name}"))
    return one.name


def taken_page(one: object) -> str:
    """Return the first name of a page that can be taken; raise WrongPart."""
    if not isinstance(one, CortexCommand) or not all(isinstance(form, PageCommand) for form in one.forms):
        raise WrongPart(_wrong_kind("page", one))
    for form in one.forms:
        _fitting("page", form.name, _PAGE)
        if form.name in PAGES:
            raise WrongPart(say("plugins.own-name", part=f"page {form.name}"))
    return one.forms[0].name


def _fitting(kind: str, name: object, pattern: re.Pattern[str]) -> None:
    if not isinstance(name, str) or not pattern.fullmatch(name):
        raise WrongPart(say("plugins.bad-name", kind=kind, name=excerpt(str(name), 40), pattern=pattern.pattern))


def _wrong_kind(kind: str, one: object) -> str:
    return say("plugins.no-such-kind", kind=kind, found=type(one).__name__)


TAKING: Mapping[str, Callable[[object], str]] = {
    "tool": taken_tool,
    "gate": taken_gate,
    "rule": taken_rule,
    "command": taken_command,
    "page": taken_page,
}
"""How a part of each kind is looked at before it is taken."""
