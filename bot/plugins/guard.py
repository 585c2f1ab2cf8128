"""The one way into a plugin: whatever it does there, the bot goes on, and the fault has a name and a number."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from inspect import isawaitable
from pathlib import Path
from typing import Any, Generic, TypeVar

import structlog

from bot.errors import BotError
from bot.plugins.fault import FaultKind, PluginFault
from bot.plugins.own_folder import acting, watch_writing
from bot.runtime.time_limit import StepTookTooLong, time_limit
from bot.tools.runtime.lag_sampler import slow_step, thread_usage

log = structlog.get_logger(__name__)
T = TypeVar("T")

MAX_IN_A_ROW, MAX_FAULTS = 3, 10
"""So many faults one after the other, or since the start, switch a part off."""
STEP_SECONDS, NOTED_SECONDS = 2.0, 0.25
"""Seconds after which a step is ended, and from which on it is a fault that everybody waited for it."""
GOODBYE_SECONDS = 1.0
_LEFT_ALONE = "provider "
"""A model service that fails is left alone for a while, as every other one is."""

Listener = Callable[["PartGuard"], None]


class PartGuard:
    """Stands before one part of a plugin. `package` is the plugin's own, `folder` where it may write."""

    def __init__(self, origin: str, part: str, package: str, folder: Path, switched_off: Listener) -> None:
        self.origin = origin
        self.part = part
        self.package = package
        self.folder = folder
        self.faults = 0
        self.last: PluginFault | None = None
        self.is_off = False
        self._switched_off = switched_off
        self._in_a_row = 0

    def call(self, run: Callable[..., T], *args: Any) -> T:
        """Run what answers at once; raise PluginFault, or what it raised on purpose."""
        self._must_be_on()
        with self._judged(), self.step():
            return run(*args)

    async def wait(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run what waits for things; raise PluginFault, or what it raised on purpose."""
        if self.is_off:
            work.close()
        self._must_be_on()
        steps = GuardedSteps(self, work)
        with self._judged():
            try:
                async with asyncio.timeout(seconds) as scope:
                    found = await steps
            except TimeoutError:
                if not scope.expired():
                    raise
                raise self.fault(FaultKind.TIMEOUT, f"{seconds:g}") from None
            finally:
                left = steps.leave()
            if left:
                raise self.fault(FaultKind.LEFT_TASK, str(left))
        return found

    def wrong(self, detail: str) -> PluginFault:
        """Count that what came back is not what such a part gives."""
        fault = self.fault(FaultKind.WRONG_KIND, detail)
        self.note(fault)
        return fault

    def fault(self, kind: FaultKind, detail: str) -> PluginFault:
        """Put a fault into words; it is not counted by that."""
        return PluginFault(self.origin, self.part, kind, detail)

    def note(self, fault: PluginFault) -> None:
        """Count a fault, and switch the part off where there are too many."""
        self.faults += 1
        self._in_a_row += 1
        self.last = fault
        log.error(
            "plugin_fault", plugin=self.origin, part=self.part, kind=fault.kind.value, detail=fault.detail,
            in_a_row=self._in_a_row, exc_info=fault.__cause__,
        )  # fmt: skip
        if self._in_a_row >= MAX_IN_A_ROW or self.faults >= MAX_FAULTS:
            self._switch_off()

    def refuse(self, fault: PluginFault) -> None:
        """Count a fault with which the part cannot be used at all."""
        self.note(fault)
        self._switch_off()

    def _switch_off(self) -> None:
        if not self.is_off and not self.part.startswith(_LEFT_ALONE):
            self.is_off = True
            log.error("plugin_part_off", plugin=self.origin, part=self.part, faults=self.faults)
            self._switched_off(self)

    @contextmanager
    def step(self) -> Iterator[None]:
        """Let the plugin's own code run until it waits: not for ever, and writing nowhere but in its folder."""
        watch_writing()
        token, began, before = acting.set(self), time.monotonic(), thread_usage()
        try:
            with time_limit(STEP_SECONDS):
                yield
        except StepTookTooLong:
            raise self.fault(FaultKind.BLOCKED, f"{STEP_SECONDS:g}") from None
        finally:
            acting.reset(token)
        took = time.monotonic() - began
        if took > NOTED_SECONDS and slow_step(took, before, thread_usage()).is_its_own:
            self.note(self.fault(FaultKind.BLOCKED, f"{took:.1f}"))

    def _must_be_on(self) -> None:
        if self.is_off:
            raise self.fault(FaultKind.OFF, self.last.words if self.last else "")

    @contextmanager
    def _judged(self) -> Iterator[None]:
        before = self.faults
        try:
            yield
        except (BotError, asyncio.CancelledError, KeyboardInterrupt):
            # said on purpose, as a part of the bot says it
            raise
        except PluginFault as fault:
            self.note(fault)
            raise
        except (Exception, SystemExit) as error:
            broken = self.fault(FaultKind.RAISED, f"{_name(error)}: {error}" if str(error) else _name(error))
            broken.__cause__ = error
            self.note(broken)
            raise broken from error
        if self.faults == before:
            self._in_a_row = 0


def _name(error: BaseException) -> str:
    return type(error).__name__


class GuardedSteps(Generic[T]):
    """A coroutine of a plugin, each step of which is guarded; knows the tasks that were begun in them."""

    def __init__(self, guard: PartGuard, work: Coroutine[Any, Any, T]) -> None:
        self._guard = guard
        self._work = work
        self._tasks: list[asyncio.Task[Any]] = []
        self._is_told_to_stop = False

    def __await__(self) -> Generator[Any, Any, T]:
        sent: Any = None
        raised: BaseException | None = None
        while True:
            try:
                waits_for = self._step(sent, raised)
            except StopIteration as stop:
                result: T = stop.value
                return result
            sent = raised = None
            try:
                sent = yield waits_for
            except asyncio.CancelledError as error:
                self._insist()
                raised = error
            except BaseException as error:  # noqa: BLE001 - a failure of what it waits for is the work's to hear of
                raised = error

    def leave(self) -> int:
        """End what the work began and left behind; return how many tasks that were."""
        left = [task for task in self._tasks if not task.done()]
        for task in left:
            task.cancel()
        return len(left)

    def _step(self, sent: Any, raised: BaseException | None) -> Any:
        loop = asyncio.get_running_loop()
        before = loop.get_task_factory()

        def noted(its: asyncio.AbstractEventLoop, work: Any, **more: Any) -> Any:
            task: Any = asyncio.Task(work, loop=its, **more) if before is None else before(its, work, **more)
            if _package(work) == self._guard.package:
                self._tasks.append(task)
            return task

        loop.set_task_factory(noted)
        try:
            with self._guard.step():
                return self._work.send(sent) if raised is None else self._work.throw(raised)
        finally:
            loop.set_task_factory(before)

    def _insist(self) -> None:
        """End work that does not stop when it is told to: cancelled twice, it gets no further."""
        task = asyncio.current_task()
        if self._is_told_to_stop or task is None:
            self._work.close()
            if task is not None:
                task.uncancel()
            raise asyncio.CancelledError
        self._is_told_to_stop = True
        asyncio.get_running_loop().call_later(GOODBYE_SECONDS, _cancel_again, task, self._work)


def _cancel_again(task: asyncio.Task[Any], work: Coroutine[Any, Any, Any]) -> None:
    # a coroutine that has ended has no frame
    if getattr(work, "cr_frame", None) is not None and not task.done():
        task.cancel()


def _package(work: Any) -> str:
    frame = getattr(work, "cr_frame", None)
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] if frame is not None else ""


async def awaited(run: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """Call what should be a coroutine function, in a step of its own; one that is none is taken, too."""
    found = run(*values, **named)
    return await found if isawaitable(found) else found
