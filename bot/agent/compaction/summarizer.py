"""Have a model write summaries: a request like any other, recorded and counted; checked before it is believed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bot.agent.turn.ending import TurnResult
from bot.agent.turn.limits import KINDS
from bot.agent.turn.turn import RunningTurn, TurnJob, TurnRunner
from bot.config.schema import CompactionConfig
from bot.context.compaction.block import WrittenSummary, block_of
from bot.context.compaction.checks import flaw
from bot.context.compaction.plan import SummaryPiece
from bot.context.compaction.summary_input import portions
from bot.context.left_out_messages import sent_of
from bot.context.origin_tracer import WordOriginTracer
from bot.context.tokens import Count, costs, count_function
from bot.domain.access import Authority, Caller
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.compaction import SummaryType
from bot.domain.ids import PersonKey, UserId, platform_of
from bot.domain.ledger import FailReason
from bot.domain.llm import FinishReason, ModelName
from bot.domain.messages import Message, Role, TextPart
from bot.domain.snapshot import Trigger
from bot.domain.turn import TurnEnd, TurnStatus
from bot.ports.channels import ChannelDirectory
from bot.prompts import render
from bot.tools.runtime.tool import CallOrigin

_FRAME_TOKENS = 1_200
"""Tokens for what stands around the material."""
_BYTES_A_TOKEN = 3
"""A token is at least one byte, and four in English; a portion that turns out too large is cut in two."""
_MAX_CUTS = 3
_MIN_WORDS, _MAX_WORDS = 40, 500
"""How many words a summary has."""


class UnusableSummary(Exception):
    """There is no summary, and why."""


class SummaryTooLarge(UnusableSummary):
    """The model cannot read so much at once."""


@dataclass(kw_only=True, eq=False)
class SummaryWriter:
    """Writes the summaries of one compaction. Its last turn stays open, to be ended together with the compaction.

    `progress` is told how many parts of a long text have been read, and of how many.
    """

    turns: TurnRunner
    config: CompactionConfig
    directory: ChannelDirectory
    progress: Callable[[int, int], Awaitable[None]]
    state: ChannelState
    tracer: WordOriginTracer = field(default_factory=WordOriginTracer)
    end: TurnEnd | None = field(init=False, default=None)
    requests: int = field(init=False, default=0)
    model: str = field(init=False, default="")

    @cached_property
    def _bare(self) -> ChannelState:
        # the history is material here, not conversation
        return self.state.model_copy(update={"turns": (), "ambient": (), "running": (), "last": None})

    @cached_property
    def _chain(self) -> tuple[ModelName, ...]:
        return self.turns.models.chain(self.config.summarization_model)

    async def block(self, kind: SummaryType, piece: SummaryPiece) -> Message:
        """Write one summary; raise Unusable with the reason why there is none."""
        count = await self._count(piece.sources)
        before = sum(costs(piece.sources, count))
        words = min(max(before // 4, _MIN_WORDS), _MAX_WORDS)
        text = await self._text(kind, sent_of(tuple(piece.shown), self._bare.settings.left_out), words)
        origins = self.tracer.of_piece(self.state, piece)
        block = block_of(kind, piece, WrittenSummary(text, self.model, self.turns.clock.now(), origins), before)
        tokens = count(block.text)
        if wrong := flaw(text, tokens, before):
            raise self._failed(wrong)
        assert block.summary is not None
        return block.replace(summary=block.summary.replace(tokens_after=tokens))

    async def settle(self) -> None:
        """End the turn that is still open by itself."""
        if self.end is not None:
            end, self.end = self.end, None
            await self.turns.journal.end_turn(end)

    async def _count(self, messages: Sequence[Message]) -> Count:
        contexts = self.turns.contexts
        tokenizer = await contexts.tokenizer(self.turns.models.limits(self._chain[0]))
        await contexts.counter.warm([text for message in messages for text in message.texts])
        return count_function(tokenizer, contexts.counter)

    async def _text(self, kind: SummaryType, messages: Sequence[Message], words: int) -> str:
        limits = self.turns.models.limits(self._chain[0])
        most = _BYTES_A_TOKEN * max(limits.window - limits.max_output - _FRAME_TOKENS, _FRAME_TOKENS)
        for attempt in range(_MAX_CUTS):
            try:
                texts = await asyncio.to_thread(portions, messages, most >> attempt)
                return await self._in_portions(kind, texts, words)
            except SummaryTooLarge:
                if attempt == _MAX_CUTS - 1:
                    raise
        raise AssertionError

    async def _in_portions(self, kind: SummaryType, texts: Sequence[str], words: int) -> str:
        """Carry one summary through all portions, so that it may be written by a model with a small window."""
        so_far = ""
        for number, material in enumerate(texts, 1):
            task = render(
                "compactor_task",
                type=kind.value,
                bot_name=self.turns.contexts.gatherer.sources.facts.bot_name,
                words=words,
                so_far=so_far,
                part=number,
                parts=len(texts),
                material=material,
            )
            so_far = await self._asked(task)
            if number < len(texts):
                await self.progress(number, len(texts))
        return so_far

    async def _asked(self, task: str) -> str:
        await self.settle()
        turn = await self.turns.begin(self._job(task))
        ending = await turn.run()
        self.requests += turn.requests
        if turn.snapshot is not None:
            self.model = str(turn.snapshot.request.model)
        self.end = self._ended(turn, ending)
        if ending.failure is FailReason.TOO_LARGE:
            raise SummaryTooLarge(ending.reason)
        if ending.status is not TurnStatus.REPLIED or not ending.text:
            raise UnusableSummary(ending.reason)
        if any(a.response is not None and a.response.finish is FinishReason.LENGTH for a in turn.answer.unkept):
            raise self._failed("cut off: the model stopped in the middle of its summary")
        return ending.text

    def _job(self, task: str) -> TurnJob:
        at, state = self.turns.clock.now(), self._bare
        platform = platform_of(state.id)
        return TurnJob(
            kind=ProcessKind.COMPACTOR,
            state=state,
            trigger=Trigger(messages=(Message(role=Role.USER, parts=(TextPart(text=task),), at=at),), at=at),
            tools=(),
            origin=CallOrigin(key=state.key, platform=platform, guild_id=state.place.guild_id, is_dm=state.place.is_dm),
            caller=Caller(PersonKey(platform, UserId("0")), "compactor", Authority.EVERYONE),
            channels=self.directory,
            limits=KINDS[ProcessKind.COMPACTOR].limits(self.config.seconds),
            chain=self._chain,
        )

    def _ended(self, turn: RunningTurn, ending: TurnResult) -> TurnEnd:
        return TurnEnd(
            turn=turn.number,
            agent=self._bare.key.agent,
            channel=self._bare.id,
            at=self.turns.clock.now(),
            status=ending.status,
            reason=ending.reason,
            rounds=turn.requests,
            attempts=turn.answer.unkept,
            context_tokens=turn.context_tokens,
        )

    def _failed(self, reason: str) -> UnusableSummary:
        """Say that what a turn wrote cannot be used; the turn itself says so too."""
        if self.end is not None:
            self.end = self.end.model_copy(update={"status": TurnStatus.FAILED, "reason": reason})
        return UnusableSummary(reason)
