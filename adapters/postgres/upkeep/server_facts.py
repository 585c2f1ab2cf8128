"""What the server says of itself, for `doctor`: sessions, replicas, backups, and whether it cleans up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from adapters.postgres.engine.connection import PostgresConnection
from adapters.postgres.engine.lease_rows import all_seen
from adapters.sqlite.engine.sql_connection import DatabaseFault
from bot.domain.health import ProbeResult
from bot.ports.leases import HOUSE, ProcessSeen, is_worker_lease, leased_platform
from bot.sentences import say
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
    facts = {"replica": is_replica, "tls": has_tls, "pooler": connection.is_pooled}
    yes_or_no = {fact: "yes" if holds else "no" for fact, holds in facts.items()}
    said = say("server_store.server", version=version, size=size(taken), **yes_or_no)
    if syncs != "on" or commits == "off":
        fix = say("server_store.not-durable-fix")
        return ProbeResult(name=name, state="warning", evidence=say("server_store.not-durable", server=said), fix=fix)
    return ProbeResult(name=name, state="ok", evidence=said)


def _sessions(connection: PostgresConnection, name: str) -> ProbeResult:
    used, most = connection.ask(_SESSIONS).fetchall()[0]
    said = say("server_store.sessions", used=str(used), most=str(most))
    if most - used < _FEW_SESSIONS:
        fix = say("server_store.sessions-fix")
        return ProbeResult(name=name, state="warning", evidence=said, fix=fix)
    return ProbeResult(name=name, state="ok", evidence=said)


def _processes(connection: PostgresConnection, name: str) -> ProbeResult:
    seen = all_seen(connection)
    sharing = [one for one in seen if any(is_worker_lease(name) for name in one.leases)]
    looking = [one.process for one in seen if one.only_looks and one.silent < _SILENT_SECONDS]
    if sharing:
        row = _sharing(sharing, name)
        return row.replace(evidence=_with_lookers(row.evidence, looking))
    found = [one for one in connection.ask(_PROCESSES).fetchall() if one[0] not in looking]
    at_work = [process for process, works in found if works]
    standing_by = [process for process, works in found if not works]
    names = {"working": ", ".join(at_work) or "none", "waiting": ", ".join(standing_by) or "none"}
    said = say("server_store.processes", **names)
    return ProbeResult(name=name, state="ok", evidence=_with_lookers(said, looking))


def _with_lookers(processes: str, looking: Sequence[str]) -> str:
    return say("server_store.looking-on", processes=processes, looking=", ".join(looking)) if looking else processes


def _sharing(found: Sequence[ProcessSeen], name: str) -> ProbeResult:
    """Tell of processes that share the channels."""
    said = say("server_store.sharing", count=len(found), processes=", ".join(map(_said_of, found)))
    living = [one for one in found if one.silent < _SILENT_SECONDS]
    if len(living) < len(found):
        fix = say("server_store.silent-fix")
    elif not any(leased_platform(lease) for one in living for lease in one.leases):
        fix = say("server_store.nobody-listens-fix")
    elif all(any(leased_platform(lease) for lease in one.leases) for one in living):
        fix = say("server_store.nobody-answers-fix")
    else:
        return ProbeResult(name=name, state="ok", evidence=said)
    return ProbeResult(name=name, state="warning", evidence=said, fix=fix)


def _said_of(one: ProcessSeen) -> str:
    platforms = [platform for lease in one.leases if (platform := leased_platform(lease))]
    if platforms:
        does = [say("server_store.listens", platforms=reduce(_and, platforms))]
    else:
        does = [say("server_store.has-channels", count=one.channels)]
    does += [say("server_store.keeps-house")] if HOUSE in one.leases else []
    silent = f"{one.silent:.0f}" if one.silent >= _SILENT_SECONDS else "no"
    return say("server_store.process", name=one.process, silent=silent, does=reduce(_and, does))


def _and(one: str, other: str) -> str:
    return say("server_store.and", one=one, other=other)


def _replicas(connection: PostgresConnection, name: str) -> ProbeResult:
    replica = connection.ask("SELECT pg_is_in_recovery()").fetchall()[0][0]
    if replica:
        behind = connection.ask(_OWN_LAG).fetchall()[0][0]
        said = say("server_store.replica", seconds=f"{behind:.0f}")
    else:
        many, behind_bytes, behind = connection.ask(_LAG).fetchall()[0]
        if not many:
            return ProbeResult(name=name, state="ok", evidence=say("server_store.no-replica"))
        lag = {"size": size(behind_bytes), "seconds": f"{behind:.0f}"}
        said = say("server_store.replicas", count=str(many), **lag)
    if behind > _MAX_LAG_SECONDS:
        fix = say("server_store.replica-fix")
        return ProbeResult(name=name, state="warning", evidence=said, fix=fix)
    return ProbeResult(name=name, state="ok", evidence=said)


def _backups(connection: PostgresConnection, name: str) -> ProbeResult:
    """Say what is archived: of base backups a server keeps no record but the file that marks one in its archive."""
    mode, newest, ago, failed, is_failing = connection.ask(_ARCHIVE).fetchall()[0]
    if mode == "off":
        told, fix = say("server_store.archives-nothing"), say("server_store.archives-nothing-fix")
        return ProbeResult(name=name, state="unknown", evidence=told, fix=fix)
    if newest is None or is_failing:
        failures = say("server_store.archive-failed", count=failed)
        said = failures if failed else say("server_store.archived-nothing")
        return ProbeResult(name=name, state="warning", evidence=said, fix=say("server_store.archive-fix"))
    what = "backup" if newest.endswith(".backup") else "log"
    said = say("server_store.archived", what=what, age=age(ago), file=newest)
    return ProbeResult(name=name, state="ok", evidence=said)


def _cleaning(connection: PostgresConnection, name: str) -> ProbeResult:
    switched, dead, live, ago = connection.ask(_CLEANING).fetchall()[0]
    when = age(ago) if ago is not None else "never"
    said = say("server_store.cleaning", state=switched, age=when, dead=dead, living=live)
    if switched != "on":
        fix = say("server_store.cleaning-off-fix")
        return ProbeResult(name=name, state="warning", evidence=said, fix=fix)
    if dead > _MANY_DEAD and dead > live:
        fix = say("server_store.cleaning-fix")
        return ProbeResult(name=name, state="warning", evidence=said, fix=fix)
    return ProbeResult(name=name, state="ok", evidence=said)
