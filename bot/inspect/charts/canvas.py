"""A surface with the few strokes that charts are made of; the one place that knows pillow."""

from __future__ import annotations

import struct
import unicodedata
import zlib
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from bot.inspect.charts.theme import Colour

_STAND_INS = {"·": "·", "–": "-", "—": "-", "…": "...", "≈": "~", "≥": ">=", "≤": "<=", "→": "->", "’": "'", "‘": "'"}
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS_RGB = (8, 2, 0, 0, 0)
_COMPRESSION_LEVEL = 3

DRAWING_LOCK = Lock()
"""A font must not be used by two threads at once."""


class ChartBox(NamedTuple):
    """A rectangle: its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float


class TextPen(NamedTuple):
    """How something is written. `anchor` as in pillow: `la` is left and upper, `ra` right and upper, `ma` middle."""

    size: int
    colour: Colour
    anchor: str = "la"
    bold: bool = False


class Canvas:
    """Pixels of a fixed size on a ground."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width, height), ground)
        self._draw = ImageDraw.Draw(self._image)

    def write(self, x: float, y: float, text: str, pen: TextPen, most: float = 0) -> None:
        """Write one line, cut to a width where one is given."""
        line = cut_to_width(drawable_text(text), pen, most) if most else drawable_text(text)
        stroke = 1 if pen.bold else 0
        self._draw.text((x, y), line, pen.colour, _font(pen.size), pen.anchor, stroke_width=stroke)

    def fill(self, box: ChartBox, colour: Colour, radius: int = 0) -> None:
        """Fill a rectangle; one without any room leaves nothing."""
        x, y, right, bottom = round(box.x), round(box.y), round(box.x + box.width) - 1, round(box.y + box.height) - 1
        if right < x or bottom < y:
            return
        radius = min(radius, (right - x) // 2, (bottom - y) // 2)
        if radius > 0:
            self._draw.rounded_rectangle((x, y, right, bottom), radius, colour)
        else:
            self._draw.rectangle((x, y, right, bottom), colour)

    def rule(self, start: tuple[float, float], end: tuple[float, float], colour: Colour, dash: int = 0) -> None:
        """Draw a thin line that goes right or down; `dash` is the length of its pieces (0: it is whole)."""
        (x, y), (right, bottom) = start, end
        step = dash or max(right - x, bottom - y, 1)
        at = 0.0
        while at < max(right - x, bottom - y):
            piece = min(step, max(right - x, bottom - y) - at)
            if right > x:
                self.fill(ChartBox(x + at, y, piece, 2), colour)
            else:
                self.fill(ChartBox(x, y + at, 2, piece), colour)
            at += 2 * step

    def hatch(self, box: ChartBox, colour: Colour, gap: int = 9, width: int = 3) -> None:
        """Draw slanting lines across a rectangle and never beyond it."""
        x, y, right, bottom = round(box.x), round(box.y), round(box.x + box.width) - 1, round(box.y + box.height) - 1
        if right < x or bottom < y:
            return
        # on a line x + y is the same, so that those of neighbouring rectangles meet
        for n in range((x + y) // gap * gap, right + bottom + gap, gap):
            for at in range(n, n + width):
                start, end = (max(x, at - bottom), min(bottom, at - x)), (min(right, at - y), max(y, at - right))
                if start[0] <= end[0]:
                    self._draw.line((start, end), colour)

    def point_right(self, x: float, y: float, size: float, colour: Colour) -> None:
        """Draw a triangle that points to the right, around a place."""
        self._draw.polygon([(x - size / 2, y - size / 2), (x - size / 2, y + size / 2), (x + size / 2, y)], colour)

    def arrow(self, x: float, y: float, size: float, colour: Colour) -> None:
        """Draw a triangle that points down to a place."""
        self._draw.polygon([(x - size / 2, y - size), (x + size / 2, y - size), (x, y)], colour)

    def png(self) -> bytes:
        """Return the file."""
        return encode(self.width, self.height, self._image.tobytes())


def width_of(text: str, pen: TextPen) -> float:
    """Return how many pixels a line takes."""
    return _font(pen.size).getlength(drawable_text(text)) + (2 if pen.bold else 0)


def cut_to_width(text: str, pen: TextPen, most: float) -> str:
    """Cut a line to a width."""
    if width_of(text, pen) <= most:
        return text
    while text and width_of(f"{text}...", pen) > most:
        text = text[:-1]
    return f"{text.rstrip()}..."


def drawable_text(text: str) -> str:
    """Return what the built-in font can draw: Latin letters without their marks; `?` for a run of anything else."""
    found: list[str] = []
    for letter in text:
        for piece in _STAND_INS.get(letter) or unicodedata.normalize("NFKD", letter):
            if " " <= piece <= "~" or piece == "·":
                found.append(piece)
            elif not unicodedata.combining(piece) and (not found or found[-1] != "?"):
                found.append("?")
    return "".join(found)


@lru_cache(maxsize=16)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    # it comes with pillow, so that a picture looks the same on every machine
    return ImageFont.load_default(size)


def encode(width: int, height: int, rgb: bytes) -> bytes:
    """Return the file of `height` rows of `width` pixels of three bytes each."""
    stride = width * 3
    # each row begins with the kind of its filter: none, which is best for flat colours
    rows = b"".join(b"\0" + rgb[at : at + stride] for at in range(0, height * stride, stride))
    head = struct.pack(">IIBBBBB", width, height, *_EIGHT_BITS_RGB)
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", head), _chunk(b"IDAT", zlib.compress(rows, _COMPRESSION_LEVEL)), _chunk(b"IEND"))
    )


def _chunk(kind: bytes, content: bytes = b"") -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
