"""What is kept of one person in what was heard and no process has taken up yet."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple, cast

import orjson

from adapters.postgres.engine.connection import PostgresConnection
from adapters.postgres.relay_cipher import RelayCipher
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.sql_connection import SqlConnection
from bot.domain.erasure import PersonalFootprint
from bot.domain.heard import HeardInbound, heard_json, read_heard
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.messages import Inbound, InboundKind
from bot.domain.references import is_forward_of, without_quoted

_PAGE = 500
_RELAYED = "SELECT id, body FROM relayed WHERE platform = $1 AND id > $2 ORDER BY id LIMIT $3"
_TAKEN_UP = """
    SELECT 1 FROM inbound
    WHERE adapter = $1 AND channel = $2 AND message_id = $3 AND edit = $4 AND kind = $5 LIMIT 1"""
_TAKE = "DELETE FROM relayed WHERE id IN (SELECT value FROM json_numbers($1))"
_CHANGE = "UPDATE relayed SET body = $2 WHERE id = $1"
_NOBODY_WAITS = "DELETE FROM question WHERE until < clock_timestamp()"
_TOO_OLD = "DELETE FROM relayed WHERE at < clock_timestamp() - make_interval(secs => $1)"


class _Waiting(NamedTuple):
    """A row that tells of somebody; `without` is what it tells without them, None: nothing."""

    row: int
    heard: HeardInbound
    without: HeardInbound | None

    @property
    def channel(self) -> ChannelId:
        return self.heard.inbound.channel


class RelayedWords:
    """Implements `adapters.sqlite.erasure.erasure.WordsOnTheirWay`."""

    def __init__(self, database: SqliteDatabase, cipher: RelayCipher) -> None:
        self._database = database
        self._cipher = cipher

    async def footprint(self, person: PersonKey, within: Collection[ChannelId] | None) -> PersonalFootprint:
        """Count what is theirs; what is stored as a message already, and only not taken away, is none of it."""
        return (await self._look(person, within))[1]

    async def erase(self, person: PersonKey, within: Collection[ChannelId] | None) -> PersonalFootprint:
        """Take their messages away, and out of what others said and what happened whatever tells of them."""
        waiting, counted = await self._look(person, within)
        gone = orjson.dumps([one.row for one in waiting if one.without is None]).decode()
        changed = [(one.row, self._cipher.shut(heard_json(one.without))) for one in waiting if one.without is not None]

        def work(connection: SqlConnection) -> None:
            _ask(connection, _TAKE, gone)
            for row, body in changed:
                _ask(connection, _CHANGE, row, body)
            _ask(connection, _NOBODY_WAITS)

        if waiting:
            await self._database.write(work)
        return counted

    async def sweep(self, kept_ms: int) -> int:
        """Wipe what nobody took up for so long (0: keep it), and what nobody waits for; return how many messages."""

        def work(connection: SqlConnection) -> int:
            _ask(connection, _NOBODY_WAITS)
            return cast(PostgresConnection, connection).ask(_TOO_OLD, (kept_ms / 1000,)).rowcount if kept_ms else 0

        return await self._database.write(work)

    async def _look(
        self, person: PersonKey, within: Collection[ChannelId] | None
    ) -> tuple[list[_Waiting], PersonalFootprint]:
        moves = self._database.moves
        names = None if within is None else {name for channel in within for name in moves.names(channel)}

        def work(connection: SqlConnection) -> tuple[list[_Waiting], PersonalFootprint]:
            found = [one for one in self._theirs(connection, person) if names is None or one.channel in names]
            counted = [one for one in found if not _is_taken_up(connection, one.heard.inbound)]
            own = sum(one.heard.inbound.person == person for one in counted)
            channels = tuple(dict.fromkeys(one.channel for one in counted))
            return found, PersonalFootprint(messages=own, quotations=len(counted) - own, channels=channels)

        return await self._database.read(work)

    def _theirs(self, connection: SqlConnection, person: PersonKey) -> Iterator[_Waiting]:
        last = 0
        while rows := _ask(connection, _RELAYED, person.platform, last, _PAGE):
            for row, body in rows:
                try:
                    heard = read_heard(HeardInbound, self._cipher.open(body))
                except ValueError:
                    continue  # it tells of nothing heard
                without = _without(heard, person)
                if without is not heard:
                    yield _Waiting(row, heard, without)
            last = rows[-1][0]


def _without(heard: HeardInbound, person: PersonKey) -> HeardInbound | None:
    """Return what is left of something heard without somebody; itself where it tells nothing of them."""
    inbound, user = heard.inbound, person.user_id
    if inbound.person == person:
        if inbound.kind in {InboundKind.MESSAGE, InboundKind.EDIT}:
            return None
        # that it happened may matter to others: where a group moved to, who may do what
        bare = inbound.replace(author=inbound.author.replace(name=""), text="", refers=())
    else:
        bare = without_quoted(inbound, user)
        if is_forward_of(inbound, user):
            bare = bare.replace(text="")
    return heard if bare == inbound else heard.replace(inbound=bare)


def _is_taken_up(connection: SqlConnection, heard: Inbound) -> bool:
    named = (heard.adapter, heard.channel, heard.message_id, heard.edit, heard.kind.value)
    return bool(_ask(connection, _TAKEN_UP, *named))


def _ask(connection: SqlConnection, sql: str, *args: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in cast(PostgresConnection, connection).ask(sql, args).fetchall()]
