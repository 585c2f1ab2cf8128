"""The store in one SQLite file: everything that must survive the process."""

from adapters.sqlite.store import SqliteStore, StoreSettings, create, open_readonly, open_store

__all__ = ["SqliteStore", "StoreSettings", "create", "open_readonly", "open_store"]
