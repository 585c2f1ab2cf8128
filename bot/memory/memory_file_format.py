"""Files of memories as JSON Lines: a head, a line for each, and an end whose signature covers every byte before it.

They are read from start to end and never as a whole, however long they are.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from enum import StrEnum
from typing import BinaryIO, Literal, NamedTuple

import orjson
from pydantic import Field, ValidationError

from bot.domain.base import FrozenModel
from bot.domain.memory_file import FILE_FORMAT, FileEnd, FileMemory, signed_text
from bot.errors import UserError
from bot.sentences import say

VERSION = 1
MAX_LINE = 1_000_000
"""Bytes: a memory of 50 kB whose every character is escaped, with all its versions, fits."""
_GZIP = b"\x1f\x8b"
_PIECE = 65_536
_END = b'{"end":'
_HOW = "memory_file.how"

Sign = Callable[[str], str]
"""Sign a text with the key of this instance."""


class FileHead(FrozenModel):
    """The first line: who wrote the file, and when (UTC ms)."""

    format: Literal["glassmind-memories"] = FILE_FORMAT
    version: int = VERSION
    instance: str = Field(pattern=r"^[A-Za-z0-9]{1,16}$")
    exported_at: int = Field(ge=0, lt=1 << 53)


class FileSeal(StrEnum):
    """What the signature says: this instance wrote the file as it is, another one may have, or nobody signed it."""

    OWN = "own"
    FOREIGN = "foreign"
    ALTERED = "altered"
    NONE = "none"


class CheckedFile(NamedTuple):
    """A file that was read once from start to end."""

    head: FileHead
    lines: int
    seal: FileSeal


async def file_bytes(head: FileHead, lines: AsyncIterator[FileMemory], sign: Sign) -> AsyncIterator[bytes]:
    """Write a file piece by piece."""
    sha, count = hashlib.sha256(), 0
    first = _line(head)
    sha.update(first)
    yield first
    async for one in lines:
        line = _line(one)
        sha.update(line)
        count += 1
        yield line
    digest = sha.hexdigest()
    yield _line(FileEnd(end=count, sha256=digest, signature=sign(signed_text(head.instance, digest))))


def check_file(stream: BinaryIO, sign: Sign, instance: str, most: int) -> CheckedFile:
    """Read a file from start to end for its head and signature; raise UserError where it is none, or too long."""
    sha, head, count, end = hashlib.sha256(), None, 0, None
    sealed, is_last = "", False
    for line in _raw_lines(stream):
        if head is None:
            head = _head(line)
        elif line.strip():
            is_last = False
            if line.startswith(_END) and (end := _end(line)) is not None:
                sealed, is_last = sha.hexdigest(), True
            else:
                count += 1
                if count > most:
                    raise UserError(_too_many(most))
        sha.update(line)
    if head is None:
        raise UserError(say("memory_file.empty", how=say(_HOW)))
    if end is None or not is_last or not end.signature:
        return CheckedFile(head, count, FileSeal.NONE)
    if (end.sha256, end.end) == (sealed, count) and end.signature == sign(signed_text(head.instance, sealed)):
        return CheckedFile(head, count, FileSeal.OWN)
    is_whole = (end.sha256, end.end) == (sealed, count)
    return CheckedFile(head, count, FileSeal.FOREIGN if is_whole and head.instance != instance else FileSeal.ALTERED)


def read_lines(stream: BinaryIO) -> Iterator[FileMemory | None]:
    """Yield the memories of a file that was checked; None for a line that is none."""
    lines = _raw_lines(stream)
    next(lines, None)
    for line in lines:
        if not line.strip() or (line.startswith(_END) and _end(line) is not None):
            continue
        try:
            yield FileMemory.model_validate(orjson.loads(line)) if len(line) <= MAX_LINE else None
        except (orjson.JSONDecodeError, ValidationError, RecursionError):
            yield None


def unpacked_stream(stream: BinaryIO) -> BinaryIO:
    """Return a stream of what a file holds, packed or not; it must be able to go back to its start."""
    packed = stream.read(2) == _GZIP
    stream.seek(0)
    return _Unpacked(stream) if packed else stream  # type: ignore[return-value]  # only `readline` is asked of it


class _Unpacked:
    """The lines of a gzip file, unpacked no further than they are read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._left = b""

    def readline(self, most: int = -1) -> bytes:
        while (at := self._left.find(b"\n")) < 0 and len(self._left) < most:
            piece = self._piece()
            if not piece:
                break
            self._left += piece
        cut = at + 1 if at >= 0 else len(self._left)
        cut = min(cut, most)
        line, self._left = self._left[:cut], self._left[cut:]
        return line

    def _piece(self) -> bytes:
        try:
            while True:
                packed = self._unpacker.unconsumed_tail or self._stream.read(_PIECE)
                piece = self._unpacker.decompress(packed, _PIECE)
                if piece or not packed:
                    return piece
        except zlib.error as error:
            raise UserError(say("memory_file.not-unpacked", why=str(error))) from None


def _raw_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; one that is too long comes cut, a byte longer than any may be."""
    while line := stream.readline(MAX_LINE + 1):
        whole = line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)
            if line.endswith(b"\n") or not line:
                break
        yield whole


def _line(value: FrozenModel) -> bytes:
    return value.model_dump_json().encode("utf-8", "surrogatepass") + b"\n"


def _head(line: bytes) -> FileHead:
    try:
        found = orjson.loads(line)
        version = found.get("version") if isinstance(found, dict) and found.get("format") == FILE_FORMAT else None
        if isinstance(version, int) and version > VERSION:
            raise UserError(say("memory_file.newer", version=str(version), newest=str(VERSION)))
        return FileHead.model_validate(found)
    except (orjson.JSONDecodeError, ValidationError):
        raise UserError(say("memory_file.no-such-file", how=say(_HOW))) from None


def _end(line: bytes) -> FileEnd | None:
    try:
        return FileEnd.model_validate(orjson.loads(line))
    except (orjson.JSONDecodeError, ValidationError):
        return None


def _too_many(most: int) -> str:
    return say("memory_file.too-many", most=most)
