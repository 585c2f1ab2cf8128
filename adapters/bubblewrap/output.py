"""Keep what a program writes, but never more than fits: the beginning, and the end."""

from __future__ import annotations

from collections import deque

from bot.ports.sandbox import Output


class Capture:
    """One stream. What is in the middle of a long one is counted and forgotten."""

    def __init__(self, limit: int) -> None:
        self._half = max(1, limit // 2)
        self._start = bytearray()
        self._end: deque[bytes] = deque()
        self._end_size = 0
        self.size = 0

    def take(self, data: bytes) -> None:
        """Take in what a program wrote; in the middle of a long output bytes are left out."""
        self.size += len(data)
        room = self._half - len(self._start)
        if room > 0:
            self._start += data[:room]
            data = data[room:]
        if not data:
            return
        self._end.append(data[-self._half :])
        self._end_size += len(self._end[-1])
        while self._end_size - len(self._end[0]) >= self._half:
            self._end_size -= len(self._end.popleft())

    def output(self) -> Output:
        """Return what is kept, with a note where something is left out."""
        end = b"".join(self._end)[-self._half :]
        left_out = self.size - len(self._start) - len(end)
        if not left_out:
            return Output((bytes(self._start) + end).decode(errors="replace"), self.size)
        note = f"\n[... {left_out:,} of {self.size:,} bytes are left out here ...]\n"
        text = self._start.decode(errors="replace") + note + end.decode(errors="replace")
        return Output(text, self.size)
