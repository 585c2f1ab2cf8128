"""Parts of plugins that meet people: gates, rules, commands, pages, tools, and what hears of turns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.diagnostics.evidence.evidence import Evidence, MissingEvidence
from bot.domain.finding import Finding
from bot.domain.ledger import PLUGIN, GateVerdict
from bot.domain.turn import TurnOutcome
from bot.errors import ToolError, UserError
from bot.messaging.commands.context import ChatCommand, CommandContext, GivenCommand
from bot.messaging.policy.gates import Gate
from bot.messaging.policy.gates.facts import GateFacts, passed
from bot.plugins.fault import FaultKind, PluginFault
from bot.plugins.guard import PartGuard, awaited
from bot.plugins.plugin import PluginGate, PluginHook, PluginRule
from bot.plugins.plugin_tools import GuardedTool
from bot.sentences import say
from bot.text.text import excerpt
from bot.tools.runtime.tool import ToolSpec

_COMMAND_SECONDS, _TOOL_SLACK_SECONDS, _HOOK_SECONDS = 30.0, 5.0, 30.0
_MAX_VALUES, _MAX_CHARS, _MAX_FINDINGS = 12, 200, 3


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


@dataclass(frozen=True, eq=False)
class GuardedHook:
    """Tells a plugin of a turn; whatever it does with that, nobody waits for it."""

    hook: PluginHook
    guard: PartGuard

    @property
    def name(self) -> str:
        """What its task is called."""
        return f"{self.hook.name} of {self.guard.origin}"

    async def hear(self, turn: TurnOutcome) -> None:
        """Tell it; a fault is counted, and that is all."""
        try:
            await self.guard.wait(awaited(self.hook.ended, turn), _HOOK_SECONDS)
        except PluginFault:
            return
