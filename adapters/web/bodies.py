"""Read the body of an answer within bounds, unpack it within bounds, and find out how its characters are written."""

from __future__ import annotations

import codecs
import re
import zlib
from dataclasses import dataclass
from typing import Protocol

import aiohttp

from bot.errors import ToolError

_PIECE_BYTES = 64 * 1024
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.+-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s{0,9}<\?xml[^>]{0,100}?encoding=[\"']([A-Za-z0-9_.-]{2,40})[\"']")
_BROWSER_CHARSETS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gbk",
    "euc_kr": "cp949",
}
"""What browsers take for what is declared (https://encoding.spec.whatwg.org/#names-and-labels)."""
_KNOWN_CHARSET = re.compile(
    r"utf-8|utf-16(?:-[lb]e)?|iso8859-\d{1,2}|cp125\d|cp866|cp874|cp932|cp949|koi8-[ru]|gbk|gb18030|big5(?:hkscs)?"
    r"|euc_jp|shift_jis|iso2022_jp|mac-(?:roman|cyrillic)"
)
"""Python knows codecs that are no character sets (`unicode_escape`, `punycode`) or that nobody may use (`utf-7`)."""


@dataclass(frozen=True)
class AnswerBody:
    """The bytes, unpacked. `cut` says that there were more."""

    data: bytes
    cut: bool


class _Unpacker(Protocol):
    """What zlib's objects have in common, and what stands for none."""

    @property
    def unconsumed_tail(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _NoUnpacker:
    """Unpacks what is not packed."""

    unconsumed_tail = b""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return data[:max_length]


async def read_body(response: aiohttp.ClientResponse, most: int) -> AnswerBody:
    """Read at most `most` unpacked bytes; a bomb is unpacked no further than that. Raises ToolError."""
    packing = response.headers.get("Content-Encoding", "").strip().lower()
    unpacker: _Unpacker | None = None
    body = bytearray()
    async for piece in response.content.iter_chunked(_PIECE_BYTES):
        if unpacker is None:
            unpacker = _unpacker(packing, piece)
        body += _unpack(unpacker, piece, most + 1 - len(body))
        if len(body) > most:
            return AnswerBody(bytes(body[:most]), True)
    return AnswerBody(bytes(body), False)


def _unpacker(packing: str, first: bytes) -> _Unpacker:
    match packing:
        case "" | "identity":
            return _NoUnpacker()
        case "gzip" | "x-gzip":
            return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        case "deflate":
            # some servers leave the two bytes of zlib's header out
            is_zlib = len(first) > 1 and first[0] & 0x0F == 8 and (first[0] << 8 | first[1]) % 31 == 0
            return zlib.decompressobj(wbits=zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
        case _:
            raise ToolError("The server packed its answer in a way that was not asked for; it cannot be read.")


def _unpack(unpacker: _Unpacker, piece: bytes, room: int) -> bytes:
    try:
        return unpacker.decompress(piece, max(room, 1))
    except zlib.error:
        raise ToolError("The server's answer is packed wrongly and cannot be read.") from None


def charset_of(data: bytes, declared: str, *, is_html: bool) -> str:
    """Find the character set as browsers do: the mark at the beginning, the header, the page's own word, UTF-8."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    within = _META.search(data[:2048]) if is_html else None
    within = within or _XML.match(data[:200])
    for label in (declared, within[1].decode("ascii") if within else ""):
        if (name := _known_charset(label)) and not (label is not declared and name.startswith("utf-16")):
            return name
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def decode_body(data: bytes, charset: str) -> str:
    """Decode; what cannot be becomes U+FFFD, and a character that the limit cut in two is left out."""
    text = codecs.getincrementaldecoder(charset)("replace").decode(data)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def looks_binary(data: bytes, charset: str) -> bool:
    """Say whether the beginning of what calls itself text is something else."""
    return not charset.startswith("utf-16") and b"\0" in data[:4096]


def _known_charset(label: str) -> str:
    if not label or not label.isascii():
        return ""
    try:
        name = codecs.lookup(label.strip().strip("\"'")).name
    except (LookupError, ValueError):
        return ""
    name = _BROWSER_CHARSETS.get(name, name)
    return name if _KNOWN_CHARSET.fullmatch(name) else ""
