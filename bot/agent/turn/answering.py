"""With which model and tools a channel answers: its turns ask here, and so does who wants to see what comes next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from bot.agent.turn.model_client import ModelClient
from bot.context.gather import ContextAsk
from bot.domain.access import Authority
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.llm import ModelName
from bot.domain.snapshot import ModelLimits, Trigger
from bot.skills import SkillLibrary
from bot.tools.activate_skill import without_skill_tools
from bot.tools.list_all_tools import first_sentence
from bot.tools.request_tool_injection import opened_tools
from bot.tools.runtime.tool import Tool
from bot.tools.runtime.toolbox import Toolbox


class ToolOffer(NamedTuple):
    """The tools of a request, and those that it only names: what is open of them stands in both."""

    tools: tuple[Tool, ...]
    on_demand: tuple[Tool, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """The choices for channels. `model_of` names the model that was set for a channel (empty: the usual one).

    `fallbacks_of` names those that stand in for it (None: the usual ones).
    """

    models: ModelClient
    toolbox: Toolbox
    model_of: Callable[[ChannelState], str]
    skills: SkillLibrary
    fallbacks_of: Callable[[ChannelState], tuple[str, ...] | None] = lambda _: None

    def chain(self, state: ChannelState) -> tuple[ModelName, ...]:
        """Return the models to try, in order."""
        return self.models.chain(self.model_of(state), self.fallbacks_of(state))

    def offer(self, state: ChannelState, authority: Authority) -> ToolOffer:
        """Return what a channel offers while it answers somebody of this tier; what it has used before stays open."""
        kind, key, box = ProcessKind.CHANNEL, state.key, self.toolbox
        found = box.offered(
            kind, authority, channel=key, opened=opened_tools(c for turn in state.turns for c in turn.calls)
        )
        on_demand = box.on_demand(kind, authority, channel=key)
        return ToolOffer(
            without_skill_tools(found, self.skills, state), without_skill_tools(on_demand, self.skills, state)
        )

    def ask_for(self, state: ChannelState, trigger: Trigger, authority: Authority = Authority.EVERYONE) -> ContextAsk:
        """Say what a turn with this trigger would ask for; an unknown person counts as an ordinary member."""
        limits = self.models.limits(self.chain(state)[0])
        return context_ask(ProcessKind.CHANNEL, state, trigger, self.offer(state, authority), limits)


def context_ask(
    kind: ProcessKind, state: ChannelState, trigger: Trigger, offer: ToolOffer, limits: ModelLimits
) -> ContextAsk:
    """Put together what a process asks for; turns and inspectors both do it here."""
    tools = tuple([tool.definition for tool in offer.tools])
    return ContextAsk(kind, state, trigger, tools, limits, tuple([first_sentence(tool) for tool in offer.on_demand]))
