"""Give a conversation another id: what it is goes along, what has arrived and what was sent stays where it was."""

from __future__ import annotations

from typing import NamedTuple

from adapters.sqlite.engine.revisions import (
    channel_ended,
    memory_changed,
    settings_changed,
)
from adapters.sqlite.engine.sealed_rows import change, insert, select, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow, is_sqlite
from adapters.sqlite.engine.tables import SEALED
from adapters.sqlite.engine.word_index import IndexedMemory, put_words, take_words
from bot.domain.channel import ChannelSettings
from bot.domain.channel_moves import ChannelMoves, place_of, with_current_address
from bot.domain.finding import NewProposal, NewSession, ProposalState, ResumeChannel, TellChannel
from bot.domain.ids import MAIN, ChannelId
from bot.domain.memory import MemoryScope, NewMemory
from bot.domain.messages import ChannelPlace
from bot.domain.revisions import BY_ITSELF, RevisionCause
from bot.domain.turn import NewOutbox

_RENAMED = ("history", "turn", "request", "tool_call", "compaction", "process")
"""Tables whose rows name their channel in a column and nowhere else."""

_IN_OLD = "(channel = :old OR channel >= :old || ':' AND channel < :old || ';')"
"""The channel and what lies in it; `;` is the character behind `:`."""
_AS_NEW = ":new || substr(channel, length(:old) + 1)"


class _Move(NamedTuple):
    old: ChannelId
    new: ChannelId

    def of(self, name: str) -> ChannelId:
        """Return the new id of a channel that moves, another channel's as it is."""
        return ChannelMoves(pairs=(self,)).current_id(ChannelId(name))


def read_moves(connection: SqlConnection) -> ChannelMoves:
    """Return every move that was not altered: a start needs no more than that."""
    return ChannelMoves(
        pairs=tuple((row["old"], row["new"]) for row in verified_rows(connection, "move", "ORDER BY id"))
    )


def move_channel(connection: SqlConnection, old: ChannelId, new: ChannelId, at: int) -> None:
    """Carry a conversation, and those that lie in it, over to another id; rows that were altered stay behind."""
    going = _Move(old, new)
    insert(connection, "move", agent=MAIN, old=old, new=new, at=at)
    _channels(connection, going, at)
    for table in _RENAMED:
        _rename(connection, table, going)
    _memories(connection, going, at)
    _governance(connection, going)
    _unsent(connection, going)


def moved_memory(new: NewMemory, moves: ChannelMoves) -> NewMemory:
    """Return a memory as part of the channel that it belongs to now."""
    channel = moves.current_id(new.channel)
    if channel == new.channel:
        return new
    scope_id = moves.current_id(ChannelId(new.scope_id)) if new.scope is MemoryScope.CHANNEL else new.scope_id
    return new.model_copy(update={"channel": channel, "scope_id": scope_id})


def _channels(connection: SqlConnection, going: _Move, at: int) -> None:
    for row in select(connection, "channel", f"WHERE {_IN_OLD} ORDER BY id", going._asdict()):
        name = going.of(row["channel"])
        place = place_of(ChannelPlace.model_validate_json(row["place"]), *going).model_dump_json()
        met = select(connection, "channel", "WHERE agent = ? AND channel = ?", (row["agent"], name))
        if not met:
            change(connection, "channel", row["id"], channel=name, place=place)
            continue
        (newer,) = met
        _put_behind(connection, newer, row["epoch"])
        joined = _settled(row["settings"], newer["settings"])
        settings_changed(connection, newer, joined, at, RevisionCause.MOVED, BY_ITSELF)
        channel_ended(connection, row, at)
        connection.execute("DELETE FROM channel WHERE id = ?", (row["id"],))
        change(
            connection,
            "channel",
            newer["id"],
            settings=joined.model_dump_json(),
            epoch=row["epoch"] + newer["epoch"],
            last=newer["last"] or row["last"],
            last_at=max(row["last_at"], newer["last_at"]),
        )


def _put_behind(connection: SqlConnection, channel: SqlRow, epochs: int) -> None:
    """Let what was said under the new id before the move was known follow what was said under the old one."""
    if epochs:
        key = (channel["agent"], channel["channel"])
        for table in ("history", "compaction"):
            for line in select(connection, table, "WHERE agent = ? AND channel = ?", key):
                change(connection, table, line["id"], epoch=line["epoch"] + epochs)


def _settled(old: str, new: str) -> ChannelSettings:
    """Join what was set under both ids: the later mode, a pause that somebody made, a model that somebody chose."""
    was, is_now = ChannelSettings.model_validate_json(old), ChannelSettings.model_validate_json(new)
    newest = is_now if is_now.mode_by is not None and is_now.mode_at >= was.mode_at else was
    skills = tuple(sorted({**was.switches, **is_now.switches}.items()))
    return newest.replace(pause=is_now.pause or was.pause, model=is_now.model or was.model, skills=skills)


def _rename(connection: SqlConnection, table: str, going: _Move) -> None:
    if not is_sqlite(connection):
        for row in verified_rows(connection, table, f"WHERE {_IN_OLD} ORDER BY id", going._asdict()):
            update_sealed(connection, table, row, channel=going.of(row["channel"]))
        return
    columns = SEALED[table]
    sealed = ", ".join(_AS_NEW if column == "channel" else column for column in columns)
    # names from SEALED and constants of this file; a row whose seal does not hold keeps its name, and is found by it
    connection.execute(
        f"UPDATE {table} SET channel = {_AS_NEW}, h = row_hash({sealed}) "  # noqa: S608
        f"WHERE {_IN_OLD} AND h IS row_hash({', '.join(columns)})",
        going._asdict(),
    )


def _memories(connection: SqlConnection, going: _Move, at: int) -> None:
    guild, new_guild = (name.partition(":")[2] for name in going)
    tail = f"WHERE {_IN_OLD} OR scope = 'channel' AND scope_id = :old OR scope = 'guild' AND scope_id = :guild"
    for row in select(connection, "memory", tail, {**going._asdict(), "guild": guild}):
        body = NewMemory.model_validate_json(row["body"])
        channel, scope_id = going.of(body.channel), body.scope_id
        if body.scope is MemoryScope.CHANNEL:
            scope_id = going.of(scope_id)
        elif body.scope is MemoryScope.GUILD and scope_id == guild and channel != body.channel:
            scope_id = new_guild
        body = body.model_copy(update={"channel": channel, "scope_id": scope_id})
        text = body.model_dump_json(exclude={"relations"})
        change(connection, "memory", row["id"], channel=channel, scope_id=scope_id, body=text)
        if row["content"] is not None:
            take_words(connection, row["id"])
            place = (row["agent"], row["platform"], row["scope"], scope_id, channel)
            name = body.provenance.author_name
            put_words(connection, row["id"], IndexedMemory(*place, name, row["content"]))
        memory_changed(connection, row["id"], at, RevisionCause.MOVED, BY_ITSELF)


def _governance(connection: SqlConnection, going: _Move) -> None:
    for row in select(connection, "session", "ORDER BY id"):
        session = NewSession.model_validate_json(row["body"])
        target = going.of(session.target)
        if target != session.target:
            body = session.model_copy(update={"target": target}).model_dump_json()
            change(connection, "session", row["id"], body=body)
    for row in select(connection, "proposal", "WHERE state = ? ORDER BY id", (ProposalState.OPEN,)):
        offer = NewProposal.model_validate_json(row["body"])
        target = going.of(offer.target)
        if target != offer.target:
            fix = offer.fix.replace(channel=target) if isinstance(offer.fix, ResumeChannel | TellChannel) else offer.fix
            body = offer.model_copy(update={"target": target, "fix": fix}).model_dump_json()
            change(connection, "proposal", row["id"], body=body)


def _unsent(connection: SqlConnection, going: _Move) -> None:
    tail = f"WHERE state IN ('new', 'sending') AND kind <> 'preview' AND {_IN_OLD}"
    for row in select(connection, "outbox", tail, going._asdict()):
        body = with_current_address(NewOutbox.model_validate_json(row["body"]), ChannelMoves(pairs=(going,)))
        change(connection, "outbox", row["id"], channel=body.to.channel, body=body.model_dump_json())
