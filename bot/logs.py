"""Log as JSON lines on standard error: one event, one line, no secret."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, MutableMapping
from functools import partial
from logging.handlers import WatchedFileHandler
from types import TracebackType
from typing import Any

import orjson
import structlog

from bot.domain.invisible import escaped
from bot.domain.redaction import Redactor
from bot.terminal import complain

Event = MutableMapping[str, Any]
_QUIET = ("httpx", "httpcore", "httpx2", "httpcore2", "aiohttp.access", "asyncio", "mcp", "client")


def configure_logs(level: str, redactor: Redactor, file: str = "") -> None:
    """Send structlog and the standard library's records through one redacting pipeline, to a file or standard error."""
    processors: list[Callable[..., Any]] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*processors, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr) if not file else WatchedFileHandler(file, encoding="utf-8", delay=True)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=processors,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, as_line(redactor)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    sys.excepthook = partial(_last_words, file)
    for name in _QUIET:
        # at INFO these write whole URLs, and a Telegram URL holds the token
        logging.getLogger(name).setLevel(logging.WARNING)


def _last_words(file: str, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Let what nobody caught go the same way: Python's own traceback shows an error's text, and a URL may be in it."""
    if issubclass(kind, KeyboardInterrupt):
        return
    logging.getLogger("glassmind").critical("crashed", exc_info=(kind, error, trace))
    if file:
        complain(f"Something broke inside ({kind.__name__}). {file} has the rest; please report it.")


def as_line(redactor: Redactor) -> Callable[[Any, str, Event], str]:
    """Return the last processor: redact, then one JSON object on one line."""

    def render(_logger: Any, _method: str, event: Event) -> str:
        text = orjson.dumps(event, default=repr, option=orjson.OPT_NON_STR_KEYS).decode("utf-8", "replace")
        # a log is read on a terminal too: the same value, but nothing in it that a terminal obeys
        return escaped(redactor.redact(text).text)

    return render
