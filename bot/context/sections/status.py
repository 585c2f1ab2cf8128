"""What is going on in the channel, as of the end of the turn before."""

from __future__ import annotations

from bot.context.section import Sources, loaded
from bot.context.transcript import utc
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.domain.text import excerpt
from bot.prompts import render_slots, slot


class Status:
    """Mode, what runs, how the last turn ended, how large the last request was."""

    name = "status"
    stability = Stability.VOLATILE
    priority = 60

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Nothing to read: the state already says it."""
        return _LOADED

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Write the block."""
        return status_text(state)


def status_text(state: ChannelState) -> str:
    """Write the status block of a state; absolute times only, so that it is the same when looked at and when sent."""
    last, pause = state.last, state.settings.pause
    at = utc(last.at) if last and last.at else ""
    tokens = f"{last.context_tokens:,}" if last and last.context_tokens else ""
    return render_slots(
        "sections/status",
        (at, tokens),
        mode="active (direct message)" if state.place.is_dm else state.settings.mode.value,
        paused_at=utc(pause.at) if pause else "",
        running=tuple((p.kind.value, p.id, excerpt(p.task, 120), utc(p.started)) for p in state.running),
        outcome=last.outcome if last else "",
        outcome_at=slot(0) if at else "",
        error=excerpt(last.error, 200) if last else "",
        context_tokens=slot(1) if tokens else "",
    )


_LOADED = loaded(Status.name, {}, "channel:state")
