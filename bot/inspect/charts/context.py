"""Draw a context: how full it is, of what, and how it grew. Made for the width of a phone."""

from __future__ import annotations

from typing import NamedTuple

from bot.inspect.charts.canvas import DRAWING_LOCK, Canvas, ChartBox, TextPen, width_of
from bot.inspect.charts.chart import ChartSlice, ChartStyle, ContextChart, FillLevel, PartFamily, TurnColumn
from bot.inspect.charts.theme import THEMES, ChartTheme, Colour
from bot.sentences import say

WIDTH = 900
"""Clients show no more than that on a phone, and Telegram makes a picture smaller whose longer side is over 1280."""
_EDGE = 40
_INNER = WIDTH - 2 * _EDGE
_HEAD, _BARS, _ROW, _PLOT, _NOTE = 224, 122, 42, 170, 38
_GAP = 44
_BAR, _STACK = 40, 60
_BIG, _TITLE, _HEADING, _TEXT, _SMALL = 100, 46, 34, 30, 28
_ROUND, _CHIP, _MARK = 12, 26, 22
_WARNING, _CRITICAL = 70, 90
_MIN_COLUMNS = 16
"""Columns of a plot with few turns are as wide as those of one with so many."""


def draw(chart: ContextChart, style: ChartStyle) -> bytes:
    """Return a PNG of `WIDTH` pixels. Takes tens of milliseconds: call it off the event loop."""
    with DRAWING_LOCK:
        return _Drawing(chart, THEMES[style]).png()


class _Shade(NamedTuple):
    slice: ChartSlice
    colour: Colour


class _Drawing:
    """One picture, from top to bottom."""

    def __init__(self, chart: ContextChart, theme: ChartTheme) -> None:
        self.chart, self.theme = chart, theme
        self.shades = _shades(chart, theme)
        rows = -(-len(self.shades) // 2)
        self.legend = 54 + _STACK + 22 + rows * _ROW + 26
        self.plot = 54 + _MARK + _PLOT + 18 + _ROW + 18 if chart.columns else 0
        height = 2 * _EDGE + _HEAD + _BARS + self.legend + self.plot + len(chart.notes) * _NOTE
        self.canvas = Canvas(WIDTH, height, theme.ground)

    def png(self) -> bytes:
        """Draw and return the file."""
        y = _EDGE
        self._head(y)
        y += _HEAD
        self._fullness(y)
        y += _BARS
        self._parts(y)
        y += self.legend
        if self.chart.columns:
            self._growth(y)
            y += self.plot
        self._notes(y)
        return self.canvas.png()

    def _pen(self, size: int, anchor: str = "la", *, muted: bool = False, bold: bool = False) -> TextPen:
        return TextPen(size, self.theme.muted if muted else self.theme.text, anchor, bold)

    def _head(self, y: int) -> None:
        chart, canvas, colour = self.chart, self.canvas, self.theme.levels[self.chart.level]
        canvas.write(_EDGE, y, chart.title, self._pen(_TITLE, bold=True), _INNER)
        canvas.write(_EDGE, y + 58, chart.subtitle, self._pen(_SMALL, muted=True), _INNER)
        big, share = TextPen(_BIG, colour, bold=True), f"{chart.percent} %"
        canvas.write(_EDGE, y + 110, share, big)
        x = _EDGE + width_of(share, big) + 36
        canvas.write(x, y + 118, chart.used, self._pen(_HEADING), WIDTH - _EDGE - x)
        canvas.write(x, y + 164, chart.free, self._pen(_TEXT, muted=True), WIDTH - _EDGE - x)

    def _fullness(self, y: int) -> None:
        chart, canvas, theme = self.chart, self.canvas, self.theme
        canvas.fill(ChartBox(_EDGE, y, _INNER, _BAR), theme.panel, _ROUND)
        filled = min(1.0, chart.percent / 100) * _INNER
        canvas.fill(ChartBox(_EDGE, y, max(filled, 6 if chart.percent else 0), _BAR), theme.levels[chart.level], _ROUND)
        for share, name in ((_WARNING, FillLevel.WARNING), (_CRITICAL, FillLevel.CRITICAL)):
            x = _EDGE + _INNER * share / 100
            canvas.fill(ChartBox(x - 1, y - 6, 3, _BAR + 12), theme.levels[name])
            canvas.write(x, y + _BAR + 12, f"{share} %", self._pen(_SMALL, "ma", muted=True))
        canvas.write(_EDGE, y + _BAR + 12, chart.level.value, TextPen(_SMALL, theme.levels[chart.level]))

    def _parts(self, y: int) -> None:
        canvas = self.canvas
        canvas.write(_EDGE, y, say("usage.made-of"), self._pen(_HEADING, bold=True))
        x, top = float(_EDGE), y + 54
        whole = sum(shade.slice.tokens for shade in self.shades) or 1
        for shade in self.shades:
            width = _INNER * shade.slice.tokens / whole
            canvas.fill(ChartBox(x, top, max(2.0, width - 3), _STACK), shade.colour)
            x += width
        half = (_INNER - _GAP) // 2
        for number, shade in enumerate(self.shades):
            down, right = divmod(number, 2)
            self._legend(_EDGE + right * (half + _GAP), top + _STACK + 22 + down * _ROW, half, shade)

    def _legend(self, x: int, y: int, width: int, shade: _Shade) -> None:
        pen = self._pen(_SMALL, "ra")
        amount = shade.slice.amount
        room = width - _CHIP - 26 - width_of(amount, pen)
        self.canvas.fill(ChartBox(x, y + 3, _CHIP, _CHIP), shade.colour)
        self.canvas.write(x + _CHIP + 12, y, shade.slice.name, self._pen(_SMALL), room)
        self.canvas.write(x + width, y, amount, pen)

    def _growth(self, y: int) -> None:
        chart, canvas, theme = self.chart, self.canvas, self.theme
        canvas.write(_EDGE, y, say("usage.last-turns", count=len(chart.columns)), self._pen(_HEADING, bold=True))
        most = max((*(column.total for column in chart.columns), *(s.tokens for s in chart.scales), 1))
        top = y + 54 + _MARK
        labels = max((width_of(scale.label, self._pen(_SMALL)) for scale in chart.scales), default=0)
        left = _EDGE + labels + (12 if labels else 0)
        for scale in chart.scales:
            height = top + _PLOT - _PLOT * scale.tokens / most
            canvas.write(left - 12, height, scale.label, self._pen(_SMALL, "rm", muted=True))
            canvas.rule((left, height), (WIDTH - _EDGE, height), theme.line)
        step = (WIDTH - _EDGE - left) / max(len(chart.columns), _MIN_COLUMNS)
        for number, column in enumerate(chart.columns):
            self._column(column, ChartBox(left + number * step, top, step, _PLOT), most)
        canvas.rule((left, top + _PLOT), (WIDTH - _EDGE, top + _PLOT), theme.line)
        self._key(left, top + _PLOT + 18)

    def _column(self, column: TurnColumn, room: ChartBox, most: int) -> None:
        theme, bottom = self.theme, room.y + room.height
        fixed, whole = (room.height * amount / most for amount in (column.fixed, column.total))
        width = max(2.0, room.width * 0.76)
        self.canvas.fill(ChartBox(room.x, bottom - whole, width, whole - fixed), theme.families[PartFamily.MESSAGES])
        self.canvas.fill(ChartBox(room.x, bottom - fixed, width, fixed), theme.families[PartFamily.SYSTEM])
        if column.compacted:
            x = room.x - room.width * 0.12
            self.canvas.rule((x, room.y - 12), (x, bottom), theme.mark, dash=8)
            self.canvas.arrow(x + 1, room.y - 2, _MARK, theme.mark)

    def _key(self, x: float, y: float) -> None:
        """Say what the colours of the plot stand for."""
        canvas, theme, pen = self.canvas, self.theme, self._pen(_SMALL, muted=True)
        system, conversation = say("usage.key-system"), say("usage.key-conversation")
        for name, family in ((system, PartFamily.SYSTEM), (conversation, PartFamily.MESSAGES)):
            canvas.fill(ChartBox(x, y + 3, _CHIP, _CHIP), theme.families[family])
            canvas.write(x + _CHIP + 12, y, name, pen)
            x += _CHIP + 12 + width_of(name, pen) + _GAP
        if any(column.compacted for column in self.chart.columns):
            canvas.arrow(x + _MARK / 2, y + _CHIP, _MARK, theme.mark)
            canvas.write(x + _MARK + 12, y, say("usage.key-compaction"), pen)

    def _notes(self, y: int) -> None:
        for number, note in enumerate(self.chart.notes):
            self.canvas.write(_EDGE, y + number * _NOTE, note, self._pen(_SMALL, muted=True), _INNER)


def _shades(chart: ContextChart, theme: ChartTheme) -> list[_Shade]:
    found = []
    for family in PartFamily:
        members = [slice_ for slice_ in chart.slices if slice_.family is family]
        found += [_Shade(one, theme.shade(family, n, len(members))) for n, one in enumerate(members)]
    return found
