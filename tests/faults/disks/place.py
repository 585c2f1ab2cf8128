"""Where data directories of cases stand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

RAM = Path("/dev/shm")


@contextmanager
def quick(directory: Path) -> Iterator[Path]:
    """Give a folder on a disk that syncs at once; in the case's own one where there is no such disk."""
    place = RAM if os.access(RAM, os.W_OK) else directory
    with TemporaryDirectory(prefix="glassmind-disk-", dir=place, ignore_cleanup_errors=True) as made:
        yield Path(made)
