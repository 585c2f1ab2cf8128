"""The store in one SQLite file: everything that must survive the process."""

from adapters.sqlite.store import SqliteStore, StoreSettings, create, open_readonly, open_store
from adapters.sqlite.upkeep.offline_check import verify_directory
from adapters.sqlite.upkeep.restore import copies_in, restore_copy

__all__ = [
    "SqliteStore",
    "StoreSettings",
    "copies_in",
    "create",
    "open_readonly",
    "open_store",
    "restore_copy",
    "verify_directory",
]
