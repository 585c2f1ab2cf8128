"""The store in a PostgreSQL database: the same tables, seals and repositories as in a SQLite file."""

from adapters.postgres.copying import copy_to_file, copy_to_server
from adapters.postgres.store import PostgresSettings, PostgresStore, create, open_readonly, verify_database

__all__ = [
    "PostgresSettings",
    "PostgresStore",
    "copy_to_file",
    "copy_to_server",
    "create",
    "open_readonly",
    "verify_database",
]
