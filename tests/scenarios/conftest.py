"""What all scenarios share: a busy machine changes no report."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.diagnostics import piece_reader


@pytest.fixture(autouse=True, scope="module")
def a_look_waits_for_the_machine() -> Iterator[None]:
    """Give every piece of evidence a minute of real time; what a slow one leaves out is tested where it is read."""
    with pytest.MonkeyPatch.context() as changed:
        for name in ("ALL_SECONDS", "PIECE_SECONDS", "PART_SECONDS"):
            changed.setattr(piece_reader, name, 60.0)
        changed.setattr(piece_reader, "PROBE_SECONDS", 4.0)  # somebody hangs, and is waited for
        yield
