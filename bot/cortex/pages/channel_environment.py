"""What lies around a channel: the server that it is in, the settings that bear on it, and what changed last."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from bot.config import LoadedConfig
from bot.config.config_values import flatten
from bot.context.transcript import utc
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.words.audit_lines import audit_words
from bot.domain.access import Authority, Caller
from bot.domain.handles import HandleKind, handle
from bot.domain.health import ProbeResult
from bot.domain.memory import Memory
from bot.domain.snapshot import SectionFate, SectionStability, SectionTrace
from bot.domain.turn import StoredRequest
from bot.inspect.capture.reader_view import CaptureExtras
from bot.ports.channels import KnownChannel
from bot.ports.store import Store
from bot.text.text import one_line_name, quote_line

MAX_CHANGES = 5
MAX_TREE_DEPTH = 3
_MAX_NEIGHBOURS = 60
_MAX_AUDIT_ROWS = 40
_TABLES = ("model", "conversation", "limits", "memory", "cortex")
"""What bears on every channel; addresses, ids of people and keys are in other tables."""
_SECRET = "(secret)"
_LOOK_ACTIONS = frozenset({"look", "export", "start by link"})


class _Change(NamedTuple):
    at: int
    line: str


@dataclass(frozen=True)
class ChannelEnvironment:
    """Reads them for one reader. `probe` says whether the configuration that runs is the one in its file."""

    store: Store
    loaded: LoadedConfig
    probe: Callable[[], Awaitable[Sequence[ProbeResult]]]

    async def around(self, caller: Caller, target: TargetChannel, requests: Sequence[StoredRequest]) -> CaptureExtras:
        """Return places, settings and the newest changes; `requests` are the channel's newest, newest first."""
        places, changes, configured = await asyncio.gather(
            self._places(target), self._changes(caller, target), self.probe()
        )
        newest = sorted((*changes, *_of_prompt(requests)), key=lambda change: -change.at)[:MAX_CHANGES]
        lines = (*(f"configuration: {probe.evidence}" for probe in configured), *(change.line for change in newest))
        return CaptureExtras(changes=lines[:MAX_CHANGES], places=places, config=self._settings(target))

    async def _places(self, target: TargetChannel) -> tuple[str, ...]:
        guild = target.place.guild_id
        if target.place.is_dm or not guild:
            return ()
        here = KnownChannel(
            agent=target.key.agent, id=target.key.channel, name=target.name, place=target.place, last_at=0
        )
        others = await self.store.channels.neighbours(target.key, guild, _MAX_NEIGHBOURS)
        return tuple(tree(guild, sorted((here, *others), key=lambda channel: channel.id)))

    async def _changes(self, caller: Caller, target: TargetChannel) -> list[_Change]:
        person = None if caller.authority is Authority.OWNER else caller.person
        rows, memories = await asyncio.gather(
            self.store.audit.newest(person, _MAX_AUDIT_ROWS),
            self.store.memories.listed(target.key.agent, target.key.channel, target.place.guild_id),
        )
        here = (row for row in rows if row.body.target == target.key.channel and row.body.action not in _LOOK_ACTIONS)
        done = [_Change(row.body.at, f"{utc(row.body.at)} {audit_words(row)}") for row in here]
        return [*done, *(change for memory in memories for change in _of_memory(memory))]

    def _settings(self, target: TargetChannel) -> tuple[str, ...]:
        wanted = (*_TABLES, f"channels.{target.key.channel}")
        secret: Mapping[str, object] = dict.fromkeys(self.loaded.secrets)
        lines = [f"platform = {target.key.channel.partition(':')[0]}"]
        for value in flatten(self.loaded.config):
            if value.key.startswith(tuple(f"{table}." for table in wanted)):
                shown = _SECRET if value.key in secret else quote_line(str(value.value), 100)
                lines.append(f"{value.key} = {shown}")
        return tuple(lines)


def tree(guild: str, channels: Sequence[KnownChannel]) -> Iterator[str]:
    """Write a server with its categories, channels and threads; the ids of places that were never heard from too."""
    names = {_bare(channel.id): one_line_name(channel.name) for channel in channels}
    below: dict[str, list[str]] = {}
    for channel in channels:
        # nearest first: a thread's channel and its category
        path = [_bare(channel.id), *map(_bare, channel.place.parents)]
        for child, parent in zip(path, [*path[1:], ""], strict=True):
            if child not in below.setdefault(parent, []):
                below[parent].append(child)
    yield f"server {guild}"
    yield from _branches(below, names, "", 1)


def _branches(below: Mapping[str, Sequence[str]], names: Mapping[str, str], parent: str, depth: int) -> Iterator[str]:
    for child in below.get(parent, ()):
        yield f"{'  ' * depth}{names.get(child, 'place')} ({child})"
        if depth < MAX_TREE_DEPTH:
            yield from _branches(below, names, child, depth + 1)


def _bare(channel: str) -> str:
    """Return the id as parents are written: the platform's own."""
    return channel.rpartition(":")[2]


def _of_memory(memory: Memory) -> Iterator[_Change]:
    """Say when a memory came and went, without its words: they may be of another place."""
    said = f"memory {handle(HandleKind.MEMORY, memory.id)} ({memory.body.type.value})"
    created, gone = memory.body.created_at, memory.forgotten_at
    yield _Change(created, f"{utc(created)} {said} learnt")
    if gone:
        yield _Change(gone, f"{utc(gone)} {said} forgotten")


def _of_prompt(requests: Sequence[StoredRequest]) -> Iterator[_Change]:
    """Say which lasting sections, and which model, differ between a request and the one before."""
    for newer, older in pairwise(requests):
        at, before, after = newer.record.at, _lasting(older), _lasting(newer)
        changed = [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]
        if changed:
            row = handle(HandleKind.REQUEST, newer.id)
            yield _Change(at, f"{utc(at)} prompt: {', '.join(changed)} changed before request {row}")


def _lasting(stored: StoredRequest) -> dict[str, str]:
    record = stored.record
    return {"model": str(record.request.model), **{t.name: t.digest for t in record.sections if _is_lasting(t)}}


def _is_lasting(trace: SectionTrace) -> bool:
    return trace.stability is not SectionStability.VOLATILE and trace.fate is SectionFate.KEPT
