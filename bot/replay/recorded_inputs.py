"""Turn a request on record back into inputs: assembled again, they give the same request, byte for byte.

What a section had read is not kept with a request, but what it said is: its recorded text is its input here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import orjson

from bot.context.assemble import WRITTEN_TOOLS, assemble
from bot.context.envelope import find_carrier, section_texts
from bot.context.section import ESSENTIAL, SectionSources, absent_section, loaded_section
from bot.context.tokens import BYTES, by_bytes
from bot.domain.base import JsonText, canonical_json
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.dialect import Dialect
from bot.domain.llm import ToolDefinition
from bot.domain.messages import Message, MessagePart, Role
from bot.domain.snapshot import (
    ContextInputs,
    ContextSnapshot,
    LoadedSection,
    ModelLimits,
    SectionFate,
    SectionStability,
    Trigger,
)
from bot.domain.turn import RequestRecord

_LISTED = '- {"'
"""How the line of a tool begins where tools are told in words."""


@dataclass(frozen=True)
class RecordedSection:
    """A section that says what it said."""

    name: str
    stability: SectionStability
    priority: int = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Say that it is read from a record and from nowhere else."""
        return absent_section(self.name, "it stands in the record")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Return the recorded text."""
        return str(orjson.loads(data))


class RecordedInputs(NamedTuple):
    """A request on record as inputs. `carrier` is the place of the newest message among its messages (-1: none)."""

    inputs: ContextInputs
    sections: tuple[RecordedSection, ...]
    carrier: int

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was said, without the sections that stood before the newest message."""
        return (*self.inputs.trigger.messages, *self.inputs.rounds)

    @property
    def texts(self) -> dict[str, str]:
        """The text of each section, in the order of the record."""
        return {one.name: str(orjson.loads(one.data)) for one in self.inputs.loaded if one.data is not None}

    def assembled(self, inputs: ContextInputs | None = None) -> ContextSnapshot:
        """Make the request of these inputs, or of some that were made from them."""
        wanted = self.inputs if inputs is None else inputs
        return assemble(wanted, self.sections, by_bytes)


def recorded_inputs(record: RequestRecord, limits: ModelLimits) -> RecordedInputs:
    """Return what a request is assembled from; `limits` are those of the model that is asked."""
    request, texts = record.request, section_texts(record.request, record.sections)
    carrier = find_carrier(request, record.sections)
    at = carrier.at if carrier is not None else _newest(request.messages)
    messages = list(request.messages)
    if carrier is not None:
        messages[at] = _with_parts(messages[at], messages[at].parts[carrier.parts :])
    kept = [one for one in record.sections if one.fate is SectionFate.KEPT and one.name in texts]
    tools = request.tools
    if not tools and any(one.name == WRITTEN_TOOLS.name for one in kept):
        # told in words: they are written again, or offered as other services want them
        tools = tuple(_written_tools(texts[WRITTEN_TOOLS.name]))
        kept = [one for one in kept if one.name != WRITTEN_TOOLS.name]
    inputs = ContextInputs(
        kind=ProcessKind.REPLAY,
        state=ChannelState(agent=record.agent, id=record.channel, name=""),
        # all that was sent stands in the trigger, of which nothing is ever left out to make it fit
        trigger=Trigger(messages=tuple(messages[: at + 1]), at=record.at),
        rounds=tuple(messages[at + 1 :]),
        tool_choice=request.tool_choice,
        loaded=tuple(loaded_section(one.name, texts[one.name], *one.sources) for one in kept),
        tools=tools,
        limits=limits,
        tokenizer=BYTES,
    )
    return RecordedInputs(inputs, tuple(RecordedSection(one.name, one.stability) for one in kept), at)


def recorded_limits(record: RequestRecord) -> ModelLimits:
    """Return the limits of a request as far as its record says them."""
    return ModelLimits(
        model=record.request.model,
        window=record.stats.window,
        max_output=record.request.max_output_tokens,
        sees_images=any(message.images for message in record.request.messages),
        dialect=Dialect.of_encoder(record.encoder),
    )


def with_texts(inputs: ContextInputs, texts: dict[str, str], gone: frozenset[str]) -> tuple[LoadedSection, ...]:
    """Return the sections with these texts; without those whose text is blank, and without `gone` sources."""
    return tuple(
        LoadedSection(
            name=one.name,
            data=canonical_json(texts[one.name]),
            sources=tuple(source for source in one.sources if source not in gone),
        )
        for one in inputs.loaded
        if texts.get(one.name, "").strip()
    )


def _newest(messages: Sequence[Message]) -> int:
    return next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role is Role.USER), len(messages) - 1)


def _with_parts(message: Message, parts: tuple[MessagePart, ...]) -> Message:
    # not model_copy: it would carry the cached digest of the whole message along
    return Message(
        role=message.role,
        parts=parts,
        author=message.author,
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
    )


def _written_tools(text: str) -> Iterator[ToolDefinition]:
    """Read back the tools of a section that tells of them in words."""
    for line in text.split("\n"):
        if not line.startswith(_LISTED):
            continue
        told = orjson.loads(line.removeprefix("- "))
        start = line.index('"parameters":') + len('"parameters":')
        # the schema stands there as it was written, between its key and the brace that ends the line
        yield ToolDefinition(
            name=told["name"], description=told["description"], parameters=JsonText(line[start:-1].strip())
        )
