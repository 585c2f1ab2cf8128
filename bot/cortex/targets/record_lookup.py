"""Read what a handle opens: which channel it belongs to, what we say about it, and other people's words in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.context.compaction.summary_input import lines_of
from bot.cortex.targets.owned_record import OwnedRecord, RecordQuote
from bot.cortex.targets.tool_page import process_record
from bot.cortex.words.audit_lines import audit_line
from bot.cortex.words.compaction_lines import missing_line, name_of, summary_lines
from bot.cortex.words.fix_preview import origins_line
from bot.cortex.words.memory_story import MemoryTrail, message_url, own_lines, story_lines
from bot.cortex.words.stage_lines import stage_line
from bot.domain.channel import ChannelState
from bot.domain.handles import Handle, HandleKind, handle, parse_handle
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey, PersonKey
from bot.domain.ledger import InboundTrail, Outcome
from bot.domain.llm import LLMResponse
from bot.domain.memory import Memory
from bot.domain.messages import ImagePart, Message, MessageReference, ProviderData, TextPart, ToolCall, ToolResult
from bot.domain.platform_names import BY_KIND, PlatformNames
from bot.domain.record_access import RecordOwner, of_channel, of_inbound, of_person
from bot.domain.turn import MarkKind, RequestMark, StoredOutbox, StoredRequest, StoredTurn, ToolCallRecord
from bot.domain.word_origins import join_origins
from bot.ports.clock import Clock
from bot.ports.compactions import CompactionSides, StoredCompaction
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.figures import duration, quantity
from bot.text.text import one_line_name, quote_line
from bot.text.times import clock_time, minute
from bot.tools.worker_inspect import read_process_transcript

_MAX_REQUESTS = 8
_MAX_HEARD = 50


class RecordLookup:
    """Handles to records; asks nobody's permission: that is for whoever shows them."""

    def __init__(self, store: Store, clock: Clock, platforms: PlatformNames = BY_KIND) -> None:
        self._store = store
        self._clock = clock
        self._platforms = platforms
        self._readers: Mapping[HandleKind, Callable[[Handle], Awaitable[OwnedRecord | None]]] = {
            HandleKind.MEMORY: self._memory,
            HandleKind.REQUEST: self._request,
            HandleKind.INBOUND: self._inbound,
            HandleKind.GATE: self._gate,
            HandleKind.DELIVERY: self._delivery,
            HandleKind.TURN: self._turn,
            HandleKind.AUDIT: self._audit,
            HandleKind.SESSION: self._session,
            HandleKind.CALL: self._call,
            HandleKind.COMPACTION: self._compaction,
            HandleKind.BRANCH: self._process,
            HandleKind.WORKER: self._process,
        }

    async def read(self, text: str) -> OwnedRecord | None:
        """Return what a handle opens; None when nothing does."""
        parsed = parse_handle(text)
        return await self._readers[parsed.kind](parsed) if parsed else None

    async def _memory(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.memories.by_handle(parsed)
        if found is None:
            return None
        held = await self._store.memories.requests_with(found.id, _MAX_REQUESTS)
        edges = await self._store.memories.edges([found.id], None)
        # whoever reads it here may not even know that somebody looked
        seen = [row for row in held if not (await self._owner_of_request(row)).is_private]
        key = ChannelKey(AgentId(found.body.agent), found.body.channel)
        place = await self._store.channels.load(key)
        trail = MemoryTrail(
            place=_place_name(place, found.body.channel),
            edges=edges,
            requests=seen,
            more_requests=len(held) >= _MAX_REQUESTS,
            names=await self._names(key) if found.body.subjects else {},
        )
        return memory_record(found, trail, self._clock.now(), self._platforms)

    async def _names(self, key: ChannelKey) -> Mapping[str, str]:
        """Return by which names those go who spoke in a channel last, by id."""
        recent = await self._store.ledger.recent(key, _MAX_HEARD)
        return {one.inbound.author.user_id: one.inbound.author.name for one in reversed(recent)}

    async def _owner_of_request(self, row: int) -> RecordOwner:
        stored = await self._store.journal.request(row)
        return await self._store.journal.owner_of(stored.record.turn) if stored else of_person(None)

    async def _request(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.journal.request_by_handle(parsed)
        found = found or await self._store.outlines.outline_by_handle(parsed)
        return _request_record(found, await self._owner(found.record.turn)) if found else None

    async def _owner(self, turn: int) -> RecordOwner:
        return await self._store.journal.owner_of(turn)

    async def _inbound(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.ledger.by_handle(parsed)
        trail = await self._store.ledger.trail(found.id) if found else None
        return _trail_record(trail) if trail else None

    async def _gate(self, parsed: Handle) -> OwnedRecord | None:
        trail = await self._store.ledger.trail_of_stage(parsed)
        if trail is None:
            return None
        about = handle(HandleKind.INBOUND, trail.inbound.id)
        rows = [row for row in trail.stages if row.id and parse_handle(handle(HandleKind.GATE, row.id)) == parsed]
        lines = tuple(stage_line(row) for row in rows)
        name = handle(HandleKind.GATE, rows[0].id) if rows else about
        return OwnedRecord(name, of_inbound(trail.inbound), (say("records.step-of", handle=about), *lines))

    async def _compaction(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.compactions.by_handle(parsed)
        return compaction_record(found, await self._store.compactions.sides(found.id)) if found else None

    async def _delivery(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.outbox.by_handle(parsed)
        return _delivery_record(found, await self._sender(found)) if found else None

    async def _sender(self, sent: StoredOutbox) -> AgentId:
        """Return the agent for which something was sent."""
        turn = await self._store.journal.turn(sent.body.turn) if sent.body.turn else None
        if turn is not None:
            return turn.agent
        asked = await self._store.ledger.inbound(sent.body.inbound) if sent.body.inbound else None
        return asked.agent if asked is not None else MAIN

    async def _turn(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.journal.turn_by_handle(parsed)
        if found is None:
            return None
        requests = [
            *await self._store.journal.requests_of_turn(found.id),
            *await self._store.outlines.outlines_of_turn(found.id),
        ]
        calls = await self._store.journal.calls_of_turn(found.id)
        lines = [
            say("records.called", call=_call_line(call), handle=handle(HandleKind.CALL, call.record_id))
            for call in calls
        ]
        words = [
            RecordQuote(
                say("records.arguments-of", tool=one_line_name(call.tool_name)), call.raw_arguments_json, by_model=True
            )
            for call in calls
        ]
        return OwnedRecord(
            handle(HandleKind.TURN, found.id),
            await self._owner(found.id),
            (*_turn_lines(found), *(request_line(r) for r in requests), *lines),
            tuple(words),
            "\n".join(call.result_output for call in calls),
        )

    async def _call(self, parsed: Handle) -> OwnedRecord | None:
        call = await self._store.journal.call_by_handle(parsed)
        turn = await self._store.journal.turn(call.turn_summary_id) if call else None
        if call is None or turn is None:
            return None
        where = say(
            "records.call-of-turn",
            number=call.order_index + 1,
            handle=handle(HandleKind.TURN, turn.id),
            round=call.round_number + 1,
            time=clock_time(call.execution_start),
        )
        words = (
            RecordQuote("arguments", call.raw_arguments_json, by_model=True),
            # of a call that is refused, its arguments are told again
            RecordQuote(say("records.what-came-of-it"), call.result_output, repeats_model=not call.success),
        )
        owner = await self._owner(turn.id)
        return OwnedRecord(handle(HandleKind.CALL, call.record_id), owner, (_call_line(call), where), words)

    async def _process(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.processes.by_handle(parsed)
        if found is None:
            return None
        store = self._store
        worked = await read_process_transcript(found, store.journal, store.ledger, store.checkpoints)
        return process_record(worked)

    async def _audit(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.audit.by_handle(parsed)
        if found is None:
            return None
        fresh, person = found.body.fresh_start, PersonKey(found.body.platform, found.body.actor)
        # a fresh chat was started in front of all, and is the channel's; what else is audited is whoever did it
        owner = of_person(person)
        if fresh is not None and not found.body.own:
            owner = of_channel(ChannelKey(AgentId(fresh.agent), ChannelId(found.body.target)))
        return OwnedRecord(handle(HandleKind.AUDIT, found.id), owner, (audit_line(found),))

    async def _session(self, parsed: Handle) -> OwnedRecord | None:
        found = await self._store.sessions.by_handle(parsed)
        if found is None:
            return None
        body = found.body
        lines = (say("records.talk-about", channel=body.target, time=clock_time(body.created_at)),)
        owner = of_person(PersonKey(body.platform, body.actor))
        return OwnedRecord(handle(HandleKind.SESSION, found.id), owner, lines)


def memory_record(memory: Memory, trail: MemoryTrail, now: int, platforms: PlatformNames) -> OwnedRecord:
    """Describe a memory, with what it is to others and the requests that it went into."""
    key = ChannelKey(AgentId(memory.body.agent), memory.body.channel)
    return OwnedRecord(
        handle(HandleKind.MEMORY, memory.id),
        of_channel(key),
        own_lines(memory, now),
        (RecordQuote("content", memory.body.content),),
        told=tuple(story_lines(memory, trail, now)),
        link=message_url(memory, platforms),
        words_first=True,
    )


def _place_name(place: ChannelState | None, channel: ChannelId) -> str:
    if place is None:
        return channel
    return say("cortex.a-private-chat") if place.place.is_dm else place.name


def message_text(message: Message) -> str:
    """Return everything of a message that a quote may come from."""
    pieces = []
    for part in message.parts:
        match part:
            case TextPart(text=text):
                pieces.append(text)
            case ToolCall(name=name, arguments=arguments):
                pieces.append(f"{name} {arguments}")
            case ToolResult() | ImagePart():
                pieces.append(part.text)
            case ProviderData():
                # a service's own data, and none of it words that anybody said
                pass
    return "\n".join(pieces)


def outcome_word(outcome: Outcome) -> str:
    """Say how a message ended, in a word."""
    return say("records.outcome", outcome=outcome.value)


def trail_line(trail: InboundTrail) -> str:
    """Write how a message ended on one line, without its words."""
    stored = trail.inbound
    how = outcome_word(stored.outcome) if stored.outcome else say("records.on-its-way")
    reason = f": {one_line_name(stored.outcome_reason, 60)}" if stored.outcome_reason else ""
    took = duration((stored.outcome_at - stored.arrived_at) / 1000) if stored.outcome_at else ""
    after = f" · {say('records.after-time', time=took)}" if took else ""
    return f"{clock_time(stored.arrived_at)} {how}{reason}{after} · {handle(HandleKind.INBOUND, stored.id)}"


def _trail_record(trail: InboundTrail) -> OwnedRecord:
    stored = trail.inbound
    inbound = stored.inbound
    author = inbound.author
    who = say("records.author", name=one_line_name(author.name, 32), user=author.user_id, kind=author.kind.value)
    kept = () if stored.text_kept else (say("records.words-not-kept", hash=stored.text_sha256[:16]),)
    lines = (say("records.from", who=who, message=one_line_name(inbound.message_id, 40)), trail_line(trail), *kept)
    own = [RecordQuote(say("records.its-words"), inbound.text)] if stored.text_kept and inbound.text else []
    quoted = [RecordQuote(_whose(one), one.text) for one in inbound.refers if one.text]
    return OwnedRecord(
        handle(HandleKind.INBOUND, stored.id),
        of_inbound(stored),
        (*lines, *(stage_line(row) for row in trail.stages)),
        (*own, *quoted),
    )


def _whose(one: MessageReference) -> str:
    if one.author is None:
        return say("records.quoted")
    user = one.author.user_id or say("records.id-unknown")
    return say("records.quoted-by", name=one_line_name(one.author.name, 32), user=user)


def _call_line(call: ToolCallRecord) -> str:
    name = one_line_name(call.tool_name, 64)
    return say("records.tool-call", tool=name, ended="ok" if call.success else "failed", ms=f"{call.duration_ms:.0f}")


def _turn_lines(turn: StoredTurn) -> tuple[str, ...]:
    took = f" · {duration((turn.ended_at - turn.started_at) / 1000)}" if turn.ended_at else ""
    reason = f" · {one_line_name(turn.reason, 100)}" if turn.reason else ""
    triggers = ", ".join(handle(HandleKind.INBOUND, row) for row in turn.inbounds) or say("records.none")
    head = say("records.turn", kind=turn.kind.value, time=clock_time(turn.started_at), status=turn.status.value)
    return (f"{head}{reason}{took}", say("records.triggers", handles=triggers, rounds=turn.rounds))


def request_line(stored: StoredRequest) -> str:
    """Write what became of a request on one line."""
    record, attempt = stored.record, stored.attempts[-1] if stored.attempts else None
    if attempt is None:
        came = say("records.no-answer-recorded")
    elif attempt.response:
        came = say("records.answered-in", time=duration(attempt.duration_ms / 1000))
    else:
        came = say("records.failed", fault=attempt.fault)
    return say(
        "records.request-searched" if attempt is not None and attempt.searches else "records.request",
        handle=handle(HandleKind.REQUEST, stored.id),
        round=record.round + 1,
        model=one_line_name(str(record.request.model)),
        outcome=came,
    )


def _request_record(stored: StoredRequest, owner: RecordOwner) -> OwnedRecord:
    record, request = stored.record, stored.record.request
    sections = ", ".join(f"{s.name} {quantity(s.tokens)}" for s in record.sections if s.tokens)
    lines = [
        request_line(stored),
        say(
            "records.sent",
            time=clock_time(record.at),
            messages=len(request.messages),
            tools=len(request.tools),
            used=quantity(record.stats.total),
            window=quantity(record.stats.window),
        ),
        say("records.wire", hash=record.wire_sha256[:16], bytes=record.wire_bytes, encoder=record.encoder),
        say("records.sections", sections=sections) if sections else _why_empty(stored.mark),
    ]
    lines += [say("records.words-erased", time=minute(stored.mark.at))] if stored.mark and sections else []
    lines += [
        say("records.attempt", number=one.number, fault=one.fault, error=one_line_name(one.error, 120))
        for one in stored.attempts
        if one.fault
    ]
    answer = stored.response
    words: tuple[RecordQuote, ...] = ()
    if answer is not None:
        lines += answer_lines(answer)
        said = (("answer", answer.text), ("thoughts", answer.reasoning))
        words = tuple(RecordQuote(label, text, by_model=True) for label, text in said if text)
    hidden = "\n".join((request.system_text, *(message_text(m) for m in request.messages)))
    return OwnedRecord(handle(HandleKind.REQUEST, stored.id), owner, tuple(lines), words, hidden)


def answer_lines(answer: LLMResponse) -> list[str]:
    """Say what is to be known of an answer besides its words: that it thought, why it stopped, what was put right."""
    usage, lines = answer.usage, []
    if usage.reasoning:
        lines.append(say("records.thought", tokens=f"{'≈' * usage.estimated}{quantity(usage.reasoning)}"))
    if answer.stopped_with:
        lines.append(say("records.stopped-with", words=one_line_name(answer.stopped_with, 60)))
    if answer.repairs:
        lines.append(render("cortex/repairs", repairs=[one_line_name(repair, 40) for repair in answer.repairs]))
    return lines


def _why_empty(mark: RequestMark | None) -> str:
    """Say why there are no words of a request."""
    if mark is None:
        return say("records.words-too-old")
    if mark.kind is MarkKind.ROOM:
        return say("records.words-for-room", time=minute(mark.at))
    if mark.kind is MarkKind.EMBEDDED:
        return say("records.words-of-vectors")
    if mark.kind is MarkKind.UNRECORDED:
        return say("records.words-unrecorded")
    return say("records.words-erased", time=minute(mark.at))


def _delivery_record(row: StoredOutbox, agent: AgentId) -> OwnedRecord:
    body = row.body
    state = row.state.value
    parts = [say("records.delivery", kind=body.kind, part=body.part + 1, parts=body.parts, state=state)]
    parts += [say("records.platform-message", message=row.receipt.message_id)] if row.receipt else []
    parts += [one_line_name(row.error, 100)] if row.error else []
    line = " · ".join((*parts, say("records.attempts", count=row.attempts)))
    if body.inbound:
        answers = say("records.answers", handle=handle(HandleKind.INBOUND, body.inbound))
    else:
        answers = say("records.answers-nothing")
    person = PersonKey(body.to.platform, body.to.private_to) if body.to.private_to else None
    owner = of_person(person) if person else of_channel(ChannelKey(agent, body.to.channel))
    name = handle(HandleKind.DELIVERY, row.row)
    return OwnedRecord(name, owner, (line, answers), (RecordQuote("text", body.text, by_model=True),))


def compaction_record(stored: StoredCompaction, sides: CompactionSides) -> OwnedRecord:
    """Write a compaction with what stood before and what stands after; of both what is still kept."""
    before, after = "\n".join(lines_of(sides.before)), "\n\n".join(message.text for message in sides.after)
    lines = list(summary_lines(stored))
    sources = [message.summary.source_ids for message in sides.after if message.summary is not None]
    if ids := list(dict.fromkeys(one for some in sources for one in some)):
        lines.append(say("records.summary-of", count=len(ids), messages=quote_line(", ".join(ids), 200)))
    if line := origins_line(join_origins(message.origins for message in sides.after)):
        lines.append(line)
    if sides.lost:
        lines.append(say("records.sources-wiped", count=sides.lost))
    words = [RecordQuote("after", after, by_model=True)] if after else []
    if stored.body.missing:
        words.append(RecordQuote(say("records.missing-in-it"), missing_line(stored)))
    words += [RecordQuote("before", before)] if before else []
    return OwnedRecord(name_of(stored), of_channel(stored.body.key), tuple(lines), tuple(words), before)
