"""The rows of leases: who lives, and what each of them may do alone. They are compared by the server's clock alone."""

from __future__ import annotations

from adapters.postgres.engine.connection import PostgresConnection
from bot.ports.leases import Lease, LeaseHolder

LIVES = """
    INSERT INTO lease_owner (id, process, until) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
    ON CONFLICT (id) DO UPDATE SET until = excluded.until"""
_HAS = "SELECT name, epoch FROM lease WHERE owner = $1 ORDER BY name"
_KNOW = "INSERT INTO lease (name, epoch, owner) VALUES ($1, 0, '') ON CONFLICT DO NOTHING"
# one that its owner's transaction holds is not free: either its owner lives, or the server soon ends that session
_TAKE = """
    WITH free AS (
      SELECT name FROM lease WHERE name = $1 AND NOT EXISTS (
        SELECT 1 FROM lease_owner WHERE lease_owner.id = lease.owner AND lease_owner.until > clock_timestamp())
      FOR UPDATE SKIP LOCKED)
    UPDATE lease SET epoch = epoch + 1, owner = $2 FROM free
    WHERE lease.name = free.name AND EXISTS (SELECT 1 FROM lease_owner WHERE id = $2 AND until > clock_timestamp())
    RETURNING epoch"""
_HOLDER = """
    SELECT process, extract(epoch FROM until - clock_timestamp())::double precision
    FROM lease JOIN lease_owner ON lease_owner.id = lease.owner WHERE name = $1 AND until > clock_timestamp()"""
_LET_GO = "UPDATE lease SET owner = '' WHERE owner = $1"
_GONE = "DELETE FROM lease_owner WHERE id = $1 OR until < clock_timestamp() - interval '1 day'"
_KNOWN = "SELECT to_regclass('lease') IS NOT NULL"
_LEASED = """
    SELECT 1 FROM lease JOIN lease_owner ON lease_owner.id = lease.owner
    WHERE until > clock_timestamp() AND owner <> $1 LIMIT 1"""
_END_DEAD = """
    UPDATE lease SET owner = ''
    WHERE owner <> '' AND owner NOT IN (SELECT id FROM lease_owner WHERE until > clock_timestamp())"""
_WAIT = "SELECT 1 FROM lease WHERE name = $1 AND epoch = $2 AND owner = $3 FOR UPDATE"
STILL = "SELECT must_have_lease($1, $2, $3)"
"""What every transaction of a lease begins with."""


def has_leases(connection: PostgresConnection) -> bool:
    """Say whether the schema is one that knows leases."""
    return bool(connection.ask(_KNOWN).fetchall()[0][0])


def renew(connection: PostgresConnection, node: str, process: str, seconds: float) -> None:
    """Say that a process lives, for so many seconds from now on."""
    connection.ask(LIVES, (node, process, seconds))


def leases_of(connection: PostgresConnection, node: str) -> list[Lease]:
    """Return what a process has."""
    return [Lease(name, epoch, node) for name, epoch in connection.ask(_HAS, (node,)).fetchall()]


def take(connection: PostgresConnection, name: str, node: str) -> Lease | None:
    """Take a lease; None where a living process has it."""
    connection.ask(_KNOW, (name,))
    taken = connection.ask(_TAKE, (name, node)).fetchone()
    return Lease(name, taken[0], node) if taken is not None else None


def holder_of(connection: PostgresConnection, name: str) -> LeaseHolder | None:
    """Return who has a lease; None where nobody has."""
    found = connection.ask(_HOLDER, (name,)).fetchone()
    return LeaseHolder(*found) if found is not None else None


def let_go(connection: PostgresConnection, node: str) -> None:
    """Let go of everything that a process has."""
    connection.ask(_LET_GO, (node,))
    connection.ask(_GONE, (node,))


def is_leased(connection: PostgresConnection, but_by: str = "") -> bool:
    """Say whether a living process works here by a lease."""
    return connection.ask(_LEASED, (but_by,)).fetchone() is not None


def end_dead(connection: PostgresConnection) -> None:
    """Take their leases from all who are not known to live: who has only slept changes nothing any more."""
    connection.ask(_END_DEAD)


def wait_for_own(connection: PostgresConnection, lease: Lease) -> None:
    """Return when no transaction that was begun by a lease is under way any more, where it still holds."""
    connection.ask(_WAIT, lease)
