"""What the bot knows of whom it works for."""

from __future__ import annotations

from dataclasses import replace

from bot.context.section import AgentFacts, OrganisationText, SectionSources
from bot.context.sections.organisation_context import OrganisationContextSection
from bot.domain.snapshot import Trigger
from bot.text.redaction import Redactor
from tests.fakes.contexts import FACTS, Stack
from tests.fakes.values import channel


async def load(**facts: object):
    stack = Stack()
    sources = SectionSources(stack.memories, stack.channels, stack.journal, replace(FACTS, **facts), Redactor.of({}))
    return await OrganisationContextSection().load(channel(), sources)


async def test_what_the_operator_wrote_is_quoted():
    found = await load(organisation=OrganisationText("We bake bread.\n", ("config:bot.organisation",)))
    text = OrganisationContextSection().render(channel(), Trigger(messages=(), at=0), found.data)
    assert text == "# Whom you work for\n\nWe bake bread." and found.sources == ("config:bot.organisation",)


async def test_an_agent_may_have_its_own_or_none():
    whole = OrganisationText("We bake bread.", ("config:bot.organisation",))
    own = await load(organisation=whole, agents={"main": AgentFacts(organisation="We sell bikes.")})
    assert own.sources == ("config:agents.main.organisation",) and "bikes" in own.data
    assert (await load(organisation=whole, agents={"main": AgentFacts(organisation="")})).reason == "not configured"
    assert (await load(organisation=whole, agents={"main": AgentFacts()})).sources == whole.sources


async def test_why_there_is_none():
    assert (await load()).reason == "not configured"
    assert (await load(organisation=OrganisationText(problem="it could not be read"))).reason == "it could not be read"
