"""What was said lately in channels that the operator linked with this one; quoted as data."""

from __future__ import annotations

from typing import Any

from bot.context.section import SectionSources, absent_section, loaded_section, section_values
from bot.context.transcript import parse_header, utc
from bot.domain.base import JsonText, canonical_json
from bot.domain.channel import ChannelState
from bot.domain.ids import AgentId, ChannelId, ChannelKey
from bot.domain.messages import Message, Role
from bot.domain.snapshot import LoadedSection, SectionStability, Trigger
from bot.errors import DamagedRow
from bot.prompts import render
from bot.text.text import excerpt, one_line_name

MAX_CHANNELS = 3
MAX_MESSAGES = 8
_MAX_MESSAGE_CHARS = 240


class LinkContextSection:
    """The newest messages of each linked channel, oldest first."""

    name = "link_context"
    stability = SectionStability.VOLATILE
    priority = 30

    async def load(self, state: ChannelState, sources: SectionSources) -> LoadedSection:
        """Read the linked conversations of the same agent; nobody's private chat, and none that is not recorded."""
        moves = sources.channels.moves
        linked = (sources.facts.links.get(name, ()) for name in moves.names(state.id)) if sources.facts.links else ()
        links = next(filter(None, linked), ())
        if not links:
            return _NONE
        shown: list[dict[str, Any]] = []
        unread: list[str] = []
        for link in links[:MAX_CHANNELS]:
            key = ChannelKey(AgentId(state.agent), moves.current_id(ChannelId(link)))
            try:
                other = await sources.channels.load(key)
            except DamagedRow:
                other = None
            if why := _why_not(other):
                unread.append(f"{link}: {why}")
            elif other is not None:
                shown.append({"name": one_line_name(other.name or other.id), "id": other.id, "lines": lines(other)})
        unread += [f"{link}: {MAX_CHANNELS} links are the most" for link in links[MAX_CHANNELS:]]
        reason = "; ".join(unread)
        if not shown:
            return absent_section(self.name, reason)
        found = loaded_section(self.name, {"channels": shown}, *(f"channel:{channel['id']}" for channel in shown))
        return found.replace(reason=reason) if reason else found

    def render(self, state: ChannelState, trigger: Trigger, data: JsonText) -> str:
        return render("sections/link_context", **section_values(data))


def lines(state: ChannelState) -> list[str]:
    """Write the newest messages of people and of the bot, one line each that nothing in it can break out of."""
    said = [message for message in state.history if message.role is not Role.TOOL and message.text.strip()]
    return [_line(message) for message in said[-MAX_MESSAGES:]]


def _line(message: Message) -> str:
    headed = parse_header(message.text)
    words = excerpt(headed.text if headed else message.text, _MAX_MESSAGE_CHARS)
    author = message.author
    # by the id a line is found again when its author asks to be forgotten
    who = f"{one_line_name(author.name)} (id {author.user_id})" if author is not None else "you"
    return f"{utc(message.at) if message.at else 'earlier'} | {who} | {canonical_json(words)}"


def _why_not(other: ChannelState | None) -> str:
    if other is None:
        return "nothing is known of it"
    if other.place.is_dm:
        return "it is a private chat"
    if other.settings.unrecorded is not None:
        return "it is not recorded"
    return "" if other.history else "nothing was said there yet"


_NONE = absent_section(LinkContextSection.name, "this channel is not linked to another")
