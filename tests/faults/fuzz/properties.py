"""Plays a property many times over: the one that a test has, with other seeds and many more examples."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import structlog
from hypothesis import HealthCheck, Phase, given, seed, settings

PHASES = (Phase.explicit, Phase.generate, Phase.shrink)


def play(path: str, examples: int, number: int) -> int:
    """Play `module:function` or `bytes:reader` with a seed; return for how many examples it held, or raise.

    Blocks, and must not be called in an event loop: a property may need one of its own.
    """
    with asyncio.Runner() as runner, quiet():
        found = _found(path).hypothesis
        counted = _Counted(found.inner_test, runner)
        seed(number)(_bounded(examples)(given(**found._given_kwargs)(counted.function)))()
    return counted.held


def _found(path: str) -> Any:
    module, _, name = path.partition(":")
    if module == "bytes":
        return import_module("tests.faults.fuzz.arrivals").bytes_hold(name)
    return getattr(import_module(module), name)


@contextmanager
def quiet() -> Iterator[None]:
    """Nobody reads what is logged of a thousand updates that are none."""
    before, level = structlog.get_config(), logging.root.manager.disable
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        structlog.configure(**before)
        logging.disable(level)


def _bounded(examples: int) -> settings:
    # nothing is kept between runs: a key alone says which examples are played
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=False,
        phases=PHASES,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )


class _Counted:
    """A property that counts the examples for which it held."""

    def __init__(self, inner: Callable[..., Any], runner: asyncio.Runner) -> None:
        self.held = 0

        def played(*args: Any, **kwargs: Any) -> None:
            found = inner(*args, **kwargs)
            if inspect.isawaitable(found):
                runner.run(found)  # type: ignore[arg-type]
            self.held += 1

        # its signature alone: its marks would make another's settings, or a coroutine function, of it
        played.__name__, played.__signature__ = inner.__name__, inspect.signature(inner)  # type: ignore[attr-defined]
        self.function = played
