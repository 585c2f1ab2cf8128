"""A channel as people saw it, under each message what became of it; and the way of one message with its times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.cortex.pages.ledger_page import newest
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.targets.texts import channel_word
from bot.cortex.words.stage_lines import stage_detail
from bot.diagnostics.funnel import step_name
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import InboundTrail, LedgerStage, Outcome, StageRow, StoredInbound
from bot.domain.record_access import may_read, of_inbound
from bot.domain.turn import StoredOutbox, StoredRequest
from bot.errors import UserError
from bot.sentences import say
from bot.text.text import one_line_name
from bot.window.overview import outcome_of
from bot.window.visit import Visit, address_of

MESSAGES_A_PAGE = 200
_MAX_SHOWN_CHARS = 4000
_SHOWN_KINDS = frozenset({"reply", "notice", "command"})


async def channel(visit: Visit) -> dict[str, Any]:
    """Show the newest messages of a channel, the oldest of them first."""
    target = (await visit.channel()).target
    sources, reads = visit.sources, await visit.sources.targets.may_read(visit.caller.person, target)
    reader = await sources.targets.reader(visit.caller.person, target)
    trails = await newest(sources.store.ledger, target.key, MESSAGES_A_PAGE * visit.page)
    # what an admin said to the cortex in private is nobody else's
    shown = [one for one in trails if may_read(reader, of_inbound(one.inbound))]
    rows = [await _message(visit, one, reads=reads) for one in shown[MESSAGES_A_PAGE * (visit.page - 1) :]]
    return {
        "screen": "channel",
        "channel": named(target),
        "reads": reads,
        "messages": rows[::-1],
        "page": visit.page,
        "more": len(trails) == MESSAGES_A_PAGE * visit.page,
    }


def named(target: TargetChannel) -> dict[str, Any]:
    """Return how a channel is called, and where its pages are."""
    return {
        "of": address_of(target.key),
        "name": channel_word(target),
        "id": str(target.key.channel),
        "private": target.place.is_dm,
    }


async def _message(visit: Visit, trail: InboundTrail, *, reads: bool) -> dict[str, Any]:
    stored = trail.inbound
    sent = await visit.sources.store.outbox.of_inbound(stored.id)
    return {
        **_said(stored, reads=reads),
        "outcome": outcome_of(trail),
        "reason": _reason(stored),
        "took_ms": stored.outcome_at - stored.arrived_at if stored.outcome_at else None,
        "answers": _answers(sent, reads=reads),
    }


def _reason(stored: StoredInbound) -> str:
    reason = one_line_name(stored.outcome_reason, 120) if stored.outcome_reason else ""
    # gates are called as in the chat; what else is there stands in the words of who gave it
    return step_name(reason) if stored.outcome is Outcome.GATED else reason


def _said(stored: StoredInbound, *, reads: bool) -> dict[str, Any]:
    inbound = stored.inbound
    kept = reads and stored.text_kept
    return {
        "handle": handle(HandleKind.INBOUND, stored.id),
        "at": stored.arrived_at,
        "author": {"id": str(inbound.author.user_id), "name": one_line_name(inbound.author.name, 48)},
        "kind": inbound.kind.value,
        "text": inbound.text[:_MAX_SHOWN_CHARS] if kept else None,
        "cut": max(0, len(inbound.text) - _MAX_SHOWN_CHARS) if kept else 0,
        "kept": stored.text_kept,
    }


def _answers(sent: Sequence[StoredOutbox], *, reads: bool) -> list[dict[str, Any]]:
    # findings are what the cortex told one admin
    rows = [row for row in sent if row.body.kind in _SHOWN_KINDS and not row.body.to.private_to]
    return [
        {
            "handle": handle(HandleKind.DELIVERY, row.row),
            "kind": row.body.kind,
            "state": row.state.value,
            "at": row.created_at,
            "error": one_line_name(row.error, 200) if row.error else "",
            "text": row.body.text[:_MAX_SHOWN_CHARS] if reads else None,
        }
        for row in rows
    ]


async def message(visit: Visit) -> dict[str, Any]:
    """Show the way of one message: each stage with its time, what was sent to the model, and what came of it."""
    found = await visit.find(visit.name)
    sources, target = visit.sources, found.target
    trail = await sources.store.ledger.trail(found.meant.inbound) if found.meant.inbound else None
    if trail is None:
        raise UserError(say("window.no-such-message", typed=visit.name))
    reads = await sources.targets.may(AccessRight.READ, visit.caller.person, target)
    requests = await _requests(visit, trail.inbound, target)
    return {
        "screen": "message",
        "channel": named(target),
        "reads": reads,
        "message": await _message(visit, trail, reads=reads),
        "turn": handle(HandleKind.TURN, trail.inbound.turn) if trail.inbound.turn else None,
        "stages": stages_of(trail),
        "requests": requests,
    }


def stages_of(trail: InboundTrail) -> list[dict[str, Any]]:
    """Return the stages with the time at which each was reached, and how long it was until the next."""
    begun, rows = trail.inbound.arrived_at, trail.stages
    ends = [row.at for row in rows[1:]] + [max(trail.inbound.outcome_at, rows[-1].at)] if rows else []
    return [_stage(row, begun, end) for row, end in zip(rows, ends, strict=True)]


def _stage(row: StageRow, begun: int, end: int) -> dict[str, Any]:
    reason = one_line_name(row.reason, 120) if row.reason else ""
    return {
        "handle": handle(HandleKind.GATE, row.id) if row.id else None,
        "stage": row.stage.value,
        "verdict": row.verdict.value,
        "reason": step_name(reason) if row.stage is LedgerStage.GATES else reason,
        "at": row.at,
        "after_ms": max(0, row.at - begun),
        "until_next_ms": max(0, end - row.at),
        "detail": stage_detail(row),
    }


async def _requests(visit: Visit, stored: StoredInbound, target: TargetChannel) -> list[dict[str, Any]]:
    journal = visit.sources.store.journal
    if not stored.turn:
        return []
    reader = await visit.sources.targets.reader(visit.caller.person, target, stored.key)
    if not may_read(reader, await journal.owner_of(stored.turn)):
        return []
    return [sent_values(one, stored.arrived_at) for one in await journal.requests_of_turn(stored.turn)]


def sent_values(stored: StoredRequest, begun: int) -> dict[str, Any]:
    """Return a request in a line: its model, its size, and each attempt."""
    return {
        "handle": handle(HandleKind.REQUEST, stored.id),
        "round": stored.record.round,
        "model": one_line_name(str(stored.record.request.model)),
        "at": stored.record.at,
        "after_ms": max(0, stored.record.at - begun),
        "tokens": stored.record.stats.total,
        "attempts": [
            {
                "number": one.number,
                "at": one.at,
                "duration_ms": round(one.duration_ms),
                "first_token_ms": round(one.first_token_ms) if one.first_token_ms is not None else None,
                "fault": one.fault,
                "status": one.status,
                "error": one_line_name(one.error, 200) if one.error else "",
                "tokens_in": one.response.usage.input if one.response else None,
                "tokens_out": one.response.usage.output if one.response else None,
                "cached": one.response.usage.cached if one.response else None,
            }
            for one in stored.attempts
        ],
    }
