"""The door to contexts: gathers, decides how to count, assembles, and checks that what was sent can be rebuilt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bot.context.assemble import RECAP, assemble, lacks_recap, render_sections
from bot.context.envelope import section_texts
from bot.context.gather import ContextAsk, ContextGatherer
from bot.context.tokens import (
    BYTES,
    BYTES_PER_TOKEN,
    TokenCounts,
    TokenScale,
    TooManyUnknownError,
    by_bytes,
    by_few,
    by_sizes,
    count_function,
    count_request,
    system_pieces,
)
from bot.domain.channel import LeftOutMessage, Turn
from bot.domain.dialect import Dialect
from bot.domain.llm import LLMRequest, ToolChoice, ToolDefinition, WireRequest
from bot.domain.messages import Message
from bot.domain.partly_read import can_teach_ratio
from bot.domain.snapshot import (
    ContextInputs,
    ContextSnapshot,
    CountMethod,
    ModelLimits,
    SectionFate,
    SectionTrace,
    Tokenizer,
)
from bot.ports.meter import UsageMeter
from bot.ports.model import TokenCounter
from bot.text.joined_text import BLANK_LINE

_LEARNING_RATE = 0.2
_MAX_PLAUSIBLE_RATIO = 4.0
_MAX_CHARS_A_STEP = 4000
"""Characters that may be counted between two looks at what else there is to do: half a millisecond."""
Assembled = Callable[[ContextInputs], ContextSnapshot]
Encode = Callable[[LLMRequest, Dialect], WireRequest]
_MESSAGES_A_STEP = 16
"""Read back between two looks at the event loop: about a millisecond."""


@dataclass(frozen=True)
class ContextBuilder:
    """Makes snapshots. Nothing here changes a channel, and nothing but this and its parts makes a request."""

    gatherer: ContextGatherer
    counter: TokenCounter
    meter: UsageMeter

    async def snapshot(self, ask: ContextAsk, *, exact: bool = False) -> ContextSnapshot:
        """Gather and assemble; with `exact`, count with the tokenizer even where nothing depends on it."""
        inputs = await self.gatherer.gather(ask, BYTES)
        if exact and self.counter.ready and (found := await self._at_once(inputs)) is not None:
            return found
        snapshot = await self._fitted(inputs)
        return await self.measured(snapshot) if exact else snapshot

    async def preview(self, ask: ContextAsk) -> ContextSnapshot:
        """Gather and assemble without waiting for the tokenizer's table: until it is loaded, bytes are counted.

        What such a preview would leave out to make the request fit is an estimate too.
        """
        if self.counter.ready:
            return await self.snapshot(ask, exact=True)
        return self.assembled(await self.gatherer.gather(ask, BYTES))

    def extended(
        self,
        snapshot: ContextSnapshot,
        rounds: tuple[Message, ...],
        tool_choice: ToolChoice,
        tools: tuple[ToolDefinition, ...] | None = None,
    ) -> ContextSnapshot:
        """Assemble again with ALL round messages of the turn so far; what was gathered stays as it was.

        `tools` are those that are offered now, where some were added.
        """
        # model_copy: the values are validated already, and the history must not be walked again
        now = {"rounds": rounds, "tool_choice": tool_choice, **({} if tools is None else {"tools": tools})}
        inputs = snapshot.inputs.model_copy(update=now)
        again = self.assembled(inputs)
        if _certain(again) or not self.counter.ready:
            return again
        # grown out of the certain bound: count here, as only the rounds can be new, and a turn cannot be suspended now
        return self.assembled(inputs.model_copy(update={"tokenizer": self._plain(inputs.limits)}))

    async def refit(self, snapshot: ContextSnapshot, limits: ModelLimits) -> ContextSnapshot:
        """Assemble what was gathered for another model."""
        inputs = snapshot.inputs.model_copy(update={"limits": limits, "tokenizer": BYTES})
        return await self._fitted(inputs)

    async def withholding(self, snapshot: ContextSnapshot, left_out: tuple[LeftOutMessage, ...]) -> ContextSnapshot:
        """Assemble what was gathered without the words of these messages."""
        state = snapshot.inputs.state
        # model_copy: the values are validated already, and the history must not be walked again
        told = state.model_copy(update={"settings": state.settings.model_copy(update={"left_out": left_out})})
        return await self._fitted(snapshot.inputs.model_copy(update={"state": told, "tokenizer": BYTES}))

    async def measured(self, snapshot: ContextSnapshot) -> ContextSnapshot:
        """Return the same request, with numbers by the tokenizer instead of by bytes."""
        limits = snapshot.inputs.limits
        tokenizer = await self.tokenizer(limits)
        if snapshot.stats.tokenizer == tokenizer:
            return snapshot
        numbers = await self._counted(snapshot.request, snapshot.sections, limits.window, tokenizer)
        update = {
            "sections": numbers.sections,
            "message_tokens": numbers.message_tokens,
            "tool_tokens": numbers.tool_tokens,
            "stats": numbers.stats,
        }
        # model_copy: every value was just made from validated ones, and the request stays what it is
        return snapshot.model_copy(update=update)

    async def numbers(
        self, request: LLMRequest, sections: tuple[SectionTrace, ...], limits: ModelLimits
    ) -> TokenCounts:
        """Count any request with the tokenizer of its model."""
        return await self._counted(request, sections, limits.window, await self.tokenizer(limits))

    async def drift(self, snapshot: ContextSnapshot, wire_sha256: str, encode: Encode) -> str | None:
        """Rebuild the request from its saved inputs; None when name and bytes agree, else what differs."""
        return await find_drift(snapshot, wire_sha256, self.assembled, encode)

    async def learn(self, snapshot: ContextSnapshot, usage_input: int | None) -> None:
        """Learn from the provider's own count how far ours is off; the table is not loaded for it."""
        if self.counter.trouble is not None:
            # what is learnt from a stand-in would be wrong for the tokenizer
            return
        if not usage_input or not (self.counter.ready or snapshot.stats.tokenizer.method is not CountMethod.BYTES):
            return
        stats, model = (await self.measured(snapshot)).stats, str(snapshot.inputs.limits.model)
        scaled = stats.tokenizer.method is CountMethod.ESTIMATE
        ours = stats.total / stats.tokenizer.ratio if scaled else stats.total
        seen = usage_input / max(ours, 1)
        if not can_teach_ratio(ours, usage_input) or seen > _MAX_PLAUSIBLE_RATIO:
            return
        before = await self.meter.learned_ratio(model)
        await self.meter.learn_ratio(model, before + _LEARNING_RATE * (seen - before))

    async def tokenizer(self, limits: ModelLimits) -> Tokenizer:
        """Say who counts for a model, with the learned ratio."""
        if not self.counter.ready:
            # who counts is certain only now: a table that cannot be had leaves it to an estimate
            await self.counter.warm(("ready",))
        plain = self._plain(limits)
        return plain.replace(ratio=await self.meter.learned_ratio(str(limits.model)))

    def assembled(self, inputs: ContextInputs) -> ContextSnapshot:
        """Assemble inputs as they are; the same inputs give the same snapshot, whenever."""
        return assemble(inputs, self.gatherer.order[inputs.kind], count_function(inputs.tokenizer, self.counter))

    async def _counted(
        self, request: LLMRequest, sections: tuple[SectionTrace, ...], window: int, tokenizer: Tokenizer
    ) -> TokenCounts:
        # as they stand in the request: with the blank line behind them
        texts = {name: text + BLANK_LINE for name, text in section_texts(request, sections).items()}
        texts |= {block.name: block.followed for block in request.system}
        sizes = await self.counter.sizes([*_texts_of_request(request), *texts.values()])
        return count_request(request, sections, texts, TokenScale(window, tokenizer, by_sizes(tokenizer, sizes)))

    def _plain(self, limits: ModelLimits) -> Tokenizer:
        return self.counter.tokenizer(str(limits.model))

    async def _fitted(self, inputs: ContextInputs) -> ContextSnapshot:
        """Count by bytes if that settles the matter; else by the tokenizer, off the loop."""
        snapshot = self.assembled(inputs)
        if _certain(snapshot):
            return snapshot
        tokenizer = await self.tokenizer(inputs.limits)
        await self.counter.warm(list(self._texts_of_inputs(inputs)))
        counted_inputs = inputs.model_copy(update={"tokenizer": tokenizer})
        snapshot = self.assembled(counted_inputs)
        if not lacks_recap(snapshot):
            return snapshot
        return self.assembled(await self.gatherer.again(counted_inputs, RECAP))

    async def _at_once(self, inputs: ContextInputs) -> ContextSnapshot | None:
        """Assemble and count in one go, which costs half, where nearly all counts are known; None where they are not.

        What is whole by the tokenizer is the request that is sent: one that is counted by bytes is whole as well.
        """
        tokenizer = await self.tokenizer(inputs.limits)
        by_tokenizer = inputs.model_copy(update={"tokenizer": tokenizer})
        count = by_few(tokenizer, self.counter, _MAX_CHARS_A_STEP)
        try:
            snapshot = assemble(by_tokenizer, self.gatherer.order[inputs.kind], count)
        except TooManyUnknownError:
            return None
        if not _is_whole(snapshot):
            return None
        scale = TokenScale(inputs.limits.window, BYTES, by_bytes)
        bound = count_request(snapshot.request, (), {}, scale).stats.total
        return snapshot.model_copy(update={"inputs": inputs}) if _fits(bound, inputs.limits) else snapshot

    def _texts_of_inputs(self, inputs: ContextInputs) -> Iterator[str]:
        yield from (tool.json_text for tool in inputs.tools)
        rendered = render_sections(inputs, self.gatherer.order[inputs.kind], by_bytes)
        yield from (item.block.followed for item in rendered if item.block)
        yield from system_pieces([item.block for item in rendered if item.block and not item.in_envelope])
        recent = (*inputs.state.ambient, *inputs.trigger.messages, *inputs.rounds)
        yield from _texts_of_messages(recent)
        # newest first, and no further back than a window can reach (tokens of 8 bytes are already rare)
        left = 8 * inputs.limits.window
        for turn in reversed(inputs.state.turns):
            for text in _texts_of_messages(turn.messages):
                left -= len(text)
                yield text
            if left < 0:
                return


def _certain(snapshot: ContextSnapshot) -> bool:
    """Say whether the numbers settle what fits: counted, or so few bytes that it cannot be too many tokens."""
    if snapshot.inputs.tokenizer.method is not CountMethod.BYTES:
        return True
    whole = not snapshot.dropped_turns and not any(trace.fate is SectionFate.DROPPED for trace in snapshot.sections)
    return whole and _fits(snapshot.stats.total, snapshot.inputs.limits)


def _fits(quarter_bytes: int, limits: ModelLimits) -> bool:
    return BYTES_PER_TOKEN * quarter_bytes <= limits.window - limits.max_output


def _is_whole(snapshot: ContextSnapshot) -> bool:
    """Say whether everything that was gathered is in the request."""
    inputs = snapshot.inputs
    talk = sum([len(turn.messages) for turn in inputs.state.turns]) + len(inputs.state.ambient)
    messages = talk + len(inputs.trigger.messages) + len(inputs.rounds)
    dropped = any(trace.fate is SectionFate.DROPPED for trace in snapshot.sections)
    return len(snapshot.request.messages) == messages and not dropped and not snapshot.overflow


def _texts_of_messages(messages: Iterable[Message]) -> list[str]:
    return [text for message in messages for text in message.texts]


def _texts_of_request(request: LLMRequest) -> list[str]:
    tools = [tool.json_text for tool in request.tools]
    return [*system_pieces(request.system), *tools, *_texts_of_messages(request.messages)]


async def find_drift(sent: ContextSnapshot, wire_sha256: str, assembled: Assembled, encode: Encode) -> str | None:
    """Rebuild a request from its saved inputs; None when name and bytes agree, else what differs."""
    again = assembled(await _read_back(sent.inputs))
    if again.digest != sent.digest:
        return f"assembled again: {again.digest}, not {sent.digest}; {_difference(sent, again)}"
    await asyncio.sleep(0)
    sha = encode(again.request, again.inputs.limits.dialect).sha256
    return None if sha == wire_sha256 else f"encoded again, the bytes are {sha[:12]}, not {wire_sha256[:12]}"


async def _read_back(inputs: ContextInputs) -> ContextInputs:
    """Save inputs and read them back. In steps on the loop: in a thread, one long call would stop everybody just so."""
    turns, since = [], 0
    for turn in inputs.state.turns:
        turns.append(_turn_read_back(turn))
        since += len(turn.messages)
        if since >= _MESSAGES_A_STEP:
            since = 0
            await asyncio.sleep(0)
    # model_copy: only the turns are set aside, which are read back above
    rest = inputs.model_copy(update={"state": inputs.state.model_copy(update={"turns": ()})})
    read = ContextInputs.model_validate_json(rest.model_dump_json())
    await asyncio.sleep(0)
    return read.model_copy(update={"state": read.state.model_copy(update={"turns": tuple(turns)})})


def _turn_read_back(turn: Turn) -> Turn:
    """Return the turn as it was saved; the very same one if it is equal, down to the names and numbers it keeps."""
    read = Turn.model_validate_json(turn.model_dump_json())
    return turn if read == turn and _kept(read) == _kept(turn) else read


def _kept(turn: Turn) -> tuple[object, ...]:
    return (turn.quarter_bytes, *(message.digest for message in turn.messages))


def _difference(before: ContextSnapshot, after: ContextSnapshot) -> str:
    for kind, old, new in (
        ("section", [b.digest for b in before.request.system], [b.digest for b in after.request.system]),
        ("tool", [t.digest for t in before.request.tools], [t.digest for t in after.request.tools]),
        ("message", [m.digest for m in before.request.messages], [m.digest for m in after.request.messages]),
    ):
        if old != new:
            first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
            return f"{kind} {first + 1} of {len(old)} differs"
    return "model or parameters differ"
