"""One event is one line of JSON, whatever is in it, and no line holds a secret."""

import io
import logging
import sys

import orjson
import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.runtime.logs import as_line, configure_logs
from bot.text.redaction import Redactor
from tests.fakes.lengths import whole_or
from tests.fakes.logs import plain_logs

TOKEN = "123456789:AAHcanaryCANARYcanaryCANARYcanary12"
LINE = as_line(Redactor.of({"platforms.telegram.token": TOKEN}))


@pytest.fixture
def stream(monkeypatch):
    """Standard error, read back; logging is put back afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    configure_logs("debug", Redactor.of({"token": TOKEN}))
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    plain_logs()


@given(
    st.text(st.characters(exclude_categories=("Cs",))),
    st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3),
)
@settings(max_examples=whole_or(300, 75), deadline=None)
def test_one_event_is_one_line(message, fields):
    line = LINE(None, "info", {"event": message, "fields": fields})
    assert "\n" not in line and "\r" not in line
    assert orjson.loads(line)["fields"].keys() == fields.keys()


def test_a_forged_line_stays_inside_its_own(stream):
    structlog.get_logger("a").info("hello\n" + '{"event":"admin logged in"}')
    (line,) = stream.getvalue().splitlines()
    assert orjson.loads(line)["event"].startswith("hello\n")


def test_records_of_libraries_take_the_same_way(stream):
    logging.getLogger("some.library").warning("GET https://api.telegram.org/bot%s/getMe", TOKEN)
    logging.getLogger("httpx").info("this one is never written")
    (line,) = stream.getvalue().splitlines()
    assert TOKEN not in line and "[redacted:" in line and orjson.loads(line)["level"] == "warning"


def test_a_traceback_holds_no_secret(stream):
    try:
        raise ValueError(f"bad token {TOKEN}")
    except ValueError as error:
        structlog.get_logger("a").error("failed", exc_info=error)
    (line,) = stream.getvalue().splitlines()
    assert TOKEN not in line and "ValueError" in line


def crash(error):
    """Let Python meet an error that nobody caught."""
    try:
        raise error
    except type(error) as caught:
        sys.excepthook(type(caught), caught, caught.__traceback__)


def test_what_nobody_catches_holds_no_secret_either(stream):
    crash(RuntimeError(f"cannot reach https://api.telegram.org/bot{TOKEN}/getMe"))
    crash(KeyboardInterrupt())
    (line,) = stream.getvalue().splitlines()
    assert orjson.loads(line)["event"] == "crashed" and "RuntimeError" in line and TOKEN not in line


def test_a_file_instead_of_a_terminal(tmp_path, monkeypatch, capsys):
    handlers = logging.getLogger().handlers[:]
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    try:
        configure_logs("info", Redactor.of({}), str(tmp_path / "bot.log"))
        structlog.get_logger("a").info("hello")
        assert orjson.loads((tmp_path / "bot.log").read_text())["event"] == "hello"
        crash(RuntimeError("no"))
        assert "bot.log has the rest" in capsys.readouterr().err
    finally:
        for handler in logging.getLogger().handlers:
            handler.close()
        logging.getLogger().handlers[:] = handlers
        plain_logs()


def test_a_traceback_names_places_and_types_and_no_words(stream):
    try:
        try:
            raise KeyError("what ann said")
        except KeyError as error:
            raise ValueError("what bob answered") from error
    except ValueError as error:
        structlog.get_logger("a").error("failed", exc_info=error)
    (line,) = stream.getvalue().splitlines()
    told = orjson.loads(line)["exception"]
    assert "ann" not in line and "bob" not in line
    assert "KeyError\nBecause of that:" in told and told.endswith("ValueError") and "test_logs.py" in told


def test_a_group_of_errors_is_named_too(stream):
    try:
        raise ExceptionGroup("two of ann's", [KeyError("ann"), OSError("ann")])
    except ExceptionGroup as error:
        structlog.get_logger("a").error("failed", exc_info=error)
    (line,) = stream.getvalue().splitlines()
    assert "ann" not in line and "KeyError" in line and "OSError" in line


def test_libraries_are_heard_from_a_warning_on_and_in_one_line(stream):
    logging.getLogger("discord.gateway").debug("WebSocket Event: %s", {"content": "what ann said"})
    logging.getLogger("telegram").info("what ann said")
    logging.getLogger("asyncio").error("Task exception was never retrieved\nfuture: ValueError('what ann said')")
    (line,) = stream.getvalue().splitlines()
    assert orjson.loads(line)["event"] == "Task exception was never retrieved"


def test_every_line_says_what_it_belongs_to(stream):
    log = structlog.get_logger("a")
    log.info("own")
    with structlog.contextvars.bound_contextvars(correlation="m27d4"):
        log.info("of a message")
        logging.getLogger("some.library").warning("of a message, too")
    told = [orjson.loads(line)["correlation"] for line in stream.getvalue().splitlines()]
    assert told == ["-", "m27d4", "m27d4"]
