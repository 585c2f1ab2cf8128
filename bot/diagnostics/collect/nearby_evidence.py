"""Find what lies around a message: what the day cost, who else speaks with the bot's voice, what waits for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.config.schema import ProviderConfig
from bot.diagnostics.evidence.evidence import FreshChat, PendingApproval, ProviderRoute, TurnEvidence
from bot.diagnostics.evidence.evidence_reader import GateName
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import InboundTrail, LedgerStage, StageVerdict, StoredInbound
from bot.domain.messages import AuthorKind, InboundKind
from bot.domain.patience import patience_with
from bot.domain.process import StoredProcess, process_of
from bot.domain.record_access import of_process
from bot.domain.turn import ToolCallRecord, UsageRow
from bot.ports.store import Store
from bot.sentences import say

_DAY_MS = 86_400_000
_STRANGER_ANSWER_MS = 600_000
"""How long after a message another voice may answer it."""
_MAX_STRANGERS = 5
_PROPOSING_TOOL = "memory_delete"


class _Wanted(BaseModel):
    """The arguments of a call that proposes."""

    model_config = ConfigDict(extra="ignore")

    memory: str


async def spent_of(store: Store, about: InboundTrail | None, now: int) -> tuple[UsageRow, ...]:
    """Return what models cost in 24 hours, of every channel; asked only where the day's cap stopped the message."""
    rows = about.stages if about else ()
    capped = any(
        r.stage is LedgerStage.GATES and r.verdict is StageVerdict.STOPPED and r.reason == GateName.BUDGET for r in rows
    )
    return tuple(await store.meter.usage(None, now - _DAY_MS)) if capped else ()


async def strangers_of(
    store: Store, about: StoredInbound | None, recent: Sequence[StoredInbound]
) -> tuple[StoredInbound, ...]:
    """Return what the bot's own account said after a message and this data directory knows nothing of, oldest first."""
    if about is None:
        return ()
    until = about.arrived_at + _STRANGER_ANSWER_MS
    own = [one for one in recent if one.inbound.author.kind is AuthorKind.SELF]
    own = [one for one in own if one.inbound.kind is InboundKind.MESSAGE and one.inbound.event is None]
    if about.inbound.place.is_dm:
        # there the cortex opens threads of its own, with a message that is no answer and that nobody is to be told of
        own = [one for one in own if one.inbound.replies_to == about.inbound.message_id]
    after = [one for one in reversed(own) if about.arrived_at <= one.arrived_at <= until]
    found = [one for one in after if await store.outbox.by_message(one.key, one.inbound.message_id) is None]
    return tuple(found[:_MAX_STRANGERS])


async def fresh_chat_of(store: Store, key: ChannelKey, about: StoredInbound | None) -> FreshChat | None:
    """Return who had the conversation begin anew within the day before a message."""
    if about is None:
        return None
    found = await store.channels.fresh_start(key, about.arrived_at - _DAY_MS)
    if found is None or found.body.at > about.arrived_at:
        return None
    return FreshChat(name=found.body.actor_name, at=found.body.at, audit=found.id)


async def work_of(store: Store, about: StoredInbound | None) -> StoredProcess | None:
    """Return the branch or worker that came back with what is asked about."""
    row = process_of(about.inbound) if about else 0
    return await store.processes.get(row) if row else None


async def handed_out_of(
    store: Store, about: StoredInbound | None, turn: TurnEvidence | None
) -> tuple[StoredProcess, ...]:
    """Return the branches and workers that a message led to, but for what an admin had done in private."""
    # whoever hands work out calls a tool for it
    calls = turn is not None and bool(turn.calls)
    found = await store.processes.of_inbound(about.id) if about is not None and calls else ()
    return tuple(one for one in found if not of_process(one).is_private)


def routes_of(providers: Mapping[str, ProviderConfig]) -> tuple[ProviderRoute, ...]:
    """Return where each model service is, as far as the configuration says; never with a path or a password."""
    return tuple(
        ProviderRoute(
            provider=name,
            host=_host(table.settings.get("base_url")),
            proxy=_host(table.settings.get("proxy")),
            load_seconds=_load_seconds(table.settings),
        )
        for name, table in providers.items()
    )


async def approvals_of(store: Store, turn: TurnEvidence | None) -> tuple[PendingApproval, ...]:
    """Return what the turn or a branch of it proposed to forget, and what nobody has confirmed or made untrue since."""
    if turn is None or not any(call.tool_name in (_PROPOSING_TOOL, "branch") for call in turn.calls):
        return ()
    calls = [(turn.turn.id, call) for call in turn.calls]
    for inbound in turn.turn.inbounds:
        for process in await store.processes.of_inbound(inbound):
            calls += [(process.turn, call) for call in await store.journal.calls_of_turn(process.turn)]
    found = [await _approval(store, turn_row, call) for turn_row, call in calls if _proposes(call)]
    return tuple(one for one in found if one is not None)


def _proposes(call: ToolCallRecord) -> bool:
    return call.tool_name == _PROPOSING_TOOL and call.success


async def _approval(store: Store, turn: int, call: ToolCallRecord) -> PendingApproval | None:
    """Return what a call proposed, unless that is done: whatever is forgotten waits for nobody."""
    try:
        named = parse_handle(_Wanted.model_validate_json(call.raw_arguments_json).memory)
    except ValidationError:
        return None
    memory = await store.memories.by_handle(named) if named is not None and named.kind is HandleKind.MEMORY else None
    if memory is None or memory.forgotten_at:
        return None
    return PendingApproval(
        call=call.record_id,
        turn=turn,
        memory=memory.id,
        at=call.execution_end,
        shown=say("approval_pending.owners-in-private"),
    )


def _load_seconds(settings: Mapping[str, object]) -> float:
    own, host = settings.get("first_token_timeout"), _host(settings.get("base_url"))
    is_set = isinstance(own, int | float)
    patience = patience_with(host.partition(":")[0], float(own) if isinstance(own, int | float) else 0.0, is_set=is_set)
    return patience.alive if patience.loads else 0.0


def _host(address: object) -> str:
    try:
        return urlsplit(str(address)).hostname or "" if address else ""
    except ValueError:
        return ""
