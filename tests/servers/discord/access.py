"""May the bot write here? The order and the words of Discord's refusals."""

from __future__ import annotations

from .ask import Ask
from .channel import SPEAKABLE, SPOKEN, Channel
from .permissions import may
from .refusals import ARCHIVED, CLOSED, LOCKED, MISSING_ACCESS, MISSING_PERMISSIONS, NO_TEXT_CHANNEL, STRANGERS, Refused
from .talk import Person


def check_write(ask: Ask, channel: Channel) -> None:
    """Refuse when the bot cannot write to a channel."""
    if channel.kind not in SPEAKABLE:
        raise Refused(*NO_TEXT_CHANNEL)
    if channel.guild is None:
        _check_direct(ask, channel)
        return
    if channel.kind in SPOKEN and not may(channel, ask.bot, "connect"):
        raise Refused(*MISSING_ACCESS)
    ask.needs(channel, "send_messages_in_threads" if channel.is_thread else "send_messages")
    if channel.is_locked and not may(channel, ask.bot, "manage_threads"):
        raise Refused(*(ARCHIVED if channel.is_archived else LOCKED))


def check_open(channel: Channel) -> None:
    """Refuse to change what is in an archived thread; unlike writing, that does not open it."""
    if channel.is_archived:
        raise Refused(*ARCHIVED)


def check_files(ask: Ask, channel: Channel) -> None:
    """Refuse files where the bot may not attach them."""
    if channel.guild is not None and ask.files and not may(channel, ask.bot, "attach_files"):
        raise Refused(*MISSING_PERMISSIONS)


def _check_direct(ask: Ask, channel: Channel) -> None:
    person = next(user for user in channel.recipients if user is not ask.bot)
    if not isinstance(person, Person) or not person.takes_dms:
        raise Refused(*CLOSED)
    common = any({person.id, ask.bot.id} <= set(guild.members) for guild in ask.world.guilds.values())
    if not common and not any(one.author is person for one in channel.messages.values()):
        raise Refused(*STRANGERS)
