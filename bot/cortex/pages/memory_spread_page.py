"""Show where memories have been: counts, then lists, then what forgetting all of it would take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.pages.chart_pictures import ChartPictures, DrawnPicture
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_parser import ParsedTarget
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.words.fix_labels import memories_word
from bot.cortex.words.quoting import quoted
from bot.cortex.words.spread_chart import spread_chart
from bot.domain.access import AccessRight, Authority, Caller
from bot.domain.finding import ForgetSpread, MemoryVersion, StoredSession
from bot.domain.handles import SLOTS, Handle, HandleKind, handle, parse_handle
from bot.domain.ids import ChannelKey, PersonKey, platform_of
from bot.domain.memory import Memory
from bot.domain.messages import Button
from bot.domain.record_access import RecordOwner, RecordReader, may_read, of_channel
from bot.domain.spread_items import SpreadItem, SpreadKind, count_items, rows_of
from bot.errors import UserError
from bot.inspect.charts.memory_values import SpreadChart
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.figures import exact_number
from bot.text.redaction import Redactor
from bot.text.text import excerpt, one_line_name
from bot.text.times import minute

_PAGE = 15
_MAX_NAMED = 20
_EXCERPT_CHARS = 120
_MAX_PAGES = 1 << 14
_KINDS = tuple(SpreadKind)
_TAKE_BACK = len(_KINDS)
_COUNTS = _TAKE_BACK + 1
_DRAWN = _COUNTS + 1
"""What a button asks for beside a list of records: what forgetting would take, the counts again, and the picture."""
_VIEWS = 16
_HANDLES = {
    SpreadKind.REQUEST: HandleKind.REQUEST,
    SpreadKind.ANSWER: HandleKind.TURN,
    SpreadKind.MEMORY: HandleKind.MEMORY,
    SpreadKind.SUMMARY: HandleKind.COMPACTION,
    SpreadKind.COMPACTION: HandleKind.COMPACTION,
    SpreadKind.BRANCH: HandleKind.BRANCH,
    SpreadKind.WORKER: HandleKind.WORKER,
}


class SpreadMode(IntEnum):
    """Whose records are followed: of one memory, of all that its author caused since it, or of all saved since it."""

    ONE = 0
    PERSON = 1
    SINCE = 2


class SpreadSubject(NamedTuple):
    """What is asked about. `oldest` names it on a button: with the mode it leads to all of `memories` again."""

    mode: SpreadMode
    memories: tuple[Memory, ...]

    @property
    def oldest(self) -> Memory:
        return min(self.memories, key=lambda memory: (memory.body.created_at, memory.id))

    @property
    def words(self) -> str:
        """Name it, words first."""
        name, body = handle(HandleKind.MEMORY, self.oldest.id), self.oldest.body
        match self.mode:
            case SpreadMode.ONE:
                return name
            case SpreadMode.PERSON:
                who = one_line_name(body.provenance.author_name or "somebody", 32)
                since = minute(body.created_at)
                return say("memory_pages.by-since", memories=len(self.memories), name=who, time=since)
            case SpreadMode.SINCE:
                return say("memory_pages.saved-since", memories=len(self.memories), time=minute(body.created_at))


class SpreadRecord(NamedTuple):
    """One record of what came of memories: its handle, and how the channel is called where it is."""

    item: SpreadItem
    handle: str
    where: str


class _Seen(NamedTuple):
    """What a reader may see of a spread, and how many records they may not.

    A moderator is only told whether some of those are in channels that they do not moderate: how many there are would
    tell them how much is said there. What is said in private is not even that.
    """

    items: tuple[SpreadItem, ...]
    hidden: int
    elsewhere: bool = False


@dataclass(frozen=True, kw_only=True)
class MemorySpreadPages:
    """Answers `memory spread` and the presses on its buttons; nothing changes before an offer is confirmed.

    Moderators look at what lies in the channels that they moderate; taking it back they may only propose.
    """

    store: Store
    targets: TargetResolver
    buttons: ButtonFactory
    offering: OfferMaker
    pictures: ChartPictures
    redactor: Redactor

    async def counts(self, talk: SessionContext, subject: SpreadSubject, *, draws: bool = False) -> ThreadReply:
        """Count what some memories went into, with buttons that list it, and one that offers to take it back.

        Where it `draws`, the picture goes along, or a line that says why there is none.
        """
        seen = await self._seen(talk.caller, subject)
        counts = [(kind.value, exact_number(direct), exact_number(derived)) for kind, direct, derived in _some(seen)]
        words = await self._words(talk.caller.person, subject)
        is_one = subject.mode is SpreadMode.ONE
        proposes = handle(HandleKind.MEMORY, subject.oldest.id) if is_one and _proposes(talk.caller) else ""
        text = self._text("counts", talk, subject, seen, counts=counts, words=words, proposes=proposes)
        drawn = await self._picture(talk, subject, seen) if draws and counts else DrawnPicture(None)
        text = f"{text}\n\n{drawn.note}" if drawn.note else text
        made = [
            self._button(talk.session, subject, _KINDS.index(kind), 0, say(_LABELS[kind], count=direct + derived))
            for kind, direct, derived in _some(seen)
        ]
        if counts and not draws and not self.pictures.why_not(talk.session):
            made.append(self._button(talk.session, subject, _DRAWN, 0, say("memory_pages.draw")))
        if not _proposes(talk.caller):
            made.append(self._button(talk.session, subject, _TAKE_BACK, 0, say("memory_pages.forget-all")))
        return ThreadReply(text, tuple(made), file=drawn.file)

    async def drawn(self, caller: Caller, memory: Memory) -> tuple[SpreadChart, Sequence[SpreadRecord]]:
        """Return the picture of what came of a memory, and each record of it that somebody may see; UserError."""
        allowed = await self.allowed(caller, [memory])
        if not allowed:
            raise UserError(say("cortex.no-such-record"))
        subject = SpreadSubject(SpreadMode.ONE, allowed)
        seen = await self._seen(caller, subject)
        places = {key: await self._where(key) for key in {item.key for item in seen.items}}
        records = [SpreadRecord(item, handle(_HANDLES[item.kind], item.row), places[item.key]) for item in seen.items]
        return await self._chart(subject, seen), records

    async def of_one(self, talk: SessionContext, name: str, *, draws: bool = False) -> ThreadReply:
        """Count what a memory went into, by its handle."""
        parsed = parse_handle(name)
        memory = await self.store.memories.by_handle(parsed) if parsed else None
        allowed = await self.allowed(talk.caller, [memory]) if memory else ()
        if not allowed:
            raise UserError(say("cortex.no-such-record"))
        return await self.counts(talk, SpreadSubject(SpreadMode.ONE, allowed), draws=draws)

    async def since(self, talk: SessionContext, since: int, *, draws: bool = False) -> ThreadReply:
        """Count what the memories went into that were saved in a channel's reach since a time (UTC ms)."""
        found = await self.allowed(talk.caller, await self._saved_since(talk.target, since))
        if not found:
            raise UserError(say("memory_pages.nothing-saved"))
        return await self.counts(talk, SpreadSubject(SpreadMode.SINCE, found), draws=draws)

    async def press(self, session: StoredSession, caller: Caller, target: TargetChannel, argument: int) -> ThreadReply:
        """Show a list, the counts again, or what forgetting would take; everything is read anew."""
        talk = SessionContext(caller, session, target, ParsedTarget(target.key))
        subject, view, page = await self._asked(talk, argument)
        if view == _TAKE_BACK and not _proposes(caller):
            return await self._take_back(talk, subject)
        if view >= _TAKE_BACK:
            return await self.counts(talk, subject, draws=view == _DRAWN)
        return await self._listed(talk, subject, _KINDS[view], page)

    async def what_came(self, talk: SessionContext, memory: Memory) -> ForgetSpread:
        """Return what would take a memory back with all that came of it where its asker may look."""
        seen = await self._seen(talk.caller, SpreadSubject(SpreadMode.ONE, (memory,)))
        return (await self._taken_back((memory,), seen.items))[0]

    async def allowed(self, caller: Caller, found: Iterable[Memory]) -> tuple[Memory, ...]:
        """Return the memories that were learnt where somebody may look."""
        may: dict[ChannelKey, bool] = {}
        allowed = []
        for memory in found:
            key = ChannelKey(memory.body.agent, memory.body.channel)
            if key not in may:
                target = await self.targets.of(key)
                may[key] = target is not None and await self.targets.may(_right(caller), caller.person, target)
            allowed += [memory] if may[key] else []
        return tuple(allowed)

    async def _asked(self, talk: SessionContext, argument: int) -> tuple[SpreadSubject, int, int]:
        rest, slot = divmod(argument, SLOTS)
        rest, page = divmod(rest, _MAX_PAGES)
        mode, view = divmod(rest, _VIEWS)
        memory = await self.store.memories.by_handle(Handle(HandleKind.MEMORY, slot))
        if memory is None or view > _DRAWN or not await self.allowed(talk.caller, [memory]):
            raise UserError(say("cortex.no-such-record"))
        if mode == SpreadMode.ONE:
            return SpreadSubject(SpreadMode.ONE, (memory,)), view, page
        found = await self._saved_since(talk.target, memory.body.created_at)
        if mode == SpreadMode.PERSON:
            found = [one for one in found if one.body.provenance.author == memory.body.provenance.author]
        allowed = await self.allowed(talk.caller, found)
        if not allowed:
            raise UserError(say("cortex.no-such-record"))
        return SpreadSubject(SpreadMode(mode), allowed), view, page

    async def _saved_since(self, target: TargetChannel, since: int) -> Sequence[Memory]:
        key = target.key
        listed = await self.store.memories.listed(key.agent, key.channel, target.place.guild_id)
        return [memory for memory in listed if memory.body.created_at >= since]

    async def _listed(self, talk: SessionContext, subject: SpreadSubject, kind: SpreadKind, page: int) -> ThreadReply:
        seen = await self._seen(talk.caller, subject)
        found = [item for item in seen.items if item.kind is kind]
        first = min(page * _PAGE, max(len(found) - 1, 0) // _PAGE * _PAGE)
        shown = found[first : first + _PAGE]
        lines = [
            {
                "at": minute(item.at),
                "is_direct": item.is_direct,
                "where": await self._where(item.key) if item.key != talk.target.key else "",
                "handle": handle(_HANDLES[kind], item.row),
            }
            for item in shown
        ]
        text = self._text(
            "page",
            talk,
            subject,
            seen,
            kind=kind.value,
            first=first + 1 if shown else 0,
            last=first + len(shown),
            total=exact_number(len(found)),
            lines=lines,
        )
        at, view, made = first // _PAGE, _KINDS.index(kind), list[Button]()
        if at:
            made.append(self._button(talk.session, subject, view, at - 1, "Newer"))
        if first + _PAGE < len(found):
            made.append(self._button(talk.session, subject, view, at + 1, "Older"))
        made.append(self._button(talk.session, subject, _COUNTS, 0, "Counts"))
        return ThreadReply(text, tuple(made))

    async def _take_back(self, talk: SessionContext, subject: SpreadSubject) -> ThreadReply:
        """Offer to forget the memories and all that were saved because of them, and to undo the compactions."""
        seen = await self._seen(talk.caller, subject)
        fix, standing = await self._taken_back(subject.memories, seen.items)
        memories, undone = fix.memories, fix.compactions
        text = self._text(
            "take_back",
            talk,
            subject,
            seen,
            memories=memories_word(len(memories)) if memories else "",
            memories_many=len(memories),
            memory_names=_names(HandleKind.MEMORY, [one.memory for one in memories]),
            compactions=_compactions(len(undone)) if undone else "",
            compactions_many=len(undone),
            compaction_names=_names(HandleKind.COMPACTION, undone),
            stays=_compactions(len(standing) - len(undone)) if len(standing) > len(undone) else "",
            stays_many=len(standing) - len(undone),
        )
        return await self.offering.forget_spread(talk.session, talk.target, fix, tuple(text.splitlines()))

    async def _taken_back(
        self, seeds: Sequence[Memory], items: Sequence[SpreadItem]
    ) -> tuple[ForgetSpread, Sequence[int]]:
        """Return what takes this back, and the compactions that stand in it; raise UserError where nothing is left."""
        derived = [await self.store.memories.get(row) for row in rows_of(items, {SpreadKind.MEMORY})]
        memories = [one for one in (*seeds, *derived) if one is not None and not one.forgotten_at]
        standing = await self._standing(items)
        undone = await self.store.spread.undoable(standing)
        if not memories and not undone:
            raise UserError(say("memory_pages.nothing-left"))
        versions = tuple(MemoryVersion(memory=one.id, version=one.version) for one in memories)
        return ForgetSpread(memories=versions, compactions=tuple(undone)), standing

    async def _standing(self, items: Iterable[SpreadItem]) -> Sequence[int]:
        stored = [await self.store.compactions.get(row) for row in rows_of(items, {SpreadKind.COMPACTION})]
        return [one.id for one in stored if one is not None and one.state.stands]

    async def _seen(self, caller: Caller, subject: SpreadSubject) -> _Seen:
        spread = await self.store.spread.spread([memory.id for memory in subject.memories])
        readers: dict[ChannelKey, RecordReader] = {}
        owners: dict[int, RecordOwner] = {}
        shown = []
        public: dict[ChannelKey, bool] = {}
        elsewhere = False
        for item in spread.items:
            if item.key not in readers:
                target = await self.targets.of(item.key)
                readers[item.key] = await self.targets.reader(caller.person, target, item.key, right=_right(caller))
                public[item.key] = target is not None and not target.place.is_dm
            if item.is_private and item.turn not in owners:
                owners[item.turn] = await self.store.journal.owner_of(item.turn)
            if may_read(readers[item.key], owners[item.turn] if item.is_private else of_channel(item.key)):
                shown.append(item)
            else:
                elsewhere = elsewhere or (public[item.key] and not item.is_private)
        hidden = len(spread.items) - len(shown)
        return _Seen(tuple(shown), 0, elsewhere) if _proposes(caller) else _Seen(tuple(shown), hidden)

    async def _picture(self, talk: SessionContext, subject: SpreadSubject, seen: _Seen) -> DrawnPicture:
        """Draw what a reader may see, or say why not."""
        if note := self.pictures.why_not(talk.session):
            return DrawnPicture(None, note)
        chart = await self._chart(subject, seen)
        body = subject.oldest.body
        people = {PersonKey(platform_of(body.channel), body.provenance.author)}
        return await self.pictures.picture("spread", lambda: chart, people)

    async def _chart(self, subject: SpreadSubject, seen: _Seen) -> SpreadChart:
        names = {key: await self._where(key) for key in {item.key for item in seen.items}}
        who = one_line_name(self.redactor.redact(subject.oldest.body.provenance.author_name).text, 32, "somebody")
        seed: tuple[str, ...]
        match subject.mode:
            case SpreadMode.ONE:
                seed = (handle(HandleKind.MEMORY, subject.oldest.id), say("memory_pages.by", name=who))
                subtitle = say("memory_pages.type-by", type=subject.oldest.body.type.value, name=who)
            case SpreadMode.PERSON:
                seed = (memories_word(len(subject.memories)), say("memory_pages.by", name=who))
                subtitle = say("memory_pages.all-by", name=who)
            case SpreadMode.SINCE:
                seed = (memories_word(len(subject.memories)),)
                subtitle = say("memory_pages.all-saved")
        title = say("memory_pages.what-came-of", what=seed[0])
        notes = []
        if seen.elsewhere:
            notes.append(say("memory_pages.elsewhere-too"))
        if seen.hidden:
            notes.append(say("memory_pages.more-hidden", count=seen.hidden))
        return spread_chart(title, subtitle, seed, seen.items, names, notes)

    async def _words(self, person: PersonKey, subject: SpreadSubject) -> str:
        """Quote the memory that is asked about, to whoever may read what is said where it was learnt."""
        body = subject.oldest.body
        source = await self.targets.of(ChannelKey(body.agent, body.channel))
        may_read = source is not None and await self.targets.may(AccessRight.RECALL, person, source)
        if subject.mode is not SpreadMode.ONE or not may_read:
            return ""
        return quoted(excerpt(body.content, _EXCERPT_CHARS), self.redactor)

    async def _where(self, key: ChannelKey) -> str:
        target = await self.targets.of(key)
        return texts.channel_word(target) if target is not None else ""

    def _button(self, session: StoredSession, subject: SpreadSubject, view: int, page: int, label: str) -> Button:
        place = (subject.mode * _VIEWS + view) * _MAX_PAGES + min(page, _MAX_PAGES - 1)
        return self.buttons.row(session, ButtonVerb.SPREAD, label, place * SLOTS + subject.oldest.id % SLOTS)

    def _text(self, part: str, talk: SessionContext, subject: SpreadSubject, seen: _Seen, **values: Any) -> str:
        """Write one of the pages; `hidden` says how many records are withheld."""
        return render(
            "cortex/memory_spread",
            part=part,
            channel=texts.channel_word(talk.target),
            subject=subject.words,
            hidden=seen.hidden,
            elsewhere=seen.elsewhere,
            **values,
        )


_LABELS = {
    SpreadKind.REQUEST: "memory_pages.requests",
    SpreadKind.ANSWER: "memory_pages.answers",
    SpreadKind.MEMORY: "memory_pages.memories",
    SpreadKind.SUMMARY: "memory_pages.summaries",
    SpreadKind.COMPACTION: "memory_pages.compactions",
    SpreadKind.BRANCH: "memory_pages.branches",
    SpreadKind.WORKER: "memory_pages.workers",
}


def _proposes(caller: Caller) -> bool:
    """Say whether somebody may only look, and propose."""
    return caller.authority < Authority.ADMIN


def _right(caller: Caller) -> AccessRight:
    return AccessRight.AUDIT if _proposes(caller) else AccessRight.INSPECT


def _some(seen: _Seen) -> list[tuple[SpreadKind, int, int]]:
    return [(kind, direct, derived) for kind, (direct, derived) in count_items(seen.items).items() if direct + derived]


def _names(kind: HandleKind, rows: Sequence[int]) -> str:
    names, more = ", ".join(handle(kind, row) for row in rows[:_MAX_NAMED]), len(rows) - _MAX_NAMED
    return say("memory_pages.names-and-more", names=names, count=more) if more > 0 else names


def _compactions(count: int) -> str:
    return say("spread_chart.compactions", count=count)
