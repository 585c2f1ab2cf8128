"""What a compactor is for and how it must write."""

from __future__ import annotations

from bot.context.section import ESSENTIAL, Sources, loaded, values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.prompts import render


class CompactorContract:
    """The whole system prompt of the compactor."""

    name = "compactor_contract"
    stability = Stability.STATIC
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Only the bot's name is needed."""
        return loaded(self.name, {"bot_name": sources.facts.bot_name}, "file:prompts/en/compactor.md.j2")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Fill in the name."""
        return render("compactor", **values(data))
