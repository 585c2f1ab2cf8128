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
from bot.context.compaction.summary_input import numbered_turns, portions, summaries_by_turn
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
_MOST_TOGETHER = 1_500
"""So many words are written in one answer, where it stands for several turns."""
_WORDS_A_TOKEN = 0.3
"""Of what a model may write; languages differ, and one that thinks first takes of it, too."""


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
        text = await self._text(kind, self._shown(piece), _words_for(before))
        origins = self.tracer.of_piece(self.state, piece)
        block = block_of(kind, piece, WrittenSummary(text, self.model, self.turns.clock.now(), origins), before)
        block, wrong = _measured(block, text, before, count)
        if wrong:
            raise self._failed(wrong)
        return block

    async def blocks(self, kind: SummaryType, pieces: Sequence[SummaryPiece]) -> list[Message]:
        """Write all summaries, several by one request as far as they fit; raise Unusable with the reason why not.

        What was written together was read together: each of them may hold words of all those turns, and says so. One
        that is missing or cannot be used is written once more, alone.
        """
        made: list[Message] = []
        for together in await self._together(pieces):
            written = await self._several(kind, together) if len(together) > 1 else {}
            for piece in together:
                made.append(written.get(piece.turns) or await self.block(kind, piece))
            if len(made) < len(pieces):
                await self.progress(len(made), len(pieces))
        return made

    async def settle(self) -> None:
        """End the turn that is still open by itself."""
        if self.end is not None:
            end, self.end = self.end, None
            await self.turns.journal.end_turn(end)

    async def _together(self, pieces: Sequence[SummaryPiece]) -> list[list[SummaryPiece]]:
        """Put pieces that follow each other into groups that fit into one request, with what is written of them."""
        if len(pieces) < 2:
            return [list(pieces)]
        limits = self.turns.models.limits(self._chain[0])
        room, most = self._room, min(_MOST_TOGETHER, int(limits.max_output * _WORDS_A_TOKEN))
        groups: list[list[SummaryPiece]] = []
        size = words = 0
        for piece in pieces:
            text = await asyncio.to_thread(numbered_turns, [self._shown(piece)])
            weight = len(text.encode("utf-8", "surrogatepass"))
            count = await self._count(piece.sources)
            wanted = _words_for(sum(costs(piece.sources, count)))
            if not groups or size + weight > room or words + wanted > most:
                groups.append([])
                size = words = 0
            groups[-1].append(piece)
            size, words = size + weight, words + wanted
        return groups

    async def _several(self, kind: SummaryType, pieces: Sequence[SummaryPiece]) -> dict[tuple[int, ...], Message]:
        """Ask once for all of them; return those that can be used, by their turns."""
        sources = [message for piece in pieces for message in piece.sources]
        count = await self._count(sources)
        before = [sum(costs(piece.sources, count)) for piece in pieces]
        material = await asyncio.to_thread(numbered_turns, [self._shown(piece) for piece in pieces])
        task = self._task(kind, material, words=max(map(_words_for, before)), turns=len(pieces))
        try:
            texts = summaries_by_turn(await self._asked(task), len(pieces))
        except UnusableSummary:
            return {}
        if not texts:
            self._failed("not one summary for each turn")
            return {}
        # each writer has read them all
        whole = SummaryPiece(
            tuple(number for piece in pieces for number in piece.turns),
            tuple(message for piece in pieces for message in piece.shown),
            tuple(sources),
        )
        origins = self.tracer.of_piece(self.state, whole)
        found: dict[tuple[int, ...], Message] = {}
        for piece, text, cost in zip(pieces, texts, before, strict=True):
            written = WrittenSummary(text, self.model, self.turns.clock.now(), origins)
            block, wrong = _measured(block_of(kind, piece, written, cost), text, cost, count)
            if not wrong:
                found[piece.turns] = block
        if not found:
            self._failed("no summary of these turns can be used")
        return found

    def _shown(self, piece: SummaryPiece) -> Sequence[Message]:
        return sent_of(tuple(piece.shown), self._bare.settings.left_out)

    @property
    def _room(self) -> int:
        """How many bytes of material one request may have."""
        limits = self.turns.models.limits(self._chain[0])
        return _BYTES_A_TOKEN * max(limits.window - limits.max_output - _FRAME_TOKENS, _FRAME_TOKENS)

    def _task(
        self,
        kind: SummaryType,
        material: str,
        *,
        words: int,
        turns: int = 1,
        so_far: str = "",
        part: int = 1,
        parts: int = 1,
    ) -> str:
        return render(
            "compactor_task",
            type=kind.value,
            bot_name=self.turns.contexts.gatherer.sources.facts.bot_name,
            words=words,
            turns=turns,
            so_far=so_far,
            part=part,
            parts=parts,
            material=material,
        )

    async def _count(self, messages: Sequence[Message]) -> Count:
        contexts = self.turns.contexts
        tokenizer = await contexts.tokenizer(self.turns.models.limits(self._chain[0]))
        await contexts.counter.warm([text for message in messages for text in message.texts])
        return count_function(tokenizer, contexts.counter)

    async def _text(self, kind: SummaryType, messages: Sequence[Message], words: int) -> str:
        for attempt in range(_MAX_CUTS):
            try:
                texts = await asyncio.to_thread(portions, messages, self._room >> attempt)
                return await self._in_portions(kind, texts, words)
            except SummaryTooLarge:
                if attempt == _MAX_CUTS - 1:
                    raise
        raise AssertionError

    async def _in_portions(self, kind: SummaryType, texts: Sequence[str], words: int) -> str:
        """Carry one summary through all portions, so that it may be written by a model with a small window."""
        so_far = ""
        for number, material in enumerate(texts, 1):
            task = self._task(kind, material, words=words, so_far=so_far, part=number, parts=len(texts))
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


def _words_for(tokens: int) -> int:
    return min(max(tokens // 4, _MIN_WORDS), _MAX_WORDS)


def _measured(block: Message, text: str, before: int, count: Count) -> tuple[Message, str]:
    """Return a summary with its tokens, and why it cannot be used; empty when it can."""
    tokens = count(block.text)
    assert block.summary is not None
    return block.replace(summary=block.summary.replace(tokens_after=tokens)), flaw(text, tokens, before)
