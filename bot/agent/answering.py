"""With which model and tools a channel answers: its turns ask here, and so does who wants to see what comes next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.agent.models import Models
from bot.context.gather import ContextAsk
from bot.domain.access import Authority
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.llm import ModelName
from bot.domain.snapshot import Limits, Trigger
from bot.skills import Skills
from bot.tools.activate_skill import of_use
from bot.tools.tool import Tool
from bot.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Answering:
    """The choices for channels. `model_of` names the model that was set for a channel (empty: the usual one).

    `fallbacks_of` names those that stand in for it (None: the usual ones).
    """

    models: Models
    toolbox: Toolbox
    model_of: Callable[[ChannelState], str]
    skills: Skills
    fallbacks_of: Callable[[ChannelState], tuple[str, ...] | None] = lambda _: None

    def chain(self, state: ChannelState) -> tuple[ModelName, ...]:
        """Return the models to try, in order."""
        return self.models.chain(self.model_of(state), self.fallbacks_of(state))

    def tools(self, state: ChannelState, authority: Authority) -> tuple[Tool, ...]:
        """Return what a channel offers while it answers somebody of this tier."""
        found = self.toolbox.offered(ProcessKind.CHANNEL, authority, channel=state.key)
        return of_use(found, self.skills, state)

    def ask_for(self, state: ChannelState, trigger: Trigger, authority: Authority = Authority.EVERYONE) -> ContextAsk:
        """Say what a turn with this trigger would ask for; an unknown person counts as an ordinary member."""
        limits = self.models.limits(self.chain(state)[0])
        return context_ask(ProcessKind.CHANNEL, state, trigger, self.tools(state, authority), limits)


def context_ask(
    kind: ProcessKind, state: ChannelState, trigger: Trigger, tools: Sequence[Tool], limits: Limits
) -> ContextAsk:
    """Put together what a process asks for; turns and inspectors both do it here."""
    return ContextAsk(kind, state, trigger, tuple([tool.definition for tool in tools]), limits)
