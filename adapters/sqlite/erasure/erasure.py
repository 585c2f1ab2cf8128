"""Take one person out of what is kept: found by readers, taken out in small units, and no trace left in the file."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import orjson

from adapters.sqlite.engine import copies
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.hash_chain import sign
from adapters.sqlite.engine.sealed_rows import change, insert, select
from adapters.sqlite.engine.sql_connection import SqlConnection
from adapters.sqlite.erasure.content_swap import ContentSwap, SwapRunner
from adapters.sqlite.erasure.memory_exports import Forgotten, clean_exports, drop_pictures
from adapters.sqlite.erasure.personal_data import (
    PersonalData,
    copy_holds,
    files_with,
    find_personal_data,
    find_references,
    find_swaps,
    found_elsewhere,
    imported_past_of,
    memories_of,
    offers_with,
    origins_with,
    pauses_by,
    their_words,
    versions_by,
)
from adapters.sqlite.erasure.quote_matcher import Token
from adapters.sqlite.erasure.retention import WasNamed
from adapters.sqlite.erasure.row_erasure import (
    take_answers,
    take_attempts,
    take_calls,
    take_hosts,
    take_hosts_of_work,
    take_imported_past,
    take_memories,
    take_messages,
    take_missing,
    take_names,
    take_offers,
    take_pauses,
    take_quoted,
    take_reasons,
    take_rest,
    take_turns,
    take_versions,
    take_work,
)
from adapters.sqlite.governance.person_choices import choices_of, take_choices
from adapters.sqlite.memories.memories import read_memory
from bot.domain.channel_moves import ChannelMoves
from bot.domain.erasure import Erasure, PersonalFootprint, ReleasedCopies
from bot.domain.ids import MAIN, ChannelId, PersonKey, UserId
from bot.domain.memory import Memory
from bot.ports.backups import BackUp

T = TypeVar("T")
Tidy = Callable[[WasNamed], Awaitable[None]]
Named = Callable[[PersonKey, ChannelMoves, Collection[ChannelId] | None, SqlConnection], list[int]]
"""Finds rows that name a person, everywhere or in some channels."""
_STEP = 12


class Copies(Protocol):
    """What copies of the database are made here."""

    @property
    def kept_ms(self) -> int:
        """How long copies are kept; 0: unknown, or for ever."""

    async def make_now(self, now: int) -> BackUp:
        """Make a copy and check it; nothing is removed."""


class WordsOnTheirWay(Protocol):
    """What was heard by one process and waits for another one."""

    async def footprint(self, person: PersonKey, within: Collection[ChannelId] | None) -> PersonalFootprint:
        """Count what is theirs; nothing changes."""

    async def erase(self, person: PersonKey, within: Collection[ChannelId] | None) -> PersonalFootprint:
        """Take it out; count what was taken."""


class SqliteErasures:
    """Implements `bot.ports.bookkeeping.ErasureStore`. `tidy` takes out content that nothing names, and its traces."""

    def __init__(
        self,
        database: SqliteDatabase,
        directory: Path,
        tidy: Callable[[WasNamed], Awaitable[None]],
        alone: AbstractAsyncContextManager[None],
        made: Copies,
        on_their_way: WordsOnTheirWay | None = None,
    ) -> None:
        self._database = database
        self._directory = directory
        self._tidy = tidy
        self._alone = alone
        self._copies = made
        self._on_their_way = on_their_way

    async def footprint(self, person: PersonKey, within: Collection[ChannelId] | None = None) -> PersonalFootprint:
        """Count what is theirs by author and subject; nothing changes."""
        counted = _counted(await self._look(person, within)).replace(choices=await self._choices(person, within))
        return counted if self._on_their_way is None else counted + await self._on_their_way.footprint(person, within)

    async def erase(self, person: PersonKey, within: Collection[ChannelId] | None = None) -> PersonalFootprint:
        """Take it out, the words themselves last: until then they are what the rest is found by."""
        async with self._alone:
            # before those that were taken up: what is taken up meanwhile is among these
            waited = await self._on_their_way.erase(person, within) if self._on_their_way else PersonalFootprint()
            found = await self._look(person, within)
            counted = waited + _counted(found).replace(choices=await self._choices(person, within))
            if counted.choices:
                await self._database.write(partial(take_choices, person))
            if not (found.rows or found.memories or found.work or found.quoting):
                return counted
            swap = await self._database.read(partial(find_swaps, found))
            offers = await self._database.read(partial(offers_with, found))
            files = await self._files(found)
            await SwapRunner(self._database).run(swap)
            told = await self._database.read(partial(found_elsewhere, found))
            await SwapRunner(self._database).run(told)
            referred = await self._database.read(partial(find_references, found))
            await SwapRunner(self._database).run(referred)
            await self._each(take_attempts, swap.attempts)
            await self._each(take_calls, (*found.calls, *swap.calls))
            await self._each(take_answers, (*found.answers, *swap.answers))
            await self._each(partial(take_memories, self._database.now()), found.memories)
            await self._each(take_versions, await self._named(versions_by, person, within))
            if found.hosts:
                memories, work = await self._database.read(partial(origins_with, found))
                await self._each(
                    partial(take_hosts, found.hosts), [row for row in memories if row not in found.memories]
                )
                await self._each(partial(take_hosts_of_work, found.hosts), work)
            past = await self._named(imported_past_of, person, within)
            await self._each(partial(take_imported_past, person), past)
            pauses = await self._named(pauses_by, person, within)
            await self._each(partial(take_pauses, person, self._database.now()), pauses)
            await self._each(take_rest, swap.checkpoints)
            await self._each(take_offers, offers)
            await self._each(take_missing, swap.compactions)
            await self._each(take_work, swap.processes)
            await self._each(take_turns, tuple(found.turns))
            await self._each(take_reasons, swap.reasons)
            await self._each(take_names, found.channels)
            await asyncio.to_thread(_unlink, self._directory, files)
            names = None if within is None else {name for one in within for name in self._database.moves.names(one)}
            signs = partial(sign, self._database.secret_key, "memories")
            await asyncio.to_thread(clean_exports, self._directory, Forgotten(person, names, found.hosts), signs)
            await asyncio.to_thread(drop_pictures, self._directory, person)
            await self._each(partial(take_quoted, person.user_id), found.quoting)
            await self._each(take_messages, (*found.messages, *swap.results))
            if swap.fresh or told.fresh or referred.fresh or not counted.is_empty:
                await self._tidy(_named([swap, told, referred]))
            return counted.replace(files=files)

    async def replace_copies(self, person: PersonKey) -> ReleasedCopies:
        """Make and check a new copy of the database where older ones hold rows of theirs, then remove those."""
        async with self._alone:
            held = [
                copy
                for copy in await asyncio.to_thread(copies.find_copies, self._directory)
                if await asyncio.to_thread(copy_holds, copy.path, person)
            ]
            if not held:
                return ReleasedCopies()
            made = await self._copies.make_now(self._database.now())
            if made.state != "made":
                return ReleasedCopies(kept=tuple(copy.at for copy in held), until=self._until(held), why=made.why)
            gone = {copy.path for copy in held} - {Path(made.path)}
            await asyncio.to_thread(copies.remove, self._directory, lambda copy: copy.path in gone)
            return ReleasedCopies(removed=len(gone))

    async def memories_of(self, person: PersonKey) -> Sequence[Memory]:
        """Return what is remembered by somebody or about them, the oldest first."""

        def work(connection: SqlConnection) -> list[Memory]:
            return [read_memory(row) for row in memories_of(person, connection) if not row["forgotten_at"]]

        return await self._database.read(work)

    async def ask(self, person: PersonKey, at: int) -> None:
        """Note that somebody asked to be forgotten themselves; nothing is taken out yet."""
        platform, user = person

        def work(connection: SqlConnection) -> None:
            insert(connection, "erasure", agent=MAIN, platform=platform, user_id=user, at=at, done_at=0, channels="")

        await self._database.write(work)

    async def unfinished(self) -> Sequence[Erasure]:
        """Return what was confirmed and is not over, oldest first."""

        def work(connection: SqlConnection) -> list[Erasure]:
            rows = select(connection, "erasure", "WHERE done_at = 0 ORDER BY id")
            return [
                Erasure(
                    id=row["id"],
                    platform=row["platform"],
                    user_id=UserId(row["user_id"]),
                    at=row["at"],
                    channels=tuple(orjson.loads(row["channels"] or "[]")),
                )
                for row in rows
            ]

        return await self._database.read(work)

    async def finished(self, row: int, at: int) -> None:
        """Note that an erasure is over."""
        await self._database.write(lambda connection: change(connection, "erasure", row, done_at=at))

    async def _files(self, found: PersonalData) -> tuple[str, ...]:
        looked = await asyncio.to_thread(files_with, self._directory, found)
        repeated = frozenset[Token]().union(*(hits for _, hits in looked))
        mine = (await self._database.read(partial(their_words, found, repeated))).first.keys()
        return tuple(name for name, hits in looked if not hits or not mine.isdisjoint(hits))

    def _until(self, held: Sequence[copies.DatabaseCopy]) -> int:
        kept_ms = self._copies.kept_ms
        return max(copy.at for copy in held) + kept_ms if kept_ms else 0

    async def _choices(self, person: PersonKey, within: Collection[ChannelId] | None) -> int:
        """Count what somebody chose for themselves, and goes: it belongs to no channel."""
        return 0 if within is not None else await self._database.read(partial(choices_of, person))

    async def _look(self, person: PersonKey, within: Collection[ChannelId] | None) -> PersonalData:
        return await self._database.read(partial(find_personal_data, person, self._database.moves, within))

    async def _named(self, look: Named, person: PersonKey, within: Collection[ChannelId] | None) -> list[int]:
        return await self._database.read(partial(look, person, self._database.moves, within))

    async def _each(self, take: Callable[[Sequence[T], SqlConnection], None], rows: Sequence[T]) -> None:
        wanted = list(dict.fromkeys(rows))
        for start in range(0, len(wanted), _STEP):
            await self._database.write(partial(take, wanted[start : start + _STEP]))


def _counted(found: PersonalData) -> PersonalFootprint:
    return PersonalFootprint(
        messages=len(found.messages),
        lines=len(found.lines),
        answers=len(found.answers),
        requests=len(found.requests),
        calls=len(found.calls),
        memories=len(found.memories),
        work=len(found.work),
        quotations=len(found.quoting),
        channels=tuple(dict.fromkeys((*found.channels, *found.quoted_in))),
    )


def _named(swaps: Sequence[ContentSwap]) -> WasNamed:
    return {
        "node": sorted({node[0] for swap in swaps for node in swap.nodes}, reverse=True),
        "head": [head for swap in swaps for head in swap.heads],
        "blob": [blob for swap in swaps for blob in swap.fresh],
    }


def _unlink(directory: Path, names: Sequence[str]) -> None:
    # imported here: no start needs it
    from adapters.workspaces.tree import FOLDER, remove

    # by handles, because a program of a worker may be moving things around in there at this moment
    remove(directory, frozenset(names))
    for name in names:
        if not name.startswith(f"{FOLDER}/"):
            (directory / name).unlink(missing_ok=True)
