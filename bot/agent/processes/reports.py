"""How a result comes back: as a message of the program to the channel, in the ledger like everything that arrives."""

from __future__ import annotations

from bot.agent.processes.run import ProcessOutcome
from bot.domain.base import canonical_json
from bot.domain.channel import ChannelState
from bot.domain.ids import UserId
from bot.domain.ledger import Arrival, Disposition
from bot.domain.messages import Author, AuthorKind, Inbound, InboundKind
from bot.domain.process import ProcessState, StoredProcess, result_id
from bot.prompts import render
from bot.text.text import excerpt, fence

LONGEST = 12_000
"""Characters of a result that the channel reads at once; the rest is on record."""
_ENDED = {
    ProcessState.DONE: "is done",
    ProcessState.FAILED: "has failed",
    ProcessState.TIMEOUT: "ran out of time",
    ProcessState.CANCELLED: "was stopped",
}


def result_text(process: StoredProcess, outcome: ProcessOutcome) -> str:
    """Write what a channel is told of a process that came back."""
    shown = outcome.result[:LONGEST]
    return render(
        "result",
        kind=process.body.kind.value.capitalize(),
        handle=process.handle,
        ended=_ENDED[outcome.state],
        task=canonical_json(excerpt(process.body.task, 300)),
        reason=excerpt(outcome.reason, 400),
        result=fence(shown) if shown else "",
        cut=len(outcome.result) - len(shown),
    )


def arrival_of(process: StoredProcess, outcome: ProcessOutcome, state: ChannelState, bot_name: str, at: int) -> Arrival:
    """Return a result as it arrives in its channel: nobody wrote it, and it answers what all of it goes back to."""
    origin = process.body.origin
    inbound = Inbound(
        adapter=origin.platform,
        channel=state.id,
        channel_name=state.name,
        place=state.place,
        kind=InboundKind.RESULT,
        message_id=result_id(process.id),
        author=Author(user_id=UserId("0"), name=bot_name, kind=AuthorKind.SELF),
        text=result_text(process, outcome),
        sent_at=at,
        replies_to=origin.message_id,
    )
    return Arrival(agent=process.body.agent, inbound=inbound, arrived_at=at, verdicts=(), disposition=Disposition.QUEUE)
