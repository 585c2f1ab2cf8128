"""Read a PNG of ours without the library that drew it."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

Colour = tuple[int, int, int]


class Pixels:
    """Width, height, and the colours of a picture of three bytes a pixel without filters."""

    def __init__(self, png: bytes) -> None:
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        chunks = dict(_chunks(png[8:]))
        self.width, self.height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
        assert form == [8, 2, 0, 0, 0]
        assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"], "nothing else is in the file, no time and no text"
        rows = zlib.decompress(chunks[b"IDAT"])
        stride = self.width * 3 + 1
        assert len(rows) == self.height * stride
        self.rows = [rows[at + 1 : at + stride] for at in range(0, len(rows), stride)]
        assert all(rows[at] == 0 for at in range(0, len(rows), stride))

    def colours(self) -> Counter[Colour]:
        found: Counter[Colour] = Counter()
        for row in self.rows:
            found.update(zip(row[::3], row[1::3], row[2::3], strict=True))
        return found

    def run(self, y: int, colour: Colour) -> int:
        """How many pixels of a row have a colour."""
        row, wanted = self.rows[y], bytes(colour)
        return sum(row[at : at + 3] == wanted for at in range(0, len(row), 3)) if wanted in row else 0

    def column(self, x: int, colour: Colour) -> int:
        """How many pixels of a column have a colour."""
        wanted = bytes(colour)
        return sum(row[3 * x : 3 * x + 3] == wanted for row in self.rows)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", content[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(kind + body)
        yield kind, body
        at += 12 + length
