"""Who has spoken, from the history; the people of the newest message are not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from bot.context.section import SectionSources, loaded_section
from bot.context.transcript import utc
from bot.domain.base import JsonText
from bot.domain.channel import ChannelSpeaker, ChannelState, speakers
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.prompts import render_slots, slot
from bot.text.text import one_line_name

MAX_PEOPLE = 20
MAX_MESSAGES = 200


class ParticipantsSection:
    """People by numeric id, so that a changed name is not a new person."""

    name = "participants"
    stability = SectionStability.VOLATILE
    priority = 30

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Nothing to read: the history already says it."""
        return _LOADED

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """List who spoke last, newest first."""
        people: dict[str, ChannelSpeaker] = {}
        for speaker in _newest(state):
            if speaker.user_id not in people:
                people[speaker.user_id] = speaker
                if len(people) == MAX_PEOPLE:
                    break
        if not people:
            return ""
        rows = tuple((one_line_name(one.name), one.user_id, slot(row)) for row, one in enumerate(people.values()))
        times = [utc(one.at) for one in people.values()]
        return render_slots("sections/participants", times, people=rows, most=MAX_PEOPLE)


_LOADED = loaded_section(ParticipantsSection.name, {}, "channel:history")


def _newest(state: ChannelState) -> Iterator[ChannelSpeaker]:
    """Yield who spoke, newest first; no further back than MOST_MESSAGES reach."""
    yield from speakers(state.ambient[-MAX_MESSAGES:])
    left = MAX_MESSAGES - len(state.ambient)
    for turn in reversed(state.turns):
        if left <= 0:
            return
        # a turn's speakers stay, and are found once
        yield from turn.speakers if len(turn.messages) <= left else speakers(turn.messages[-left:])
        left -= len(turn.messages)
