"""Draw who taught the bot how much, and where a memory went. Made for the width of a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.domain.access import Authority
from bot.inspect.charts.canvas import DRAWING_LOCK, Canvas, ChartBox, TextPen, drawable_text, width_of
from bot.inspect.charts.chart import ChartStyle, round_marks
from bot.inspect.charts.memory_values import SpreadChart, SpreadLayer, TeacherBand, TeachingChart
from bot.inspect.charts.theme import THEMES, ChartTheme, Colour
from bot.sentences import say
from bot.text.figures import exact_number, quantity

WIDTH = 900
EDGE = 40
INNER = WIDTH - 2 * EDGE
_BIG, _TITLE, _HEADING, _SMALL, _CELL, _LAYER = 84, 46, 34, 28, 26, 24
_HEAD, _TOTAL, _ROW, _NOTE, _CHIP = 112, 124, 42, 38, 26
PLOT_HEIGHT, _MIN_BARS = 300, 12
LEAST_HEIGHT = 4
"""What was taught once is seen beside what was taught a thousand times."""
_STRIP, _DASH, _INSET = 4, 5, 3
SEED_WIDTH, _ARROW = 190, 18
FLOW_HEIGHT, _COUNT = 190, 52
_MIN_BLOCK = 10
_MAX_EXACT = 100_000
_WORDS = {Authority.OWNER: "owner", Authority.ADMIN: "admin", Authority.MODERATOR: "moderator"}
_FORGOTTEN = "forgotten"
"""Whose a band is, and what does not count any more, in the key."""


def draw_teaching(chart: TeachingChart, style: ChartStyle) -> bytes:
    """Return a PNG of `WIDTH` pixels. Takes tens of milliseconds: call it off the event loop."""
    with DRAWING_LOCK:
        return _Teaching(chart, THEMES[style]).png()


def draw_spread(chart: SpreadChart, style: ChartStyle) -> bytes:
    """Return a PNG of `WIDTH` pixels. Takes tens of milliseconds: call it off the event loop."""
    with DRAWING_LOCK:
        return _Spread(chart, THEMES[style]).png()


class _Page:
    """What both have: a title above, notes below."""

    def __init__(self, theme: ChartTheme, height: int, notes: Sequence[str]) -> None:
        self.theme = theme
        self.notes = notes
        self.canvas = Canvas(WIDTH, 2 * EDGE + _HEAD + height + len(notes) * _NOTE, theme.ground)

    def pen(self, size: int, anchor: str = "la", *, muted: bool = False, bold: bool = False) -> TextPen:
        return TextPen(size, self.theme.muted if muted else self.theme.text, anchor, bold)

    def head(self, title: str, subtitle: str) -> int:
        """Write the title; return where the rest begins."""
        self.canvas.write(EDGE, EDGE, title, self.pen(_TITLE, bold=True), INNER)
        self.canvas.write(EDGE, EDGE + 60, subtitle, self.pen(_SMALL, muted=True), INNER)
        return EDGE + _HEAD

    def foot(self) -> bytes:
        """Write the notes and return the file."""
        top = self.canvas.height - EDGE - len(self.notes) * _NOTE
        for number, note in enumerate(self.notes):
            self.canvas.write(EDGE, top + number * _NOTE, note, self.pen(_SMALL, muted=True), INNER)
        return self.canvas.png()

    def forgotten(self, box: ChartBox, colour: Colour) -> None:
        """Fill what does not count any more."""
        self.canvas.fill(box, colour)
        self.canvas.hatch(box, self.theme.ground)

    def strip(self, box: ChartBox, role: Authority | None) -> None:
        """Mark whose it is without a colour: an admin's has a line near its left edge, a moderator's a dashed one."""
        if role is None or role < Authority.MODERATOR:
            return
        dash = 0 if role >= Authority.ADMIN else _DASH
        step = dash or box.height
        at = 0.0
        while at < box.height:
            piece = min(step, box.height - at)
            self.canvas.fill(ChartBox(box.x + _INSET, box.y + at, _STRIP, piece), self.theme.ink)
            at += 2 * step


class _Piece(NamedTuple):
    """A part of a bar: how many, in which colour, whose, and whether it was forgotten."""

    amount: int
    colour: Colour
    role: Authority | None
    is_forgotten: bool


class _Teaching(_Page):
    """Bars over time, and who is who."""

    def __init__(self, chart: TeachingChart, theme: ChartTheme) -> None:
        self.chart = chart
        people = theme.people
        named = len(people) - 1
        self.colours = [people[-1 if one.role is None else min(n, named - 1)] for n, one in enumerate(chart.bands)]
        self.keys = list(self._keys())
        rows = len(chart.bands) + (1 if self.keys else 0)
        plot = 26 + PLOT_HEIGHT + 60 + 30 if chart.bands else 0
        super().__init__(theme, _TOTAL + plot + rows * _ROW + (20 if rows else 0), chart.notes)

    def png(self) -> bytes:
        """Draw and return the file."""
        chart, canvas = self.chart, self.canvas
        y = self.head(chart.title, chart.subtitle)
        big = self.pen(_BIG, bold=True)
        canvas.write(EDGE, y, chart.total, big, INNER / 2)
        x = EDGE + min(width_of(chart.total, big), INNER / 2) + 30
        for number, line in enumerate(chart.rest):
            size = _SMALL if number else _HEADING
            canvas.write(x, y + 8 + number * 44, line, self.pen(size, muted=bool(number)), WIDTH - EDGE - x)
        y += _TOTAL
        if chart.bands:
            self._plot(y + 26)
            y += 26 + PLOT_HEIGHT + 60 + 30
        for band, colour in zip(chart.bands, self.colours, strict=True):
            self._legend(y, band, colour)
            y += _ROW
        self._key(y)
        return self.foot()

    def _plot(self, top: int) -> None:
        chart, canvas, theme, pen = self.chart, self.canvas, self.theme, self.pen(_SMALL, "rm", muted=True)
        most = max(sum(piece.amount for piece in self._pieces(bar)) for bar in range(chart.bars))
        marks = [(mark, quantity(mark)) for mark in round_marks(most)]
        left = EDGE + max((width_of(label, pen) for _, label in marks), default=0) + 12
        for mark, label in marks:
            height = top + PLOT_HEIGHT - PLOT_HEIGHT * mark / max(most, 1)
            canvas.write(left - 12, height, label, pen)
            canvas.rule((left, height), (WIDTH - EDGE, height), theme.line)
        step = (WIDTH - EDGE - left) / max(chart.bars, _MIN_BARS)
        for bar in range(chart.bars):
            self._bar(bar, ChartBox(left + bar * step, top, max(3.0, step * 0.8), PLOT_HEIGHT), most)
        canvas.rule((left, top + PLOT_HEIGHT), (WIDTH - EDGE, top + PLOT_HEIGHT), theme.line)
        self._axis(left, step, top + PLOT_HEIGHT)

    def _axis(self, left: float, step: float, y: float) -> None:
        """Write the days below their bars, as far as there is room."""
        free = 0.0
        for mark in self.chart.marks:
            width = width_of(mark.label, self.pen(_SMALL))
            middle = left + (mark.bar + 0.4) * step
            x = min(max(middle - width / 2, left), WIDTH - EDGE - width)
            if x >= free:
                self.canvas.rule((middle, y), (middle, y + 10), self.theme.line)
                self.canvas.write(x, y + 18, mark.label, self.pen(_SMALL, muted=True))
                free = x + width + 16

    def _bar(self, bar: int, room: ChartBox, most: int) -> None:
        pieces = [piece for piece in self._pieces(bar) if piece.amount]
        y = room.y + room.height
        for piece, height in zip(pieces, _heights(pieces, room.height / most if most else 0), strict=True):
            y -= height
            # a line of the ground between two who may have colours that somebody cannot tell apart
            box = ChartBox(room.x, y, room.width, height - (1 if height > LEAST_HEIGHT else 0))
            if piece.is_forgotten:
                self.forgotten(box, piece.colour)
            else:
                self.canvas.fill(box, piece.colour)
            self.strip(box, piece.role)

    def _pieces(self, bar: int) -> Iterator[_Piece]:
        for band, colour in zip(self.chart.bands, self.colours, strict=True):
            yield _Piece(band.kept[bar], colour, band.role, is_forgotten=False)
            yield _Piece(band.forgotten[bar], colour, band.role, is_forgotten=True)

    def _legend(self, y: int, band: TeacherBand, colour: Colour) -> None:
        pen, muted = self.pen(_SMALL), self.pen(_SMALL, muted=True)
        chip = ChartBox(EDGE, y + 2, _CHIP + 8, _CHIP + 4)
        self.canvas.fill(chip, colour)
        self.strip(chip, band.role)
        x, right = EDGE + _CHIP + 24, WIDTH - EDGE
        self.canvas.write(right, y, band.amount, self.pen(_SMALL, "ra"))
        role = say("memory_drawing.role", role=_WORDS.get(band.role, "member")) if band.role is not None else ""
        room = right - width_of(band.amount, pen) - 30 - x
        word = f" · {role}" if role else ""
        most = room - width_of(word, muted)
        drawn = drawable_text(band.name)
        name = band.name if any(letter.isalnum() for letter in drawn) else band.stand_in or band.name
        self.canvas.write(x, y, name, pen, most)
        self.canvas.write(x + min(width_of(name, pen), most), y, word, muted)

    def _keys(self) -> Iterator[str]:
        if any(any(band.forgotten) for band in self.chart.bands):
            yield _FORGOTTEN
        roles = {band.role for band in self.chart.bands if band.role is not None}
        if roles & {Authority.ADMIN, Authority.OWNER}:
            yield "admin"
        if Authority.MODERATOR in roles:
            yield "moderator"

    def _key(self, y: int) -> None:
        """Say what the patterns stand for."""
        x, pen = float(EDGE), self.pen(_SMALL, muted=True)
        for name in self.keys:
            chip = ChartBox(x, y + 12, _CHIP + 8, _CHIP + 4)
            if name == _FORGOTTEN:
                self.forgotten(chip, self.theme.muted)
                word = say("memory_drawing.forgotten")
            else:
                self.canvas.fill(chip, self.theme.muted)
                self.strip(chip, Authority.ADMIN if name == "admin" else Authority.MODERATOR)
                word = say("memory_drawing.role", role=name)
            self.canvas.write(x + _CHIP + 20, y + 10, word, pen)
            x += _CHIP + 20 + width_of(word, pen) + 44


def _heights(pieces: Sequence[_Piece], scale: float) -> list[float]:
    """Return how high each part is: what would not be seen is made visible, and the largest gives it the room."""
    heights = [max(float(LEAST_HEIGHT), piece.amount * scale) for piece in pieces]
    if heights:
        over = sum(heights) - sum(piece.amount for piece in pieces) * scale
        largest = heights.index(max(heights))
        heights[largest] = max(float(LEAST_HEIGHT), heights[largest] - over)
    return heights


def _exact(count: int) -> str:
    """Write a count that has the room of a column."""
    return exact_number(count) if count < _MAX_EXACT else quantity(count)


class _Spread(_Page):
    """The memory at the left, layer after layer to its right, and below in which channels."""

    def __init__(self, chart: SpreadChart, theme: ChartTheme) -> None:
        self.chart = chart
        table = 30 + len(chart.places) * _ROW + 20 if chart.places else 0
        super().__init__(theme, _COUNT + FLOW_HEIGHT + 16 + 2 * _ROW + table + _ROW, chart.notes)

    def png(self) -> bytes:
        """Draw and return the file."""
        y = self.head(self.chart.title, self.chart.subtitle)
        middle = y + _COUNT + FLOW_HEIGHT / 2
        self._seed(middle)
        rooms = list(self._rooms())
        most = max((layer.total for layer in self.chart.layers), default=0)
        bottom = y + _COUNT + FLOW_HEIGHT + 16
        for layer, room in zip(self.chart.layers, rooms, strict=True):
            self._layer(layer, room, middle, most)
            self._under(layer, room, bottom)
        y = bottom + 2 * _ROW
        self._key(y - 4)
        y += _ROW
        if self.chart.places:
            self._places(y + 30, rooms)
        return self.foot()

    def _rooms(self) -> Iterator[ChartBox]:
        """Return the columns of the layers."""
        width = (INNER - SEED_WIDTH) / max(len(self.chart.layers), 1)
        for number in range(len(self.chart.layers)):
            yield ChartBox(EDGE + SEED_WIDTH + number * width, 0, width, 0)

    def _seed(self, middle: float) -> None:
        lines = self.chart.seed
        height = max(80, 26 + len(lines) * 36)
        box = ChartBox(EDGE, middle - height / 2, SEED_WIDTH - 30, height)
        self.canvas.fill(box, self.theme.panel, 12)
        self.canvas.fill(ChartBox(box.x, box.y, 6, box.height), self.theme.mark)
        for number, line in enumerate(lines):
            pen = self.pen(_CELL, bold=not number, muted=bool(number))
            self.canvas.write(box.x + 18, box.y + 14 + number * 36, line, pen, box.width - 26)

    def _layer(self, layer: SpreadLayer, room: ChartBox, middle: float, most: int) -> None:
        canvas, theme, colour = self.canvas, self.theme, self.theme.people[0]
        x, width = room.x + _ARROW + 6, room.width - 2 * _ARROW
        canvas.point_right(room.x + 4, middle, _ARROW, theme.muted if layer.total else theme.line)
        if not layer.total:
            canvas.fill(ChartBox(x, middle - 2, width, 4), theme.line)
            canvas.write(x + width / 2, middle - 40, "0", self.pen(_CELL, "ma", muted=True))
            return
        # by the root, so that an area of some is seen beside one of thousands
        height = max(_MIN_BLOCK, FLOW_HEIGHT * (layer.total / most) ** 0.5)
        top = middle - height / 2
        derived = height * layer.derived / layer.total
        if layer.derived:
            self.forgotten(ChartBox(x, top, width, derived), colour)
        canvas.fill(ChartBox(x, top + derived, width, height - derived), colour)
        canvas.write(x + width / 2, top - 42, _exact(layer.total), self.pen(_HEADING, "ma", bold=True), room.width)

    def _under(self, layer: SpreadLayer, room: ChartBox, y: float) -> None:
        x = room.x + _ARROW + 6 + (room.width - 2 * _ARROW) / 2
        self.canvas.write(x, y, layer.name, self.pen(_LAYER, "ma"), room.width)

    def _key(self, y: float) -> None:
        colour, x = self.theme.people[0], float(EDGE)
        for is_held in (True, False):
            name = say("memory_drawing.held-it" if is_held else "memory_drawing.came-of-it")
            chip = ChartBox(x, y + 2, _CHIP + 8, _CHIP + 4)
            if is_held:
                self.canvas.fill(chip, colour)
            else:
                self.forgotten(chip, colour)
            self.canvas.write(x + _CHIP + 20, y, name, self.pen(_SMALL, muted=True))
            x += _CHIP + 20 + width_of(name, self.pen(_SMALL)) + 44

    def _places(self, y: float, rooms: Sequence[ChartBox]) -> None:
        self.canvas.rule((EDGE, y - 16), (WIDTH - EDGE, y - 16), self.theme.line)
        for number, place in enumerate(self.chart.places):
            at = y + number * _ROW
            self.canvas.write(EDGE, at, place.name, self.pen(_CELL), SEED_WIDTH - 14)
            for count, room in zip(place.counts, rooms, strict=True):
                x = room.x + _ARROW + 6 + (room.width - 2 * _ARROW) / 2
                self.canvas.write(x, at, _exact(count) if count else "-", self.pen(_CELL, "ma", muted=not count))
