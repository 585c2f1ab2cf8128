"""A PostgreSQL primary with a replica that has everything which the primary has confirmed, and takes its place."""

from __future__ import annotations

import subprocess  # noqa: TID251 - servers are processes of their own
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.servers.postgres import USER, PostgresServer, as_owner, begin, made, remove, run_program

_PRIMARY = ("wal_level=replica", "max_wal_senders=4", "synchronous_commit=on", "synchronous_standby_names=*")
_BOTH = ("fsync=off", "shared_buffers=24MB", "max_connections=40", "jit=off", "listen_addresses=")


@dataclass(frozen=True)
class ReplicatedServer(PostgresServer):
    """Two servers behind one address, of which the one that can be written to is meant."""

    replica: Path

    def url(self, database: str = "postgres", user: str = USER) -> str:
        hosts = f"{self.home},{self.replica}"
        return f"postgresql://{user}@/{database}?host={hosts}&target_session_attrs=read-write"

    def restart(self) -> None:
        """Let the primary fall, and the replica take its place."""
        run_program("pg_ctl", "-D", str(self.home / "data"), "-m", "immediate", "stop")
        run_program("pg_ctl", "-D", str(self.replica / "data"), "-w", "promote")


@contextmanager
def replicated_server() -> Iterator[ReplicatedServer]:
    """Start both; each falls for good."""
    primary, replica = made(), as_owner()
    try:
        begin(primary, (*_BOTH, *_PRIMARY))
        run_program("pg_basebackup", "-h", str(primary), "-U", USER, "-D", str(replica / "data"), "-R", "-c", "fast")
        # who takes the other's place waits for nobody
        begin(replica, (*_BOTH, "synchronous_standby_names="))
        yield ReplicatedServer(primary, replica)
    finally:
        for home in (replica, primary):
            with suppress(subprocess.SubprocessError):  # it may have fallen
                run_program("pg_ctl", "-D", str(home / "data"), "-m", "immediate", "stop")
            remove(home)
