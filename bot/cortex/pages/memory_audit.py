"""What is remembered in a channel or on a server: in pages for a phone, for those who may look through it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import MAX_CHOICES, ButtonFactory
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.targets.texts import channel_word
from bot.cortex.words.quoting import quoted
from bot.domain.access import AccessRight, Authority
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import AgentId, ChannelId, ChannelKey, PersonKey, platform_of
from bot.domain.memory import Memory, MemoryEdge, MemoryFilter, MemoryPlaces, MemoryScope, RelationKind, StandsOut
from bot.domain.messages import Button
from bot.errors import UserError
from bot.memory.graph import relation_lines
from bot.ports.channels import KnownChannel
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.figures import exact_number
from bot.text.markdown.tables import MAX_PHONE_COLUMNS, columns
from bot.text.redaction import Redactor
from bot.text.text import excerpt, one_line_name
from bot.text.times import age

MEMORIES_A_PAGE = 8
_MAX_SOURCES = 40
"""Of so many channels the platform is asked whether somebody may read them; the others count as closed."""
_MAX_QUOTED_CHARS = 3000
_DISPUTES = frozenset({RelationKind.CONTRADICTS, RelationKind.UPDATES, RelationKind.RESEMBLES})
"""Edges that say whether a memory still holds, or is there twice; `memory show` lists all."""
_ID = re.compile(r"\d{1,20}")


class AuditQuery(NamedTuple):
    """What somebody wants to see: which memories, which page of them, and whether of the whole server.

    `older_ms` and `newer_ms` are spans back from now (0: any).
    """

    wanted: MemoryFilter = MemoryFilter()
    page: int = 1
    everywhere: bool = False
    older_ms: int = 0
    newer_ms: int = 0


class AuditedPage(NamedTuple):
    """A page of memories: which there are, how many in all, and how many are not for this reader."""

    memories: Sequence[Memory]
    total: int
    hidden: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.total // MEMORIES_A_PAGE))


class AuditReach(NamedTuple):
    """Where somebody looks, in which channels what they may read was learnt, and how many others are there."""

    places: MemoryPlaces
    open_ones: frozenset[ChannelId]
    hidden: int


@dataclass(frozen=True)
class MemoryAudit:
    """Reads memories for one person; of what was learnt where they cannot read nothing is shown but how many.

    Neither can it be searched or filtered: what is found would tell what stands there.
    """

    store: Store
    targets: TargetResolver
    buttons: ButtonFactory
    redactor: Redactor
    clock: Clock

    async def listed(self, talk: SessionContext, query: AuditQuery) -> ThreadReply:
        """List what is remembered and fits, forgotten ones too."""
        found = await self.page(talk.caller.person, talk.target, query)
        edges = await self.store.memories.edges([memory.id for memory in found.memories], None)
        proposes = talk.caller.authority is Authority.MODERATOR
        text = page_text(found, edges, query, channel_word(talk.target), self.clock.now(), self.redactor, proposes)
        made = [*self._turners(talk, query.page, found.pages), *self._merger(talk, found.memories, edges, proposes)]
        return ThreadReply(text, tuple(made))

    async def page(self, person: PersonKey, target: TargetChannel, query: AuditQuery) -> AuditedPage:
        """Return a page of memories, of those alone whose words this person may read."""
        reach = await self.reach(person, target, query.everywhere)
        skip = (query.page - 1) * MEMORIES_A_PAGE
        wanted = since_now(query, self.clock.now())
        found, total = await self.store.memory_audit.page(reach.places, reach.open_ones, wanted, skip, MEMORIES_A_PAGE)
        return AuditedPage(found, total, reach.hidden)

    async def reach(self, person: PersonKey, target: TargetChannel, everywhere: bool) -> AuditReach:
        """Return what somebody may look through, of a channel or of its whole server; UserError.

        This is the one place that decides it.
        """
        if everywhere and self.targets.caller(person, "").authority < Authority.ADMIN:
            raise UserError(render("cortex/server_for_admins").strip())
        known = await self.store.channels.known() if everywhere else ()
        places = places_of(target.key, target.place.guild_id, known)
        sources = await self.store.memory_audit.sources(places)
        open_ones = await self.readable(person, places.agent, sources)
        return AuditReach(places, open_ones, sum(many for one, many in sources.items() if one not in open_ones))

    async def caused_by(self, target: TargetChannel, user: str, since: int) -> Sequence[Memory]:
        """Return what one person caused since a time (UTC ms), forgotten ones too, newest first."""
        author = author_of(user)
        every = await self.store.memories.listed(target.key.agent, target.key.channel, target.place.guild_id)
        return [
            memory
            for memory in every
            if memory.body.created_at >= since
            and (
                memory.body.provenance.author == author
                if author.isdigit()
                else _author(memory).casefold() == author.casefold()
            )
        ]

    async def readable(self, person: PersonKey, agent: AgentId, sources: Iterable[ChannelId]) -> frozenset[ChannelId]:
        """Ask, now, in which of these channels this person may read the words of what was learnt there."""
        asked = [*sources][:_MAX_SOURCES]
        may = await asyncio.gather(*(self._may_recall(person, ChannelKey(agent, one)) for one in asked))
        return frozenset(one for one, is_open in zip(asked, may, strict=True) if is_open)

    async def _may_recall(self, person: PersonKey, key: ChannelKey) -> bool:
        target = await self.targets.of(key)
        return target is not None and await self.targets.may(AccessRight.RECALL, person, target)

    def _merger(
        self, talk: SessionContext, memories: Sequence[Memory], edges: Sequence[MemoryEdge], proposes: bool
    ) -> Iterator[Button]:
        """Make the button that shows what would become of two memories that may be one; a moderator proposes it."""
        if pair := alike_pair(memories, edges):
            names = " + ".join(handle(HandleKind.MEMORY, row) for row in pair)
            label = say("memory_pages.propose-merging" if proposes else "memory_pages.merge", names=names)
            yield self.buttons.row(talk.session, ButtonVerb.PREVIEW_MERGE, label, pair[1])

    def _turners(self, talk: SessionContext, page: int, pages: int) -> Iterator[Button]:
        """Make the buttons that turn the page; each reads anew what was asked."""
        if not talk.asked:
            return
        for number, label in ((page - 1, say("memory_pages.newer")), (page + 1, say("memory_pages.older"))):
            if 0 < number <= min(pages, MAX_CHOICES - 1):
                yield self.buttons.turns(talk.session, label, talk.asked, number)


def places_of(key: ChannelKey, guild: str, known: Sequence[KnownChannel]) -> MemoryPlaces:
    """Return where a channel's memories are, with those of all `known` channels of its server."""
    others = (one for one in known if one.agent == key.agent and not one.place.is_dm)
    channels = (key.channel, *(one.id for one in others if _is_same_server(key.channel, guild, one)))
    return MemoryPlaces(
        agent=key.agent, platform=platform_of(key.channel), channels=tuple(dict.fromkeys(channels)), guild_id=guild
    )


def page_text(
    found: AuditedPage,
    edges: Sequence[MemoryEdge],
    query: AuditQuery,
    place: str,
    now: int,
    redactor: Redactor,
    proposes: bool = False,
) -> str:
    """Write a page of memories; whoever `proposes` is told how."""
    rows = [row for memory in found.memories for row in memory_rows(memory, edges, now)]
    text = render(
        "cortex/memories",
        place=say("memory_pages.the-server-of", place=place) if query.everywhere else place,
        total=exact_number(found.total),
        page=query.page,
        pages=found.pages,
        only=tuple(_only(query)),
        rows=quoted("\n".join(rows), redactor, _MAX_QUOTED_CHARS) if rows else "",
        hidden=exact_number(found.hidden) if found.hidden else "",
        example=handle(HandleKind.MEMORY, found.memories[0].id) if found.memories else "",
        proposes=proposes,
        alike=_alike(found.memories, edges),
    )
    return text.strip()


def _alike(memories: Sequence[Memory], edges: Sequence[MemoryEdge]) -> str:
    """Name two memories that may be one, the older first; empty where a page shows none."""
    return " ".join(handle(HandleKind.MEMORY, row) for row in alike_pair(memories, edges))


def alike_pair(memories: Sequence[Memory], edges: Sequence[MemoryEdge]) -> tuple[int, ...]:
    """Return two memories that may be one, the older first, of which one at least is among these; () without any."""
    shown = {memory.id for memory in memories}
    pairs = [edge for edge in edges if edge.kind is RelationKind.RESEMBLES and {edge.source, edge.target} & shown]
    return (pairs[-1].target, pairs[-1].source) if pairs else ()


def memory_rows(memory: Memory, edges: Sequence[MemoryEdge], now: int) -> Iterator[str]:
    """Write a memory in two lines of a phone, words first and handle last.

    Further ones say how often it was said, how it would have others treated, what it contradicts and resembles.
    """
    body = memory.body
    yield cut_columns(
        excerpt(body.content, 2 * MAX_PHONE_COLUMNS) or say("memory_pages.words-deleted"), MAX_PHONE_COLUMNS
    )
    when = say("memory_pages.forgotten") if memory.forgotten_at else age(now - body.created_at)
    rest = f" · {body.type.value} · {when} · {handle(HandleKind.MEMORY, memory.id)}"
    yield f"  {cut_columns(_author(memory), MAX_PHONE_COLUMNS - 2 - columns(rest))}{rest}"
    if body.confirmed > 1:
        if body.confirmed_at:
            last = age(now - body.confirmed_at)
            yield f"  {say('memory_pages.said-times-last', times=body.confirmed, age=last)}"
        else:
            yield f"  {say('memory_pages.said-times', times=body.confirmed)}"
    if body.treatment:
        yield f"  ⚑ {cut_columns(', '.join(body.treatment), MAX_PHONE_COLUMNS - 4)}"
    for line in relation_lines(memory.id, edges, _DISPUTES):
        yield f"  {line}"


def memory_value(memory: Memory, redactor: Redactor) -> dict[str, Any]:
    """Return a memory as plain values, its secrets taken out."""
    body = memory.body
    return {
        "handle": handle(HandleKind.MEMORY, memory.id),
        "content": redactor.redact(body.content).text,
        "type": body.type.value,
        "importance": body.importance,
        "scope": body.scope.value,
        "learnt_in": str(body.channel),
        "author": {"id": body.provenance.author, "name": one_line_name(body.provenance.author_name or "someone")},
        "by_admin": body.provenance.by_admin,
        "message": body.provenance.message_id,
        "subjects": [*body.subjects],
        "created_at": body.created_at,
        "read_at": memory.last_accessed,
        "reads": memory.access_count,
        "forgotten_at": memory.forgotten_at,
        "version": memory.version,
    }


def author_of(user: str) -> str:
    """Read how a person is named: the number of an id or a mention, else the name."""
    name = user.strip().strip('"')
    number = _ID.search(name) if name.startswith("<@") or name.isdigit() else None
    return number[0] if number else name.lstrip("@")


def since_now(query: AuditQuery, now: int) -> MemoryFilter:
    """Turn spans back from now into times."""
    changes = {"until": now - query.older_ms} if query.older_ms else {}
    changes |= {"since": now - query.newer_ms} if query.newer_ms else {}
    return query.wanted.replace(**changes)


def _only(query: AuditQuery) -> Iterator[str]:
    """Say what was left out by the words of the command."""
    wanted = query.wanted
    if wanted.words:
        yield say("memory_pages.with-those-words")
    if wanted.type:
        yield wanted.type.value
    if wanted.author:
        yield say("memory_pages.by", name=one_line_name(wanted.author, 32))
    if query.older_ms:
        yield say("memory_pages.older-than", age=age(query.older_ms))
    if query.newer_ms:
        yield say("memory_pages.of-the-last", age=age(query.newer_ms))
    if wanted.scope:
        yield say(_SCOPE_WORDS[wanted.scope])
    if wanted.stands_out is not None:
        yield say(_STANDS_OUT_WORDS[wanted.stands_out])
    if wanted.forgotten is not None:
        yield say("memory_pages.forgotten" if wanted.forgotten else "memory_pages.not-forgotten")


_STANDS_OUT_WORDS = {
    StandsOut.FLAGGED: "memory_pages.flagged",
    StandsOut.DISPUTED: "memory_pages.disputed",
    StandsOut.ALIKE: "memory_pages.alike",
}
_SCOPE_WORDS = {
    MemoryScope.CHANNEL: "memory_pages.scope-channel",
    MemoryScope.USER: "memory_pages.scope-user",
    MemoryScope.GUILD: "memory_pages.scope-guild",
    MemoryScope.GLOBAL: "memory_pages.scope-global",
}


def _is_same_server(channel: ChannelId, guild: str, other: KnownChannel) -> bool:
    """Say whether a channel is on the same server, or another topic of the same chat."""
    if platform_of(channel) != platform_of(other.id):
        return False
    return other.place.guild_id == guild if guild else other.id.split(":")[1] == channel.split(":")[1]


def _author(memory: Memory) -> str:
    return one_line_name(memory.body.provenance.author_name or say("memory_pages.someone"), 32)


def cut_columns(line: str, width: int) -> str:
    """Cut a line to the columns that it may take."""
    if columns(line) <= width:
        return line
    while line and columns(line) >= width:
        line = line[:-1]
    return f"{line.rstrip()}…"
