"""Conversations at rest: what a channel was when it was last used, rebuilt from its rows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby

from pydantic import BaseModel

from adapters.sqlite.engine.audit_chain import append, read
from adapters.sqlite.engine.content_store import checked_content, read_message
from adapters.sqlite.engine.damage import note
from adapters.sqlite.engine.database import SqliteDatabase
from adapters.sqlite.engine.moves import move_channel
from adapters.sqlite.engine.revisions import settings_changed, settings_found
from adapters.sqlite.engine.sealed_rows import Value, fetch, insert, select, update_sealed, verified_rows
from adapters.sqlite.engine.sql_connection import SqlConnection, SqlRow
from adapters.sqlite.engine.write_batch import batch_of, execute_unbatched, lookups
from adapters.sqlite.turns.history import HistoryPlace, HistoryWriter
from adapters.sqlite.turns.process_rows import with_work
from adapters.sqlite.turns.visible_history import visible_lines
from bot.domain.channel import ChannelSettings, ChannelState, LastTurn, ResponseMode, Turn
from bot.domain.channel_moves import ChannelMoves
from bot.domain.finding import AuditRow, FreshStart, NewAudit
from bot.domain.ids import MAIN, AgentId, ChannelId, ChannelKey, platform_of
from bot.domain.messages import ChannelPlace, Message
from bot.domain.revisions import BY_ITSELF, ChangedBy, RevisionCause
from bot.domain.tool_pairing import pair_tool_calls
from bot.errors import DamagedRow
from bot.ports.channels import HandedOver, KnownChannel

BUSY_MESSAGES = 16
"""How many overheard messages are no longer one here and one there, but a busy server's."""
MAX_LAST_USED_LAG_MS = 1000
"""Milliseconds that a channel's last use may be behind while it is overheard, so that messages need not change it."""
_NAMED_COLUMNS = ("channel+", "channel.agent", "channel.channel", "channel.name", "channel.place")
"""What changes when there is another channel, or one is called otherwise or stands elsewhere; not when it is used."""
_PLACE = "(CASE WHEN json_valid(place) THEN json_extract(place, '$.{}') END)"
CHANNELS_OF_GUILD = f"""
    WHERE agent = :agent AND {_PLACE.format("guild_id")} = :guild AND {_PLACE.format("is_dm")} = 0
      AND substr(channel, 1, length(:platform)) = :platform
    ORDER BY channel LIMIT :limit"""
_HAS_OTHERS = (
    "SELECT EXISTS (SELECT 1 FROM channel WHERE agent < ?1) OR EXISTS (SELECT 1 FROM channel WHERE agent > ?1)"
)
Owner = Callable[[ChannelId, ChannelPlace], AgentId]


class SqliteChannels:
    """Implements `bot.ports.channels.ChannelStore`."""

    def __init__(self, database: SqliteDatabase, history: HistoryWriter) -> None:
        self._database = database
        self._history = history

    @property
    def moves(self) -> ChannelMoves:
        """Every channel that has another id now."""
        return self._database.moves

    async def move(self, old: ChannelId, new: ChannelId, at: int) -> bool:
        """Go on under another id, in one transaction; False when that is known, and nothing changes."""

        def work(connection: SqlConnection) -> bool:
            moves = self._database.moves.adding(old, new)
            if moves == self._database.moves:
                return False
            move_channel(connection, *moves.pairs[-1], at)
            # from here on everything that is written by the old id belongs to the new one
            self._database.moves = moves
            return True

        return await self._database.write(work)

    async def load(self, key: ChannelKey) -> ChannelState | None:
        """Rebuild a conversation exactly; None for a channel never heard of."""
        state = await self._database.read(lambda connection: _load(connection, self._now(key)))
        return await with_work(self._database, state) if state is not None else None

    async def meet(self, key: ChannelKey, name: str, place: ChannelPlace, settings: ChannelSettings) -> ChannelState:
        """Return the conversation, made if it is new; a changed name or place is taken over."""
        known = await self.load(key)
        if known is not None and known.name == name and known.place == place:
            return known
        now = self._database.now()

        def work(connection: SqlConnection) -> ChannelState | None:
            own = self._now(key)
            channel = find_channel(connection, own)
            if channel is None:
                make_channel(connection, own, name, place, settings, now)
            elif own == key:
                update_sealed(connection, "channel", channel, name=name, place=_json(place))
            return _load(connection, own)

        state = await self._database.write(work)
        assert state is not None
        return await with_work(self._database, state)

    async def known(self, agent: str | None = None) -> Sequence[KnownChannel]:
        """List every channel with its settings, the most recently used first."""
        tail = "WHERE :agent IS NULL OR agent = :agent ORDER BY last_at DESC, id DESC"
        return [_known_channel(row, _settings(row["settings"])) for row in await self._rows(tail, {"agent": agent})]

    async def look_up(self, key: ChannelKey) -> KnownChannel | None:
        """Return a channel with its settings and without its conversation; None for one never heard of."""
        row = await self._database.read(lambda connection: find_channel(connection, self._now(key)))
        return _known_channel(row, _settings(row["settings"])) if row is not None else None

    async def neighbours(self, key: ChannelKey, guild_id: str, limit: int) -> Sequence[KnownChannel]:
        """List the other channels of one guild of the same agent and platform, by id; never direct messages."""
        if not guild_id:
            return []
        here = self._now(key).channel
        # one more, as one of them may be the channel itself: so that all channels of the guild ask the same question
        platform = f"{platform_of(here)}:"
        args: dict[str, Value] = {"agent": key.agent, "platform": platform, "guild": guild_id, "limit": limit + 1}

        def work(connection: SqlConnection) -> tuple[KnownChannel, ...]:
            return tuple(_known_channel(row) for row in verified_rows(connection, "channel", CHANNELS_OF_GUILD, args))

        # asked for every turn, and nearly always with the same answer
        found = await self._database.ask(("neighbours", *args.values()), _NAMED_COLUMNS, work)
        return [known for known in found if known.id != here][:limit]

    async def set_settings(self, key: ChannelKey, settings: ChannelSettings, by: ChangedBy) -> None:
        """Keep mode, pause and model, and who set them."""
        at = self._database.now()

        def work(connection: SqlConnection) -> None:
            channel = find_or_make(connection, self._now(key))
            settings_changed(connection, channel, settings, at, RevisionCause.SET, by)
            update_sealed(connection, "channel", channel, settings=_json(settings))

        await self._database.write(work)

    async def settings(self, limit: int) -> Sequence[tuple[ChannelKey, ChannelSettings]]:
        """Return what people set, the most recently used channels first."""
        # told apart by SQLite, because a start must not wait until every channel's row has been looked at here
        plain = [_json(ChannelSettings(mode=mode)) for mode in ResponseMode]
        tail = f"WHERE settings NOT IN ({', '.join('?' * len(plain))}) ORDER BY last_at DESC, id DESC LIMIT ?"
        args: tuple[Value, ...] = (*plain, limit)
        rows = await self._database.read(lambda connection: verified_rows(connection, "channel", tail, args))
        return [(_key(row), _settings(row["settings"])) for row in rows]

    async def hear(self, talk: Sequence[tuple[ChannelKey, Message]], keep: int) -> None:
        """Keep ambient messages, all or none of them; only the newest `keep` of a channel are."""

        def work(connection: SqlConnection) -> None:
            for key, message in talk:
                own, at = self._now(key), message.at or self._database.now()
                channel = find_or_make(connection, own)
                self._history.append(connection, HistoryPlace(own, channel["epoch"], 0, at), [message])
                self._history.trim(connection, own, channel["epoch"], keep)
                if at - channel["last_at"] >= MAX_LAST_USED_LAG_MS:
                    update_sealed(connection, "channel", channel, last_at=at)

        # where so much comes at once more is to come, and a commit for both costs little more than one
        hurries = len(talk) < BUSY_MESSAGES
        await self._database.write(work, lambda: [message.digest for _, message in talk], hurries=hurries)

    async def amend(self, key: ChannelKey, message: Message) -> None:
        """Replace the message with the same `inbound` number, wherever it stands."""
        if message.inbound:
            await self._database.write(lambda connection: self._history.amend(connection, self._now(key), message))

    async def reset(self, key: ChannelKey, at: int, audit: NewAudit | None = None) -> None:
        """Start anew; what was before stays in the store and is never sent again. An unknown channel stays unknown."""
        secret = self._database.secret_key

        def work(connection: SqlConnection) -> None:
            channel = find_channel(connection, self._now(key))
            if channel is None:
                return
            last_at = max(channel["last_at"], at)
            if audit is not None:
                last = LastTurn.model_validate_json(channel["last"]) if channel["last"] else None
                was = FreshStart(agent=channel["agent"], epoch=channel["epoch"], last=last)
                append(connection, secret, audit.replace(fresh_start=was))
            update_sealed(connection, "channel", channel, epoch=channel["epoch"] + 1, last=None, last_at=last_at)

        await self._database.write(work)

    async def fresh_start(self, key: ChannelKey, since: int) -> AuditRow | None:
        """Return the newest fresh start of a conversation that nobody has taken back."""
        now = self._now(key)
        ids = (now.channel, *self._database.moves.former_ids(now.channel))

        def work(connection: SqlConnection) -> AuditRow | None:
            tail = f"""WHERE json_extract(body, '$.fresh_start.agent') = ?
                AND json_extract(body, '$.target') IN ({", ".join("?" * len(ids))}) AND at >= ?
                AND NOT EXISTS (SELECT 1 FROM audit AS later WHERE later.undoes = audit.id) ORDER BY id DESC LIMIT 1"""  # noqa: S608 - question marks
            return next(iter(read(connection, tail, (now.agent, *ids, since))), None)

        return await self._database.read(work)

    async def bring_back(self, key: ChannelKey, row: int, audit: NewAudit) -> bool:
        """Let what was before a fresh start stand again, in front of what was said since."""
        secret = self._database.secret_key

        def work(connection: SqlConnection) -> bool:
            own = self._now(key)
            channel = find_channel(connection, own)
            found = next(iter(read(connection, "WHERE id = ?", (row,))), None)
            was = found.body.fresh_start if found is not None and not found.undone_by else None
            if channel is None or was is None or channel["epoch"] != was.epoch + 1 or channel["agent"] != was.agent:
                return False
            self._join(connection, own, was.epoch)
            last = channel["last"] or (was.last.model_dump_json() if was.last else None)
            update_sealed(
                connection, "channel", channel, epoch=was.epoch, last=last, last_at=max(channel["last_at"], audit.at)
            )
            append(connection, secret, audit, undoes=row)
            return True

        return await self._database.write(work)

    def _join(self, connection: SqlConnection, key: ChannelKey, epoch: int) -> None:
        """Put the lines and compactions of the next epoch behind those of this one."""
        tail = "WHERE agent = ? AND channel = ? AND epoch = ? ORDER BY id"
        later = verified_rows(connection, "history", tail, (*key, epoch + 1))
        turn = next((line["turn"] for line in later if line["turn"]), 0)
        if turn:
            # what nobody had taken up by then was heard before the first turn of the new conversation
            at = next(line["at"] for line in later if line["turn"])
            self._history.take_up(connection, HistoryPlace(key, epoch, turn, at))
        compactions = verified_rows(connection, "compaction", tail, (*key, epoch + 1))
        for table, rows in (("history", later), ("compaction", compactions)):
            for found in rows:
                update_sealed(connection, table, found, epoch=epoch)

    async def hand_over(
        self, owner: Callable[[ChannelId, ChannelPlace], AgentId], at: int, *, several: bool
    ) -> Sequence[HandedOver]:
        """Give every channel to its owner, in one transaction; return those that changed hands."""
        if not several and not await self._database.read(has_others):
            return ()
        return await self._database.write(lambda connection: hand_over(connection, owner, at))

    def _now(self, key: ChannelKey) -> ChannelKey:
        return self._database.moves.key(key)

    async def _rows(self, tail: str, args: dict[str, Value]) -> list[SqlRow]:
        return await self._database.read(lambda connection: verified_rows(connection, "channel", tail, args))


def find_channel(connection: SqlConnection, key: ChannelKey) -> SqlRow | None:
    """Return the row of a channel, if it has one."""
    group = batch_of(connection)
    if group is not None and (number := group.channels.get(key)):
        row = fetch(connection, "channel", number)
        if row is not None and (row["agent"], row["channel"]) == key:
            return row
    rows = select(connection, "channel", "WHERE agent = ? AND channel = ?", tuple(key))
    if group is not None and rows:
        group.channels[key] = rows[0]["id"]
    return rows[0] if rows else None


def find_or_make(connection: SqlConnection, key: ChannelKey) -> SqlRow:
    """Return a channel's row, made with plain settings if nobody met the channel yet."""
    found = find_channel(connection, key)
    if found is None:
        make_channel(connection, key, key.channel, ChannelPlace(), ChannelSettings(), 0)
        found = find_channel(connection, key)
    assert found is not None
    return found


def make_channel(
    connection: SqlConnection, key: ChannelKey, name: str, place: ChannelPlace, settings: ChannelSettings, at: int
) -> int:
    """Store a channel that is new, and return its row."""
    row = insert(
        connection,
        "channel",
        agent=key.agent,
        channel=key.channel,
        name=name,
        place=_json(place),
        settings=_json(settings),
        epoch=0,
        last=None,
        last_at=at,
    )
    if settings != ChannelSettings(mode=settings.mode):
        settings_found(connection, key.agent, row, settings, at)
    group = batch_of(connection)
    if group is not None:
        group.channels[key] = row
    return row


def _key(row: SqlRow) -> ChannelKey:
    return ChannelKey(row["agent"], row["channel"])


def _known_channel(row: SqlRow, settings: ChannelSettings | None = None) -> KnownChannel:
    return KnownChannel(
        agent=row["agent"],
        id=row["channel"],
        name=row["name"],
        place=_place(row["place"]),
        last_at=row["last_at"],
        settings=settings,
    )


def _load(connection: SqlConnection, key: ChannelKey) -> ChannelState | None:
    channel = find_channel(connection, key)
    if channel is None:
        return None
    lines = [line.row for line in visible_lines(connection, key, channel["epoch"])]
    messages = _messages(connection, [line["blob"] for line in lines])
    said = [(line["turn"], messages[line["blob"]]) for line in lines if line["blob"] in messages]
    # ambient talk that no turn took up is the newest of all, so whole turns stand together in front of it
    turns = [
        Turn(id=turn, messages=pair_tool_calls([message for _, message in group]))
        for turn, group in itertools.groupby(said, key=lambda pair: pair[0])
        if turn
    ]
    for turn in turns:
        turn.lighten()
        # what every request asks of each turn is found here: in the loop's thread all of it would be one long stall
        _ = turn.quarter_bytes, turn.speakers
    ambient = tuple(message for turn, message in said if not turn)
    for message in ambient:
        message.lighten()
    return ChannelState.model_construct(
        agent=channel["agent"],
        id=channel["channel"],
        name=channel["name"],
        place=_place(channel["place"]),
        settings=_settings(channel["settings"]),
        turns=tuple(turns),
        ambient=ambient,
        last=None if channel["last"] is None else LastTurn.model_validate_json(channel["last"]),
        epoch=channel["epoch"],
    )


# most channels of a server have the same place and the same settings: one value for all of them


@lru_cache(maxsize=256)
def _place(text: str) -> ChannelPlace:
    return ChannelPlace.model_validate_json(text)


@lru_cache(maxsize=256)
def _settings(text: str) -> ChannelSettings:
    return ChannelSettings.model_validate_json(text)


def _messages(connection: SqlConnection, blobs: Sequence[int]) -> dict[int, Message]:
    """Return messages of the history, without damaged ones: the conversation goes on without them."""
    found: dict[int, Message] = {}
    for some in lookups(list(dict.fromkeys(blobs))):
        sql = f"SELECT id, hash, body FROM blob WHERE id IN ({', '.join('?' * len(some))})"  # noqa: S608
        rows = {row["id"]: row for row in execute_unbatched(connection, sql, some).fetchall()}
        for blob in dict.fromkeys(some):
            try:
                if blob not in rows:
                    raise DamagedRow("blob", blob)
                found[blob] = read_message(rows[blob]["hash"], checked_content(rows[blob]))
            except DamagedRow as error:
                note(connection, error)
    return found


def _json(value: BaseModel) -> str:
    return value.model_dump_json()


def has_others(connection: SqlConnection) -> bool:
    """Say whether another agent than `main` ever had a channel; two looks into an index."""
    return bool(connection.execute(_HAS_OTHERS, (MAIN,)).fetchone()[0])


def hand_over(connection: SqlConnection, owner: Owner, at: int) -> list[HandedOver]:
    """Give every channel to whom it belongs now; part of one unit."""
    rows = verified_rows(connection, "channel", "ORDER BY channel, last_at DESC, id DESC", ())
    found = (
        _give_channel(connection, list(rows), owner, at) for _, rows in groupby(rows, key=lambda row: row["channel"])
    )
    return [given for given in found if given is not None]


def _give_channel(connection: SqlConnection, rows: Sequence[SqlRow], owner: Owner, at: int) -> HandedOver | None:
    held = [row for row in rows if not _settings_of(row).left_to]
    if not held:
        return None
    newest = held[0]
    channel, agent = (
        ChannelId(newest["channel"]),
        owner(newest["channel"], ChannelPlace.model_validate_json(newest["place"])),
    )
    if any(row["agent"] == agent for row in held):
        return None
    was = _settings_of(newest)
    # who speaks in a channel changes, and not what its people decided: when it is answered, and what is kept of it
    kept = {name: getattr(was, name) for name in ("mode", "mode_by", "mode_at", "pause", "unrecorded")}
    for row in held:
        _hand(connection, row, _settings_of(row).replace(left_to=agent), at)
    own = next((row for row in rows if row["agent"] == agent), None)
    if own is None:
        settings = ChannelSettings(**kept, came_from=newest["agent"])
        same = {name: newest[name] for name in ("channel", "name", "place")}
        text = _json(settings)
        met = insert(connection, "channel", agent=agent, **same, settings=text, epoch=0, last=None, last_at=at)
        settings_found(connection, agent, met, settings, at)
    else:
        mine = _settings_of(own).replace(**kept, left_to="", came_from=newest["agent"])
        _hand(connection, own, mine, at, epoch=own["epoch"] + 1, last=None, last_at=at)
    return HandedOver(channel=channel, former=AgentId(newest["agent"]), agent=agent)


def _hand(connection: SqlConnection, row: SqlRow, settings: ChannelSettings, at: int, **columns: Value) -> None:
    settings_changed(connection, row, settings, at, RevisionCause.MOVED, BY_ITSELF)
    update_sealed(connection, "channel", row, settings=_json(settings), **columns)


def _settings_of(row: SqlRow) -> ChannelSettings:
    return ChannelSettings.model_validate_json(row["settings"])
