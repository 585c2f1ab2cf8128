"""A new database is a copy of one that the steps have made: thousands of tests begin with one, and a copy is a tenth.

Whatever is about the steps themselves runs them: tests/adapters/sqlite/engine/test_migrate.py, and every process of its
own.
"""

from __future__ import annotations

import sqlite3
from functools import cache

from adapters.sqlite.engine import migrate
from adapters.sqlite.engine.functions import register_functions

run_steps = migrate.bring_up
_OWN_STEPS = migrate.steps


def copies_new_stores() -> None:
    """Hold for every test of this process."""
    migrate.bring_up = _brought_up


def _brought_up(connection: sqlite3.Connection) -> int:
    if migrate.steps is not _OWN_STEPS or migrate.version_of(connection):
        return run_steps(connection)
    _made().backup(connection)
    return len(migrate.steps())


@cache
def _made() -> sqlite3.Connection:
    # each store has a thread of its own
    made = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    register_functions(made)
    run_steps(made)
    return made
