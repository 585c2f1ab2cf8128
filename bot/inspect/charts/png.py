"""Write pixels as a PNG file. Unlike pillow's encoder, zlib lets other threads run while it packs."""

from __future__ import annotations

import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS_RGB = (8, 2, 0, 0, 0)
_EFFORT = 3


def encode(width: int, height: int, rgb: bytes) -> bytes:
    """Return the file of `height` rows of `width` pixels of three bytes each."""
    stride = width * 3
    # each row begins with the kind of its filter: none, which is best for flat colours
    rows = b"".join(b"\0" + rgb[at : at + stride] for at in range(0, height * stride, stride))
    head = struct.pack(">IIBBBBB", width, height, *_EIGHT_BITS_RGB)
    return b"".join((_SIGNATURE, _chunk(b"IHDR", head), _chunk(b"IDAT", zlib.compress(rows, _EFFORT)), _chunk(b"IEND")))


def _chunk(kind: bytes, content: bytes = b"") -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
