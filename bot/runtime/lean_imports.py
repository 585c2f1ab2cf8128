"""Import no more than is used: a bot is started often, and everybody waits for it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_FOR_TERMINALS = ("click", "rich")
"""What structlog and httpx load wherever they find it: 60 ms of CPU and 4 MiB, for pages that a bot never shows."""


@contextmanager
def lean_imports(*unused: str) -> Iterator[None]:
    """Import without what only a terminal would show, and without looking for garbage, of which imports make none.

    `unused` names more that a library would load for what nobody here asks of it, and that it can do without.
    """
    # nobody here has a plugin for pydantic; else it looks for one in everything that is installed
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    modules: dict[str, Any] = sys.modules
    before, was_collecting = len(modules), gc.isenabled()
    hidden = [name for name in (*_FOR_TERMINALS, *unused) if name not in modules]
    # how Python says that there is no such module
    modules.update(dict.fromkeys(hidden))
    gc.disable()
    try:
        yield
    finally:
        for name in hidden:
            del modules[name]
        if len(modules) > before:
            # what was imported stays for good, and no later collection should walk it
            gc.freeze()
        if was_collecting:
            gc.enable()
