"""Build the one request that turns, inspection, budget, export and replay use. Pure: same inputs, same bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import orjson

from bot.context.left_out_messages import without_withheld
from bot.context.optional_sections import OptionalSection, sections_that_fit
from bot.context.section import ESSENTIAL, Section, SectionSources, absent_section
from bot.context.tokens import (
    PER_MESSAGE,
    Count,
    TokenScale,
    cost_of_tools,
    cost_of_turn,
    costs,
    count_request,
    framing_tokens,
)
from bot.domain.base import JsonText, digest_text
from bot.domain.channel import ChannelState, ProcessKind, Turn
from bot.domain.ids import ChannelId
from bot.domain.llm import LLMRequest, SystemBlock, ToolChoice, ToolDefinition
from bot.domain.messages import ImagePart, Message, TextPart
from bot.domain.snapshot import (
    TOOL_SOURCE,
    ContextInputs,
    ContextSnapshot,
    LoadedSection,
    SectionFate,
    SectionStability,
    SectionTrace,
    Trigger,
)
from bot.prompts import render

RECAP = "tool_recap"
"""The section that stands in for what is not sent; it can only be written once that is known."""
LATE_RECAP = "turns with tool calls are left out for the first time; the next turn reads of them"
"""Why it is missing where it would have had to be loaded before."""
_JOIN = 1
"""What the blank line between two blocks costs at most."""
_NO_STATE = ChannelState(agent="", id=ChannelId(""), name="")
_NO_TRIGGER = Trigger(messages=(), at=0)
_NOTHING = digest_text("")


class RenderedSection(NamedTuple):
    """A section's text for one request, or none; `trace` says why, and holds unless the section is left out.

    `in_envelope`: it goes before the newest message instead of into the system prompt.
    """

    section: Section
    block: SystemBlock | None
    tokens: int
    trace: SectionTrace
    in_envelope: bool


class _Past(NamedTuple):
    """What was said before the trigger."""

    turns: tuple[Turn, ...]
    ambient: tuple[Message, ...]


def lacks_recap(snapshot: ContextSnapshot) -> bool:
    """Say whether turns with tool calls are left out, and nothing was read that could stand in for them."""
    return any(trace.name == RECAP and trace.reason == LATE_RECAP for trace in snapshot.sections)


def assemble(inputs: ContextInputs, sections: Sequence[Section], count: Count) -> ContextSnapshot:
    """Turn gathered inputs into a request, with the reason for every part of it."""
    rendered = render_sections(inputs, sections, count)
    # an inspection branch reads other people's talk through its tools, fenced; it never is part of that talk
    inspects = inputs.kind is ProcessKind.INSPECTION
    past = _Past((), ()) if inspects else _Past(inputs.state.turns, inputs.state.ambient)
    sent = without_withheld(inputs)
    told = sent if inputs.limits.sees_images else images_as_text(sent)
    past = past if inspects or told is inputs else _Past(told.state.turns, told.state.ambient)
    if not inputs.limits.dialect.offers(forbidding=inputs.tool_choice is ToolChoice.NONE):
        # what is not sent is not counted; model_copy: less of a value that is checked already
        told = told.model_copy(update={"tools": ()})
    rendered, cut = _recapped(told, past, rendered, count)
    shown = _shown(rendered)
    kept = [item for index, item in enumerate(shown) if index not in cut.sections]
    request = _request(told, past, cut, kept)
    dropped = frozenset(item.section.name for index, item in enumerate(shown) if index in cut.sections)
    traces = tuple([_trace(item, dropped, bool(inputs.trigger.messages)) for item in rendered])
    numbers = count_request(request, traces, {}, TokenScale(inputs.limits.window, inputs.tokenizer, count))
    return ContextSnapshot(
        inputs=inputs,
        request=request,
        sections=traces,
        message_tokens=numbers.message_tokens,
        tool_tokens=numbers.tool_tokens,
        stats=numbers.stats,
        dropped_turns=tuple(turn.id for turn in past.turns[: cut.first_turn]),
        overflow=max(0, numbers.stats.total - inputs.limits.window + inputs.limits.max_output),
    )


def render_sections(inputs: ContextInputs, sections: Sequence[Section], count: Count) -> list[RenderedSection]:
    """Render every section on its own, so that block boundaries exist by construction."""
    by_name = {loaded.name: loaded for loaded in inputs.loaded}
    rendered = [_render(inputs, section, by_name.get(section.name), count) for section in sections]
    if inputs.tools and inputs.limits.dialect.writes_tools:
        text = written_tools(inputs.tools)
        block = SystemBlock(name=WRITTEN_TOOLS.name, text=text)
        sources = tuple([f"{TOOL_SOURCE}{tool.name}" for tool in inputs.tools])
        rendered.append(_stable(WRITTEN_TOOLS, block, sources, count(block.followed)))
    return rendered


def _render(inputs: ContextInputs, section: Section, loaded: LoadedSection | None, count: Count) -> RenderedSection:
    if loaded is None:
        return _absent(section, "not gathered", ())
    if loaded.data is None:
        return _absent(section, loaded.reason or "nothing to show", loaded.sources)
    if section.stability is not SectionStability.VOLATILE:
        block = _stable_block(section, loaded.data)
        return _stable(section, block, loaded.sources, count(block.followed))
    block = SystemBlock(name=section.name, text=section.render(inputs.state, inputs.trigger, loaded.data))
    item = _present(section, block, loaded.sources, count(block.followed))
    if not loaded.reason or item.block is None:
        return item
    # what it says instead of what it should say; model_copy: a text for another
    return item._replace(trace=item.trace.model_copy(update={"reason": loaded.reason}))


def _present(section: Section, block: SystemBlock, sources: tuple[str, ...], tokens: int) -> RenderedSection:
    if not block.text:
        return _absent(section, "nothing to show yet", sources)
    trace = SectionTrace(
        name=section.name,
        stability=section.stability,
        fate=SectionFate.KEPT,
        digest=block.digest,
        tokens=tokens,
        sources=sources,
    )
    return RenderedSection(section, block, tokens, trace, section.stability is SectionStability.VOLATILE)


_stable = lru_cache(maxsize=1024)(_present)


@lru_cache(maxsize=1024)
def _absent(section: Section, reason: str, sources: tuple[str, ...]) -> RenderedSection:
    trace = SectionTrace(
        name=section.name,
        stability=section.stability,
        fate=SectionFate.ABSENT,
        reason=reason,
        digest=_NOTHING,
        sources=sources,
    )
    return RenderedSection(section, None, 0, trace, section.stability is SectionStability.VOLATILE)


@lru_cache(maxsize=1024)
def _stable_block(section: Section, data: JsonText) -> SystemBlock:
    # a stable section never sees the real state or trigger: that it renders from its data alone is by construction,
    # and what has not changed is neither rendered nor hashed again
    return SystemBlock(name=section.name, text=section.render(_NO_STATE, _NO_TRIGGER, data))


def _recapped(
    inputs: ContextInputs, past: _Past, rendered: list[RenderedSection], count: Count
) -> tuple[list[RenderedSection], BudgetCut]:
    """Choose what goes, and let the recap of tool calls, where one was loaded, stand in for exactly that."""
    cut = _plan(inputs, past, _shown(rendered), count)
    at = _place_of_recap(rendered) if cut.first_turn else None
    recap = next((loaded for loaded in inputs.loaded if loaded.name == RECAP), None)
    if at is None or recap is None:
        return rendered, cut
    section = rendered[at].section
    if recap.data is None:
        # nothing showed before that turns would be left out, and nothing is read while a request is made
        made = any(message.calls for turn in past.turns[: cut.first_turn] for message in turn.messages)
        late = _absent(section, LATE_RECAP, ())
        return [*rendered[:at], late, *rendered[at + 1 :]] if made else rendered, cut
    nothing = _absent(section, "the turns that can be sent leave no room for it", recap.sources)
    without = [*rendered[:at], nothing, *rendered[at + 1 :]]
    least = cut = _plan(inputs, past, _shown(without), count)
    while True:
        # model_copy: fewer of the same turns
        sent = inputs.state.model_copy(update={"turns": past.turns[cut.first_turn :]})
        item = _render(inputs.model_copy(update={"state": sent}), section, recap, count)
        rendered = [*rendered[:at], item, *rendered[at + 1 :]]
        again = _plan(inputs, past, _shown(rendered), count)
        if again.first_turn == len(past.turns) > least.first_turn:
            return without, least
        # a shorter recap may leave room for a turn; what it tells of stays out, so that this ends
        if again.first_turn <= cut.first_turn:
            return rendered, again._replace(first_turn=cut.first_turn)
        cut = again


def _place_of_recap(rendered: list[RenderedSection]) -> int | None:
    return next((at for at, item in enumerate(rendered) if item.section.name == RECAP), None)


def _shown(rendered: list[RenderedSection]) -> list[RenderedSection]:
    return [item for item in rendered if item.block is not None]


def _plan(inputs: ContextInputs, past: _Past, shown: list[RenderedSection], count: Count) -> BudgetCut:
    def price(messages: Sequence[Message]) -> int:
        return sum(costs(messages, count)) + PER_MESSAGE * len(messages)

    def price_of_turn(index: int) -> int:
        turn = past.turns[index]
        return cost_of_turn(turn, count) + PER_MESSAGE * len(turn.messages)

    fixed = (
        sum(cost_of_tools(inputs.tools, count))
        + price(inputs.trigger.messages)
        + price(inputs.rounds)
        + framing_tokens(0)
    )
    return plan_cut(
        BudgetLoad(
            room=inputs.limits.window - inputs.limits.max_output,
            fixed=fixed,
            turns=len(past.turns),
            turn=price_of_turn,
            ambient=[price((message,)) for message in past.ambient],
            sections=[OptionalSection(item.section.priority, item.tokens + _JOIN) for item in shown],
        )
    )


def _request(inputs: ContextInputs, past: _Past, cut: BudgetCut, kept: list[RenderedSection]) -> LLMRequest:
    history = [message for turn in past.turns[cut.first_turn :] for message in turn.messages]
    envelope = tuple(TextPart(text=i.block.text) for i in kept if i.in_envelope and i.block is not None)
    ambient = past.ambient[cut.first_ambient :]
    return LLMRequest(
        model=inputs.limits.model,
        system=tuple(i.block for i in kept if not i.in_envelope and i.block is not None),
        tools=inputs.tools,
        messages=(*history, *ambient, *_enveloped(inputs.trigger, envelope), *inputs.rounds),
        max_output_tokens=inputs.limits.max_output,
        tool_choice=inputs.tool_choice,
    )


def _enveloped(trigger: Trigger, envelope: tuple[TextPart, ...]) -> tuple[Message, ...]:
    """Put the volatile sections before the newest message's words; everything before it stays as it is in history."""
    if not trigger.messages or not envelope:
        return trigger.messages
    last = trigger.messages[-1]
    # not model_copy: it would carry the cached digest of the bare message along
    newest = Message(
        role=last.role,
        parts=(*envelope, *last.parts),
        author=last.author,
        at=last.at,
        inbound=last.inbound,
        message_id=last.message_id,
        ambient=last.ambient,
    )
    return (*trigger.messages[:-1], newest)


def _trace(item: RenderedSection, dropped: frozenset[str], has_carrier: bool) -> SectionTrace:
    if item.block is None:
        return item.trace
    if item.section.name in dropped:
        reason = f"left out to make the request fit ({item.tokens} tokens)"
    elif item.in_envelope and not has_carrier:
        reason = "there is no message to carry it"
    else:
        return item.trace
    # model_copy: a text and a name for another
    return item.trace.model_copy(update={"fate": SectionFate.DROPPED, "reason": reason})


class BudgetLoad(NamedTuple):
    """What is asked to fit into `room` tokens. `turn` prices one turn; it is asked from the newest back, while it fits.

    `fixed` is what always stays: tools, the trigger, the rounds, and what the format adds to them.
    """

    room: int
    fixed: int
    turns: int
    turn: Callable[[int], int]
    ambient: Sequence[int]
    sections: Sequence[OptionalSection]


class BudgetCut(NamedTuple):
    """Where to cut: whole turns before `first_turn`, ambient messages before `first_ambient`, sections by index."""

    first_turn: int
    first_ambient: int
    sections: frozenset[int]


def plan_cut(load: BudgetLoad) -> BudgetCut:
    """Choose what goes. A turn goes as a whole, so a tool call is never parted from its result."""
    left = load.room - load.fixed - sum(load.ambient) - sum(section.tokens for section in load.sections)
    first_turn = load.turns
    while first_turn > 0 and left > 0:
        price = load.turn(first_turn - 1)
        if price > left:
            break
        left -= price
        first_turn -= 1
    first_ambient = 0
    while left < 0 and first_ambient < len(load.ambient):
        left += load.ambient[first_ambient]
        first_ambient += 1
    return BudgetCut(first_turn, first_ambient, _drop_sections(load.sections, left))


def _drop_sections(sections: Sequence[OptionalSection], left: int) -> frozenset[int]:
    if left >= 0:
        return frozenset()
    optional = {at: section for at, section in enumerate(sections) if section.priority < ESSENTIAL}
    room = left + sum(section.tokens for section in optional.values())
    return frozenset(optional) - sections_that_fit(optional, room)


def images_as_text(inputs: ContextInputs) -> ContextInputs:
    """Return the inputs with every picture put into words; the very same ones when there is none."""
    state, trigger = inputs.state, inputs.trigger
    lately = any(message.images for message in (*state.ambient, *trigger.messages, *inputs.rounds))
    if not lately and not any(turn.has_images for turn in state.turns):
        return inputs
    turns = tuple(_turn_in_words(turn) if turn.has_images else turn for turn in state.turns)
    # model_copy: everything is validated already, and a message without pictures stays the same object
    told = state.model_copy(update={"turns": turns, "ambient": _all_in_words(state.ambient)})
    asked = trigger.model_copy(update={"messages": _all_in_words(trigger.messages)})
    return inputs.model_copy(update={"state": told, "trigger": asked, "rounds": _all_in_words(inputs.rounds)})


def _turn_in_words(turn: Turn) -> Turn:
    # not model_copy: it would carry numbers of the seen messages along
    return Turn(id=turn.id, messages=_all_in_words(turn.messages))


def _all_in_words(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    return tuple(_in_words(message) if message.images else message for message in messages)


def _in_words(message: Message) -> Message:
    # not model_copy: it would carry the cached digest of the seen message along
    return Message(
        role=message.role,
        parts=tuple(TextPart(text=part.text) if isinstance(part, ImagePart) else part for part in message.parts),
        author=message.author,
        at=message.at,
        inbound=message.inbound,
        message_id=message.message_id,
        ambient=message.ambient,
    )


class WrittenToolsSection:
    """Written while a request is assembled, because a turn may open tools; nothing is read for it."""

    name = "written_tools"
    stability = SectionStability.EPOCH
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Say that there is nothing to read."""
        return absent_section(self.name, "the service takes tools")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Return nothing: `written_tools` writes it."""
        return ""


WRITTEN_TOOLS = WrittenToolsSection()


@lru_cache(maxsize=16)
def written_tools(tools: tuple[ToolDefinition, ...]) -> str:
    """Write each tool with what it takes, and how it is called."""
    return render("written_tools", tools=[_line(tool) for tool in tools])


def _line(tool: ToolDefinition) -> str:
    # in one line, whatever stands in a description that comes from elsewhere
    schema = orjson.Fragment(tool.parameters)
    return orjson.dumps({"name": tool.name, "description": tool.description, "parameters": schema}).decode()
