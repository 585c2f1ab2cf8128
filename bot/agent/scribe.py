"""Have a model write summaries: a request like any other, recorded and counted; checked before it is believed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.agent.ending import Ending
from bot.agent.kinds import KINDS
from bot.agent.turn import RunningTurn, TurnJob, Turns
from bot.config.schema import CompactionConfig
from bot.context.compaction.block import Written, block_of
from bot.context.compaction.checks import flaw
from bot.context.compaction.plan import Piece
from bot.context.compaction.reading import portions
from bot.context.tokens import Count, costs, counting
from bot.context.withheld import sent_of
from bot.domain.access import Authority, Caller
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.compaction import SummaryType
from bot.domain.ids import Person, UserId, platform_of
from bot.domain.ledger import FailReason
from bot.domain.llm import FinishReason
from bot.domain.messages import Message, Role, Text
from bot.domain.snapshot import Trigger
from bot.domain.turn import TurnEnd, TurnStatus
from bot.ports.channels import ChannelDirectory
from bot.prompts import render
from bot.tools.tool import Origin

_FRAME = 1_200
"""Tokens for what stands around the material."""
_BYTES = 3
"""A token is at least one byte, and four in English; a portion that turns out too large is cut in two."""
_CUTS = 3
_FEWEST, _MOST = 40, 500
"""Words of a summary."""


@dataclass(frozen=True, slots=True)
class ScribeDesk:
    """What writing needs. `progress` is told how many parts of a long text have been read, and of how many."""

    turns: Turns
    config: CompactionConfig
    directory: ChannelDirectory
    progress: Callable[[int, int], Awaitable[None]]


class Unusable(Exception):
    """There is no summary, and why."""


class TooLarge(Unusable):
    """The model cannot read so much at once."""


class Scribe:
    """Writes the summaries of one compaction. Its last turn stays open, to be ended together with the compaction."""

    def __init__(self, desk: ScribeDesk, state: ChannelState) -> None:
        self._turns = turns = desk.turns
        self._config = config = desk.config
        self._directory = desk.directory
        self._progress = desk.progress
        # the history is material here, not conversation
        self._state = state.model_copy(update={"turns": (), "ambient": (), "running": (), "last": None})
        self._chain = turns.models.chain(config.summarization_model)
        self.end: TurnEnd | None = None
        self.requests = 0
        self.model = ""

    async def block(self, kind: SummaryType, piece: Piece) -> Message:
        """Write one summary; raise Unusable with the reason why there is none."""
        count = await self._count(piece.sources)
        before = sum(costs(piece.sources, count))
        words = min(max(before // 4, _FEWEST), _MOST)
        text = await self._text(kind, sent_of(tuple(piece.shown), self._state.settings.left_out), words)
        block = block_of(kind, piece, Written(text, self.model, self._turns.clock.now()), before)
        tokens = count(block.text)
        if wrong := flaw(text, tokens, before):
            raise self._failed(wrong)
        assert block.summary is not None
        return block.replace(summary=block.summary.replace(tokens_after=tokens))

    async def settle(self) -> None:
        """End the turn that is still open by itself."""
        if self.end is not None:
            end, self.end = self.end, None
            await self._turns.journal.end_turn(end)

    async def _count(self, messages: Sequence[Message]) -> Count:
        contexts = self._turns.contexts
        tokenizer = await contexts.tokenizer(self._turns.models.limits(self._chain[0]))
        await contexts.counter.warm([text for message in messages for text in message.texts])
        return counting(tokenizer, contexts.counter)

    async def _text(self, kind: SummaryType, messages: Sequence[Message], words: int) -> str:
        limits = self._turns.models.limits(self._chain[0])
        most = _BYTES * max(limits.window - limits.max_output - _FRAME, _FRAME)
        for attempt in range(_CUTS):
            try:
                texts = await asyncio.to_thread(portions, messages, most >> attempt)
                return await self._in_portions(kind, texts, words)
            except TooLarge:
                if attempt == _CUTS - 1:
                    raise
        raise AssertionError

    async def _in_portions(self, kind: SummaryType, texts: Sequence[str], words: int) -> str:
        """Carry one summary through all portions, so that it may be written by a model with a small window."""
        so_far = ""
        for number, material in enumerate(texts, 1):
            task = render(
                "compactor_task",
                type=kind.value,
                bot_name=self._turns.contexts.gatherer.sources.facts.bot_name,
                words=words,
                so_far=so_far,
                part=number,
                parts=len(texts),
                material=material,
            )
            so_far = await self._asked(task)
            if number < len(texts):
                await self._progress(number, len(texts))
        return so_far

    async def _asked(self, task: str) -> str:
        await self.settle()
        turn = await self._turns.begin(self._job(task))
        ending = await turn.run()
        self.requests += turn.requests
        if turn.snapshot is not None:
            self.model = str(turn.snapshot.request.model)
        self.end = self._ended(turn, ending)
        if ending.failure is FailReason.TOO_LARGE:
            raise TooLarge(ending.reason)
        if ending.status is not TurnStatus.REPLIED or not ending.text:
            raise Unusable(ending.reason)
        if any(a.response is not None and a.response.finish is FinishReason.LENGTH for a in turn.answer.unkept):
            raise self._failed("cut off: the model stopped in the middle of its summary")
        return ending.text

    def _job(self, task: str) -> TurnJob:
        at, state = self._turns.clock.now(), self._state
        platform = platform_of(state.id)
        return TurnJob(
            kind=ProcessKind.COMPACTOR,
            state=state,
            trigger=Trigger(messages=(Message(role=Role.USER, parts=(Text(text=task),), at=at),), at=at),
            tools=(),
            origin=Origin(key=state.key, platform=platform, guild_id=state.place.guild_id, is_dm=state.place.is_dm),
            caller=Caller(Person(platform, UserId("0")), "compactor", Authority.EVERYONE),
            channels=self._directory,
            limits=KINDS[ProcessKind.COMPACTOR].limits(self._config.seconds),
            chain=self._chain,
        )

    def _ended(self, turn: RunningTurn, ending: Ending) -> TurnEnd:
        return TurnEnd(
            turn=turn.number,
            agent=self._state.key.agent,
            channel=self._state.id,
            at=self._turns.clock.now(),
            status=ending.status,
            reason=ending.reason,
            rounds=turn.requests,
            attempts=turn.answer.unkept,
            context_tokens=turn.context_tokens,
        )

    def _failed(self, reason: str) -> Unusable:
        """Say that what a turn wrote cannot be used; the turn itself says so too."""
        if self.end is not None:
            self.end = self.end.model_copy(update={"status": TurnStatus.FAILED, "reason": reason})
        return Unusable(reason)
