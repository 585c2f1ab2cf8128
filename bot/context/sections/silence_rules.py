"""When not to answer: depends on the place and on the channel's mode."""

from __future__ import annotations

from bot.context.section import ESSENTIAL, Sources, loaded, values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.prompts import render


class SilenceRules:
    """The rules around `skip`."""

    name = "silence_rules"
    stability = Stability.EPOCH
    priority = ESSENTIAL

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Look at where we are and what people set."""
        data = {"is_dm": state.place.is_dm, "mode": state.settings.mode.value}
        return loaded(self.name, data, "file:prompts/en/sections/silence_rules.md.j2", "channel:settings.mode")

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Choose the paragraph."""
        return render("sections/silence_rules", **values(data))
