"""The `glassmind` command as it is installed: it starts our own `bot`, whatever else of that name is installed.

A wheel holds these two files as the package `glassmind`, with `bot`, `adapters` and `prompts` below it. In a checkout,
and where that is installed to be edited, nothing stands below it, and `bot` is found as everything else is.
"""

from __future__ import annotations

import os
import sys

_OURS = ("bot", "adapters", "prompts")


def main() -> None:
    """Put the folder of our own packages before every other, then run one command."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    for name in [name for name in sys.modules if name.partition(".")[0] in _OURS]:
        # what another distribution loads at the start of every Python under such a name stays its own
        del sys.modules[name]
    from bot.__main__ import main as run

    run()
