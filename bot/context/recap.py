"""Stand in for tool calls that are not sent any more: which ones, in what order, in lines that nobody can forge. Pure.

Same parts, same bytes: nothing here depends on the clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import attrgetter

from bot.context.compaction import RequestFullness
from bot.context.tokens import by_bytes
from bot.domain.base import FrozenModel, canonical_json
from bot.domain.channel import ChannelState, Turn
from bot.domain.handles import HandleKind, handle
from bot.domain.turn import CallPart, CallState
from bot.prompts import render
from bot.text.text import visible

MAX_PARTS = 200
"""How many parts are read."""
MAX_EVENTS = 12
MAX_PREVIEW_CHARS = 280
_MIN_PREVIEW_CHARS = 64
"""Characters of a preview that always fit, whatever they are."""
MAX_CHARS = 3500
MAX_TOKENS = 800
UNAVAILABLE = "[tool recap unavailable]"
MAX_REMEMBERED_TURNS = 8
"""Of how many turns it is remembered that their calls are not in the history."""
_NEARLY_FULL_SHARE = 0.9
"""From this share of the room on, the next request may leave turns out."""
MAX_AGE_TURNS = 20
"""How many turns later that is forgotten."""
# What tool output is full of, ids and numbers, signs and other scripts, has tokens of fewer bytes than prose has, and
# a section must say the same whoever counts: so it is priced dearly here, and counted where everything is.
_BYTES_PER_TOKEN = (
    (re.compile(r"(?<![A-Za-z0-9])(?![A-Za-z]*[bcdfghjklmnpqrstvwxz]{5})[A-Za-z][a-z]{1,13}(?![A-Za-z0-9]) ?"), 4.0),
    (re.compile(r"(?<![A-Za-z0-9])[0-9]+(?![A-Za-z0-9]) ?"), 3.0),
    (re.compile(r"[!-/:-@\[-`{-~\s]+"), 1.45),
    # the marks of `visible`
    (re.compile("[⟨⟩]"), 0.34),
)
_MIN_BYTES_A_TOKEN = 1.4
_IS_SHORTENED = attrgetter("is_shortened")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_OPEN = frozenset({CallState.PENDING, CallState.RUNNING, CallState.UNKNOWN})


class RecapEvent(FrozenModel):
    """A call as the recap tells of it. `out` is a preview, redacted and cut; `record` opens the whole of it."""

    turn: int
    seq: int
    tool: str
    state: CallState
    ms: int | None
    record: str
    out: str


def is_missing_any(state: ChannelState) -> bool:
    """Say whether calls may be missing from what is sent; asked for every request, so it reads nothing."""
    last = state.last
    if last is not None and (last.is_full or last.lost_calls):
        return True
    return any(map(_IS_SHORTENED, state.turns))


def is_nearly_full(size: RequestFullness) -> bool:
    """Say whether a request left turns out, or the next one may."""
    return size.dropped > 0 or size.used > _NEARLY_FULL_SHARE * size.room


def parts_needed(state: ChannelState) -> int:
    """Return how many of the newest parts hold all that may be told of; no more than may be read."""
    if state.last is not None and state.last.is_full:
        # what will be left out is not known yet
        return MAX_PARTS
    return min(MAX_PARTS, sum(shown_by(state.turns).values()) + MAX_EVENTS)


def shown_by(turns: Sequence[Turn]) -> dict[int, int]:
    """Return how many calls each of these turns shows; its own calls come first among its records."""
    return {turn.id: sum(len(m.calls) for m in turn.messages) for turn in turns if not turn.is_shortened}


def first_turn(state: ChannelState) -> int:
    """Return the turn from which on calls count: what went before a reset, or has been wiped, stays away."""
    lost = state.last.lost_calls if state.last is not None else ()
    return min((*(turn.id for turn in state.turns[:1]), *lost), default=0)


def still_lost(state: ChannelState, turn: int, *, lost: bool) -> tuple[int, ...]:
    """Return which turns' calls are not in the history, now that another one ended; old ones are forgotten."""
    before = state.last.lost_calls if state.last is not None else ()
    if not before:
        return (turn,) if lost else ()
    fresh = [one for one in before if sum(later.id > one for later in state.turns) < MAX_AGE_TURNS]
    return (*fresh, *([turn] if lost else []))[-MAX_REMEMBERED_TURNS:]


def newest_parts(parts: Iterable[CallPart]) -> list[CallPart]:
    """Return one part for each call, the newest; in the order of the calls."""
    calls: dict[tuple[int, int], CallPart] = {}
    for part in sorted(parts, key=lambda part: part.row):
        calls[part.turn, part.seq] = part
    return [calls[name] for name in sorted(calls)]


def cut_preview(text: str) -> str:
    """Return a preview of a text from which secrets are taken out already."""
    shown = visible(text)
    return shown if len(shown) <= MAX_PREVIEW_CHARS else shown[: MAX_PREVIEW_CHARS - 1] + "…"


def recap_event(part: CallPart, preview: str) -> RecapEvent:
    """Make an event of a part; `preview` is its text, redacted and cut."""
    return RecapEvent(
        turn=part.turn,
        seq=part.seq,
        tool=part.tool,
        state=part.state,
        ms=None if part.ms is None else round(part.ms),
        record=handle(HandleKind.CALL, part.row) if part.row else "",
        out=preview,
    )


def unsent_calls(events: Sequence[RecapEvent], sent: Sequence[Turn]) -> list[RecapEvent]:
    """Return the calls that these turns do not show."""
    shown = shown_by(sent)
    return [event for event in events if event.seq >= shown.get(event.turn, 0)]


def count_unsent(made: Sequence[tuple[int, int]], sent: Sequence[Turn]) -> int:
    """Return how many calls these turns do not show, of all that were made."""
    shown = shown_by(sent)
    return sum(max(0, count - shown.get(turn, 0)) for turn, count in made)


def choose_events(events: Sequence[RecapEvent]) -> list[RecapEvent]:
    """Return those to be told of, oldest first; what is open comes before the rest, the newer before the older."""
    ranked = sorted(events, key=lambda one: (_rank(one.state), -one.turn, -one.seq))
    return sorted(ranked[:MAX_EVENTS], key=lambda one: (one.turn, one.seq))


def event_line(event: RecapEvent) -> str:
    """Write a call on one line; the order of its keys never changes."""
    ms = "?" if event.ms is None else event.ms
    words = f"turn={event.turn} #{event.seq + 1} tool={_name(event.tool)} state={event.state.value} {ms}ms"
    asked = "what came of it is not on record; it was called with " if event.state is CallState.UNKNOWN else ""
    return f"{words} id={event.record or '-'} out={_quoted((asked + event.out)[:MAX_PREVIEW_CHARS])}"


def recap(events: Sequence[RecapEvent], known: int) -> str:
    """Write the section for calls that are not sent, `known` in all; the oldest go when it is too much."""
    told = choose_events(events)
    if not told:
        return ""
    lines = [event_line(one) for one in told]
    # what surely is too much goes before anything is rendered
    while len(lines) > 1 and sum(map(_priced, lines)) > MAX_TOKENS:
        lines.pop(0)
    while not _fits(text := render("sections/tool_recap", lines=lines, left_out=max(0, known - len(lines)))):
        # of the newest at least the beginning stays
        lines = lines[1:] or [event_line(told[-1].model_copy(update={"out": told[-1].out[:_MIN_PREVIEW_CHARS] + "…"}))]
    return text


def _fits(text: str) -> bool:
    return len(text) <= MAX_CHARS and max(_priced(text), by_bytes(text)) <= MAX_TOKENS


def _priced(text: str) -> float:
    """Return what a text costs at most; words that were made up with vowels in them may cost more."""
    price = 0.0
    for kind, size in _BYTES_PER_TOKEN:
        rest = kind.sub("", text)
        price += (len(text) - len(rest)) / size
        text = rest
    return price + len(text.encode("utf-8", "surrogatepass")) / _MIN_BYTES_A_TOKEN


def _rank(state: CallState) -> int:
    if state in _OPEN:
        return 0
    return 2 if state is CallState.STARTED else 1


def _name(tool: str) -> str:
    # a model may have called what is no tool, by any name at all
    return tool if _NAME.fullmatch(tool) else _quoted(visible(tool)[:64])


def _quoted(text: str) -> str:
    """Write a text as one JSON string that ends no line and closes no tag."""
    return canonical_json(visible(text)).replace("</", "<\\/")
