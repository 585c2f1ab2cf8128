"""Overwrite what deleted words leave in the unused part of SQLite's pages.

`secure_delete` overwrites what is freed, in place. What it does not reach: when rows move to another page, because one
of them grew or pages are joined, the old page keeps their bytes in the gap between its list of cells and its content.
No query finds them, and they go when the page is filled again: a day or a year later.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from adapters.sqlite.engine.writer import BatchWriter
from bot.errors import StoreError
from bot.sentences import later

SLICE_BYTES = 8 << 20
"""Bytes of the file that are looked through while nobody writes: some 3 ms."""
MAX_PASSES = 3
"""How often a slice is tried of which a reader holds back pages in the write-ahead log."""
_HEADER = struct.Struct(">BHHH")
_LISTED_FROM = {2: 12, 5: 12, 10: 8, 13: 8}
"""Where the list of cells begins on a page of a tree, by its kind: https://www.sqlite.org/fileformat2.html#b_tree_pages"""
_MAX_PAGES = 1 << 25
"""Below so many pages nothing else begins with one of these kinds: its first byte is the highest of a page's number."""
_ZEROS = bytes(65536)


class LeftoverWiper:
    """Reads and overwrites the file beside SQLite, where no row is: what a crash leaves half done is still right."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # closed with the last connection only: whoever closes a file loses every lock that the process has on it
        # (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_)
        self._file: int | None = None
        self._size = self._usable = 0

    async def clear(self, writer: BatchWriter) -> int:
        """Overwrite all of them; return how many bytes that were. Raise StoreError."""
        place: int | None = 0
        cleared = 0
        while place is not None:
            for _ in range(MAX_PASSES):
                found, after, is_whole = await writer.run_alone(partial(self._clear_slice, place))
                cleared += found
                if is_whole:
                    break
            place = after
        if cleared:
            await writer.run_alone(self._keep)
        return cleared

    def close(self) -> None:
        """Let go of the file; for when no connection is open any more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _clear_slice(self, start: int, connection: sqlite3.Connection) -> tuple[int, int | None, bool]:
        """Clear a slice, on the writer's thread: nobody changes the file meanwhile, whatever is read of it."""
        # what stands in the log, or in the writer's own memory, would bring the old page back
        _, logged, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        connection.execute("PRAGMA shrink_memory")
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
            block = os.pread(self._file, SLICE_BYTES, start)
            if start == 0 and block:
                self._size, self._usable = _sizes(block)
            found = [*gaps(block, self._size, self._usable, start)] if block else []
            for offset, length in found:
                os.pwrite(self._file, _ZEROS[:length], start + offset)
            end = start + len(block)
            after = end if len(block) == SLICE_BYTES and end // self._size < _MAX_PAGES else None
        except OSError as error:
            raise StoreError(later("store.cannot-write-file", file=str(self._path), why=str(error))) from error
        return sum(length for _, length in found), after, copied >= logged

    def _keep(self, connection: sqlite3.Connection) -> None:
        if self._file is not None:
            os.fsync(self._file)


def gaps(block: bytes, size: int, usable: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield where in a run of whole pages something stands that is of no row: offset and length.

    `size` is that of a page, `usable` how much of it SQLite uses; `start` is where the block begins in the file.
    """
    for page in range(0, len(block) - size + 1, size):
        head = page if page + start else 100
        kind, free, cells, content = _HEADER.unpack_from(block, head)
        listed = _LISTED_FROM.get(kind)
        if listed is None:
            continue
        begin, end = head + listed + 2 * cells, page + (content or 65536)
        if end > page + usable or begin > end:
            continue
        if block[begin:end] != _ZEROS[: end - begin]:
            yield begin, end - begin
        while free and free + 4 <= usable:
            # a freed place in the middle: where the next one is, and how long it is itself
            after, length = struct.unpack_from(">HH", block, page + free)
            begin, end = page + free + 4, page + min(free + length, usable)
            if block[begin:end] != _ZEROS[: end - begin]:
                yield begin, end - begin
            if after <= free:
                break
            free = after


def _sizes(block: bytes) -> tuple[int, int]:
    (stored,) = struct.unpack_from(">H", block, 16)
    size = 65536 if stored == 1 else stored
    return size, size - block[20]
