"""Who the bot is: the operator's own words."""

from __future__ import annotations

from bot.context.section import ESSENTIAL, Sources, loaded, values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.prompts import render


class Identity:
    """Name and persona."""

    name = "identity"
    stability = Stability.STATIC
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Take the persona of this channel, else the general one."""
        facts, own = sources.facts, sources.facts.personas.get(state.id)
        key = "config:bot.persona" if own is None else f"config:channels.{state.id}.persona"
        data = {"bot_name": facts.bot_name, "persona": facts.persona if own is None else own}
        return loaded(self.name, data, "config:bot.name", key)

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Quote it."""
        return render("sections/identity", **values(data))
