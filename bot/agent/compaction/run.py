"""What a compaction leaves behind: its record, its row in a trail, its words for those who run the bot. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.agent.compaction.summarizer import SummaryWriter
from bot.context.compaction import BY_TYPE, CompactionPlan
from bot.context.compaction.block import MODEL, RULES, WrittenSummary, block_of
from bot.context.compaction.checks import missing
from bot.context.compaction.plan import SummaryPiece
from bot.context.tokens import by_bytes, costs
from bot.domain.channel import ChannelState
from bot.domain.compaction import SummaryType
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import AgentId
from bot.domain.ledger import LedgerStage, StageRow, StageVerdict
from bot.domain.messages import Message
from bot.domain.word_origins import WordOrigins
from bot.ports.compactions import NewCompaction, StoredCompaction
from bot.prompts import render


class CompactionResult(NamedTuple):
    """What a compaction puts in the place of what it takes, or why there is nothing."""

    blocks: tuple[Message, ...] = ()
    reason: str = ""
    scribe: SummaryWriter | None = None


class CompactionRun(NamedTuple):
    state: ChannelState
    plan: CompactionPlan
    started_at: int
    inbound: int


def by_rules(kind: SummaryType, piece: SummaryPiece, at: int, origins: WordOrigins | None = None) -> Message:
    """Write the line that stands for turns which are left out unread; whose words they were stays known."""
    # by the byte, because there is no time to count
    block = block_of(kind, piece, WrittenSummary("", "", at, origins), sum(costs(piece.sources, by_bytes)))
    assert block.summary is not None
    return block.replace(summary=block.summary.replace(tokens_after=by_bytes(block.text)))


def sources_of(plan: CompactionPlan) -> tuple[Message, ...]:
    """Return the messages that a plan takes out."""
    return tuple(message for piece in BY_TYPE[plan.type].pieces(plan.taken) for message in piece.sources)


def missing_in(plan: CompactionPlan, blocks: Sequence[Message]) -> tuple[str, ...]:
    """Return what the sources name and no summary mentions; long texts take a while."""
    return missing(sources_of(plan), "\n".join(block.text for block in blocks)) if blocks else ()


def record_of(run: CompactionRun, made: CompactionResult, at: int, lacks: tuple[str, ...]) -> NewCompaction:
    """Put together what is kept of a compaction; `lacks` are the names that no summary mentions."""
    plan, scribe = run.plan, made.scribe
    turns = BY_TYPE[plan.type].replaced(plan.taken, made.blocks) if made.blocks else ()
    summaries = [block.summary for block in made.blocks if block.summary is not None]
    return NewCompaction(
        agent=AgentId(run.state.agent),
        channel=run.state.id,
        epoch=run.state.epoch,
        type=plan.type,
        level=plan.level,
        method=MODEL if scribe else RULES,
        model=scribe.model if scribe else "",
        started_at=run.started_at,
        at=at,
        taken=plan.ids,
        before=tuple(message.digest for turn in plan.taken for message in turn.messages),
        turns=turns,
        missing=lacks,
        reason=made.reason,
        percent=plan.percent,
        sources=len(sources_of(plan)),
        tokens_before=sum(summary.tokens_before for summary in summaries),
        tokens_after=sum(summary.tokens_after for summary in summaries),
        requests=scribe.requests if scribe else 0,
        turn=scribe.end.turn if scribe and scribe.end else 0,
    )


def stages_of(run: CompactionRun, new: NewCompaction) -> tuple[StageRow, ...]:
    """Say in the trail of the message after whose turn it was done what became of older ones."""
    if not run.inbound:
        return ()
    verdict = StageVerdict.FAILED if new.reason else StageVerdict.NOTED
    more = {} if new.reason else {"tokens": f"{new.tokens_before} to {new.tokens_after}", "method": new.method}
    return (_stage(run, new.at, verdict, new.reason or "older turns were shortened", **more),)


def begin_rows(run: CompactionRun) -> tuple[StageRow, ...]:
    """Return the stage row that says that a compaction begins."""
    return (_stage(run, run.started_at, StageVerdict.NOTED, "older turns are being shortened"),) if run.inbound else ()


def progress_rows(run: CompactionRun, at: int, done: int, of: int) -> tuple[StageRow, ...]:
    """Return the stage row that says how far it is."""
    return (_stage(run, at, StageVerdict.NOTED, f"{done} of {of} parts are read"),) if run.inbound else ()


def abandoned_rows(run: CompactionRun, at: int) -> tuple[StageRow, ...]:
    """Return the stage row that says that nothing came of it."""
    reason = "abandoned: what it would stand for changed meanwhile"
    return (_stage(run, at, StageVerdict.FAILED, reason),) if run.inbound else ()


def _stage(run: CompactionRun, at: int, verdict: StageVerdict, reason: str, **more: str) -> StageRow:
    plan = run.plan
    numbers = {"turns": str(len(plan.taken)), "messages": str(len(sources_of(plan)))}
    detail = {"type": plan.type.value, "level": plan.level.value, **numbers, **more}
    return StageRow(
        inbound=run.inbound,
        at=at,
        stage=LedgerStage.COMPACTED,
        verdict=verdict,
        reason=reason,
        detail=tuple(detail.items()),
    )


def words_of(event: str, run: CompactionRun, stored: StoredCompaction | None, **more: Any) -> str:
    """Write what the owners hear of an event."""
    values: dict[str, Any] = {"done": 0, "of": 0, "minutes": 0, **more}
    return render(
        "cortex/alert_compaction",
        event=event,
        where=run.state.name or run.state.id,
        type=run.plan.type.value.replace("_", " "),
        turns=len(run.plan.taken),
        name=handle(HandleKind.COMPACTION, stored.id) if stored else "",
        body=stored.body if stored else None,
        reason=stored.reason if stored else "",
        **values,
    )
