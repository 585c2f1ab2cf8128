"""Make spans of records: what belongs together is known by rows, and whatever is told later finds its place by them."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from adapters.otel import semconv
from adapters.otel.content import ContentWriter, memory_name
from adapters.otel.span import Attribute, Span, SpanKind, TraceIds
from bot.domain.finding import Diagnosis
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import platform_of
from bot.domain.ledger import FailReason
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.process import ProcessState, StoredProcess
from bot.domain.revisions import RevisionCause
from bot.domain.spread_items import RECALL_TOOL, recalled_memories
from bot.domain.turn import AttemptRecord, CallState, RequestRecord, ToolCallRecord, TurnEnd, TurnStart, TurnStatus
from bot.ports.traces import ChangedMemory, SentChunk
from bot.runtime.lru_cache import LRUCache

KEPT = 4_000
"""Of how many turns, requests and messages it is known what they belong to; of others it is looked up by their rows."""
_FAILED_TURNS = frozenset({TurnStatus.FAILED, TurnStatus.INTERRUPTED})
_FAIL_REASONS = frozenset(reason.value for reason in FailReason)
_UNFINISHED = frozenset({CallState.STARTED, CallState.RUNNING, CallState.PENDING})
_UNKNOWN_TOOL = "unknown"
_MEMORY_OPERATIONS = {
    RevisionCause.SAVED: semconv.CREATE_MEMORY,
    RevisionCause.CONFIRMED: semconv.UPDATE_MEMORY,
    RevisionCause.MERGED: semconv.UPDATE_MEMORY,
    RevisionCause.SPLIT: semconv.UPDATE_MEMORY,
    RevisionCause.RESTORED: semconv.CREATE_MEMORY,
    RevisionCause.IMPORTED: semconv.CREATE_MEMORY,
    RevisionCause.FORGOTTEN: semconv.DELETE_MEMORY,
    RevisionCause.EVICTED: semconv.DELETE_MEMORY,
    RevisionCause.WIPED: semconv.DELETE_MEMORY,
    RevisionCause.ERASED: semconv.DELETE_MEMORY,
}
"""Which operation a change of a memory is; what is none (that its channel moved, say) is not shown."""
_A_NAME = re.compile(r"[\w.:/@+-]{1,200}")
"""What a service calls a model or an answer; other words of it may be anybody's."""


class _TurnPlace(NamedTuple):
    """Where a turn stands; `says` is whether what is said in it may be shown."""

    trace: bytes
    span: bytes
    parent: bytes
    start: TurnStart
    says: bool


class _Asked(NamedTuple):
    """What is told of a request when its answer is there. `request` is None where nobody is shown its words."""

    turn: int
    model: str
    attributes: tuple[tuple[str, Attribute], ...]
    request: LLMRequest | None
    words: bool


class SpanRecorder:
    """Implements `bot.ports.traces.Traces`: hands each span to `take`, which returns at once."""

    def __init__(self, content: ContentWriter, take: Callable[[Span], None]) -> None:
        self._content = content
        self._take = take
        self._ids = TraceIds(b"")
        self._is_known_tool: Callable[[str], bool] = lambda _: False
        self._turns: LRUCache[int, _TurnPlace] = LRUCache(KEPT)
        self._requests: LRUCache[int, _Asked] = LRUCache(KEPT)
        self._turn_of: LRUCache[int, int] = LRUCache(KEPT)
        self._work_of: LRUCache[int, tuple[bytes, int]] = LRUCache(KEPT)
        # the writer's thread tells of most, the loop's of what was found
        self._lock = threading.Lock()

    def begin(self, key: bytes) -> None:
        """Name traces by a key from now on."""
        self._ids = TraceIds(key)

    def know_tools(self, is_known: Callable[[str], bool]) -> None:
        """Name tools by what is known alone."""
        self._is_known_tool = is_known

    def began(self, turn: int, start: TurnStart) -> None:
        """Remember where a turn stands."""
        about = start.inbounds[-1] if start.inbounds else start.about
        trace, process = self._ids.trace(about, turn), start.process
        says = not start.session and (not start.is_private or self._content.has("direct_messages"))
        with self._lock:
            # what tells of a result goes on with what the work was for
            if work := self._work_of.get(about):
                trace, process = work
            parent = self._ids.span("process", process) if process else b""
            place = _TurnPlace(trace, self._ids.span("turn", turn), parent, start, says)
            self._turns.put(turn, place)
            for inbound in start.inbounds:
                self._turn_of.put(inbound, turn)

    def requested(self, row: int, record: RequestRecord) -> None:
        """Remember what a model is asked."""
        request = record.request
        attributes: tuple[tuple[str, Attribute], ...] = (
            (semconv.OPERATION, semconv.CHAT),
            (semconv.PROVIDER, request.model.provider),
            (semconv.REQUEST_MODEL, request.model.model),
            (semconv.MAX_TOKENS, request.max_output_tokens),
            (semconv.CONVERSATION, record.channel),
            (semconv.REQUEST, handle(HandleKind.REQUEST, row)),
            (semconv.TURN, handle(HandleKind.TURN, record.turn)),
            (semconv.KIND, record.kind.value),
            (semconv.ROUND, record.round),
            (semconv.CONTEXT_TOKENS, record.stats.total),
            (semconv.DIGEST, record.digest),
            (semconv.WIRE_SHA256, record.wire_sha256),
            (semconv.WIRE_BYTES, record.wire_bytes),
        )
        words = record.words
        shown = request if words and self._content.shows_requests else None
        with self._lock:
            self._requests.put(row, _Asked(record.turn, request.model.model, attributes, shown, words))

    def attempted(self, attempt: AttemptRecord) -> None:
        """Show what a model was asked, and what came back."""
        with self._lock:
            asked = self._requests.get(attempt.request)
            place = self._turns.get(asked.turn) if asked is not None else None
        if asked is None or place is None:
            return
        failed = attempt.response is None
        self._take(
            Span(
                f"{semconv.CHAT} {asked.model}",
                SpanKind.CLIENT,
                place.trace,
                self._ids.span("attempt", attempt.request, attempt.number),
                place.span,
                attempt.at,
                attempt.at + attempt.duration_ms,
                (*asked.attributes, *_of_attempt(attempt), *self._said(asked, attempt.response, place)),
                is_error=failed,
            )
        )

    def called(self, turn: int, rows: Sequence[int], calls: Sequence[ToolCallRecord]) -> None:
        """Show what tools were called."""
        with self._lock:
            place = self._turns.get(turn)
        for row, call in zip(rows, calls, strict=True):
            if place is not None and call.is_at not in _UNFINISHED:
                self._show_call(row, call, place)

    def ended(self, end: TurnEnd, start: TurnStart) -> None:
        """Show a turn."""
        with self._lock:
            place = self._turns.get(end.turn)
        if place is None:
            # it began in another process, or very long ago
            self.began(end.turn, start)
            return self.ended(end, start)
        kept = place.start
        code = end.reason.partition(":")[0]
        code = code if code in _FAIL_REASONS else ""
        failed = end.status in _FAILED_TURNS
        self._take(
            Span(
                f"{semconv.INVOKE_AGENT} {kept.agent}",
                SpanKind.INTERNAL,
                place.trace,
                place.span,
                place.parent,
                kept.at,
                end.at,
                (
                    (semconv.OPERATION, semconv.INVOKE_AGENT),
                    (semconv.AGENT_NAME, str(kept.agent)),
                    (semconv.CONVERSATION, end.channel),
                    (semconv.TURN, handle(HandleKind.TURN, end.turn)),
                    (semconv.INBOUND, _inbound(kept)),
                    (semconv.INBOUNDS, tuple(handle(HandleKind.INBOUND, row) for row in kept.inbounds)),
                    (semconv.SESSION, handle(HandleKind.SESSION, kept.session) if kept.session else ""),
                    (semconv.KIND, kept.kind.value),
                    (semconv.OUTCOME, end.status.value),
                    (semconv.CODE, code),
                    (semconv.ROUNDS, end.rounds),
                    (semconv.ERROR, (code or end.status.value) if failed else ""),
                ),
                is_error=failed,
            )
        )

    def finished(self, process: StoredProcess) -> None:
        """Show a branch or a worker, with all its turns below it."""
        body = process.body
        with self._lock:
            above = self._turns.get(body.parent_turn)
            trace = above.trace if above is not None else self._ids.trace(body.inbound, body.parent_turn)
            if process.row:
                self._work_of.put(process.row, (trace, process.id))
        parent = self._ids.span("process", body.parent_process) if body.parent_process else b""
        failed = process.state in {ProcessState.FAILED, ProcessState.TIMEOUT}
        self._take(
            Span(
                f"{semconv.INVOKE_AGENT} {body.kind.value}",
                SpanKind.INTERNAL,
                trace,
                self._ids.span("process", process.id),
                above.span if above is not None else parent or self._ids.span("turn", body.parent_turn),
                process.started_at,
                process.ended_at,
                (
                    (semconv.OPERATION, semconv.INVOKE_AGENT),
                    (semconv.AGENT_NAME, body.kind.value),
                    (semconv.CONVERSATION, body.channel),
                    (semconv.PROCESS, process.handle),
                    (semconv.INBOUND, handle(HandleKind.INBOUND, body.inbound) if body.inbound else ""),
                    (semconv.KIND, body.kind.value),
                    (semconv.OUTCOME, process.state.value),
                    (semconv.CALLS, process.calls),
                    (semconv.ERROR, process.state.value if failed else ""),
                ),
                is_error=failed,
            )
        )

    def sent(self, chunk: SentChunk) -> None:
        """Show what a platform took."""
        with self._lock:
            place = self._turns.get(chunk.turn) if chunk.turn else None
            turn = chunk.turn or self._turn_of.get(chunk.inbound) or 0
        platform = platform_of(chunk.channel)  # type: ignore[arg-type]
        self._take(
            Span(
                f"send {platform}",
                SpanKind.PRODUCER,
                place.trace if place is not None else self._ids.trace(chunk.inbound, turn or -chunk.row),
                self._ids.span("delivery", chunk.row, chunk.attempts),
                place.span if place is not None else self._ids.span("turn", turn) if turn else b"",
                chunk.created_at,
                chunk.receipt.at,
                (
                    (semconv.MESSAGING_SYSTEM, platform),
                    (semconv.MESSAGING_OPERATION, "send"),
                    (semconv.MESSAGING_TYPE, "send"),
                    (semconv.MESSAGING_DESTINATION, chunk.channel),
                    (semconv.MESSAGING_ID, chunk.receipt.message_id),
                    (semconv.DELIVERY, handle(HandleKind.DELIVERY, chunk.row)),
                    (semconv.INBOUND, handle(HandleKind.INBOUND, chunk.inbound) if chunk.inbound else ""),
                    (semconv.KIND, chunk.kind),
                    (semconv.PART, chunk.part),
                    (semconv.ATTEMPTS, chunk.attempts),
                ),
            )
        )

    def remembered(self, memory: ChangedMemory) -> None:
        """Show what became of a memory."""
        operation, by = _MEMORY_OPERATIONS.get(memory.cause), memory.by
        if operation is None:
            return
        with self._lock:
            place = self._turns.get(by.turn)
        name = memory_name(memory.row)
        records = self._content.memory(name, memory.words) if place is not None and place.says else None
        self._take(
            Span(
                operation,
                SpanKind.INTERNAL,
                place.trace if place is not None else self._ids.trace(by.inbound, by.turn or -memory.row),
                self._ids.span("memory", memory.row, memory.at, _number_of(memory.cause)),
                self._ids.span("turn", by.turn) if by.turn else b"",
                memory.at,
                memory.at,
                (
                    (semconv.OPERATION, operation),
                    (semconv.AGENT_NAME, memory.agent),
                    (semconv.MEMORY, name),
                    (semconv.MEMORY_COUNT, 1),
                    (semconv.CAUSE, memory.cause.value),
                    (semconv.MEMORY_RECORDS, records),
                ),
            )
        )

    def found(self, diagnosis: Diagnosis) -> None:
        """Show what an admin was told of a message, beside the turn that it came to."""
        with self._lock:
            turn = self._turn_of.get(diagnosis.inbound) or 0
            place = self._turns.get(turn)
        finding = diagnosis.findings[0] if diagnosis.findings else None
        name = finding.rule if finding is not None else "none"
        says = place is not None and place.says
        self._take(
            Span(
                f"evaluate {name}",
                SpanKind.INTERNAL,
                place.trace if place is not None else self._ids.trace(diagnosis.inbound, -diagnosis.at),
                self._ids.span("finding", diagnosis.inbound, diagnosis.at),
                place.span if place is not None else b"",
                diagnosis.at,
                diagnosis.at,
                (
                    (semconv.EVALUATION_NAME, name),
                    (semconv.EVALUATION_LABEL, finding.confidence.value if finding is not None else "nothing found"),
                    (semconv.EVALUATION_EXPLANATION, self._content.explanation(finding) if finding and says else None),
                    (semconv.STAGE, finding.stage.name.lower() if finding is not None else ""),
                    (semconv.CONVERSATION, diagnosis.channel),
                    (semconv.INBOUND, handle(HandleKind.INBOUND, diagnosis.inbound) if diagnosis.inbound else ""),
                ),
                event=semconv.EVALUATION_EVENT,
            )
        )

    def _show_call(self, row: int, call: ToolCallRecord, place: _TurnPlace) -> None:
        name = call.tool_name if self._is_known_tool(call.tool_name) else _UNKNOWN_TOOL
        start, end = call.execution_start, call.execution_start + call.duration_ms
        span = self._ids.span("call", row)
        arguments = self._content.tool_arguments(call.raw_arguments_json) if place.says else None
        result = self._content.tool_result(call.result_output) if place.says else None
        shared: tuple[tuple[str, Attribute], ...] = (
            (semconv.CONVERSATION, place.start.channel),
            (semconv.CALL, handle(HandleKind.CALL, row)),
        )
        self._take(
            Span(
                f"{semconv.EXECUTE_TOOL} {name}",
                SpanKind.INTERNAL,
                place.trace,
                span,
                place.span,
                start,
                end,
                (
                    (semconv.OPERATION, semconv.EXECUTE_TOOL),
                    (semconv.TOOL_NAME, name),
                    (semconv.TOOL_TYPE, "function"),
                    *shared,
                    (semconv.ROUND, call.round_number),
                    (semconv.OUTCOME, call.is_at.value),
                    (semconv.ERROR, "" if call.success else call.is_at.value),
                    (semconv.TOOL_ARGUMENTS, arguments),
                    (semconv.TOOL_RESULT, result),
                ),
                is_error=not call.success,
            )
        )
        if call.tool_name == RECALL_TOOL and call.success:
            count = len(recalled_memories(call.result_output))
            self._take(
                Span(
                    semconv.SEARCH_MEMORY,
                    SpanKind.INTERNAL,
                    place.trace,
                    self._ids.span("search", row),
                    span,
                    start,
                    end,
                    ((semconv.OPERATION, semconv.SEARCH_MEMORY), (semconv.MEMORY_COUNT, count), *shared),
                )
            )

    def _said(
        self, asked: _Asked, response: LLMResponse | None, place: _TurnPlace
    ) -> tuple[tuple[str, Attribute], ...]:
        if not place.says or not asked.words:
            return ()
        content, request = self._content, asked.request
        shown: tuple[tuple[str, Attribute], ...] = ()
        if request is not None:
            shown = (
                (semconv.SYSTEM_INSTRUCTIONS, content.system_instructions(request)),
                (semconv.INPUT_MESSAGES, content.input_messages(request)),
                (semconv.TOOL_DEFINITIONS, content.tool_definitions(request)),
            )
        if response is not None:
            shown = (*shown, (semconv.OUTPUT_MESSAGES, content.output_messages(response)))
        return shown


def _of_attempt(attempt: AttemptRecord) -> tuple[tuple[str, Attribute], ...]:
    first = attempt.first_token_ms / 1000 if attempt.first_token_ms is not None else None
    shared: tuple[tuple[str, Attribute], ...] = (
        (semconv.ATTEMPT, attempt.number),
        (semconv.FIRST_CHUNK, first),
        (semconv.COST, attempt.cost_usd),
    )
    response = attempt.response
    if response is None:
        return (*shared, (semconv.ERROR, attempt.fault), (semconv.STATUS_CODE, attempt.status))
    usage = response.usage
    return (
        *shared,
        (semconv.RESPONSE_MODEL, _named(response.answered_by)),
        (semconv.RESPONSE_ID, _named(response.response_id)),
        (semconv.FINISH_REASONS, (response.finish.value,)),
        (semconv.INPUT_TOKENS, usage.input),
        (semconv.OUTPUT_TOKENS, usage.output),
        (semconv.CACHED_TOKENS, usage.cached),
        (semconv.WRITTEN_TOKENS, usage.written),
        (semconv.REASONING_TOKENS, usage.reasoning),
    )


def _named(word: str) -> str:
    return word if _A_NAME.fullmatch(word) else ""


def _inbound(start: TurnStart) -> str:
    row = start.inbounds[-1] if start.inbounds else start.about
    return handle(HandleKind.INBOUND, row) if row else ""


def _number_of(cause: RevisionCause) -> int:
    """Tell two changes of one moment apart."""
    return tuple(RevisionCause).index(cause)
