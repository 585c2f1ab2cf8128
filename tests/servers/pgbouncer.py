"""pgbouncer in transaction mode before the server of the tests: two sessions for all, and nothing is left in them."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess  # noqa: TID251 - a process of its own, made once for all loops of this one
import tempfile
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

from tests.servers.postgres import USER, PostgresServer, postgres_server

PROGRAM = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
_NOBODY = 65534
_SETTINGS = """
[databases]
* = host={server} user={user}
[pgbouncer]
unix_socket_dir = {home}
listen_port = 5432
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 100
server_round_robin = 1
"""


@dataclass(frozen=True)
class PooledServer(PostgresServer):
    """A server that programs reach by the pooler alone; what is done to it is done to the server."""

    def url(self, database: str = "postgres", user: str = USER) -> str:
        return pooled_url()

    def run(self, *statements: str, database: str = "postgres") -> list[tuple]:
        return postgres_server().run(*statements, database=database)


def has_pooler() -> bool:
    """Say whether it is installed."""
    return Path(PROGRAM).exists()


def pooled_url() -> str:
    """Return where the pooler is; skip the test where there is none."""
    if not has_pooler():
        pytest.skip("pgbouncer is not installed (make deps-debian)")
    return f"postgresql://{USER}@/postgres?host={_started()}"


@lru_cache(maxsize=1)
def _started() -> Path:
    home = Path(tempfile.mkdtemp(prefix="gm-pgbouncer-"))
    settings = home / "pgbouncer.ini"
    settings.write_text(_SETTINGS.format(server=postgres_server().home, user=USER, home=home))
    who = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    if who:
        # whatever umask a test has left: what nobody starts, nobody has to be able to read
        for path in (home, settings):
            os.chown(path, _NOBODY, _NOBODY)
    program = subprocess.Popen([PROGRAM, "-q", settings], cwd="/", stderr=subprocess.DEVNULL, **who)  # type: ignore[call-overload]
    atexit.register(_stop, program, home)
    while not (home / ".s.PGSQL.5432").exists() and program.poll() is None:
        time.sleep(0.01)
    return home


def _stop(program: subprocess.Popen[bytes], home: Path) -> None:
    program.kill()
    program.wait()
    shutil.rmtree(home, ignore_errors=True)
