"""Log as JSON lines on standard error: one event, one line, no secret, and no words of people.

What an error says may be what somebody wrote, or what a service answered to it. So a traceback has the types of errors
and the places in the code, and no messages; what libraries tell each other below a warning is left out.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Iterator, MutableMapping
from functools import partial
from logging.handlers import WatchedFileHandler
from types import TracebackType
from typing import Any

import orjson
import structlog

from bot.runtime.terminal import complain
from bot.text.invisible import escaped
from bot.text.redaction import Redactor

Event = MutableMapping[str, Any]
NO_CORRELATION = "-"
"""What stands as `correlation` in a line that belongs to no message and no turn."""
_MAX_FRAMES = 40
_MAX_ERRORS = 10
_QUIET_LOGGERS = ("httpx", "httpcore", "httpx2", "httpcore2", "aiohttp.access", "asyncio", "mcp", "client")


def configure_logs(level: str, redactor: Redactor, file: str = "") -> None:
    """Send structlog and the standard library's records through one redacting pipeline, to a file or standard error."""
    processors: list[Callable[..., Any]] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _correlated,
        _without_messages,
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
            foreign_pre_chain=[_first_line, *processors],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, as_line(redactor)],
        )
    )
    handler.addFilter(_is_meant)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    sys.excepthook = partial(_last_words, file)
    for name in _QUIET_LOGGERS:
        # at INFO these write whole URLs, and a Telegram URL holds the token
        logging.getLogger(name).setLevel(logging.WARNING)


def _correlated(_logger: Any, _method: str, event: Event) -> Event:
    """Say of a line that belongs to no message and no turn that it is the program's own."""
    event.setdefault("correlation", NO_CORRELATION)
    return event


def _is_meant(record: logging.LogRecord) -> bool:
    """Keep the bot's own lines, and those of libraries from a warning on: below it some write whole messages."""
    return hasattr(record, "_logger") or record.levelno >= logging.WARNING


def _first_line(_logger: Any, _method: str, event: Event) -> Event:
    """Keep of what a library says its first line: in the others asyncio describes an error with its message."""
    event["event"] = str(event.get("event", "")).partition("\n")[0]
    return event


def _without_messages(_logger: Any, _method: str, event: Event) -> Event:
    """Write down where an error happened and of which type it is, with those behind it."""
    info = event.pop("exc_info", None)
    error = info if isinstance(info, BaseException) else info[1] if isinstance(info, tuple) else sys.exc_info()[1]
    if info and error is not None:
        event["exception"] = "\n".join(_described(error, set()))
    return event


def _described(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if behind is not None and id(behind) not in seen and len(seen) < _MAX_ERRORS:
        yield from _described(behind, seen)
        yield "After that:" if error.__cause__ is None else "Because of that:"
    for frame in traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]:
        yield f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}'
    kind = type(error)
    yield kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            if id(one) not in seen and len(seen) < _MAX_ERRORS:
                yield from _described(one, seen)


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
