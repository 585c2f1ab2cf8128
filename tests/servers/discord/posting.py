"""Put messages where they belong, whoever writes them, and tell of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import delivery
from .channel import DIRECT, FORUM, Channel
from .message import HAS_THREAD, LOADING, REPLY, THREAD_CREATED, THREAD_STARTER, Message
from .permissions import sees
from .state import State
from .values import Json, Upload, User


def post(channel: Channel, author: User, content: str, number: int | None = None, **fields: Any) -> Message:
    """Write a message; an archived thread opens again."""
    return place(made(channel, author, content, number, **fields))


def made(channel: Channel, author: User, content: str, number: int | None = None, **fields: Any) -> Message:
    """Make a message that is nowhere yet."""
    world = channel.world
    return Message(number or world.snowflake(), channel, author, content, world.now, versions=[content], **fields)


def place(message: Message) -> Message:
    """Put a message that was made into its channel, and announce it; an ephemeral one stands in none."""
    channel = message.channel
    if channel.is_thread and channel.is_archived:
        channel.unarchive()
    if channel.is_thread and message.webhook is None:
        _draw_in(channel, message)
    if message.is_for is None:
        channel.messages[message.id] = message
    delivery.tell(message)
    return message


def _draw_in(thread: Channel, message: Message) -> None:
    """Let who writes in a thread, and whom they mention, become members of it."""
    for user in (message.author, *message.mentions):
        if user.id not in thread.joined and thread.parent is not None and sees(thread.parent, user):
            thread.admit(user)


def revise(message: Message, **fields: Any) -> Message:
    """Change a message and announce it; what was loading counts as new, not as edited."""
    world = message.channel.world
    if not message.flags & LOADING:
        message.edited = world.now
    for name, value in fields.items():
        setattr(message, name, value)
    message.versions.append(message.content)
    delivery.tell(message, "MESSAGE_UPDATE")
    world.changed.set()
    return message


def unfold(message: Message, *embeds: Json) -> Message:
    """Tell what stands behind the links of a message, which counts as no edit."""
    message.embeds = [*embeds]
    delivery.tell(message, "MESSAGE_UPDATE")
    message.channel.world.changed.set()
    return message


def remove(message: Message) -> None:
    """Delete a message and announce it."""
    message.is_deleted = True
    delivery.tell_gone(message)
    message.channel.world.changed.set()


def sweep(messages: Sequence[Message]) -> None:
    """Delete messages of one channel at once, and announce all of them together."""
    if len(messages) == 1:
        remove(messages[0])
        return
    for message in messages:
        message.is_deleted = True
    delivery.tell_swept(messages)
    messages[0].channel.world.changed.set()


def react(message: Message, user: User, emoji: str) -> None:
    """Let somebody react."""
    users = message.reactions.setdefault(emoji, [])
    if user not in users:
        users.append(user)
        delivery.tell_reaction(message, user, emoji, added=True)


def unreact(message: Message, user: User, emoji: str) -> None:
    """Take a reaction back."""
    if user in message.reactions.get(emoji, ()):
        message.reactions[emoji].remove(user)
        if not message.reactions[emoji]:
            del message.reactions[emoji]
        delivery.tell_reaction(message, user, emoji, added=False)


def direct(world: State, bot: User, person: User) -> Channel:
    """Return the direct message channel of a bot and a person, made when there is none."""
    for channel in world.channels.values():
        if channel.kind == DIRECT and person in channel.recipients and bot in channel.recipients:
            return channel
    number = world.snowflake()
    made = world.channels[number] = Channel(number, DIRECT, person.username, world, recipients=[person, bot])
    return made


def types(channel: Channel, user: User) -> None:
    """Show that somebody types."""
    channel.typing.append((user, channel.world.now))
    delivery.tell_typing(channel, user)


def attached(channel: Channel, upload: Upload, description: str | None = None) -> Json:
    """Keep a file and write its `Attachment` object."""
    stored = channel.world.store(upload, channel.id)
    body: Json = {"id": str(stored.id), "filename": upload.name, "size": upload.size or len(upload.content)}
    body |= {"url": "", "proxy_url": "", "content_type": upload.mime, "flags": 0}
    return body | ({"description": description} if description else {})


def quoted(target: Message) -> Json:
    """Write the reference of an answer."""
    reference = {"type": 0, "message_id": str(target.id), "channel_id": str(target.channel.id)}
    return reference | delivery.guild_id(target.channel)


def reply_fields(target: Message | None) -> Json:
    """Return the fields that make a message an answer."""
    return {} if target is None else {"kind": REPLY, "reference": quoted(target), "referenced": target}


def open_thread(place: Channel, kind: int, name: str, owner: User, number: int | None = None) -> Channel:
    """Open a thread under a channel; its id is that of the message it starts from, where there is one."""
    world = place.world
    thread = Channel(number or world.snowflake(), kind, name, world, place.guild, place, owner=owner)
    thread.archived_at = world.now
    thread.joined[owner.id] = world.now
    world.channels[thread.id] = thread
    delivery.tell_channel(thread, "CREATE")
    return thread


def branch(message: Message, name: str, owner: User) -> Channel:
    """Open a thread from a message; the thread begins by pointing at it."""
    thread = open_thread(message.channel, 11, name, owner, message.id)
    message.thread = thread
    message.flags |= HAS_THREAD
    delivery.tell(message, "MESSAGE_UPDATE")
    starter: Json = {"kind": THREAD_STARTER, "reference": quoted(message), "referenced": message}
    post(thread, owner, "", **starter)
    return thread


def announce_thread(thread: Channel, owner: User) -> None:
    """Say in the channel that a thread was opened without a message."""
    assert thread.parent is not None
    if thread.parent.kind != FORUM:
        reference = {"type": 0, "channel_id": str(thread.id)} | delivery.guild_id(thread)
        post(thread.parent, owner, thread.name, kind=THREAD_CREATED, reference=reference)
