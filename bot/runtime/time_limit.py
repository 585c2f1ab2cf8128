"""End a step of somebody else's code that does not end by itself: while it runs, nobody else does."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_SHORTEST_SECONDS = 0.001


class StepTookTooLong(BaseException):
    """Raised inside of a step that took too long; no `except Exception` takes it for something else."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise StepTookTooLong in what runs inside after so many seconds; an alarm that was set before goes on.

    What a library does without looking up nobody can end, but for a sleep in the main thread.
    """
    is_main = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    with _alarm(seconds) if is_main else _stop_watch(seconds):
        yield


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    began = time.monotonic()
    before = signal.signal(signal.SIGALRM, _ring)
    left, every = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - began), _SHORTEST_SECONDS), every)


def _ring(number: int, frame: FrameType | None) -> None:
    raise StepTookTooLong


@contextmanager
def _stop_watch(seconds: float) -> Iterator[None]:
    import ctypes  # signals reach the main thread alone

    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc
    thread, lock = ctypes.c_ulong(threading.get_ident()), threading.Lock()
    is_over = has_rung = False

    def ring() -> None:
        nonlocal has_rung
        with lock:
            if not is_over:
                has_rung = True
                interrupt(thread, ctypes.py_object(StepTookTooLong))

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            is_over = True
        if has_rung:
            _raise_what_is_left(lambda: interrupt(thread, ctypes.py_object(StepTookTooLong)))


def _raise_what_is_left(ring: Callable[[], object]) -> None:
    """Take an interruption of this thread that may still be to come: it would be raised in whoever is next.

    Python 3.11 cannot take one back. It goes on to look for it at every step of every thread (5 % slower, measured),
    and enters no function any more that a debugger watches. So there is one more, and it is raised here.
    """
    with suppress(StepTookTooLong):
        ring()
        while True:
            pass
