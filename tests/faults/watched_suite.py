"""A plugin that runs tests at DEBUG with the product's own logs, and writes down every token and key in use.

`python -m pytest -p tests.faults.watched_suite --watch DIR ...`; `r23_canaries` then looks for them in what was
printed and left behind. Nothing is redacted by value here: they must not even come as far as the redactor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

KEY = "sk-canary-Suite0Qw8Zr1Lm4Xv7Tb2Nc9Kd6"
"""The key of every model service that is made without one."""
TOKENS, LOG = "tokens", "debug.log"
_PLATFORMS, _SERVICES = ("adapters.telegram", "adapters.discord"), ("adapters.openai", "adapters.anthropic")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--watch", default="", help="the directory for the tokens and the log")


def pytest_configure(config: pytest.Config) -> None:
    directory = Path(config.getoption("--watch"))
    for name in _PLATFORMS:
        module = import_module(name)
        module.create = _noted(module.create, directory)  # type: ignore[attr-defined]
    for name in _SERVICES:
        module = import_module(name)
        module.create = _with_key(module.create, directory)  # type: ignore[attr-defined]


def pytest_collection_finish(session: pytest.Session) -> None:
    from bot.runtime.logs import configure_logs
    from bot.text.redaction import Redactor

    configure_logs("debug", Redactor.of({}), str(Path(session.config.getoption("--watch")) / LOG))


def _noted(create: Callable[..., Any], directory: Path) -> Callable[..., Any]:
    def made(settings: Mapping[str, Any], *args: Any, **more: Any) -> Any:
        _note(settings.get("token", ""), directory)
        return create(settings, *args, **more)

    return made


def _with_key(create: Callable[..., Any], directory: Path) -> Callable[..., Any]:
    def made(name: str, settings: Mapping[str, Any], *args: Any) -> Any:
        complete = {"api_key": KEY, **settings}
        _note(complete["api_key"], directory)
        return create(name, complete, *args)

    return made


def _note(secret: Any, directory: Path) -> None:
    text = secret.get_secret_value() if hasattr(secret, "get_secret_value") else str(secret)
    with (directory / TOKENS).open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")
