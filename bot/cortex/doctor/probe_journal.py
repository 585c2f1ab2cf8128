"""Put the questions that prove a model on record: what they take counts into the day like any other request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import structlog

from bot.agent.turn.model_client import ModelClient
from bot.domain.channel import ProcessKind
from bot.domain.ids import MAIN, AgentId
from bot.domain.llm import LLMResponse, WireRequest
from bot.domain.snapshot import ContextSnapshot
from bot.domain.turn import AttemptRecord, RequestRecord, TurnEnd, TurnStart, TurnStatus
from bot.errors import ProviderError, StoreError
from bot.ports.clock import Clock
from bot.ports.journal import Journal
from bot.sentences import say

log = structlog.get_logger(__name__)


class StartedProbe(NamedTuple):
    """A question on its way, and the row of its request."""

    record: RequestRecord
    row: int


@dataclass(frozen=True)
class ProbeJournal:
    """Keeps them under no channel's name, because they are about none. A store that fails keeps nobody from looking."""

    journal: Journal
    models: ModelClient
    clock: Clock

    async def begin(self, snapshot: ContextSnapshot, wire: WireRequest) -> StartedProbe | None:
        """Record a question before it is posted; None where it cannot be kept."""
        at, inputs = self.clock.now(), snapshot.inputs
        agent, channel = AgentId(MAIN), inputs.state.id
        start = TurnStart(agent=agent, channel=channel, kind=ProcessKind.CORTEX, at=at)
        try:
            record = RequestRecord(
                agent=agent,
                channel=channel,
                turn=await self.journal.begin_turn(start, ()),
                kind=ProcessKind.CORTEX,
                round=0,
                at=at,
                request=snapshot.request,
                digest=snapshot.digest,
                wire_sha256=wire.sha256,
                wire_bytes=len(wire.body),
                encoder=inputs.limits.dialect.signed(self.models.encoder(inputs.limits.model)),
                sections=snapshot.sections,
                stats=snapshot.stats,
                message_tokens=snapshot.message_tokens,
            )
            return StartedProbe(record, await self.journal.record_request(record, ()))
        except StoreError as error:
            log.warning("question_not_kept", error=str(error))
            return None

    async def end(self, begun: StartedProbe, seconds: float, came: LLMResponse | ProviderError) -> None:
        """Record what came of a question, and what it cost."""
        record = begun.record
        answer = came if isinstance(came, LLMResponse) else None
        error = came if isinstance(came, ProviderError) else None
        attempt = AttemptRecord(
            request=begun.row,
            number=1,
            at=record.at,
            duration_ms=round(seconds * 1000, 3),
            response=answer,
            fault=error.fault.value if error else "",
            status=error.status if error else None,
            error=str(error) if error else "",
            cost_usd=self.models.price(record.request.model, answer.usage) if answer else None,
        )
        end = TurnEnd(
            turn=record.turn,
            agent=record.agent,
            channel=record.channel,
            at=self.clock.now(),
            status=TurnStatus.REPLIED if answer else TurnStatus.FAILED,
            reason=say("doctor.asked-by-doctor"),
            rounds=1,
            attempts=(attempt,),
        )
        try:
            await self.journal.end_turn(end)
        except StoreError as failed:
            log.warning("question_not_kept", error=str(failed))
