"""What is going on in the channel, as of the end of the turn before."""

from __future__ import annotations

from bot.context.section import LongCall, SectionSources, loaded_section, section_values
from bot.context.transcript import utc
from bot.domain.base import JsonText, canonical_json
from bot.domain.channel import ChannelState, FinishedProcess, RunningProcess
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render_slots, slot
from bot.text.text import excerpt


class StatusSection:
    """Mode, what runs, what came back and was not said yet, how the last turn ended, how large the last request was."""

    name = "status"
    stability = SectionStability.VOLATILE
    priority = 60

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Look what goes on in the background; everything else the state already says."""
        calls = sources.calls(state.key)
        return loaded_section(self.name, {"calls": calls}, "channel:state") if calls else _LOADED

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return status_text(state, data)


def status_text(state: ChannelState, data: JsonText | None = None) -> str:
    """Write the status block of a state; absolute times only, so that it is the same when looked at and when sent."""
    last, pause = state.last, state.settings.pause
    at = utc(last.at) if last and last.at else ""
    calls = [LongCall(*call) for call in section_values(data).get("calls", ())] if data else ()
    tokens = f"{last.context_tokens:,}" if last and last.context_tokens else ""
    return render_slots(
        "sections/status",
        (at, tokens),
        mode="active (direct message)" if state.place.is_dm else state.settings.mode.value,
        paused_at=utc(pause.at) if pause else "",
        running=tuple(map(_running, state.running)),
        calls=tuple((call.name, call.tool, utc(call.started), call.ended) for call in calls),
        came_back=tuple(map(_came_back, state.finished)),
        outcome=last.outcome if last else "",
        outcome_at=slot(0) if at else "",
        error=excerpt(last.error, 200) if last else "",
        context_tokens=slot(1) if tokens else "",
    )


def _running(process: RunningProcess) -> tuple[str, ...]:
    calls = f", {process.calls} tool call{'s' * (process.calls != 1)}" if process.calls else ""
    last = f", last: {canonical_json(excerpt(process.progress, 120))}" if process.progress else ""
    return process.kind.value, process.id, utc(process.started), excerpt(process.task, 120), calls + last


def _came_back(process: FinishedProcess) -> tuple[str, str, str, str, str, bool]:
    # quoted: a model wrote it, and it may hold anything that somebody made it read
    text = canonical_json(process.text if process.waits else excerpt(process.text, 120))
    return process.kind.value, process.id, process.state, excerpt(process.task, 120), text, process.waits


_LOADED = loaded_section(StatusSection.name, {}, "channel:state")
