"""Build the one request that turns, inspection, budget, export and replay use. Pure: same inputs, same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bot.context.budget import Cut, Load, plan_cut
from bot.context.image_fallback import in_words
from bot.context.optional_sections import Optional
from bot.context.section import Section
from bot.context.token_counts import Scale, counted
from bot.context.tokens import PER_MESSAGE, Count, cost_of_tools, cost_of_turn, costs, framing
from bot.context.withheld import without_withheld
from bot.context.written_tools import WRITTEN_TOOLS, written_tools
from bot.domain.base import JsonText, digest_text
from bot.domain.channel import ChannelState, ProcessKind, Turn
from bot.domain.ids import ChannelId
from bot.domain.llm import LLMRequest, SystemBlock, ToolChoice
from bot.domain.messages import Message, Text
from bot.domain.snapshot import (
    TOOL_SOURCE,
    ContextInputs,
    ContextSnapshot,
    Fate,
    Loaded,
    SectionTrace,
    Stability,
    Trigger,
)

RECAP = "tool_recap"
"""The section that stands in for what is not sent; it can only be written once that is known."""
LATE_RECAP = "turns with tool calls are left out for the first time; the next turn reads of them"
"""Why it is missing where it would have had to be loaded before."""
_JOIN = 1
"""What the blank line between two blocks costs at most."""
_NO_STATE = ChannelState(agent="", id=ChannelId(""), name="")
_NO_TRIGGER = Trigger(messages=(), at=0)
_NOTHING = digest_text("")


class Rendered(NamedTuple):
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
    told = sent if inputs.limits.sees_images else in_words(sent)
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
    numbers = counted(request, traces, {}, Scale(inputs.limits.window, inputs.tokenizer, count))
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


def render_sections(inputs: ContextInputs, sections: Sequence[Section], count: Count) -> list[Rendered]:
    """Render every section on its own, so that block boundaries exist by construction."""
    by_name = {loaded.name: loaded for loaded in inputs.loaded}
    rendered = [_render(inputs, section, by_name.get(section.name), count) for section in sections]
    if inputs.tools and inputs.limits.dialect.writes_tools:
        text = written_tools(inputs.tools)
        block = SystemBlock(name=WRITTEN_TOOLS.name, text=text)
        sources = tuple([f"{TOOL_SOURCE}{tool.name}" for tool in inputs.tools])
        rendered.append(_stable(WRITTEN_TOOLS, block, sources, count(block.followed)))
    return rendered


def _render(inputs: ContextInputs, section: Section, loaded: Loaded | None, count: Count) -> Rendered:
    if loaded is None:
        return _absent(section, "not gathered", ())
    if loaded.data is None:
        return _absent(section, loaded.reason or "nothing to show", loaded.sources)
    if section.stability is not Stability.VOLATILE:
        block = _stable_block(section, loaded.data)
        return _stable(section, block, loaded.sources, count(block.followed))
    block = SystemBlock(name=section.name, text=section.render(inputs.state, inputs.trigger, loaded.data))
    item = _present(section, block, loaded.sources, count(block.followed))
    if not loaded.reason or item.block is None:
        return item
    # what it says instead of what it should say; model_copy: a text for another
    return item._replace(trace=item.trace.model_copy(update={"reason": loaded.reason}))


def _present(section: Section, block: SystemBlock, sources: tuple[str, ...], tokens: int) -> Rendered:
    if not block.text:
        return _absent(section, "nothing to show yet", sources)
    trace = SectionTrace(
        name=section.name,
        stability=section.stability,
        fate=Fate.KEPT,
        digest=block.digest,
        tokens=tokens,
        sources=sources,
    )
    return Rendered(section, block, tokens, trace, section.stability is Stability.VOLATILE)


_stable = lru_cache(maxsize=1024)(_present)


@lru_cache(maxsize=1024)
def _absent(section: Section, reason: str, sources: tuple[str, ...]) -> Rendered:
    trace = SectionTrace(
        name=section.name,
        stability=section.stability,
        fate=Fate.ABSENT,
        reason=reason,
        digest=_NOTHING,
        sources=sources,
    )
    return Rendered(section, None, 0, trace, section.stability is Stability.VOLATILE)


@lru_cache(maxsize=1024)
def _stable_block(section: Section, data: JsonText) -> SystemBlock:
    # a stable section never sees the real state or trigger: that it renders from its data alone is by construction,
    # and what has not changed is neither rendered nor hashed again
    return SystemBlock(name=section.name, text=section.render(_NO_STATE, _NO_TRIGGER, data))


def _recapped(inputs: ContextInputs, past: _Past, rendered: list[Rendered], count: Count) -> tuple[list[Rendered], Cut]:
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


def _place_of_recap(rendered: list[Rendered]) -> int | None:
    return next((at for at, item in enumerate(rendered) if item.section.name == RECAP), None)


def _shown(rendered: list[Rendered]) -> list[Rendered]:
    return [item for item in rendered if item.block is not None]


def _plan(inputs: ContextInputs, past: _Past, shown: list[Rendered], count: Count) -> Cut:
    def price(messages: Sequence[Message]) -> int:
        return sum(costs(messages, count)) + PER_MESSAGE * len(messages)

    def price_of_turn(index: int) -> int:
        turn = past.turns[index]
        return cost_of_turn(turn, count) + PER_MESSAGE * len(turn.messages)

    fixed = sum(cost_of_tools(inputs.tools, count)) + price(inputs.trigger.messages) + price(inputs.rounds) + framing(0)
    return plan_cut(
        Load(
            room=inputs.limits.window - inputs.limits.max_output,
            fixed=fixed,
            turns=len(past.turns),
            turn=price_of_turn,
            ambient=[price((message,)) for message in past.ambient],
            sections=[Optional(item.section.priority, item.tokens + _JOIN) for item in shown],
        )
    )


def _request(inputs: ContextInputs, past: _Past, cut: Cut, kept: list[Rendered]) -> LLMRequest:
    history = [message for turn in past.turns[cut.first_turn :] for message in turn.messages]
    envelope = tuple(Text(text=i.block.text) for i in kept if i.in_envelope and i.block is not None)
    ambient = past.ambient[cut.first_ambient :]
    return LLMRequest(
        model=inputs.limits.model,
        system=tuple(i.block for i in kept if not i.in_envelope and i.block is not None),
        tools=inputs.tools,
        messages=(*history, *ambient, *_enveloped(inputs.trigger, envelope), *inputs.rounds),
        max_output_tokens=inputs.limits.max_output,
        tool_choice=inputs.tool_choice,
    )


def _enveloped(trigger: Trigger, envelope: tuple[Text, ...]) -> tuple[Message, ...]:
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


def _trace(item: Rendered, dropped: frozenset[str], has_carrier: bool) -> SectionTrace:
    if item.block is None:
        return item.trace
    if item.section.name in dropped:
        reason = f"left out to make the request fit ({item.tokens} tokens)"
    elif item.in_envelope and not has_carrier:
        reason = "there is no message to carry it"
    else:
        return item.trace
    # model_copy: a text and a name for another
    return item.trace.model_copy(update={"fate": Fate.DROPPED, "reason": reason})
