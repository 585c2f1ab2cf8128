"""The store in a PostgreSQL database: the same tables, seals and repositories as in a SQLite file."""

from adapters.postgres.copying import copy_to_file, copy_to_server
from adapters.postgres.leases import LeaseSettings, PostgresLeases, open_leases
from adapters.postgres.store import PostgresSettings, PostgresStore, create, open_readonly, verify_database

__all__ = [
    "LeaseSettings",
    "PostgresLeases",
    "PostgresSettings",
    "PostgresStore",
    "copy_to_file",
    "copy_to_server",
    "create",
    "open_leases",
    "open_readonly",
    "verify_database",
]
