"""Who the bot is: the operator's own words."""

from __future__ import annotations

from functools import lru_cache

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
        facts = sources.facts
        for name in sources.channels.moves.names(state.id):
            if name in facts.personas:
                return _loaded(facts.bot_name, facts.personas[name], f"config:channels.{name}.persona")
        return _loaded(facts.bot_name, facts.persona, "config:bot.persona")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Quote it."""
        return render("sections/identity", **values(data))


@lru_cache(maxsize=64)
def _loaded(bot_name: str, persona: str, key: str) -> Loaded:
    # a persona may be long, and it is the same in every turn
    return loaded(Identity.name, {"bot_name": bot_name, "persona": persona}, "config:bot.name", key)
