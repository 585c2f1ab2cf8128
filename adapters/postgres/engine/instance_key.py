"""By which key a database was signed: every machine has a data directory of its own, and all need the same key."""

from __future__ import annotations

import hmac
from pathlib import Path

from adapters.postgres.engine.connection import PostgresConnection
from adapters.sqlite.engine.directory import SECRET, read_secret
from adapters.sqlite.engine.hash_chain import sign
from bot.errors import StoreError
from bot.sentences import later

KEY_CHECK = "key_check"
"""The row of `meta` that tells by which key a database was signed."""
_SIGNED = """
    SELECT (SELECT value FROM meta WHERE name = $1), (SELECT value FROM meta WHERE name = 'instance')"""


def must_have_key(connection: PostgresConnection, directory: Path) -> bool:
    """Say whether the directory has the key of the database; raise StoreError where that is signed by another one.

    False: nothing was signed yet.
    """
    known, instance = connection.ask(_SIGNED, (KEY_CHECK,)).fetchall()[0]
    if known is None or instance is None:
        return False
    place = connection.address.__str__
    if not (directory / SECRET).exists():
        raise StoreError(later("server_store.no-key", file=SECRET, folder=str(directory), place=place))
    if not hmac.compare_digest(sign(read_secret(directory), KEY_CHECK, instance), known):
        raise StoreError(later("server_store.other-key", file=str(directory / SECRET), place=place))
    return True
