"""The rows of leases: who lives, and what each of them may do alone. They are compared by the server's clock alone."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from adapters.postgres.engine.connection import PostgresConnection, overtaken
from bot.domain.health import ChannelProcess
from bot.domain.ids import ChannelId, first_parts
from bot.ports.leases import WHOLE_BOT, Lease, LeaseHolder, ProcessSeen, channel_lease

STANDING_SECONDS = 0.5
"""As long as one stands still in a transaction nobody else writes, and nobody else is told why: much shorter than a
lease. Whoever was only slow begins its transaction again."""
LIVES = """
    INSERT INTO lease_owner (id, process, until, lasts)
    VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3), $3)
    ON CONFLICT (id) DO UPDATE SET until = excluded.until,
      since = CASE WHEN lease_owner.until < clock_timestamp() THEN clock_timestamp() ELSE lease_owner.since END
    WHERE NOT lease_owner.ended
    RETURNING 1"""
_HAS = "SELECT name, epoch FROM lease WHERE owner = $1 ORDER BY name"
_TAKE = "SELECT name, epoch FROM take_leases($1, $2, $3)"
_EXCLUDES = "(name = $1 OR (name = 'bot') <> ($1 = 'bot'))"
_HOLDER = f"""
    SELECT process, extract(epoch FROM until - clock_timestamp())::double precision
    FROM lease JOIN lease_owner ON lease_owner.id = lease.owner
    WHERE {_EXCLUDES} AND until > clock_timestamp() AND NOT ended
    ORDER BY name <> $1 LIMIT 1"""  # noqa: S608 - a constant of ours
_SEEN = """
    SELECT process, greatest(extract(epoch FROM clock_timestamp() - until + make_interval(secs => lasts)), 0)
        ::double precision, ended::int::bigint,
      coalesce((SELECT json_agg(name ORDER BY name) FROM lease WHERE owner = id AND name NOT LIKE 'channel:%')::text,
        '[]'),
      (SELECT count(*) FROM lease WHERE owner = id AND name LIKE 'channel:%')
    FROM lease_owner"""
_HAS_CHANNEL = f"{_SEEN} WHERE id IN (SELECT owner FROM lease WHERE name IN ($1, $2)) LIMIT 1"  # noqa: S608 - constants of ours
_WAITS = """
    SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::double precision
    FROM relayed WHERE channel IN ($1, $2)"""
_SEEN_WITH = f"{_SEEN} WHERE id = (SELECT owner FROM lease WHERE name = $1)"  # noqa: S608 - a constant of ours
_SEEN_LATELY = f"{_SEEN} WHERE NOT ended ORDER BY process"
_LET_GO = "UPDATE lease SET owner = '' WHERE owner = $1"
_LET_GO_OF = "UPDATE lease SET owner = '' WHERE owner = $1 AND name IN (SELECT value FROM json_texts($2))"
_ENDS = "UPDATE lease_owner SET ended = true WHERE id = $1"
_GONE = "DELETE FROM lease_owner WHERE until < clock_timestamp() - interval '1 day'"
_UNMARKED = "DELETE FROM commit_mark WHERE owner NOT IN (SELECT id FROM lease_owner)"
_UNNAMED = "DELETE FROM lease WHERE owner = '' AND name LIKE 'worker:%'"
_KNOWN = "SELECT to_regclass('turnstile') IS NOT NULL"
_LEASED = """
    SELECT 1 FROM lease JOIN lease_owner ON lease_owner.id = lease.owner
    WHERE until > clock_timestamp() AND NOT ended AND owner <> $1 LIMIT 1"""
_END_SILENT = "SELECT end_silent()"
_END_STANDING = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity AS session
    WHERE application_name = 'glassmind' AND usename = current_user AND datname = current_database()
      AND state = 'active' AND wait_event_type = 'Client'
      AND state_change < clock_timestamp() - make_interval(secs => $1)
      AND EXISTS (SELECT 1 FROM pg_locks WHERE pg_locks.pid = session.pid AND locktype = 'relation'
        AND relation = 'turnstile'::regclass AND mode <> 'AccessShareLock' AND granted)"""
_WAIT = "SELECT 1 FROM turnstile FOR UPDATE"
_NOBODYS = """NOT EXISTS (
            SELECT 1 FROM lease_owner WHERE id = {table}.owner AND until > clock_timestamp() AND NOT ended)"""
_ASKED_FROM = "coalesce((SELECT dm_channel FROM session WHERE session.id = {session}), channel)"
"""What runs for a talk of an admin belongs to their private chat, whichever channel it is about."""
_SESSION_OF_PROCESS = "CASE WHEN body IS JSON THEN (body::json ->> 'session')::bigint END"
# a lease of a place is one of everything that lies in it, such as the topics of a chat
_WAITING = f"""
    SELECT channel FROM (
        SELECT channel, at FROM relayed
        UNION ALL SELECT channel, until FROM question WHERE answer IS NULL AND until > clock_timestamp()
        UNION ALL SELECT channel, to_timestamp(arrived_at / 1000.0) FROM inbound WHERE outcome IS NULL
        UNION ALL SELECT {_ASKED_FROM.format(session="turn.session")}, to_timestamp(started_at / 1000.0)
          FROM turn WHERE status = 'running' AND {_NOBODYS.format(table="turn")}
        UNION ALL SELECT {_ASKED_FROM.format(session=_SESSION_OF_PROCESS)}, to_timestamp(started_at / 1000.0)
          FROM process WHERE relayed_at = 0 AND {_NOBODYS.format(table="process")}
        UNION ALL SELECT channel, to_timestamp(created_at / 1000.0)
          FROM outbox WHERE state IN ('new', 'sending') AND {_NOBODYS.format(table="outbox")}
      ) AS work
    WHERE NOT is_had('channel:' || channel)
      AND NOT is_had('channel:' || split_part(channel, ':', 1) || ':' || split_part(channel, ':', 2))
    GROUP BY channel ORDER BY min(at) LIMIT $1"""  # noqa: S608 - constants of ours


def has_leases(connection: PostgresConnection) -> bool:
    """Say whether the schema is one that knows leases, and that several may write to."""
    return bool(connection.ask(_KNOWN).fetchall()[0][0])


def renew(connection: PostgresConnection, node: str, process: str, seconds: float) -> None:
    """Say that a process lives, for so many seconds from now on; raise DatabaseFault where it was ended."""
    if connection.ask(LIVES, (node, process, seconds)).fetchone() is None:
        raise overtaken()


def leases_of(connection: PostgresConnection, node: str) -> list[Lease]:
    """Return what a process has."""
    return [Lease(name, epoch, node) for name, epoch in connection.ask(_HAS, (node,)).fetchall()]


def take(connection: PostgresConnection, name: str, node: str) -> Lease | None:
    """Take a lease; None where a living process has it, or one that excludes it."""
    taken = take_some(connection, [name], 1, node)
    return taken[0] if taken else None


def take_some(connection: PostgresConnection, names: Sequence[str], most: int, node: str) -> list[Lease]:
    """Take at most so many of these leases, the first ones first; those that no living process has."""
    taken = connection.ask(_TAKE, (orjson.dumps(list(names)).decode(), most, node)).fetchall()
    return sorted((Lease(name, epoch, node) for name, epoch in taken), key=lambda lease: names.index(lease.name))


def holder_of(connection: PostgresConnection, name: str) -> LeaseHolder | None:
    """Return who has a lease, or one that excludes it; None where nobody has."""
    found = connection.ask(_HOLDER, (name,)).fetchone()
    return LeaseHolder(*found) if found is not None else None


def process_of(connection: PostgresConnection, channel: ChannelId) -> ChannelProcess | None:
    """Return who has a channel, living or not, and how much waits for whoever has it; None for neither."""
    # somebody may have everything that lies in a place, such as the topics of a chat
    places = (channel, first_parts(channel, 2))
    many, longest = connection.ask(_WAITS, places).fetchall()[0]
    found = connection.ask(_HAS_CHANNEL, tuple(map(channel_lease, places))).fetchone()
    if found is not None:
        seen = _seen(*found)
        return ChannelProcess(process=seen.process, silent_ms=round(seen.silent * 1000), waiting=many)
    return ChannelProcess(process="", silent_ms=round(longest * 1000), waiting=many) if many else None


def seen_with(connection: PostgresConnection, name: str) -> ProcessSeen | None:
    """Return who had a lease last, living or not."""
    found = connection.ask(_SEEN_WITH, (name,)).fetchone()
    return _seen(*found) if found is not None else None


def all_seen(connection: PostgresConnection) -> list[ProcessSeen]:
    """Return every process that was heard from lately."""
    return [_seen(*found) for found in connection.ask(_SEEN_LATELY).fetchall()]


def _seen(process: str, silent: float, ended: int, names: str, channels: int) -> ProcessSeen:
    return ProcessSeen(process, silent, bool(ended), tuple(orjson.loads(names)), channels)


def let_go(connection: PostgresConnection, node: str) -> None:
    """Let go of everything that a process has; it does not live again."""
    # first: whatever it has under way passes the turnstile before anybody takes what is let go of, or does not pass it
    connection.ask(_ENDS, (node,))
    connection.ask(_LET_GO, (node,))
    for cleans in (_GONE, _UNMARKED, _UNNAMED):
        connection.ask(cleans)


def let_go_of(connection: PostgresConnection, channels: Sequence[ChannelId], node: str) -> None:
    """Let go of some channels."""
    connection.ask(_LET_GO_OF, (node, orjson.dumps(list(map(channel_lease, channels))).decode()))


def waiting_channels(connection: PostgresConnection, limit: int) -> list[ChannelId]:
    """Return channels with work that no living process has, the longest waiting first."""
    return [ChannelId(channel) for (channel,) in connection.ask(_WAITING, (limit,)).fetchall()]


def is_leased(connection: PostgresConnection, but_by: str = "") -> bool:
    """Say whether a living process works here by a lease."""
    return connection.ask(_LEASED, (but_by,)).fetchone() is not None


def end_silent(connection: PostgresConnection) -> None:
    """End all who are not known to live: who has only slept changes nothing any more."""
    connection.ask(_END_SILENT)


def end_standing(connection: PostgresConnection) -> None:
    """End who has passed the turnstile and for STANDING_SECONDS has neither sent the rest nor taken an answer.

    The server's own limit counts only who is between two statements: a process that stands still halfway through a
    page of them would keep everybody waiting for ever.
    """
    connection.ask(_END_STANDING, (STANDING_SECONDS,))


def wait_for_own(connection: PostgresConnection) -> None:
    """Return when no transaction of a session that was lost is under way any more."""
    connection.ask(_WAIT)


def is_whole(lease: Lease) -> bool:
    """Say whether whoever has a lease is the only one who writes."""
    return lease.name == WHOLE_BOT
