"""What a branch is for and how it must end."""

from __future__ import annotations

from functools import lru_cache

from bot.context.section import ESSENTIAL, Sources, loaded, values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.prompts import render


class BranchContract:
    """The branch prompt."""

    name = "branch_contract"
    stability = Stability.STATIC
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Only the bot's name is needed."""
        return _loaded(sources.facts.bot_name)

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Fill in the name."""
        return render("branch", **values(data))


@lru_cache(maxsize=64)
def _loaded(bot_name: str) -> Loaded:
    return loaded(BranchContract.name, {"bot_name": bot_name}, "file:prompts/en/branch.md.j2")
