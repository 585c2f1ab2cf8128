"""What a module says to the log."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import structlog
from structlog.testing import capture_logs


def plain_logs() -> None:
    """Log plainly, as is set up for every test: a coloured traceback with the value of every local takes seconds."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(0),
        logger_factory=structlog.PrintLoggerFactory(),
        cache_logger_on_first_use=False,
    )


@contextmanager
def logged(module: ModuleType) -> Iterator[list[MutableMapping[str, Any]]]:
    """Collect it, also where an earlier bot of this process bound the module's logger for good, or wanted few words."""
    bound, before = module.log, structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(0))
    module.log = structlog.get_logger(module.__name__)  # type: ignore[attr-defined]
    try:
        with capture_logs() as logs:
            yield logs
    finally:
        module.log = bound  # type: ignore[attr-defined]
        structlog.configure(**before)
