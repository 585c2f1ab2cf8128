"""Calls that open and change threads and channels."""

from __future__ import annotations

from . import content, posting
from .ask import Ask
from .channel import FORUM, PRIVATE_THREAD, PUBLIC_THREAD, TEXT, THREADS, Channel
from .permissions import may, sees
from .refusals import ARCHIVED, HAS_THREAD, MISSING_PERMISSIONS, Refused, invalid, unknown
from .sending import fields_of
from .state import found
from .values import Json

DURATIONS = (60, 1440, 4320, 10080)


def create_thread_from_message(ask: Ask) -> Json:
    """POST a thread that starts from a message; its id is the message's."""
    channel = ask.channel
    message = ask.message(channel)
    _check_form(ask)
    ask.needs(channel, "create_public_threads")
    if channel.is_thread or channel.guild is None:
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    if message.thread is not None:
        raise Refused(*HAS_THREAD)
    return posting.branch(message, ask.form["name"], ask.bot).json(ask.bot)


def create_thread(ask: Ask) -> Json:
    """POST a thread without a message, or a post of a forum."""
    channel = ask.channel
    _check_form(ask)
    if channel.kind == FORUM:
        return _create_post(ask, channel)
    kind = ask.form.get("type", PRIVATE_THREAD)
    if kind not in THREADS or channel.kind != TEXT:
        raise Refused(400, 50024, "Cannot execute action on this channel type")
    ask.needs(channel, "create_private_threads" if kind == PRIVATE_THREAD else "create_public_threads")
    thread = posting.open_thread(channel, kind, ask.form["name"], ask.bot)
    if kind != PRIVATE_THREAD:
        posting.announce_thread(thread, ask.bot)
    return thread.json(ask.bot)


def edit_channel(ask: Ask) -> Json:
    """PATCH a channel or thread; an archived one can only be opened again."""
    channel, form = ask.channel, ask.form
    if channel.guild is None:
        raise Refused(403, 50003, "Cannot execute action on a DM channel")
    if channel.is_thread:
        _edit_thread(ask, channel)
        return channel.json(ask.bot)
    ask.needs(channel, "manage_channels")
    channel.change(**{name: form[name] for name in ("name", "topic", "position") if name in form})
    return channel.json(ask.bot)


def delete_channel(ask: Ask) -> Json:
    """DELETE a channel or thread."""
    channel = ask.channel
    if channel.guild is not None:
        ask.needs(channel, "manage_threads" if channel.is_thread else "manage_channels")
        channel.delete()
    return channel.json(ask.bot)


def join_thread(ask: Ask) -> None:
    """PUT the bot into a thread."""
    channel = ask.channel
    if channel.is_archived:
        raise Refused(*ARCHIVED)
    channel.admit(ask.bot)


def leave_thread(ask: Ask) -> None:
    """DELETE the bot from a thread."""
    ask.channel.joined.pop(ask.bot.id, None)


def get_thread_member(ask: Ask) -> Json:
    """GET somebody's membership of a thread."""
    thread = ask.channel
    user = found(ask.world.users, ask.path["user"], "User")
    if user.id not in thread.joined:
        raise unknown("Member")
    return thread.membership(user)


def get_thread_members(ask: Ask) -> list[Json]:
    """GET who is in a thread; it needs the members intent of the portal."""
    thread = ask.channel
    if "members" not in ask.bot.granted:
        raise Refused(403, 50001, "Missing Access")
    return [thread.membership(ask.world.users[number]) for number in thread.joined]


def add_thread_member(ask: Ask) -> None:
    """PUT somebody into a thread."""
    thread = ask.channel
    if thread.is_archived:
        raise Refused(*ARCHIVED)
    thread.admit(found(ask.world.users, ask.path["user"], "User"))


def get_archived_threads(ask: Ask) -> Json:
    """GET the archived public threads of a channel."""
    channel = ask.channel
    ask.needs(channel, "read_message_history")
    threads = [one for one in ask.world.channels.values() if one.parent is channel and one.is_thread]
    archived = [one for one in threads if one.is_archived and sees(one, ask.bot)]
    return {"threads": [one.json(ask.bot) for one in archived], "members": [], "has_more": False}


def _create_post(ask: Ask, forum: Channel) -> Json:
    ask.needs(forum, "send_messages")
    form = ask.form.get("message")
    if not isinstance(form, dict):
        raise invalid("message", "BASE_TYPE_REQUIRED", "This field is required")
    content.check(ask.world, form, dict(ask.files))
    content.check_substance(form, dict(ask.files))
    thread = posting.open_thread(forum, PUBLIC_THREAD, ask.form["name"], ask.bot)
    fields = fields_of(ask, thread, form)
    first = posting.post(thread, ask.bot, form.get("content") or "", thread.id, **fields)
    return thread.json(ask.bot) | {"message": first.json(ask.bot)}


def _edit_thread(ask: Ask, thread: Channel) -> None:
    form = ask.form
    is_moderator = may(thread, ask.bot, "manage_threads")
    opens = form.get("archived") is False
    if thread.is_archived and not opens:
        raise Refused(*ARCHIVED)
    if not is_moderator and (
        ("locked" in form) or (thread.owner is not ask.bot and not (opens and not thread.is_locked))
    ):
        raise Refused(*MISSING_PERMISSIONS)
    changes = {"name": "name", "archived": "is_archived", "locked": "is_locked"}
    changes |= {"auto_archive_duration": "archives_after"}
    named = {field: form[name] for name, field in changes.items() if name in form}
    thread.change(**named, archived_at=ask.world.now if "archived" in form else thread.archived_at)


def _check_form(ask: Ask) -> None:
    name = ask.form.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= 100:
        raise invalid("name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    duration = ask.form.get("auto_archive_duration")
    if duration is not None and duration not in DURATIONS:
        raise invalid("auto_archive_duration", "BASE_TYPE_CHOICES", f"Value must be one of {DURATIONS}.")
