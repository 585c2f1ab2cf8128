"""What of a file of memories is taken in, and as what: nobody's words come to count for more, or reach further."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.domain.erasure import Erasure, is_erased
from bot.domain.ids import AgentId, ChannelId, PersonKey, UserId, parse_channel_id, platform_of
from bot.domain.imported import MemoryImport, PastVersion
from bot.domain.memory import MAX_CONTENT_BYTES, MemoryProvenance, MemoryScope, NewMemory
from bot.domain.memory_file import Changed, FileEdge, FileMemory, ImportedMemory, LeftOut, people_of
from bot.domain.word_origins import OriginSource, WordAuthority, WordOrigins, join_origins
from bot.memory.memory_file_format import FileHead
from bot.memory.write import MemoryRules
from bot.text.text import clean, one_line_name

MAX_PAST = 200
"""So many versions go along with a memory: the first, and the newest."""
_MAX_NAME = 64
_MAX_SUBJECTS = 64
_MOST = 1 << 53
_ID = re.compile(r"[\w.-]{0,40}")


@dataclass(frozen=True, kw_only=True)
class TakeInRules:
    """For whom and from what kind of file memories are taken in.

    `own`: it is as this instance signed it, and `same`: numbers of messages and turns in it are those of this one.
    `may` says where whoever takes them in decides, `guild_of` which server a channel is on, `current` what a channel is
    called now. `decides_all`: they are an owner, or the host.
    """

    agent: AgentId
    head: FileHead
    own: bool
    same: bool
    now: int
    limits: MemoryRules
    erased: Sequence[Erasure]
    may: Callable[[ChannelId], bool]
    guild_of: Callable[[ChannelId], str]
    current: Callable[[ChannelId], ChannelId]
    decides_all: bool = False


@dataclass
class MemoryIntake:
    """Goes through the lines of a file, and counts what becomes of them."""

    rules: TakeInRules
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    changed: Counter[Changed] = field(default_factory=Counter)
    _seen: set[int] = field(default_factory=set)

    def take(self, lines: Iterable[FileMemory | None]) -> Iterator[ImportedMemory]:
        """Yield what is to be taken in, in the order of the file."""
        for line in lines:
            found = self._taken(line) if line is not None else LeftOut.BROKEN
            if isinstance(found, LeftOut):
                self.left_out[found] += 1
            else:
                yield found

    def _taken(self, said: FileMemory) -> ImportedMemory | LeftOut:
        line = self._as_called_now(said)
        body, rules = line.body, self.rules
        if why := self._why_not(line):
            return why
        changes = self._scope(body)
        provenance = self._provenance(line)
        importance = min(body.importance, rules.limits.importance_cap) if not rules.own else body.importance
        content = clean(body.content).text
        at = min(body.created_at, rules.now)
        self.changed[Changed.IMPORTANCE] += importance != body.importance
        self.changed[Changed.CLEANED] += content != body.content
        self.changed[Changed.TIME] += at != body.created_at
        taken = body.replace(
            agent=rules.agent,
            content=content,
            importance=importance,
            created_at=at,
            provenance=provenance,
            relations=(),
            **changes,
        )
        edges = tuple(self._edges(line, body.channel))
        self._seen.add(line.memory)
        return ImportedMemory(memory=line.memory, body=taken, edges=edges)

    def _as_called_now(self, line: FileMemory) -> FileMemory:
        """Return a line about the channel under the id that it has now."""
        body = line.body
        channel = self.rules.current(body.channel)
        if channel == body.channel:
            return line
        is_there_alone = body.scope is MemoryScope.CHANNEL and body.scope_id == body.channel
        scope_id = channel if is_there_alone else body.scope_id
        return line.replace(body=body.replace(channel=channel, scope_id=scope_id))

    def _why_not(self, line: FileMemory) -> LeftOut | None:
        body, rules = line.body, self.rules
        numbers = (body.importance, *(edge.weight for edge in line.edges))
        if not all(map(math.isfinite, numbers)) or not 0 <= body.importance <= 1 or body.created_at < 0:
            return LeftOut.BROKEN
        if line.memory in self._seen or len(body.subjects) > _MAX_SUBJECTS or not _is_sound(line):
            return LeftOut.BROKEN
        if not body.content.strip():
            return LeftOut.EMPTY
        if len(body.content.encode("utf-8", "surrogatepass")) > MAX_CONTENT_BYTES:
            return LeftOut.TOO_LONG
        if not _is_channel(body.channel) or not rules.may(body.channel):
            return LeftOut.ELSEWHERE
        if body.scope is MemoryScope.USER and not (rules.own and body.scope_id):
            # it would be known wherever that person is
            return LeftOut.ELSEWHERE
        people = people_of(body)
        if is_erased(rules.erased, people, body.channel, body.created_at if rules.own else 0):
            return LeftOut.ERASED
        if any(rules.limits.is_out(PersonKey(platform_of(body.channel), user)) for user in people):
            return LeftOut.OPTED_OUT
        return None

    def _scope(self, body: NewMemory) -> dict[str, object]:
        """Return where it is known from now on: no further than whoever takes it in decides."""
        rules, scope, scope_id = self.rules, body.scope, body.scope_id
        match scope:
            case MemoryScope.USER:
                fits = True
            case MemoryScope.CHANNEL:
                fits = scope_id == body.channel
            case MemoryScope.GUILD:
                fits = bool(scope_id) and scope_id == rules.guild_of(body.channel)
            case MemoryScope.GLOBAL:
                fits = rules.own and rules.decides_all and not scope_id
        self.changed[Changed.SCOPE] += not fits
        return {} if fits else {"scope": MemoryScope.CHANNEL, "scope_id": body.channel}

    def _provenance(self, line: FileMemory) -> MemoryProvenance:
        rules, said = self.rules, line.body.provenance
        past = tuple(self._nameless(one) for one in line.versions)
        earlier = line.earlier + max(0, len(past) - MAX_PAST)
        self.changed[Changed.EARLIER] += bool(earlier)
        came = MemoryImport(
            instance=rules.head.instance,
            memory=line.memory,
            at=rules.head.exported_at,
            own=rules.own,
            past=past if len(past) <= MAX_PAST else (past[0], *past[1 - MAX_PAST :]),
            earlier=earlier,
        )
        changes: dict[str, object] = {"imported": came}
        if not rules.same:
            # the same numbers mean other messages and turns here
            changes |= {"inbound": 0, "turn": 0}
        if not rules.own:
            self.changed[Changed.AUTHORITY] += said.by_admin
            source = OriginSource(WordAuthority.OUTSIDE, f"a memory file of {rules.head.instance}")
            # what it says of anything stands in prompts and pages: one line, of no more than a name's length
            claimed = [_plain(one) for one in said.origins.sources] if said.origins is not None else []
            changes |= {"by_admin": False, "origins": join_origins([WordOrigins(sources=(source, *claimed))]).unnamed}
            changes |= {name: _line(getattr(said, name)) for name in ("author_name", "process", "model", "message_id")}
        return said.replace(**changes)

    def _nameless(self, one: PastVersion) -> PastVersion:
        if not one.actor or not any(
            (gone.platform, gone.user_id) == (one.platform, one.actor) for gone in self.rules.erased
        ):
            return one
        self.changed[Changed.PERSON] += 1
        return one.replace(actor=UserId(""))

    def _edges(self, line: FileMemory, channel: ChannelId) -> Iterator[FileEdge]:
        """Yield what it is to memories before it in the file; so no chain of them ever leads back."""
        told = set[tuple[int, str]]()
        for edge in line.edges:
            name = (edge.target, edge.kind.value)
            if edge.target not in self._seen or edge.target == line.memory or name in told:
                self.changed[Changed.EDGE] += 1
                continue
            told.add(name)
            is_gone = is_erased(self.rules.erased, {edge.author}, channel, 0)
            changes = {"author": UserId("")} if is_gone else {}
            yield edge.replace(**changes, **({} if self.rules.same else {"turn": 0}))


def as_file_memory(
    memory: int, body: NewMemory, versions: Sequence[PastVersion], edges: Sequence[FileEdge]
) -> FileMemory:
    """Return the line of a memory, with what it had behind it before it came here."""
    came = body.provenance.imported
    past = (*(came.past if came is not None else ()), *versions)
    earlier = (came.earlier if came is not None else 0) + max(0, len(past) - MAX_PAST)
    said = body.provenance.replace(imported=None)
    return FileMemory(
        memory=memory,
        body=body.replace(provenance=said, relations=()),
        versions=past if len(past) <= MAX_PAST else (past[0], *past[1 - MAX_PAST :]),
        earlier=earlier,
        edges=tuple(edges),
    )


def _is_channel(text: str) -> bool:
    try:
        return bool(parse_channel_id(text))
    except ValueError:
        return False


def _is_sound(line: FileMemory) -> bool:
    """Say whether ids are such, and numbers such as a row may have."""
    said, edges = line.body.provenance, line.edges
    people = (said.author, *line.body.subjects, *(one.actor for one in line.versions), *(edge.author for edge in edges))
    numbers = [line.memory, line.earlier, line.body.confirmed, said.inbound, said.turn]
    numbers += [number for edge in edges for number in (edge.target, edge.turn, edge.at)]
    return all(map(_ID.fullmatch, people)) and all(0 <= number < _MOST for number in numbers)


def _plain(source: OriginSource) -> OriginSource:
    return source._replace(name=_line(source.name))


def _line(text: str) -> str:
    return one_line_name(text, _MAX_NAME, blank="")
