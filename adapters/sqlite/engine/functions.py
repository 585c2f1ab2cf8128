"""What our SQL calls beyond SQLite's own functions."""

from __future__ import annotations

import sqlite3

import orjson

from adapters.sqlite.engine.content_store import has_name, read_message, searched_words
from adapters.sqlite.engine.sealed_rows import row_hash
from adapters.sqlite.engine.word_index import index_row, text_of_row
from bot.domain.spread_items import recalled_memories


def register_functions(connection: sqlite3.Connection) -> None:
    """Let a connection run triggers, checks of seals, and steps of the schema."""
    connection.create_function("row_hash", -1, row_hash, deterministic=True)
    connection.create_function("words_of", 2, words_of, deterministic=True)
    connection.create_function("casefold", 1, str.casefold, deterministic=True)
    connection.create_function("index_text", 7, text_of_row, deterministic=True)
    connection.create_function("index_row", 2, index_row, deterministic=True)
    connection.create_function("memories_in", 1, memories_in, deterministic=True)


def words_of(name: bytes, body: bytes) -> str:
    """Return what a search may find of a stored message, by its digest; nothing of one that is damaged."""
    return searched_words(read_message(name, body)) if has_name(body, name) else ""


def memories_in(answer: str | None) -> str:
    """Return the slots of the memories that a search returned, as JSON; none of one whose words are gone."""
    return orjson.dumps([handle.slot for handle in recalled_memories(answer or "")]).decode()
