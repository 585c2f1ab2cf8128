"""What the model was told, or would be told: as a map of its blocks, as their words, and beside another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.cortex.pages.capture_comparer import CONTEXTS, CaptureComparer, named_pair
from bot.cortex.pages.context_capture import Capture
from bot.cortex.pages.diff_page import values
from bot.cortex.pages.usage_page import read_live_view
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.messages import Role
from bot.domain.snapshot import CaptureKind, SectionFate, SectionStability
from bot.errors import UserError
from bot.inspect.capture.reader_view import InspectedContext, ShownMessage
from bot.inspect.diff.context_diff import line_changes
from bot.inspect.usage.usage_json import view_values
from bot.text.text import one_line_name
from bot.window.talk import named, sent_values
from bot.window.visit import Visit

MAX_WORDS_CHARS = 8000
"""So much of one block is shown; `!cortex export` has all of it."""
_MAX_LINES = 400
_MAX_MARK_CHARS = 400
_BEFORE_MARK_CHARS = 2000


async def request(visit: Visit) -> dict[str, Any]:
    """Show a request that was sent, by its handle or by that of what led to it."""
    found = await visit.find(visit.name)
    row = await visit.sources.parser.request_of(found.meant)
    return {**await _context(visit, found.target, row), "which": ""}


async def context(visit: Visit) -> dict[str, Any]:
    """Show the last request of a channel, the one that runs, or what the next would be."""
    target = (await visit.channel()).target
    which = visit.query.get("which", "next")
    if which not in CONTEXTS:
        raise UserError(f"There is no such context. Those with a name: {', '.join(CONTEXTS)}.")
    comparing = _comparing(visit)
    return {**await _context(visit, target, await comparing.which(target.key, which)), "which": which}


async def _context(visit: Visit, target: TargetChannel, which: CaptureKind | int) -> dict[str, Any]:
    sources = visit.sources
    capture = await sources.looking.capture(visit.caller, target, which)
    view = await read_live_view(sources.store, capture.inspection, capture.shown, sources.thresholds())
    mark = visit.query.get("mark", "")[:_MAX_MARK_CHARS]
    blocks = [_cut(block, mark) for block in _blocks(capture.shown, reads=capture.reads)]
    whole = sum(block["tokens"] for block in blocks)
    for block in blocks:
        block["share"] = round(100 * block["tokens"] / whole, 2) if whole else 0.0
    return {
        "screen": "request",
        "channel": named(target),
        "reads": capture.reads,
        "exact": capture.shown.exact,
        "redactions": capture.shown.redactions,
        "withheld": capture.shown.withheld,
        "note": capture.shown.note,
        "context": view_values(view),
        "mark": mark,
        "marked": [number for number, block in enumerate(blocks, 1) if block["pieces"]],
        "blocks": blocks,
        "left_out": [
            {"name": one.trace.name, "fate": one.trace.fate.value, "reason": one.trace.reason}
            for one in capture.shown.sections
            if one.trace.fate is not SectionFate.KEPT
        ],
        "came_back": _came_back(capture),
        "unread": list(view.unread),
    }


def _blocks(shown: InspectedContext, *, reads: bool) -> Iterator[dict[str, Any]]:
    """Name every block of a request in its order; what moves with each request stands in its last message."""
    kept = [one for one in shown.sections if one.trace.fate is SectionFate.KEPT]
    fixed = [one for one in kept if one.trace.stability is not SectionStability.VOLATILE]
    for one in fixed:
        trace = one.trace
        yield _block("section", trace.stability.value, trace.name, trace.tokens, one.text, trace.sources)
    between = shown.stats.system_prompt - sum(one.trace.tokens for one in fixed)
    if between > 0:
        yield _block("section", "static", "between them", between, "", ())
    for tool in shown.tools:
        told = tool.definition
        yield _block("tool", "tools", told.name, tool.tokens, f"{told.description}\n\n{told.parameters}", ())
    for number, said in enumerate(shown.messages, 1):
        yield _message(said, is_last=number == len(shown.messages), reads=reads)
    if shown.stats.overhead:
        yield _block("overhead", "overhead", "format", shown.stats.overhead, "", ())


def _message(said: ShownMessage, *, is_last: bool, reads: bool) -> dict[str, Any]:
    message = said.message
    if message.summary is not None:
        layer, name = "summary", "summary"
    elif message.role is Role.USER:
        layer, name = "asked" if is_last else "said", "person"
    else:
        layer, name = "said", message.role.value
    if message.author is not None and message.role is Role.USER and reads:
        name = one_line_name(message.author.name, 32)
    block = _block("message", layer, f"{said.index} {name}", said.tokens, said.content, ())
    return {**block, "inbound": handle(HandleKind.INBOUND, message.inbound) if message.inbound else None}


def _block(kind: str, layer: str, name: str, tokens: int, words: str, sources: tuple[str, ...]) -> dict[str, Any]:
    return {
        "kind": kind,
        "layer": layer,
        "name": name,
        "tokens": tokens,
        "share": 0.0,
        "words": words,
        "cut": 0,
        "pieces": [],
        "sources": list(sources),
        "inbound": None,
    }


def _cut(block: dict[str, Any], mark: str) -> dict[str, Any]:
    """Shorten the words of a block; where a quote is looked for, around the first place where it stands."""
    words: str = block["words"]
    at = words.find(mark) if mark else -1
    begin = max(0, at - _BEFORE_MARK_CHARS) if at + len(mark) > MAX_WORDS_CHARS else 0
    shown = words[begin : begin + MAX_WORDS_CHARS]
    if at >= 0:
        before, *rest = shown.split(mark)
        block["pieces"] = [{"text": before, "marked": False}]
        for text in rest:
            block["pieces"] += [{"text": mark, "marked": True}, {"text": text, "marked": False}]
    return {**block, "words": shown, "cut": len(words) - len(shown)}


def _came_back(capture: Capture) -> dict[str, Any] | None:
    stored = capture.inspection.stored
    if stored is None:
        return None
    answer, reads = stored.response, capture.reads
    told: dict[str, Any] = {**sent_values(stored, stored.record.at), "answer": None, "calls": [], "stopped": None}
    if answer is not None:
        told["stopped"] = one_line_name(answer.stopped_with, 60) if answer.stopped_with else None
        told["calls"] = [
            {"name": call.name, "arguments": call.arguments[:MAX_WORDS_CHARS] if reads else None}
            for call in answer.calls
        ]
        told["answer"] = answer.text[:MAX_WORDS_CHARS] if reads else None
        told["thoughts"] = answer.reasoning[:MAX_WORDS_CHARS] if reads else None
    return told


def _comparing(visit: Visit) -> CaptureComparer:
    sources = visit.sources

    async def capture(key: ChannelKey, which: CaptureKind | int) -> Capture:
        target = (await visit.find(f"{key.agent}/{key.channel}")).target
        return await sources.looking.capture(visit.caller, target, which)

    return CaptureComparer(sources.store, capture, sources.clock.now())


async def diff(visit: Visit) -> dict[str, Any]:
    """Compare any two contexts: named ones of a channel, or requests by their handles."""
    comparing = _comparing(visit)
    pair = named_pair(visit.query.get("a", ""), visit.query.get("b", ""))
    if not any(pair):
        pair = await comparing.usual((await visit.channel()).target.key)
    targets = [(await visit.channel() if one in CONTEXTS else await visit.find(one)) for one in pair]
    sides = []
    for one, found in zip(pair, targets, strict=True):
        key = found.target.key
        named_one = one in CONTEXTS
        which = await comparing.which(key, one) if named_one else await visit.sources.parser.request_of(found.meant)
        sides.append(await comparing.side(key, which))
    (before, state), (after, latest) = sides
    told = values(await comparing.compared(before, after, latest or state))
    for change in told["changes"]:
        change["lines"] = _lines(change)
    return {"screen": "diff", "channel": named(targets[1].target), "pair": list(pair), **told}


def _lines(change: dict[str, Any]) -> list[dict[str, str]]:
    """Return what differs, line by line."""
    old, new = (
        "\n\n".join(piece["text"] for piece in change[side]) if change[side] else "" for side in ("before", "after")
    )
    if not old or not new:
        sign, text = ("+", new) if new else ("−", old)
        return [{"sign": sign, "text": line} for line in text.split("\n")[:_MAX_LINES]] if text else []
    rows = []
    for lines in line_changes(old, new):
        rows += [{"sign": "@", "text": f"line {lines.second if lines.after else lines.first}"}]
        rows += [{"sign": "−", "text": line} for line in lines.before]
        rows += [{"sign": "+", "text": line} for line in lines.after]
    return rows[:_MAX_LINES]
