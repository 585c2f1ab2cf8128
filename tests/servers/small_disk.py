"""A PostgreSQL server of which one disk is small and runs full: that of its tables, or that of its log.

It mounts that disk, and so runs where nobody else sees what is mounted.
"""

from __future__ import annotations

import os
import subprocess  # noqa: TID251 - the server is a process of its own
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.servers.postgres import PostgresServer, as_owner, begin, made, remove, run_program

TABLES, LOG = "data", "wal"
MEGABYTES = {TABLES: 72, LOG: 12}
_MUCH = "SELECT pg_logical_emit_message(false, 'much', repeat('x', 1000000))"
_SETTINGS = ("fsync=off", "shared_buffers=24MB", "max_connections=40", "jit=off", "listen_addresses=",
             "wal_level=minimal", "max_wal_senders=0", "min_wal_size=2MB", "max_wal_size=6MB",
             "wal_recycle=off")  # fmt: skip


@dataclass(frozen=True)
class CrampedServer(PostgresServer):
    """A running server; `small` is which of its folders has a disk of its own."""

    small: str

    def fill(self) -> None:
        """Let somebody else take all the room there is."""
        import psycopg

        if self.small != LOG:
            self._take()
            return
        # pieces of the log that were made are still written, and old ones are taken away to make room for new ones
        with suppress(psycopg.Error):
            for _ in range(2 * MEGABYTES[LOG]):
                self._take()
                self.run(_MUCH)

    def make_room(self) -> None:
        """Let there be room again; a server that fell is started by whoever made it."""
        self._filler.unlink()
        with suppress(OSError):
            os.kill(int((self.home / "data" / "postmaster.pid").read_text().split()[0]), 0)
            return
        self.restart()

    def _take(self) -> None:
        with self._filler.open("ab") as file, suppress(OSError):
            while True:
                os.write(file.fileno(), bytes(1 << 16))

    @property
    def _filler(self) -> Path:
        return self.home / self.small / "of-somebody-else"


@contextmanager
def cramped_server(small: str) -> Iterator[CrampedServer]:
    """Start one with room enough."""
    home = as_owner()
    owner = home.stat()
    for name in (TABLES, LOG):
        (home / name).mkdir(mode=0o700)
        if name == small:
            _mount(home / name, MEGABYTES[name])
        os.chown(home / name, owner.st_uid, owner.st_gid)
        (home / name).chmod(0o700)
    server = CrampedServer(home, small)
    try:
        begin(made(home, "--waldir", str(home / LOG), "--wal-segsize", "1"), _SETTINGS)
        yield server
    finally:
        with suppress(subprocess.SubprocessError):  # it may have fallen
            run_program("pg_ctl", "-D", str(home / "data"), "-m", "immediate", "stop")
        subprocess.run(["umount", str(home / small)], check=False)
        remove(home)


def _mount(place: Path, megabytes: int) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)], check=True)
