"""What the model was told, or would be told: as a map of its blocks, as their words, and beside another one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from bot.cortex.pages.capture_comparer import CONTEXTS, CaptureComparer, named_pair
from bot.cortex.pages.context_capture import Capture
from bot.cortex.pages.diff_page import kind_text, values
from bot.cortex.pages.usage_page import read_live_view
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.ids import ChannelKey
from bot.domain.snapshot import CaptureKind, SectionFate
from bot.errors import UserError
from bot.inspect.diff.change_events import EpochKind
from bot.inspect.diff.context_diff import line_changes
from bot.inspect.usage.usage_json import view_values
from bot.sentences import say
from bot.text.text import one_line_name
from bot.window.request_blocks import MAX_WORDS_CHARS, RequestBlocks
from bot.window.talk import named, sent_values
from bot.window.visit import LookForm, Visit, address_of

_MAX_LINES = 400
_MAX_MARK_CHARS = 400
_SEEN_CHARS = 12
"""Of a digest, which is enough to tell one request of a channel from the next."""
_MAX_PAGE_AGE_MS = 3_600_000
"""So long after it was opened the blocks of a page of what would be sent next are found."""


async def request(visit: Visit) -> dict[str, Any]:
    """Show a request that was sent, by its handle or by that of what led to it."""
    found = await visit.find(visit.name)
    row = await visit.sources.parser.request_of(found.meant)
    return await _context(visit, found.target, row, {})


async def context(visit: Visit) -> dict[str, Any]:
    """Show the last request of a channel, the one that runs, or what the next would be."""
    target = (await visit.channel()).target
    which = visit.query.get("which", "next")
    if which not in CONTEXTS:
        raise UserError(say("window.no-such-context", names=", ".join(CONTEXTS)))
    found = await _comparing(visit).which(target.key, which)
    return await _context(visit, target, found, {"of": address_of(target.key), "which": which})


async def _context(
    visit: Visit, target: TargetChannel, which: CaptureKind | int, address: dict[str, str]
) -> dict[str, Any]:
    sources = visit.sources
    capture = await sources.captures.capture(visit.caller, target, which, _moment_asked(visit))
    blocks = RequestBlocks(capture.shown, reads=capture.reads, mark=visit.query.get("mark", "")[:_MAX_MARK_CHARS])
    seen = visit.query.get("as", "")
    if seen and seen != capture.seen.digest[:_SEEN_CHARS]:
        raise UserError(say("window.request-changed"))
    told = {
        "screen": "request",
        "channel": named(target),
        "which": address.get("which", ""),
        "reads": capture.reads,
        "mark": blocks.mark,
        "marked": blocks.marked,
    }
    if visit.is_read:
        told |= blocks.page(_number(visit.query.get("from", "")), alone=visit.form is LookForm.PART)
        told |= {"address": address, "more": _more(visit, capture, address)}
    if visit.form is LookForm.PART:
        return told
    view = await read_live_view(sources.store, capture.inspection, capture.shown, sources.thresholds())
    if visit.form is LookForm.WHOLE:
        told["blocks"] = [blocks.values(number) for number in range(1, blocks.count + 1)]
    return {
        **told,
        "exact": capture.shown.exact,
        "redactions": capture.shown.redactions,
        "withheld": capture.shown.withheld,
        "note": capture.shown.note,
        "context": view_values(view),
        "left_out": [
            {"name": one.trace.name, "fate": one.trace.fate.value, "reason": one.trace.reason}
            for one in capture.shown.sections
            if one.trace.fate is not SectionFate.KEPT
        ],
        "came_back": _came_back(capture),
        "unread": list(view.unread),
    }


def _moment_asked(visit: Visit) -> int:
    """Return as of when the next request is to be made, so that all parts of a page are of one; 0: now."""
    at, now = _number(visit.query.get("at", "")), visit.sources.clock.now()
    return at if now - _MAX_PAGE_AGE_MS < at <= now else 0


def _number(said: str) -> int:
    return int(said) if said.isascii() and said.isdigit() and len(said) < 15 else 0


def _more(visit: Visit, capture: Capture, address: dict[str, str]) -> str:
    """Return the beginning of the links to the other blocks of what is shown; behind it goes the first of them."""
    seen, mark, sent = capture.seen, visit.query.get("mark", ""), capture.shown.handle
    # what is last now may not be the last any more when somebody has scrolled on
    path, query = (f"/request/{sent}", {}) if sent else ("/context", dict(address))
    query["as"] = seen.digest[:_SEEN_CHARS]
    if capture.shown.which is CaptureKind.NEXT:
        query["at"] = str(seen.at)
    if mark and len(mark.encode(errors="replace")) <= _MAX_MARK_CHARS:
        query["mark"] = mark
    return f"{path}?{urlencode(query)}&from="


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
        for cause in change["causes"] if visit.is_read else ():
            cause["kind"] = kind_text(EpochKind(cause["kind"]))
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
        rows += [{"sign": "@", "text": _line_text(lines.second if lines.after else lines.first)}]
        rows += [{"sign": "−", "text": line} for line in lines.before]
        rows += [{"sign": "+", "text": line} for line in lines.after]
    return rows[:_MAX_LINES]


def _line_text(number: int) -> str:
    return say("window.line", number=str(number))
