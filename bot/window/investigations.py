"""Why a channel is as it is, what an admin has asked the cortex, and what its branches and proofs found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.cortex.sessions.session_threads import session_handle
from bot.cortex.sessions.thread_poster import person_of
from bot.cortex.targets.target_parser import about_message
from bot.cortex.targets.target_resolver import TargetChannel, key_of
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.diagnostics.funnel import step_name
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.finding import Finding, StoredSession
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.record_access import may_read, of_person
from bot.domain.turn import StoredRequest, StoredTurn
from bot.errors import UserError
from bot.replay.replayed_decision import decision_of
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import plain_times
from bot.window.remembered import pieces_of
from bot.window.talk import named, sent_values
from bot.window.visit import Visit

_MAX_SESSIONS = 50
_MAX_SAID = 100
_MAX_TURNS = 20
_MAX_NEIGHBOURS = 500
_LINK = re.compile(r"/enter/[\w-]{20,}", re.ASCII)


async def why(visit: Visit) -> dict[str, Any]:
    """Say what the rules find in a channel, or about one message of it, as `!cortex why` does."""
    found = await visit.channel()
    target, person = found.target, visit.caller.person
    about = EvidenceQuery(inbound=about_message(found.meant))
    diagnosis = await visit.sources.diagnose(target, about)
    reads = await visit.sources.targets.may_read(person, target)
    operates, called = visit.caller.authority is Authority.OWNER, step_name if visit.is_read else str
    return {
        "screen": "why",
        "channel": named(target),
        "reads": reads,
        "about": diagnosis.about,
        "findings": [_finding(one, reads=reads, operates=operates) for one in diagnosis.findings],
        "beside": [_finding(one, reads=reads, operates=operates) for one in diagnosis.beside],
        "checks": [
            {
                "stage": one.stage.name.lower(),
                "name": called(one.name),
                "state": one.state,
                "detail": plain_times(one.detail),
            }
            for one in diagnosis.checks
        ],
        "summary": [plain_times(line) for line in diagnosis.summary],
        "unread": [one.model_dump() for one in diagnosis.unread],
    }


def _finding(found: Finding, *, reads: bool, operates: bool) -> dict[str, Any]:
    sent = next((ref.handle for ref in found.evidence if _is_request(ref.handle)), "")
    advice = (found.operator_advice if operates else "") or found.advice
    return {
        "rule": found.rule,
        "stage": found.stage.name.lower(),
        "confidence": found.confidence.value,
        "verdict": plain_times(found.verdict),
        "why": [plain_times(line) for line in found.why],
        "evidence": [{"handle": ref.handle, "what": plain_times(ref.what)} for ref in found.evidence],
        # of a channel that somebody cannot read themselves, nothing is quoted
        "quotes": [
            {
                "handle": quote.handle,
                "text": quote.text if reads else None,
                "stands_in": quote.handle if _is_request(quote.handle) else sent,
            }
            for quote in found.quotes
        ],
        "advice": plain_times(advice),
        "fix": found.fix.kind if found.fix is not None else None,
    }


def _is_request(name: str) -> bool:
    parsed = parse_handle(name)
    return parsed is not None and parsed.kind is HandleKind.REQUEST


async def cortex(visit: Visit) -> dict[str, Any]:
    """List what this person has asked the cortex, the newest first; what others asked is theirs."""
    visit.check_admin()
    sources, rows, withheld = visit.sources, list[dict[str, Any]](), 0
    for session in await sources.store.sessions.of_person(visit.caller.person, _MAX_SESSIONS):
        target = await _readable(visit, session)
        if target is None:
            withheld += 1
            continue
        rows.append(_listed(session, target))
    return {"screen": "cortex", "sessions": rows, "withheld": withheld, "channel": None}


def _listed(session: StoredSession, target: TargetChannel) -> dict[str, Any]:
    return {
        "handle": session_handle(session),
        "title": one_line_name(session.body.title, 120),
        "channel": named(target),
        "begun_at": session.body.created_at,
        "last_at": session.last_at,
    }


async def session(visit: Visit) -> dict[str, Any]:
    """Show one talk with the cortex: what it said, what was looked into, and each run of a proof."""
    store, parsed = visit.sources.store, parse_handle(visit.name)
    found = await store.sessions.by_handle(parsed) if parsed is not None else None
    target = await _readable(visit, found) if found is not None else None
    if found is None or target is None:
        raise UserError(say("cortex.no-such-record"))
    turns = await store.journal.turns_of_session(target.key, found.id, _MAX_TURNS)
    return {
        "screen": "session",
        **_listed(found, target),
        "said": await _said(visit, found),
        "turns": [await _turn(visit, one) for one in reversed(turns)],
    }


async def _readable(visit: Visit, found: StoredSession) -> TargetChannel | None:
    """Return what a session is about where this person may read it, now."""
    targets, person = visit.sources.targets, visit.caller.person
    target = await targets.of(key_of(found.body.agent, found.body.target))
    if target is None:
        return None
    return target if may_read(await targets.reader(person, target), of_person(person_of(found), target.key)) else None


async def _said(visit: Visit, found: StoredSession) -> list[dict[str, Any]]:
    """Return what was said in a session, the oldest first; in its thread other ones may follow it."""
    body, store = found.body, visit.sources.store
    thread = ChannelKey(MAIN, body.dm_channel)
    others = await store.sessions.of_person(visit.caller.person, _MAX_NEIGHBOURS)
    next_at = min(
        (
            other.body.created_at
            for other in others
            if other.id > found.id and (other.body.dm_channel, other.body.dm_thread) == (thread.channel, body.dm_thread)
        ),
        default=None,
    )
    rows = await store.outbox.findings(thread, body.dm_thread, body.created_at - 1, _MAX_SAID)
    return [
        {
            "handle": handle(HandleKind.DELIVERY, row.row),
            "at": row.created_at,
            "text": _told(row.body.text),
            "pieces": pieces_of(_told(row.body.text)),
        }
        for row in reversed(rows)
        if next_at is None or row.created_at < next_at
    ]


def _told(text: str) -> str:
    """Return what was said, but for links that let somebody in."""
    return _LINK.sub("/enter/…", plain_times(text))


async def _turn(visit: Visit, turn: StoredTurn) -> dict[str, Any]:
    sent = await visit.sources.store.journal.requests_of_turn(turn.id)
    return {
        "handle": handle(HandleKind.TURN, turn.id),
        "kind": turn.kind.value,
        "status": turn.status.value,
        "reason": one_line_name(turn.reason, 200) if turn.reason else "",
        "begun_at": turn.started_at,
        "ended_at": turn.ended_at or None,
        "runs": _runs(sent, turn.started_at) if turn.kind is ProcessKind.REPLAY else [],
        "rounds": len(sent),
    }


def _runs(sent: Sequence[StoredRequest], begun: int) -> list[dict[str, Any]]:
    """Return each run of a proof with what was decided in it."""
    return [
        {
            **sent_values(one, begun),
            "decided": decision_of(one.response).name if one.response is not None else None,
        }
        for one in sent
    ]
