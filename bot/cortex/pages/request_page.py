"""Find the request behind a message of the bot, and say what became of a message that has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import orjson

from bot.context.usage_figures import counted_by, short_number, tokens
from bot.cortex.sessions.session_threads import session_handle
from bot.cortex.targets import texts
from bot.cortex.targets.record_lookup import answer_lines
from bot.cortex.targets.record_viewer import RecordViewer
from bot.cortex.targets.session_context import SessionContext
from bot.diagnostics.merged_messages import merged_message_lines
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.snapshot import SectionFate
from bot.domain.turn import StoredOutbox, StoredRequest, StoredTurn
from bot.errors import UserError
from bot.ports.store import Store
from bot.sentences import say
from bot.text.figures import duration, in_figures, quantity
from bot.text.text import quote_line
from bot.text.times import clock_time

_MAX_RECENT_MESSAGES = 100
_ANSWERED_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.COMMAND})
_MATCH_CHARS = 60
"""Characters by which a part of an answer is found again."""


class PageText(NamedTuple):
    """What to say, the records that it names, and the request that it is about (0: none)."""

    text: str
    records: tuple[str, ...] = ()
    request: int = 0


class TracedAnswer(NamedTuple):
    """An answer of the bot: its words, the request that it came back for, and what it answered (0: nothing)."""

    text: str
    request: int
    inbound: int


@dataclass(frozen=True)
class RequestPage:
    """Reads records; whoever asks has been let in already."""

    store: Store
    opener: RecordViewer

    async def of(self, talk: SessionContext) -> PageText:
        """Tell what stands behind the message that was replied to, or that was named; raise UserError."""
        key, meant = talk.target.key, talk.meant
        if meant.request:
            return await self._request(talk, meant.request, None)
        if meant.name:
            stored = await self.store.ledger.inbound(meant.inbound) if meant.inbound else None
            if stored is None:
                raise UserError(say("pages.unknown-message"))
            return await self._heard(talk, stored)
        if not talk.replied:
            raise UserError(say("pages.how-to-ask"))
        ours = await self.store.outbox.by_message(key, talk.replied)
        if ours is not None:
            return await self._said(talk, ours)
        heard = await self.store.ledger.by_message(key, talk.replied)
        if heard is None:
            raise UserError(say("pages.unknown-message"))
        return await self._heard(talk, heard)

    async def newest(self, talk: SessionContext) -> PageText:
        """Tell what stands behind the answer that is meant, else behind the newest; raise UserError."""
        if talk.meant.name or talk.replied:
            return await self.of(talk)
        return await self._request(talk, (await self.answer_meant(talk)).request, None)

    async def answer_of(self, key: ChannelKey, message_id: str) -> TracedAnswer | None:
        """Return the answer that one of our messages is, by its delivery; None when no model wrote it, or long ago."""
        ours = await self.store.outbox.by_message(key, message_id)
        turn = await self.store.journal.turn(ours.body.turn) if ours is not None and ours.body.turn else None
        if ours is None or turn is None or turn.kind is not ProcessKind.CHANNEL or ours.body.kind != "reply":
            return None
        sent = await self.store.journal.requests_of_turn(turn.id)
        inbound = turn.inbounds[-1] if turn.inbounds else 0
        return TracedAnswer(ours.body.text, _author(sent, ours.body.text).id, inbound) if sent else None

    async def answer_of_turn(self, key: ChannelKey, row: int) -> TracedAnswer | None:
        """Return what a turn of a channel answered, all parts of it; None where it gave no answer, or of another."""
        turn = await self.store.journal.turn(row)
        if turn is None or turn.key != key or turn.kind is not ProcessKind.CHANNEL or not turn.inbounds:
            return None
        return await self._answer_in(turn.id, turn.inbounds[-1])

    async def answer_meant(self, talk: SessionContext) -> TracedAnswer:
        """Return the answer that was replied to or named, or that a message got, else the newest; raise UserError."""
        key, meant, ledger = talk.target.key, talk.meant, self.store.ledger
        if meant.turn:
            if (theirs := await self.answer_of_turn(key, meant.turn)) is not None:
                return theirs
            raise UserError(say("pages.no-answer"))
        if not meant.name and talk.replied:
            if (ours := await self.answer_of(key, talk.replied)) is not None:
                return ours
            heard = await ledger.by_message(key, talk.replied)
        elif meant.name:
            return await self._traced(key, meant.inbound)
        else:
            recent = await ledger.recent(key, _MAX_RECENT_MESSAGES)
            heard = next((one for one in recent if one.outcome is Outcome.REPLIED and one.turn), None)
        return await self._traced(key, heard.id if heard is not None else 0)

    async def answer_to(self, key: ChannelKey, row: int) -> TracedAnswer | None:
        """Return what a message of a channel was answered with, all parts of it; None where it got no answer."""
        heard = await self.store.ledger.inbound(row) if row else None
        return await self._answer_in(heard.turn, heard.id) if heard is not None and heard.key == key else None

    async def _traced(self, key: ChannelKey, row: int) -> TracedAnswer:
        found = await self.answer_to(key, row)
        if found is None:
            raise UserError(say("pages.no-answer"))
        return found

    async def _answer_in(self, turn: int, inbound: int) -> TracedAnswer | None:
        """Return what a message was answered with in a turn, all parts of it."""
        rows = [row for row in await self.store.outbox.of_inbound(inbound) if row.body.kind == "reply"]
        rows = [row for row in rows if row.body.turn == turn]
        sent = await self.store.journal.requests_of_turn(turn) if turn else ()
        if not rows or not sent:
            return None
        text = "\n".join(row.body.text for row in rows)
        return TracedAnswer(text, _author(sent, rows[-1].body.text).id, inbound)

    async def _said(self, talk: SessionContext, ours: StoredOutbox) -> PageText:
        """Tell of a message of our own."""
        name = handle(HandleKind.DELIVERY, ours.row)
        turn = await self.store.journal.turn(ours.body.turn) if ours.body.turn else None
        if turn is None or turn.kind is not ProcessKind.CHANNEL or ours.body.kind != "reply":
            return PageText(say("pages.no-model", kind=ours.body.kind, handle=name), (name,))
        sent = await self.store.journal.requests_of_turn(turn.id)
        if not sent:
            in_turn = handle(HandleKind.TURN, turn.id)
            return PageText(say("pages.requests-gone", handle=in_turn), (in_turn, name))
        return await self._request(talk, _author(sent, ours.body.text).id, ours)

    async def _heard(self, talk: SessionContext, stored: StoredInbound) -> PageText:
        """Tell of a message that came in: the request that it led to, or where it ended."""
        name = handle(HandleKind.INBOUND, stored.id)
        sent = await self.store.journal.requests_of_turn(stored.turn) if stored.turn else ()
        own = [request for request in sent if request.record.kind is ProcessKind.CHANNEL]
        if own and stored.outcome is Outcome.REPLIED:
            return await self._request(talk, own[-1].id, None)
        trail = await self.opener.open(talk.caller.person, name)
        if trail is None:
            raise UserError(say("cortex.no-such-record"))
        head = say("pages.what-happened" if stored.outcome in _ANSWERED_OUTCOMES else "pages.unanswered")
        asked = [say("pages.last-request", handle=_name(request)) for request in own[-1:]]
        return PageText("\n".join((head, trail, *asked)), (*map(_name, own[-1:]), name))

    async def _request(self, talk: SessionContext, row: int, ours: StoredOutbox | None) -> PageText:
        stored = await self.store.journal.request(row)
        if stored is None or stored.record.kind is not ProcessKind.CHANNEL:
            raise UserError(say("cortex.not-the-channels"))
        if ChannelKey(stored.record.agent, stored.record.channel) != talk.target.key:
            raise UserError(say("cortex.no-such-record"))
        turn = await self.store.journal.turn(stored.record.turn)
        chunk = ours or await self._chunk(turn)
        lines = _lines(stored, turn, say("pages.request-behind", place=texts.channel_word(talk.target)))
        lines[1] += f" · {session_handle(talk.session)}"
        lines += [*await self._gathered(turn), *_others(turn, chunk)]
        name = _name(stored)
        lines += ["", f"`context sent {name}` · `export sent {name}` · `diff {name} last`"]
        records = [name, *(handle(HandleKind.TURN, turn.id) for _ in range(1) if turn)]
        records += [handle(HandleKind.INBOUND, turn.inbounds[-1])] if turn and turn.inbounds else []
        records += [handle(HandleKind.DELIVERY, chunk.row)] if chunk else []
        return PageText("\n".join(lines), tuple(records), stored.id)

    async def _gathered(self, turn: StoredTurn | None) -> Sequence[str]:
        trail = await self.store.ledger.trail(turn.inbounds[-1]) if turn is not None and turn.inbounds else None
        return tuple(merged_message_lines(trail.stages)) if trail is not None else ()

    async def _chunk(self, turn: StoredTurn | None) -> StoredOutbox | None:
        if turn is None or not turn.inbounds:
            return None
        rows = await self.store.outbox.of_inbound(turn.inbounds[-1])
        return next((row for row in rows if row.body.turn == turn.id and row.body.kind == "reply"), None)


def _author(sent: Sequence[StoredRequest], text: str) -> StoredRequest:
    """Return the request whose answer holds a text: the last one says it, or an earlier one by its `reply` tool."""
    wanted = text.strip()[:_MATCH_CHARS]
    for stored in sent:
        if wanted and any(wanted in words for words in _said_at_once(stored)):
            return stored
    return next((stored for stored in reversed(sent) if stored.response is not None), sent[-1])


def _said_at_once(stored: StoredRequest) -> Iterator[str]:
    for call in stored.response.calls if stored.response else ():
        try:
            arguments = orjson.loads(call.arguments) if call.name == "reply" else None
        except ValueError:
            continue
        if isinstance(arguments, dict):
            yield str(arguments.get("text", ""))


def _lines(stored: StoredRequest, turn: StoredTurn | None, title: str) -> list[str]:
    record, request, stats = stored.record, stored.record.request, stored.record.stats
    in_turn, this = say("pages.no-turn"), record.round + 1
    if record.turn and turn:
        name = handle(HandleKind.TURN, record.turn)
        in_turn = say("pages.turn-round", handle=name, round=this, rounds=max(turn.rounds, this))
    elif record.turn:
        in_turn = say("pages.turn", handle=handle(HandleKind.TURN, record.turn))
    sections = [t for t in record.sections if t.fate is SectionFate.KEPT]
    listed = ", ".join(f"{t.name} {quantity(t.tokens)}" for t in sections if t.tokens)
    used = say(
        "pages.used",
        used=tokens(stats.total, stats),
        window=short_number(stats.window),
        percent=in_figures(str(stats.usage_percent)),
        counted=counted_by(stats),
    )
    posted = say("pages.posted", tools=len(request.tools), messages=len(request.messages), bytes=record.wire_bytes)
    return [
        title,
        f"{_name(stored)} · {in_turn}",
        "",
        say("pages.model", model=_model(stored)),
        say("pages.sent", time=clock_time(record.at), outcome=_came(stored)),
        used,
        say("pages.sections", count=len(sections), names=quote_line(listed, 300)),
        posted,
        f"sha256 {record.wire_sha256[:16]} · digest {record.digest[:12]}",
        *(answer_lines(stored.response) if stored.response and stored.response.repairs else ()),
    ]


def _model(stored: StoredRequest) -> str:
    asked, answer = str(stored.record.request.model), stored.response
    by = answer.answered_by if answer else ""
    if not by or asked.endswith(by):
        return asked
    return say("pages.answered-by", model=asked, other=quote_line(by, 60))


def _came(stored: StoredRequest) -> str:
    attempt = stored.attempts[-1] if stored.attempts else None
    if attempt is None:
        return say("pages.no-answer-recorded")
    if attempt.response is None:
        return say("pages.failed", fault=attempt.fault)
    usage, took = attempt.response.usage, duration(attempt.duration_ms / 1000)
    came = say("pages.answered-in", time=took)
    if usage.input is not None:
        read, wrote = short_number(usage.input), short_number(usage.output or 0)
        came = say("pages.answered-in-counted", time=took, **{"in": read, "out": wrote})
    return say("pages.from-cache", line=came, tokens=short_number(usage.cached)) if usage.cached else came


def _others(turn: StoredTurn | None, chunk: StoredOutbox | None) -> list[str]:
    inbound = handle(HandleKind.INBOUND, turn.inbounds[-1]) if turn and turn.inbounds else ""
    delivery = handle(HandleKind.DELIVERY, chunk.row) if chunk else ""
    if inbound and delivery:
        return [say("pages.answers-sent-as", inbound=inbound, delivery=delivery)]
    if inbound:
        return [say("pages.answers", handle=inbound)]
    return [say("pages.sent-as", handle=delivery)] if delivery else []


def _name(stored: StoredRequest) -> str:
    return handle(HandleKind.REQUEST, stored.id)
