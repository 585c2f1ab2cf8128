"""Real time that a look may take: a busy machine changes no report."""

from __future__ import annotations

from bot.diagnostics import piece_reader

USUAL = {name: getattr(piece_reader, name) for name in ("ALL_SECONDS", "PIECE_SECONDS", "PART_SECONDS")}
"""What the bot gives a look."""


def waits_for_the_machine(probe: float = piece_reader.PROBE_SECONDS) -> None:
    """Give every piece of evidence a minute of real time; what a slow one leaves out is tested where it is read.

    `probe`: seconds that a platform may take to say how it is.
    """
    for name in USUAL:
        setattr(piece_reader, name, 60.0)
    piece_reader.PROBE_SECONDS = probe
