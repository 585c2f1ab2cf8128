"""What the operator wrote about the organisation, the house or the people that the bot works for."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import SectionSources, absent_section, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render


class OrganisationContextSection:
    """The same for every channel of an agent."""

    name = "organisation_context"
    stability = SectionStability.STATIC
    priority = 55

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Take what the agent says, else what the bot says."""
        facts, own = sources.facts, sources.facts.agents.get(state.agent)
        if own is not None and own.organisation is not None:
            return _loaded(own.organisation, "", (f"config:agents.{state.agent}.organisation",))
        return _loaded(facts.organisation.text, facts.organisation.problem, facts.organisation.sources)

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/organisation_context", **section_values(data))


@lru_cache(maxsize=64)
def _loaded(text: str, problem: str, sources: tuple[str, ...]) -> LoadedSection:
    if not text.strip():
        return absent_section(OrganisationContextSection.name, problem or "not configured")
    found = loaded_section(OrganisationContextSection.name, {"organisation": text.strip()}, *sources)
    # what is there is shown; that a part of it is missing is said beside it
    return found.replace(reason=problem) if problem else found
