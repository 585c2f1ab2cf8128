"""Who the bot is: the operator's own words."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import ESSENTIAL, SectionSources, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render


class IdentitySection:
    name = "identity"
    stability = SectionStability.STATIC
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Take the persona of this channel, else that of its agent, else the general one."""
        facts, own = sources.facts, sources.facts.agents.get(state.agent)
        key = f"config:agents.{state.agent}.name" if own is not None and own.name else "config:bot.name"
        called = (facts.called(state.agent), key)
        for name in sources.channels.moves.names(state.id):
            if name in facts.personas:
                return _loaded(*called, facts.personas[name], f"config:channels.{name}.persona")
        if own is not None and own.persona is not None:
            return _loaded(*called, own.persona, f"config:agents.{state.agent}.persona")
        return _loaded(*called, facts.persona, "config:bot.persona")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/identity", **section_values(data))


@lru_cache(maxsize=64)
def _loaded(bot_name: str, name_key: str, persona: str, key: str) -> LoadedSection:
    # a persona may be long, and it is the same in every turn
    return loaded_section(IdentitySection.name, {"bot_name": bot_name, "persona": persona}, name_key, key)
