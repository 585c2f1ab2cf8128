"""Trace what a model was told: what changed and why, what the cache held, where a phrase comes from, what is behind."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.cache_page import cached_text
from bot.cortex.pages.capture_comparer import CONTEXTS, CaptureComparer
from bot.cortex.pages.context_capture import Capture, ContextCapturer
from bot.cortex.pages.diff_page import ExplainedDiff, details, first_text
from bot.cortex.pages.find_page import SearchedContext, found_text
from bot.cortex.pages.part_reading import PartReading
from bot.cortex.pages.request_page import RequestPage, TracedAnswer
from bot.cortex.pages.sources_page import (
    MAX_SHOWN,
    SourceRecords,
    SourcesText,
    as_source,
    sources_text,
    suspect_ways,
)
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.session_threads import session_handle
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_parser import ParsedTarget
from bot.domain.access import Authority
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.finding import Diagnosis
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.ids import ChannelKey, PersonKey, UserId, platform_of
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.memory import NewMemory
from bot.domain.messages import Button
from bot.domain.snapshot import CaptureKind
from bot.errors import UserError
from bot.inspect.diff.diff_side import DiffSide, side_of
from bot.inspect.diff.find_words import Calls, SourcedLine, SourceKind, every_line, find
from bot.mind.answer_suspects import GivenAnswer, rank_answer_suspects
from bot.mind.silence_suspects import SilenceSuspect, SilentTurn, SuspectLine, rank_suspects
from bot.mind.source_ranking import AnswerSource, content
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.replay.part_numbers import MAX_ROW, button_argument
from bot.replay.request_parts import parts_of
from bot.sentences import say
from bot.text.redaction import Redactor

_INSTRUCTED = "instructed"
"""The category of a silence for which the model says that somebody asked."""
_MAX_OPEN_BUTTONS = 4
MAX_SUSPECT_BUTTONS = 2
"""Beside those of the first message, of which there is room for four."""
_MAX_KNOWN_MESSAGES = 100
"""Messages of the channel by which rare words are told from common ones."""
_MAX_TURNS = 50
"""Of how many turns the calls are read to name the record of a result."""


class _Suspected(NamedTuple):
    """What a look for suspects found. `hidden` counts what the reader does not see.

    `instructed`: the model said that it was told to be silent.
    """

    capture: Capture
    ranked: tuple[SilenceSuspect, ...]
    hidden: int
    instructed: bool

    @property
    def told(self) -> list[AnswerSource]:
        """Those that are put before somebody unasked."""
        found = [one for one in self.ranked if one.is_told]
        if not found and self.instructed:
            found = [one for one in self.ranked if one.is_told_where_instructed]
        return [as_source(one) for one in found]


class _LineJudge(NamedTuple):
    """What the records say of the lines of a request: memories that stand in it, and which authors are no admins."""

    side: DiffSide
    kept: Mapping[str, NewMemory]
    guests: frozenset[str]

    def judged(self, line: SourcedLine, asker: UserId) -> SuspectLine:
        """Say whether a line is about the asker, and whether somebody who is no admin caused it."""
        body = self.kept.get(line.source.handle)
        about = body is not None and asker in body.subjects
        is_guests = self._is_by_guest(line) if body is None else not body.provenance.by_admin
        return SuspectLine(line, about, non_admin=is_guests)

    def _is_by_guest(self, line: SourcedLine) -> bool:
        said = self.side.messages[line.message - 1].origin if line.message else None
        is_theirs = said is not None and line.source.handle == handle(HandleKind.INBOUND, said.inbound)
        return said is not None and is_theirs and said.author_id in self.guests


class ToldSuspects(NamedTuple):
    """What may have made a model silent: in lines for the first message (see `suspect_ways`), and as a page."""

    ways: tuple[tuple[str, ...], ...]
    page: ThreadReply

    def are_all_in(self, text: str) -> bool:
        """Say whether a message had room for all of them."""
        return set(self.ways[0][1:]) <= set(text.split("\n"))


@dataclass(frozen=True)
class TracePages:
    """Answers of commands; nothing here changes anything, and no model is asked."""

    store: Store
    clock: Clock
    looking: ContextCapturer
    buttons: ButtonFactory
    behind: RequestPage
    reading: PartReading
    redactor: Redactor

    async def diff(self, talk: SessionContext, *names: str) -> ThreadReply:
        """Compare two contexts; the first message is for a phone, everything else follows it."""
        comparing = self._comparing(talk)
        if not any(names) or "last" in names:
            await self.looking.check_recorded(talk.target.key)
        if not any(names):
            names = await comparing.usual(talk.target.key)
        before, _ = await self._side(talk, comparing, names[0])
        after, state = await self._side(talk, comparing, names[1])
        compared = await comparing.compared(before, after, state)
        text = first_text(compared, texts.channel_word(talk.target), _foot(talk))
        more = await asyncio.to_thread(details, compared, self.redactor)
        return ThreadReply(text, self._openers(talk, _records(compared)), (more,) if more else ())

    async def cache(self, talk: SessionContext) -> ThreadReply:
        """Say what a request shares with the one before it."""
        which = await self._row(talk.meant) if talk.meant.name else CaptureKind.SENT
        if which is CaptureKind.SENT:
            await self.looking.check_recorded(talk.target.key)
        cached = await self._comparing(talk).cached(talk.target.key, which)
        sides = (cached.prefix.before.label, cached.prefix.after.label)
        records = (*sides, *(cause.handle for cause in cached.causes))
        return ThreadReply(
            cached_text(cached, texts.channel_word(talk.target), _foot(talk)), self._openers(talk, records)
        )

    async def find(self, talk: SessionContext, words: str) -> ThreadReply:
        """Say where words stand in the last request and in the next one, and which source put them there."""
        searched: list[SearchedContext] = []
        if talk.meant.name:
            searched.append(await self._searched(talk, await self._row(talk.meant), words))
        else:
            if await self.store.journal.recent_requests(talk.target.key, 1):
                searched.append(await self._searched(talk, CaptureKind.SENT, words))
            searched.append(await self._searched(talk, CaptureKind.NEXT, words))
        text, more = await asyncio.to_thread(found_text, searched, texts.channel_word(talk.target), self.redactor)
        records = [hit.source.handle for one in searched for hit in one.hits]
        return ThreadReply(text, self._openers(talk, records), more)

    async def this(self, talk: SessionContext, *, newest: bool = False) -> ThreadReply:
        """Show the request behind a message, or what became of one that was never answered.

        `newest`: where no message was replied to or named, the newest answer is meant.
        """
        told = await (self.behind.newest(talk) if newest else self.behind.of(talk))
        buttons = self._openers(talk, told.records)
        if told.request:
            # where the words are not kept any more, what is said of the request still stands
            with suppress(UserError):
                capture = await self.looking.capture(talk.caller, talk.target, told.request)
                buttons += await self.reading.openers(talk.session, capture)
        return ThreadReply(told.text, buttons)

    async def sources(
        self, talk: SessionContext, answer: TracedAnswer | None = None, *, is_taken: bool = False
    ) -> ThreadReply:
        """Say what an answer was made of; without one, that which was replied to or named, or the newest.

        `is_taken`: nobody named this one, so it is said which it is.
        """
        told = answer or await self.behind.answer_meant(talk)
        capture = await self._capture(talk, talk.target.key, told.request)
        side = side_of(capture.inspection, capture.shown, self.clock.now())
        turns = {piece.origin.turn for piece in side.messages if piece.origin} | {side.sent.turn}
        calls = await self._calls(turns - {0})
        asked = await self.store.ledger.inbound(told.inbound) if told.inbound else None
        recent = await self.store.ledger.recent(talk.target.key, _MAX_KNOWN_MESSAGES)
        judging = self._judging(talk.target.key, capture, side)
        given = GivenAnswer(
            asker=asked.inbound.author.name if asked else "",
            question=asked.inbound.text if asked else "",
            answer=told.text,
            known=tuple(one.inbound.text for one in recent),
            people=tuple(dict.fromkeys(one.inbound.author.name for one in recent)),
        )
        person = asked.inbound.author.user_id if asked else UserId("")

        def ranked() -> tuple[AnswerSource, ...]:
            lines = [judging.judged(line, person) for line in every_line(capture.shown, side, calls)]
            return rank_answer_suspects(given, lines)

        found = (await asyncio.to_thread(ranked))[:MAX_SHOWN]
        reading = SourceRecords(self.store)
        records = {one.source.handle: await reading.of(one.source.handle) for one in found}
        page = SourcesText(
            texts.channel_word(talk.target),
            session_handle(talk.session),
            found,
            records,
            self.clock.now(),
            side.hidden,
            taken=told.text if is_taken else "",
        )
        proves = self._provers(talk, capture, found[0].as_line) if found else ()
        keeps = self.buttons.keep_check(talk.session, capture.inspection.stored)
        buttons = (*self._openers(talk, records, "reading.show"), *proves, *keeps)
        return ThreadReply(sources_text(page, self.redactor), buttons)

    async def suspects(self, talk: SessionContext, diagnosis: Diagnosis) -> ToldSuspects | None:
        """Say what may have made the model silent towards a message; None where nothing stands out."""
        silence = diagnosis.findings[0]
        reason = silence.quotes[0].text if silence.quotes else ""
        looked = await self._looked_for_suspects(talk, diagnosis.inbound, reason)
        told = looked.told if looked else []
        if looked is None or not told:
            return None
        reading = SourceRecords(self.store)
        records = {one.source.handle: await reading.of(one.source.handle) for one in told}
        word = texts.channel_word(talk.target)
        page = SourcesText(
            word, session_handle(talk.session), tuple(told), records, self.clock.now(), looked.hidden, reason
        )
        rows = {handle(HandleKind.MEMORY, memory.id): memory.id for memory in looked.capture.inspection.memories}
        forgets = [
            self.buttons.row(talk.session, ButtonVerb.PREVIEW_FORGET, say("reading.forget", handle=name), rows[name])
            for name in records
            if name in rows
        ]
        shows = self._openers(talk, records, "reading.show")
        buttons = (*shows[: MAX_SUSPECT_BUTTONS - len(forgets[:1])], *forgets[:1])
        ways = suspect_ways(page, silence.why[0], self.redactor)
        return ToldSuspects(ways, ThreadReply(sources_text(page, self.redactor), buttons))

    async def suspected(self, talk: SessionContext, inbound: int, reason: str) -> tuple[SilenceSuspect, ...]:
        """Return what may have made the model silent towards a message, the likeliest first."""
        looked = await self._looked_for_suspects(talk, inbound, reason)
        return looked.ranked if looked is not None else ()

    async def _looked_for_suspects(self, talk: SessionContext, inbound: int, reason: str) -> _Suspected | None:
        heard = await self.store.ledger.inbound(inbound)
        sent = await self.store.journal.requests_of_turn(heard.turn) if heard is not None and heard.turn else ()
        if heard is None or not sent or heard.key != talk.target.key:
            return None
        capture = await self._capture(talk, talk.target.key, sent[-1].id)
        side = side_of(capture.inspection, capture.shown, self.clock.now())
        calls = await self._calls([piece.origin.turn for piece in side.messages if piece.origin and piece.origin.turn])
        before = await self._answered_before(talk, heard)
        own, author = handle(HandleKind.INBOUND, heard.id), heard.inbound.author
        judging = self._judging(heard.key, capture, side)

        def ranked() -> tuple[SilenceSuspect, ...]:
            lines = [
                judging.judged(line, author.user_id)._replace(new=before is not None and content(line) not in before)
                for line in every_line(capture.shown, side, calls)
                if line.source.handle != own
            ]
            return rank_suspects(SilentTurn(author.name, heard.inbound.text, reason), lines)

        instructed = heard.outcome_reason.startswith(_INSTRUCTED)
        return _Suspected(capture, await asyncio.to_thread(ranked), side.hidden, instructed)

    def _provers(self, talk: SessionContext, capture: Capture, line: SourcedLine) -> tuple[Button, ...]:
        """Make the button that offers to prove that a line is the cause."""
        stored = capture.inspection.stored
        if stored is None or stored.id >= MAX_ROW or stored.mark is not None:
            return ()
        parts = parts_of(stored.record)
        name = parts.part_of(line)
        place = next((at for at, part in enumerate(parts.every, 1) if part.id == name), 0)
        argument = button_argument(stored.id, place)
        return (self.buttons.row(talk.session, ButtonVerb.PROVE, say("reading.prove"), argument),)

    def _judging(self, key: ChannelKey, capture: Capture, side: DiffSide) -> _LineJudge:
        kept = {handle(HandleKind.MEMORY, memory.id): memory.body for memory in capture.inspection.memories}
        authors = {piece.origin.author_id for piece in side.messages if piece.origin and piece.origin.author_id}
        platform = platform_of(key.channel)
        return _LineJudge(side, kept, frozenset(user for user in authors if self._is_guest(platform, user)))

    def _is_guest(self, platform: str, user: UserId | str) -> bool:
        person = PersonKey(platform, UserId(user))
        return self.looking.targets.caller(person, "").authority < Authority.ADMIN

    async def _answered_before(self, talk: SessionContext, heard: StoredInbound) -> frozenset[str] | None:
        """Return the lines of the request in which somebody was last answered; None when that is not known."""
        recent = await self.store.ledger.recent(talk.target.key, _MAX_KNOWN_MESSAGES)
        person = heard.inbound.person
        answered = (
            one
            for one in recent
            if one.id < heard.id and one.outcome is Outcome.REPLIED and one.turn and one.inbound.person == person
        )
        last = next(answered, None)
        sent = await self.store.journal.requests_of_turn(last.turn) if last is not None else ()
        if not sent:
            return None
        capture = await self._capture(talk, talk.target.key, sent[-1].id)
        side = side_of(capture.inspection, capture.shown, self.clock.now())
        return frozenset(content(line) for line in every_line(capture.shown, side))

    async def _searched(self, talk: SessionContext, which: CaptureKind | int, words: str) -> SearchedContext:
        capture = await self._capture(talk, talk.target.key, which)
        side = side_of(capture.inspection, capture.shown, self.clock.now())
        hits = await asyncio.to_thread(find, capture.shown, side, words)
        if any(hit.source.kind is SourceKind.RESULT for hit in hits):
            turns = {piece.origin.turn for piece in side.messages if piece.origin} | {side.sent.turn}
            hits = await asyncio.to_thread(find, capture.shown, side, words, await self._calls(turns - {0}))
        return SearchedContext(side.label, side.which, hits, side.hidden)

    async def _calls(self, turns: Collection[int]) -> Calls:
        """Return the records of the newest turns' calls."""
        found: dict[tuple[int, str, str], int] = {}
        for turn in sorted(turns)[-_MAX_TURNS:]:
            for call in await self.store.journal.calls_of_turn(turn):
                found[turn, call.tool_name, call.result_output] = call.record_id
        return found

    async def _side(self, talk: SessionContext, comparing: CaptureComparer, name: str) -> tuple[DiffSide, ChannelState]:
        """Lay out what a name or a handle means; the right to what a handle opens is asked for anew."""
        if name in CONTEXTS:
            key = talk.target.key
            return await comparing.side(key, await comparing.which(key, name))
        subject = await self.looking.targets.find(talk.caller.person, name, talk.target.key)
        return await comparing.side(subject.target.key, await self._row(subject.meant))

    async def _row(self, meant: ParsedTarget) -> int:
        """Return the request that is meant; an inspection's own was cut for the eyes of whoever asked for it."""
        row = await self.looking.targets.finder.request_of(meant)
        stored = await self.store.journal.request(row)
        if stored is None or stored.record.kind is not ProcessKind.CHANNEL:
            raise UserError(say("cortex.not-the-channels"))
        return row

    async def _capture(self, talk: SessionContext, key: ChannelKey, which: CaptureKind | int) -> Capture:
        target = talk.target if key == talk.target.key else await self.looking.targets.of(key)
        if target is None:
            raise UserError(say("cortex.no-such-record"))
        return await self.looking.capture(talk.caller, target, which)

    def _comparing(self, talk: SessionContext) -> CaptureComparer:
        return CaptureComparer(self.store, partial(self._capture, talk), self.clock.now())

    def _openers(self, talk: SessionContext, records: Iterable[str], label: str = "reading.open") -> tuple[Button, ...]:
        """Make buttons that open the first records."""
        named = [(name, parsed) for name in dict.fromkeys(records) if (parsed := parse_handle(name))]
        return tuple(
            self.buttons.opens(talk.session, say(label, handle=name), parsed.kind, parsed.slot)
            for name, parsed in named[:_MAX_OPEN_BUTTONS]
        )


def _foot(talk: SessionContext) -> str:
    return say("reading.no-model-asked", session=session_handle(talk.session))


def _records(compared: ExplainedDiff) -> Iterator[str]:
    """Name what can be opened: the causes of what stays, then both requests."""
    for change, causes in compared.pairs:
        if not change.moving:
            yield from (cause.handle for cause in causes[:1])
    yield from (compared.diff.before.label, compared.diff.after.label)
