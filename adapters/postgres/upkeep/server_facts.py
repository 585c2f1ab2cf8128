"""What the server says of itself, for `doctor`: sessions, replicas, backups, and whether it cleans up."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.postgres.engine.connection import PostgresConnection
from adapters.postgres.engine.lease_rows import all_seen
from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.domain.health import ProbeResult
from bot.ports.leases import HOUSE, ProcessSeen, is_worker_lease, leased_platform
from bot.text.figures import size
from bot.text.times import age

_SERVER = """
    SELECT current_setting('server_version'), pg_is_in_recovery(), pg_database_size(current_database()),
      (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), current_setting('synchronous_commit'),
      current_setting('fsync')"""
_SESSIONS = """
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
      current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint"""
_PROCESSES = """
    SELECT process, EXISTS (SELECT 1 FROM lease WHERE owner = lease_owner.id)
    FROM lease_owner WHERE until > clock_timestamp() AND NOT ended
    ORDER BY process"""
_LAG = """
    SELECT count(*), coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), 0)::bigint,
      coalesce(extract(epoch FROM max(replay_lag)), 0)::double precision
    FROM pg_stat_replication"""
_OWN_LAG = "SELECT coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0)::double precision"
_ARCHIVE = """
    SELECT current_setting('archive_mode'), last_archived_wal,
      (extract(epoch FROM now() - last_archived_time) * 1000)::bigint, failed_count,
      last_failed_time > last_archived_time
    FROM pg_stat_archiver"""
_CLEANING = """
    SELECT current_setting('autovacuum'), coalesce(sum(n_dead_tup), 0)::bigint, coalesce(sum(n_live_tup), 0)::bigint,
      (extract(epoch FROM now() - max(greatest(last_autovacuum, last_vacuum))) * 1000)::bigint
    FROM pg_stat_user_tables WHERE schemaname = current_schema()"""
_SILENT_SECONDS = 5.0
_FEW_SESSIONS = 5
_MAX_LAG_SECONDS = 60
_MANY_DEAD = 100_000


def server_probes(connection: PostgresConnection) -> list[ProbeResult]:
    """Return the rows of `doctor` about the server; one that may not be asked says so."""
    found = []
    for name, probe in (
        ("store server", _server),
        ("store sessions", _sessions),
        ("store processes", _processes),
        ("store replicas", _replicas),
        ("store backup", _backups),
        ("store cleaning", _cleaning),
    ):
        connection.ask("SAVEPOINT fact")
        try:
            found.append(probe(connection, name))
        except DatabaseFault as fault:
            connection.ask("ROLLBACK TO fact")
            found.append(ProbeResult(name=name, state="unknown", evidence=str(fault)))
        connection.ask("RELEASE fact")
    return found


def _server(connection: PostgresConnection, name: str) -> ProbeResult:
    version, is_replica, taken, has_tls, commits, syncs = connection.ask(_SERVER).fetchall()[0]
    said = f"PostgreSQL {version}{', a replica' if is_replica else ''}, {size(taken)}, "
    said += "with TLS" if has_tls else "without TLS"
    said += ", through a pooler" if connection.is_pooled else ""
    if syncs != "on" or commits == "off":
        fix = "Switch fsync and synchronous_commit on: a message that was confirmed may be lost by a power cut."
        return ProbeResult(name=name, state="warning", evidence=f"{said}; commits are not made durable", fix=fix)
    return ProbeResult(name=name, state="ok", evidence=said)


def _sessions(connection: PostgresConnection, name: str) -> ProbeResult:
    used, most = connection.ask(_SESSIONS).fetchall()[0]
    said = f"{used} of {most} connections in use"
    if most - used < _FEW_SESSIONS:
        fix = "Raise max_connections on the server, or close something else: after a cut the bot needs 4 new ones."
        return ProbeResult(name=name, state="warning", evidence=said, fix=fix)
    return ProbeResult(name=name, state="ok", evidence=said)


def _processes(connection: PostgresConnection, name: str) -> ProbeResult:
    seen = all_seen(connection)
    sharing = [one for one in seen if any(is_worker_lease(name) for name in one.leases)]
    looking = [one.process for one in seen if one.only_looks and one.silent < _SILENT_SECONDS]
    looks = f"; looking on: {', '.join(looking)}" if looking else ""
    if sharing:
        row = _sharing(sharing, name)
        return row.replace(evidence=row.evidence + looks)
    found = [one for one in connection.ask(_PROCESSES).fetchall() if one[0] not in looking]
    at_work = [process for process, works in found if works]
    standing_by = [process for process, works in found if not works]
    said = f"{', '.join(at_work) or 'none'} at work; standing by: {', '.join(standing_by) or 'none'}{looks}"
    return ProbeResult(name=name, state="ok", evidence=said)


def _sharing(found: Sequence[ProcessSeen], name: str) -> ProbeResult:
    """Tell of processes that share the channels."""
    said = f"{len(found)} processes share the channels: {', '.join(map(_said_of, found))}"
    living = [one for one in found if one.silent < _SILENT_SECONDS]
    if len(living) < len(found):
        fix = "Look at that machine, or wait: the others take what it has."
    elif not any(leased_platform(lease) for one in living for lease in one.leases):
        fix = "Nobody listens. Start one that does: glassmind run --role gateway."
    elif all(any(leased_platform(lease) for lease in one.leases) for one in living):
        fix = "Nobody answers. Start one that does: glassmind run --role worker."
    else:
        return ProbeResult(name=name, state="ok", evidence=said)
    return ProbeResult(name=name, state="warning", evidence=said, fix=fix)


def _said_of(one: ProcessSeen) -> str:
    platforms = [platform for lease in one.leases if (platform := leased_platform(lease))]
    does = [f"listens on {' and '.join(platforms)}"] if platforms else []
    does += [f"has {one.channels:,} channel{'s' * (one.channels != 1)}"] if not platforms else []
    does += ["keeps house"] if HOUSE in one.leases else []
    silent = f" (not heard from for {one.silent:.0f} s)" if one.silent >= _SILENT_SECONDS else ""
    return f"{one.process}{silent} {' and '.join(does)}"


def _replicas(connection: PostgresConnection, name: str) -> ProbeResult:
    replica = connection.ask("SELECT pg_is_in_recovery()").fetchall()[0][0]
    if replica:
        behind = connection.ask(_OWN_LAG).fetchall()[0][0]
        said = f"this is a replica, {behind:.0f} s behind at most"
    else:
        many, behind_bytes, behind = connection.ask(_LAG).fetchall()[0]
        if not many:
            return ProbeResult(name=name, state="ok", evidence="no replica is connected")
        said = f"{many} connected, the last one {size(behind_bytes)} and {behind:.0f} s behind"
    if behind > _MAX_LAG_SECONDS:
        fix = "Look why the replica does not keep up: what is not there yet would be lost with the primary."
        return ProbeResult(name=name, state="warning", evidence=said, fix=fix)
    return ProbeResult(name=name, state="ok", evidence=said)


def _backups(connection: PostgresConnection, name: str) -> ProbeResult:
    """Say what is archived: of base backups a server keeps no record but the file that marks one in its archive."""
    mode, newest, ago, failed, is_failing = connection.ask(_ARCHIVE).fetchall()[0]
    if mode == "off":
        fix = "Make backups on the server (pg_basebackup, pg_dump or a service): this program makes none there."
        return ProbeResult(name=name, state="unknown", evidence="the server archives nothing", fix=fix)
    if newest is None or is_failing:
        said = f"the server archives, and {failed} attempts failed" if failed else "nothing was archived yet"
        return ProbeResult(name=name, state="warning", evidence=said, fix="Look into the server's log.")
    what = "a base backup" if newest.endswith(".backup") else "its log"
    return ProbeResult(name=name, state="ok", evidence=f"{what} was archived {age(ago)} ago ({newest})")


def _cleaning(connection: PostgresConnection, name: str) -> ProbeResult:
    switched, dead, live, ago = connection.ask(_CLEANING).fetchall()[0]
    when = f"last {age(ago)} ago" if ago is not None else "not yet"
    said = f"autovacuum is {switched}, {when}; {dead:,} dead rows beside {live:,}"
    if switched != "on":
        fix = "Switch autovacuum on: without it the tables grow for ever."
        return ProbeResult(name=name, state="warning", evidence=said, fix=fix)
    if dead > _MANY_DEAD and dead > live:
        fix = "Let autovacuum work more (autovacuum_vacuum_cost_limit), or look what keeps it from it."
        return ProbeResult(name=name, state="warning", evidence=said, fix=fix)
    return ProbeResult(name=name, state="ok", evidence=said)
