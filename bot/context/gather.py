"""Read everything that a request depends on, once, into one frozen value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.context.section import Section, SectionSources, absent_section
from bot.domain.channel import ChannelState, LastTurn, ProcessKind
from bot.domain.llm import ToolDefinition
from bot.domain.snapshot import ContextInputs, LoadedSection, ModelLimits, Tokenizer, Trigger
from bot.errors import DamagedRow, StoreError
from bot.sentences import ENGLISH, speaking


@dataclass(frozen=True)
class ContextAsk:
    """Whose context is wanted: everything that is decided before anything is read."""

    kind: ProcessKind
    state: ChannelState
    trigger: Trigger
    tools: tuple[ToolDefinition, ...]
    limits: ModelLimits
    on_demand: tuple[tuple[str, str], ...] = ()
    """Names of tools that can be opened, with a few words about each."""


@dataclass(frozen=True)
class ContextGatherer:
    """Loads what the sections of a request need."""

    order: Mapping[ProcessKind, Sequence[Section]]
    sources: SectionSources

    async def gather(self, ask: ContextAsk, tokenizer: Tokenizer) -> ContextInputs:
        """Load every section. A section whose store fails is absent with that reason; the turn goes on."""
        # one after the other: all but two return at once, and those two wait for the same reader
        sources = replace(self.sources, on_demand=ask.on_demand) if ask.on_demand else self.sources
        # what a model reads does not change with who looks at it
        with speaking(ENGLISH):
            found = [await _load(section, ask.state, sources) for section in self.order[ask.kind]]
        return ContextInputs(
            kind=ask.kind,
            state=ask.state,
            trigger=ask.trigger,
            loaded=tuple(found),
            tools=ask.tools,
            limits=ask.limits,
            tokenizer=tokenizer,
        )

    async def again(self, inputs: ContextInputs, name: str) -> ContextInputs:
        """Read one section anew, as for a conversation that does not fit any more: that showed only now."""
        last = inputs.state.last or LastTurn(outcome="")
        # model_copy: the values are validated already, and the history must not be walked again
        full = inputs.state.model_copy(update={"last": last.model_copy(update={"is_full": True})})
        found = {one.name: await _load(one, full, self.sources) for one in self.order[inputs.kind] if one.name == name}
        return inputs.model_copy(update={"loaded": tuple(found.get(one.name, one) for one in inputs.loaded)})


async def _load(section: Section, state: ChannelState, sources: SectionSources) -> LoadedSection:
    try:
        return await section.load(state, sources)
    except (StoreError, DamagedRow) as error:
        return absent_section(section.name, f"could not be read: {error}")
