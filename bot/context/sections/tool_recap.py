"""Tool calls that compaction, the budget or a restart took out of what is sent, in a few lines."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import NamedTuple

from pydantic import TypeAdapter

from bot.context.recap import (
    UNAVAILABLE,
    RecapEvent,
    count_unsent,
    cut_preview,
    first_turn,
    is_missing_any,
    newest_parts,
    parts_needed,
    recap,
    recap_event,
    unsent_calls,
)
from bot.context.section import SectionSources, absent_section, loaded_section, section_values
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.domain.turn import CallPart
from bot.errors import DamagedRow, StoreError
from bot.text.redaction import Redactor

_MAX_REDACTED_CHARS = 1024
"""Characters of a text that are redacted for a preview: many times what is shown, so that no secret is cut in two."""
_TABLE = "store:tool_call"
_PREVIEWS_A_STEP = 8
"""Previews made between two looks at the event loop."""
_EVENTS = TypeAdapter(tuple[RecapEvent, ...])


class ToolRecapSection:
    """Reads only when something shows that calls are missing; what is sent decides which of them are told of."""

    name = "tool_recap"
    stability = SectionStability.VOLATILE
    priority = 50

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Read the newest records; a store that fails is said in the section, and the turn goes on."""
        if not is_missing_any(state):
            return _ALL_SENT
        try:
            lost = state.last.lost_calls if state.last is not None else ()
            found = await sources.journal.parts(state.key, first_turn(state), lost, parts_needed(state))
        except (StoreError, DamagedRow) as error:
            return loaded_section(self.name, {"failed": True}, _TABLE).replace(reason=f"could not be read: {error}")
        events = []
        for number, part in enumerate(newest_parts(found.parts), 1):
            events.append(recap_event(part, preview(part, sources.redactor)))
            if number % _PREVIEWS_A_STEP == 0:
                await asyncio.sleep(0)
        return loaded_section(
            self.name, {"events": [one.model_dump(mode="json") for one in events], "made": found.made}, _TABLE
        )

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """Write the calls that are not in the turns of `state`, which are those that are sent."""
        found = _read(data)
        if found is None:
            return UNAVAILABLE
        return recap(unsent_calls(found.events, state.turns), count_unsent(found.made, state.turns))


def preview(part: CallPart, redactor: Redactor) -> str:
    """Return the beginning of what came of a call, with nothing secret and nothing hidden in it."""
    return safe_beginning(part.text, redactor)


def safe_beginning(text: str, redactor: Redactor) -> str:
    """Return the beginning of a text of a record, with nothing secret and nothing hidden in it."""
    return _preview(redactor, text[:_MAX_REDACTED_CHARS], len(text))


# a record never changes, and while turns are left out it is read for each of them
@lru_cache(maxsize=512)
def _preview(redactor: Redactor, begins: str, size: int) -> str:
    if len(begins) == size:
        return cut_preview(redactor.redact(begins).text)
    return cut_preview(redactor.redact_unfinished(begins).text) or f"[one run of {size} characters, not shown]"


class _Read(NamedTuple):
    events: tuple[RecapEvent, ...]
    made: tuple[tuple[int, int], ...]


@lru_cache(maxsize=16)
def _read(data: JsonText) -> _Read | None:
    """Read back what `load` wrote, None where it could read nothing; a turn asks for it several times."""
    found = section_values(data)
    if "failed" in found:
        return None
    return _Read(_EVENTS.validate_python(found["events"]), tuple((turn, count) for turn, count in found["made"]))


_ALL_SENT = absent_section(ToolRecapSection.name, "earlier tool calls and results stand in the history")
