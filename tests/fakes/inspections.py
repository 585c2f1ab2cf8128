"""Starts no inspection: it remembers what was wished for, or refuses."""

from __future__ import annotations

from bot.errors import ToolError
from bot.tools.context_inspect import InspectionStarted, InspectionWish


class FakeInspections:
    """Implements `bot.tools.context_inspect.InspectionStarter`."""

    def __init__(self, refusal: str = "") -> None:
        self.wishes: list[InspectionWish] = []
        self.refusal = refusal

    async def begin(self, wish: InspectionWish) -> InspectionStarted:
        self.wishes.append(wish)
        if self.refusal:
            raise ToolError(self.refusal)
        return InspectionStarted("inspection-1", wish.named or wish.here.channel, "It comes later.")
