"""How long a test is: a part of it in the suite, whole with FAULTS=1 (`make soak`)."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")


def whole_or(whole: T, part: T) -> T:
    """Return how much a test plays: the whole takes minutes, a part of it stands in the suite."""
    return whole if os.environ.get("FAULTS") else part
