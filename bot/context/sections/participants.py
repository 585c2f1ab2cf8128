"""Who has spoken, from the history; the people of the newest message are not looked at."""

from __future__ import annotations

from bot.context.section import Sources, loaded
from bot.context.transcript import utc
from bot.domain.base import JsonText
from bot.domain.channel import ChannelState
from bot.domain.messages import Message, Role
from bot.domain.snapshot import Loaded, Stability, Trigger
from bot.domain.text import one_line_name
from bot.prompts import render_slots, slot

MOST_PEOPLE = 20
MOST_MESSAGES = 200


class Participants:
    """People by numeric id, so that a changed name is not a new person."""

    name = "participants"
    stability = Stability.VOLATILE
    priority = 30

    async def load(self, state: ChannelState, sources: Sources) -> Loaded:
        """Nothing to read: the history already says it."""
        return _LOADED

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        """List who spoke last, newest first."""
        people: dict[str, tuple[str, str]] = {}
        for message in _newest(state):
            author = message.author
            if author is None or author.user_id in people or message.role is not Role.USER:
                continue
            people[author.user_id] = (one_line_name(author.name), utc(message.at))
            if len(people) == MOST_PEOPLE:
                break
        if not people:
            return ""
        rows = tuple((name, user_id, slot(row)) for row, (user_id, (name, _)) in enumerate(people.items()))
        times = [at for _, at in people.values()]
        return render_slots("sections/participants", times, people=rows, most=MOST_PEOPLE)


_LOADED = loaded(Participants.name, {}, "channel:history")


def _newest(state: ChannelState) -> list[Message]:
    found = list(reversed(state.ambient))
    for turn in reversed(state.turns):
        found.extend(reversed(turn.messages))
        if len(found) >= MOST_MESSAGES:
            break
    return found[:MOST_MESSAGES]
