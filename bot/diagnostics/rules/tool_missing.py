"""TOOL-MISSING: the model asked for a tool that it was not offered, or one that is closed was talked about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.diagnostics.evidence.evidence import Evidence, ProcessTool
from bot.diagnostics.evidence.evidence_reader import last_request, message, message_ref, outcome, place_name, ref
from bot.domain.channel import ProcessKind
from bot.domain.finding import Confidence, Finding, FunnelStage
from bot.domain.handles import HandleKind
from bot.domain.ledger import Outcome
from bot.domain.snapshot import SectionFate, tools_named
from bot.domain.turn import StoredRequest
from bot.sentences import say
from bot.text.text import quote_line

_JOINT = "[ _-]{0,2}"
_JOINTS = re.compile(r"[\W_]+")


def check(evidence: Evidence) -> Iterator[Finding]:
    """Compare what was called, or talked about, with what the request offered, and say why it was not offered."""
    if outcome(evidence) is not Outcome.REPLIED:
        return
    if missing := _missing(evidence):
        name = missing[0]
        called = quote_line(name, 30) or say("tool_missing.nameless")
        what = say("tool_missing.called", tool=called, more=len(missing) - 1)
        yield _finding(evidence, name, what, Confidence.CONFIRMED)
    elif spoken := _spoken_of(evidence):
        name, who = spoken
        what = say("tool_missing.spoken-of", who=who, tool=quote_line(name, 30))
        yield _finding(evidence, name, what, Confidence.LIKELY)


def _finding(evidence: Evidence, name: str, what: str, confidence: Confidence) -> Finding:
    turn, request = evidence.turn, last_request(evidence)
    offered = len(_callable(request)) if request else 0
    return Finding(
        rule="TOOL-MISSING",
        stage=FunnelStage.DECISION,
        confidence=confidence,
        verdict=say("tool_missing.verdict", place=place_name(evidence)),
        why=(what, say("tool_missing.not-offered", count=offered), _reason(evidence, name)),
        evidence=(
            *(ref(HandleKind.TURN, turn.turn.id, say("tool_missing.turn")) if turn else ()),
            *(ref(HandleKind.REQUEST, request.id, say("tool_missing.request")) if request else ()),
            *message_ref(evidence),
        ),
        advice=say("tool_missing.invented"),
        operator_advice=say("tool_missing.open-it" if _is_closed(evidence, name) else "tool_missing.say-cannot"),
        settle="" if confidence is Confidence.CONFIRMED else say("tool_missing.settle"),
    )


def _spoken_of(evidence: Evidence) -> tuple[str, str] | None:
    """Return a tool that is closed here and who speaks of it by its name, however its words are joined."""
    request, asked = last_request(evidence), message(evidence)
    if request is None or request.response is None or asked is None:
        return None
    texts = {"answer": request.response.text, "message": asked.inbound.text}
    closed = dict.fromkeys(tool.name for tool in evidence.tools if _is_closed(evidence, tool.name))
    for who, text in texts.items():
        for name in closed:
            words = [re.escape(word) for word in _JOINTS.split(name) if word]
            # one word alone may be anybody's
            if len(words) > 1 and re.search(rf"\b{_JOINT.join(words)}\b", text, re.IGNORECASE):
                return name, who
    return None


def _missing(evidence: Evidence) -> list[str]:
    turn = evidence.turn
    requests = turn.requests if turn else ()
    offered = {name for request in requests for name in _callable(request)}
    calls = turn.calls if turn else ()
    return list(dict.fromkeys(call.tool_name for call in calls if not call.success and call.tool_name not in offered))


def _callable(request: StoredRequest) -> set[str]:
    """Name what a request offers, in words too, and what it only names: a call of that works as well."""
    record = request.record
    kept = (trace for trace in record.sections if trace.fate is SectionFate.KEPT)
    return {tool.name for tool in record.request.tools}.union(*(tools_named(trace.sources) for trace in kept))


def _known(evidence: Evidence, name: str) -> list[ProcessTool]:
    """Return where there is such a tool; first the process that speaks in the channel."""
    known = [tool for tool in evidence.tools if tool.name == name]
    return sorted(known, key=lambda tool: tool.process is not ProcessKind.CHANNEL)


def _is_closed(evidence: Evidence, name: str) -> bool:
    return any(tool.closed for tool in _known(evidence, name)[:1])


def _reason(evidence: Evidence, name: str) -> str:
    """Say who has it, else that nobody does; and the line of the configuration that keeps it closed."""
    if not name.strip():
        return say("tool_missing.call-has-to-say")
    if not (known := _known(evidence, name)):
        return say("tool_missing.nobody-has-it" if evidence.tools else "tool_missing.not-known")
    tool = known[0]
    is_here = tool.process is ProcessKind.CHANNEL
    if tool.closed and is_here:
        return say("tool_missing.closed-here", reason=quote_line(tool.closed, 60))
    if tool.closed:
        return say("tool_missing.closed-there", process=tool.process.value, reason=quote_line(tool.closed, 60))
    if is_here:
        return say("tool_missing.needs-authority", authority=tool.authority.word)
    return say("tool_missing.only-there", process=tool.process.value)
