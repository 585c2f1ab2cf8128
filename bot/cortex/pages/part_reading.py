"""Read what a model is or was told, part by part, in pages for a phone: the same parts as MCP and branches read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.capture_comparer import CaptureComparer
from bot.cortex.pages.context_capture import Capture, ContextCapturer
from bot.cortex.pages.reading_place import (
    MAX_PAGES,
    MAX_PARTS,
    MENU_PART,
    ReadingPlace,
    has_changed,
    mark_of,
    part_at,
    read_place,
)
from bot.cortex.pages.reading_text import (
    GONE,
    NEW,
    SAME,
    PartLine,
    PartPages,
    in_pages,
    is_new_message,
    part_names,
    piece_of,
    section_lines,
)
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.targets import texts
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.words.quoting import by_model
from bot.domain.access import Caller
from bot.domain.base import digest_text
from bot.domain.channel import ProcessKind
from bot.domain.finding import StoredSession
from bot.domain.handles import SLOTS, HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.domain.llm import LLMResponse
from bot.domain.messages import Button
from bot.domain.snapshot import CaptureKind
from bot.errors import ToolError, UserError
from bot.inspect.capture.part_reader import parse, text_of
from bot.inspect.capture.reader_view import InspectedContext
from bot.inspect.capture.redact_view import withheld_mark
from bot.inspect.diff.diff_side import DiffSide, side_of
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.figures import quantity
from bot.text.invisible import visible
from bot.text.redaction import Redactor
from bot.text.text import excerpt, one_line_name
from bot.text.times import minute

ANSWER, HISTORY, MENU = "answer", "history", ""
_MAX_BUTTONS = 8
"""Buttons for parts below one message; the next ones come behind [More]."""
_MAX_LISTED = 24
_MAX_LABEL_CHARS = 34
_MAX_ANSWER_CHARS = 1_200
_RECENT_REQUESTS = 8


class WantedReading(NamedTuple):
    """What is to be read: a part by its name, the list where it is empty; `first` and `last` are messages (0: all)."""

    part: str = MENU
    first: int = 0
    last: int = 0


class _Reader(NamedTuple):
    session: StoredSession
    caller: Caller
    target: TargetChannel


class _Opened(NamedTuple):
    """A context that is read. `row` is its request, 0 where it was not sent; `since` is what worked before it."""

    capture: Capture
    names: tuple[str, ...]
    row: int
    side: DiffSide
    before: DiffSide | None = None

    @property
    def shown(self) -> InspectedContext:
        return self.capture.shown

    @property
    def what(self) -> str:
        """Name it, handle first."""
        return handle(HandleKind.REQUEST, self.row) if self.row else "next"

    @property
    def since(self) -> str:
        """Say what it is compared with, empty where with nothing."""
        return f"{self.before.label}, {minute(self.before.at)} UTC" if self.before else ""

    def text(self, name: str) -> str:
        return "" if name == ANSWER else text_of(parse(_whole(name, self.shown)), self.shown)


@dataclass(frozen=True, kw_only=True)
class PartReading:
    """Answers `read` and the presses on its buttons; nothing changes, and no model is asked."""

    store: Store
    clock: Clock
    looking: ContextCapturer
    buttons: ButtonFactory
    redactor: Redactor

    async def read(
        self,
        session: StoredSession,
        caller: Caller,
        target: TargetChannel,
        which: CaptureKind | int,
        wanted: WantedReading,
    ) -> ThreadReply:
        """Return the page that is asked for; raise UserError for no such part."""
        reader = _Reader(session, caller, target)
        opened = await self._open(reader, which)
        if not wanted.part:
            return self._menu(reader, opened, 0)
        if wanted.part not in opened.names:
            raise UserError(_unknown(wanted.part, opened))
        if wanted.part == ANSWER:
            return self._answer(reader, opened)
        laid = await asyncio.to_thread(_laid_out, opened, wanted)
        if wanted.first and len(laid.pages) == 1:
            return self._page(reader, opened, wanted.part, laid, 1, ranged=True)
        if wanted.first:
            # a longer stretch is read on in the whole history, from its first message
            laid = await asyncio.to_thread(_laid_out, opened, WantedReading(HISTORY))
        page = _page_of(laid, wanted.first) if wanted.part == HISTORY else 1
        return self._page(reader, opened, wanted.part, laid, page)

    async def press(self, session: StoredSession, caller: Caller, target: TargetChannel, argument: int) -> ThreadReply:
        """Return the page that a button leads to, as it stands now."""
        reader, place = _Reader(session, caller, target), read_place(argument)
        opened = await self._open(reader, await self._row_at(reader, place) if place.is_sent else CaptureKind.NEXT)
        if place.part == MENU_PART:
            return self._menu(reader, opened, place.page)
        name = part_at(place, opened.names)
        if name is None:
            raise UserError(render("cortex/reading", kind="gone"))
        if name == ANSWER:
            return self._answer(reader, opened)
        laid = await asyncio.to_thread(_laid_out, opened, WantedReading(name))
        # a page of 0 is where the part is opened: its first page, and of a history the newest words
        page = place.page or (len(laid.pages) if name == HISTORY else 1)
        said = self._page(reader, opened, name, laid, min(page, len(laid.pages)))
        if has_changed(place, name, opened.text(name)):
            return said._replace(text=f"{render('cortex/reading', kind='moved_on')}\n{said.text}")
        return said

    async def openers(self, session: StoredSession, capture: Capture, first: int = 0) -> tuple[Button, ...]:
        """Make a button for each part of a context, as many as fit, then one for the rest."""
        row = await self._row_of(capture)
        if row is None:
            return ()
        return self._openers(session, self._bare(capture, row), first)

    def came_back(self, capture: Capture) -> str:
        """Write what came back for a request that was sent; empty where it was not sent."""
        stored = capture.inspection.stored
        if stored is None:
            return ""
        what = handle(HandleKind.REQUEST, stored.id)
        if stored.response is None:
            return render("cortex/reading", kind="no_answer", what=what)
        words = _answer_words(stored.response)
        head = render("cortex/reading", kind="answer", what=what)
        if not capture.reads:
            tokens = stored.response.usage.output or 0
            mark = withheld_mark(ANSWER, tokens, digest_text(words))
            return f"{head}\n{render('cortex/reading', kind='withheld_answer')}\n{mark}"
        return f"{head}\n{by_model(words, self.redactor, _MAX_ANSWER_CHARS)}"

    async def _open(self, reader: _Reader, which: CaptureKind | int) -> _Opened:
        capture = await self.looking.capture(reader.caller, reader.target, which)
        row = await self._row_of(capture)
        opened = self._bare(capture, row or 0)
        return opened._replace(before=await self._worked_before(reader, opened))

    def _bare(self, capture: Capture, row: int) -> _Opened:
        stored = capture.inspection.stored
        names = part_names(capture.shown, has_answer=stored is not None)
        return _Opened(capture, names, row, side_of(capture.inspection, capture.shown, self.clock.now()))

    async def _row_of(self, capture: Capture) -> int | None:
        """Return the request that was captured: 0 where it comes next, None where it runs and is not kept yet."""
        inspection = capture.inspection
        if inspection.stored is not None:
            return inspection.stored.id
        if inspection.which is CaptureKind.NEXT:
            return 0
        recent = await self.store.journal.recent_requests(inspection.key, _RECENT_REQUESTS)
        return next((one.id for one in recent if one.record.digest == inspection.digest), None)

    async def _row_at(self, reader: _Reader, place: ReadingPlace) -> int:
        """Return the request of a button, the right to it asked for anew; raise UserError for none of this channel."""
        targets, key = self.looking.targets, reader.target.key
        name = handle(HandleKind.REQUEST, place.mark)
        subject = await targets.find(reader.caller.person, name, key)
        if subject.target.key != key or subject.meant.name != name:
            raise UserError(say("cortex.no-such-record"))
        row = await targets.finder.request_of(subject.meant)
        stored = await self.store.journal.request(row)
        if stored is None or stored.record.kind is not ProcessKind.CHANNEL:
            raise UserError(say("cortex.not-the-channels"))
        return row

    async def _worked_before(self, reader: _Reader, opened: _Opened) -> DiffSide | None:
        """Lay out the last request before this one that led to an answer; None where none is kept."""
        capture = partial(self._capture, reader)
        comparing = CaptureComparer(self.store, capture, self.clock.now())
        row = await comparing.worked_before(reader.target.key, opened.side.sent.turn)
        if not row:
            return None
        try:
            side, _ = await comparing.side(reader.target.key, row)
        except UserError:
            return None
        return side

    async def _capture(self, reader: _Reader, key: ChannelKey, which: CaptureKind | int) -> Capture:
        return await self.looking.capture(reader.caller, reader.target, which)

    def _menu(self, reader: _Reader, opened: _Opened, page: int) -> ThreadReply:
        first = page * _MAX_BUTTONS if page * _MAX_BUTTONS < len(opened.names) else 0
        parts = [_listed(name, opened) for name in opened.names[first : first + _MAX_LISTED]]
        text = render(
            "cortex/reading",
            kind="menu",
            sent=bool(opened.row),
            where=texts.channel_word(reader.target),
            what=opened.what,
            since=opened.since,
            parts=parts,
            more=max(0, len(opened.names) - first - len(parts)),
        )
        return ThreadReply(text, self._openers(reader.session, opened, first))

    def _answer(self, reader: _Reader, opened: _Opened) -> ThreadReply:
        return ThreadReply(
            self.came_back(opened.capture), (self._more(reader.session, opened, say("reading.all-parts"), 0),)
        )

    def _page(
        self, reader: _Reader, opened: _Opened, name: str, laid: PartPages, page: int, *, ranged: bool = False
    ) -> ThreadReply:
        message = laid.first_messages[page - 1] if laid.first_messages else 0
        head = render(
            "cortex/reading",
            kind="page",
            where=texts.channel_word(reader.target),
            what=opened.what,
            name=excerpt(one_line_name(name, 60), 60),
            page=page,
            pages=len(laid.pages),
            message=message,
            changed=laid.is_changed,
            hidden=laid.hidden,
            comparable=name != "status",
            since=opened.since,
        )
        session, turns = (
            reader.session,
            () if ranged else ((page - 1, say("reading.back")), (page + 1, say("reading.next-page"))),
        )
        buttons = [
            self._button(session, opened, name, label, to)
            for to, label in turns
            if 1 <= to <= min(len(laid.pages), MAX_PAGES)
        ]
        buttons.append(self._more(session, opened, say("reading.all-parts"), 0))
        return ThreadReply(f"{head}\n{laid.pages[page - 1]}", tuple(buttons))

    def _openers(self, session: StoredSession, opened: _Opened, first: int) -> tuple[Button, ...]:
        names = opened.names[first : first + _MAX_BUTTONS]
        buttons = [self._button(session, opened, name, say("reading.read", part=_label(name)), 0) for name in names]
        if first + _MAX_BUTTONS < len(opened.names):
            buttons.append(self._more(session, opened, say("reading.more"), first // _MAX_BUTTONS + 1))
        return tuple(buttons)

    def _button(self, session: StoredSession, opened: _Opened, name: str, label: str, page: int) -> Button:
        mark = opened.row % SLOTS if opened.row else mark_of(name, opened.text(name))
        part = min(opened.names.index(name) + 1, MAX_PARTS)
        place = ReadingPlace(bool(opened.row), mark, part, page)
        return self.buttons.row(session, ButtonVerb.READ, label, place.argument)

    def _more(self, session: StoredSession, opened: _Opened, label: str, page: int) -> Button:
        place = ReadingPlace(bool(opened.row), opened.row % SLOTS, MENU_PART, page)
        return self.buttons.row(session, ButtonVerb.READ, label, place.argument)


def _whole(name: str, shown: InspectedContext) -> str:
    """Name all of a part: a history is otherwise cut to its newest messages."""
    return f"history:1-{max(1, len(shown.messages))}" if name == HISTORY else name


def _laid_out(opened: _Opened, wanted: WantedReading) -> PartPages:
    """Mark what changed in a part, and cut it into pages."""
    name, shown, before = wanted.part, opened.shown, opened.before
    try:
        if name == HISTORY:
            return in_pages(_history(opened, wanted), is_compared=before is not None)
        text = text_of(parse(name), shown)
    except ToolError as error:
        raise UserError(str(error)) from error
    kind, _, label = name.partition(":")
    if before is None or kind not in {"section", "tools", "tool"}:
        return in_pages([PartLine(SAME, line) for line in text.split("\n")], is_compared=False)
    if kind == "tools":
        return in_pages(_tools(text, opened.side, before), is_compared=True)
    pieces = (before.kept, opened.side.kept) if kind == "section" else (before.tools, opened.side.tools)
    old, new = (piece_of(some, label) for some in pieces)
    is_same = old is not None and new is not None and old.name == new.name
    if kind == "tool":
        sign = SAME if is_same else NEW
        return in_pages([PartLine(sign, line) for line in text.split("\n")], is_compared=True)
    body = visible(new.text) if new else ""
    head = text[: len(text) - len(body)] if body and text.endswith(body) else ""
    heading = [PartLine(SAME, line) for line in head.split("\n")[:-1]]
    if is_same:
        return in_pages([PartLine(SAME, line) for line in text.split("\n")], is_compared=True)
    marked = section_lines(text[len(head) :], visible(old.text) if old else None)
    hidden = all(line.sign == SAME for line in marked)
    return in_pages([*heading, *marked], is_compared=True, hidden=hidden)


def _history(opened: _Opened, wanted: WantedReading) -> list[PartLine]:
    """Write the messages one after the other; those that were not told before are marked whole."""
    shown, before = opened.shown, opened.before
    first, last = wanted.first or 1, wanted.last or len(shown.messages)
    if wanted.first > len(shown.messages) or last < first:
        count = len(shown.messages)
        raise UserError(say("reading.no-such-messages", count=count, first=wanted.first, last=wanted.last))
    new = is_new_message(opened.side, before) if before is not None else [False] * len(shown.messages)
    lines: list[PartLine] = []
    for number in range(first, min(last, len(shown.messages)) + 1):
        sign = NEW if new[number - 1] else SAME
        text = text_of(parse(f"history:{number}"), shown)
        lines += [PartLine(sign, line, number) for line in (*text.split("\n"), "")]
    return lines[:-1] or [PartLine(SAME, say("reading.no-messages"))]


def _tools(text: str, side: DiffSide, before: DiffSide) -> list[PartLine]:
    known = {tool.label: tool.name for tool in before.tools}
    new = {tool.label for tool in side.tools if known.get(tool.label) != tool.name}
    now = {tool.label for tool in side.tools}
    lines = [PartLine(NEW if _tool_of(line) in new else SAME, line) for line in text.split("\n")]
    return [*lines, *(PartLine(GONE, f"- {tool.label}") for tool in before.tools if tool.label not in now)]


def _tool_of(line: str) -> str:
    return line.removeprefix("- ").partition(" ")[0] if line.startswith("- ") else ""


def _page_of(laid: PartPages, message: int) -> int:
    """Return the page on which a message begins, the last one where none is named."""
    if not message:
        return len(laid.pages)
    return max((at for at, first in enumerate(laid.first_messages, 1) if first <= message), default=1)


def _listed(name: str, opened: _Opened) -> dict[str, object]:
    kind, _, label = name.partition(":")
    side, before, shown = opened.side, opened.before, opened.shown
    sizes: dict[str, int] = {HISTORY: shown.stats.history, "tools": shown.stats.tools}
    is_changed = False
    if kind in {"section", "tool"}:
        some = side.kept if kind == "section" else side.tools
        piece = piece_of(some, label)
        sizes[name] = piece.tokens if piece else 0
        if before is not None and piece is not None:
            old = piece_of(before.kept if kind == "section" else before.tools, label)
            is_changed = old is None or old.name != piece.name
    elif kind == HISTORY and before is not None:
        is_changed = any(is_new_message(side, before))
    elif kind == "tools" and before is not None:
        is_changed = [(tool.label, tool.name) for tool in side.tools] != [(t.label, t.name) for t in before.tools]
    tokens = quantity(sizes[name]) if sizes.get(name) else ""
    return {"name": excerpt(one_line_name(_label(name), 60), 30), "tokens": tokens, "changed": is_changed}


def _label(name: str) -> str:
    if name == "status":
        # there is a section of that name as well
        return say("reading.what-goes-on")
    kind, _, label = name.partition(":")
    whole = label if kind == "section" else f"{kind} {label}".strip()
    return excerpt(one_line_name(whole, _MAX_LABEL_CHARS), _MAX_LABEL_CHARS)


def _unknown(part: str, opened: _Opened) -> str:
    kind = part.partition(":")[0]
    if part == ANSWER:
        return say("reading.nothing-came-back")
    names = [_label(name).removeprefix("tool ") for name in opened.names if name.partition(":")[0] == kind]
    wanted = excerpt(one_line_name(part.partition(":")[2] or part, 40), 40)
    unknown = "reading.no-such-tool" if kind == "tool" else "reading.no-such-section"
    return say(unknown, name=wanted, names=", ".join(names) or say("reading.none"))


def _answer_words(response: LLMResponse) -> str:
    """Write an answer with the tools that it called."""
    calls: Sequence[str] = [
        say("reading.calls", tool=one_line_name(call.name), arguments=call.arguments) for call in response.calls
    ]
    return "\n".join(filter(None, (response.text, *calls))) or say("reading.no-words")
