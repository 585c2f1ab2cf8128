"""What a server heard: every call, those it refused, and how a test waits for the next."""

from __future__ import annotations

from collections.abc import Callable

from .dispatch import Call, Dispatch
from .routes import OPERATIONS
from .world import World


class Books:
    """The calls of a server in the order they came."""

    def __init__(self, world: World, dispatch: Dispatch) -> None:
        self.world = world
        self.dispatch = dispatch

    def calls(self, operation: str | None = None) -> list[Call]:
        """List the calls in the order they came, of one name (see `routes`) or of all."""
        return [call for call in self.dispatch.log if operation is None or call.operation == known(operation)]

    @property
    def limited(self) -> list[Call]:
        """List the calls that were answered with 429, by the limits or by a fault."""
        return [call for call in self.dispatch.log if call.status == 429]

    @property
    def invalid(self) -> list[Call]:
        """List the calls that count towards Discord's ban: 401, 403 and 429."""
        return [call for call in self.dispatch.log if call.status in (401, 403, 429)]

    @property
    def hanging(self) -> int:
        """Count the calls that hang now."""
        return self.dispatch.gate.hanging

    async def heard(self, operation: str, count: int = 1) -> list[Call]:
        """Wait until a call was made so often, answered or not, and return those calls."""
        await self.until(lambda: len(self.calls(operation)) >= count, f"{operation} was not called {count} times")
        return self.calls(operation)

    async def called(self, operation: str, count: int = 1) -> list[Call]:
        """Wait until a call was made so often and so many are over, and return its calls."""

        def over() -> bool:
            return sum(call.is_over for call in self.calls(operation)) >= count

        await self.until(over, f"{operation} was not called and answered {count} times")
        return self.calls(operation)

    async def hung(self, count: int = 1) -> None:
        """Wait until so many calls hang."""
        await self.until(lambda: self.dispatch.gate.hanging >= count, f"there were not {count} calls hanging")

    async def until(self, question: Callable[[], bool], words: str = "it never became so") -> None:
        """Wait until something is so; asked again when anything happens in the world or a call comes or ends."""

        def vain() -> str:
            return f"{words}; the last calls: {[call.operation for call in self.dispatch.log[-20:]]}"

        await self.world.until(question, vain)


def known(operation: str) -> str:
    """Return the name of a call, or say which names there are."""
    if operation != "*" and operation not in OPERATIONS:
        raise ValueError(f"no call is named {operation!r}; there are {', '.join(sorted(OPERATIONS))}")
    return operation
