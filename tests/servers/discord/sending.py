"""Calls that write, change and remove messages, and what hangs on them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any
from urllib.parse import unquote

from . import content, polls, posting
from .access import check_files, check_open, check_write
from .ask import Ask
from .channel import Channel
from .message import SPOKEN, SUPPRESS_EMBEDS, Message
from .permissions import may
from .refusals import MISSING_PERMISSIONS, NOT_THE_AUTHOR, SYSTEM_MESSAGE, Refused, invalid, unknown
from .state import found
from .values import Json

SILENT, V2 = 1 << 12, 1 << 15
SENDABLE = SUPPRESS_EMBEDS | SILENT | V2 | 1 << 6


def create_message(ask: Ask) -> Json:
    """POST a message; with `enforce_nonce` a nonce that was used lately returns the message it made."""
    channel, form = ask.channel, ask.form
    check_write(ask, channel)
    check_files(ask, channel)
    content.check(ask.world, form, dict(ask.files))
    poll = form.get("poll")
    if poll is not None:
        polls.check(ask.world, poll)
    nonce = _nonce(form)
    if nonce is not None and form.get("enforce_nonce") and (first := _said_before(ask, nonce)) is not None:
        return first.json(ask.bot) | {"nonce": first.nonce}
    content.check_substance(form, dict(ask.files))
    target = _target(ask, channel)
    fields = fields_of(ask, channel, form) | posting.reply_fields(target)
    if target is not None:
        _ping_author(ask, form, target, fields)
    if channel.guild is not None and fields["embeds"] and not may(channel, ask.bot, "embed_links"):
        if not (form.get("content") or "").strip():
            raise Refused(*MISSING_PERMISSIONS)
        # beside words they are left out without a word: https://github.com/discord/discord-api-docs/issues/2601
        fields["embeds"] = []
    if poll is not None:
        if channel.guild is not None:
            ask.needs(channel, "send_polls")
        fields["poll"] = polls.standing(ask.world, poll)
    message = posting.post(channel, ask.bot, form.get("content") or "", nonce=nonce, **fields)
    if nonce is not None:
        ask.world.nonces[ask.bot.id, str(nonce)] = message
    return message.json(ask.bot) | ({} if nonce is None else {"nonce": nonce})


def fields_of(ask: Ask, channel: Channel, form: Json) -> Json:
    """Return a message's fields as a form gives them, all but its content."""
    fields: Json = {"embeds": _embeds(form), "components": _numbered(form.get("components") or [])}
    fields |= {"attachments": _attachments(ask, channel, form, []), "flags": (form.get("flags") or 0) & SENDABLE}
    allowed = form.get("allowed_mentions")
    return fields | content.mentioned(channel, ask.bot, form.get("content") or "", allowed)


def edit_message(ask: Ask) -> Json:
    """PATCH a message of the bot's own."""
    channel = ask.channel
    message = ask.message(channel)
    if message.author is not ask.bot:
        raise Refused(*NOT_THE_AUTHOR)
    check_open(channel)
    return revised(ask, message)


def revised(ask: Ask, message: Message, **fields: Any) -> Json:
    """Change a message as a form asks; what it does not name stays, but for these fields."""
    form, channel = ask.form, message.channel
    content.check(ask.world, form, dict(ask.files))
    if "content" in form:
        text = form["content"] or ""
        fields |= {"content": text} | content.renamed(message, text, form.get("allowed_mentions"))
    if "embeds" in form:
        fields["embeds"] = _embeds(form)
    if "components" in form:
        fields["components"] = _numbered(form["components"] or [])
    if "attachments" in form or ask.files:
        fields["attachments"] = _attachments(ask, channel, form, message.attachments)
    if "flags" in form:
        kept, asked = fields.get("flags", message.flags) & ~SUPPRESS_EMBEDS, form["flags"] or 0
        fields["flags"] = kept | asked & (SUPPRESS_EMBEDS | V2)
    merged = {name: fields.get(name, getattr(message, name)) for name in ("content", "embeds", "components")}
    content.check_substance(merged | {"attachments": fields.get("attachments", message.attachments)}, {})
    posting.revise(message, **fields)
    return message.json(ask.bot)


def delete_message(ask: Ask) -> None:
    """DELETE a message, one's own or with the permission to manage them."""
    channel = ask.channel
    message = ask.message(channel)
    if message.author is not ask.bot:
        if channel.guild is None:
            raise Refused(403, 50003, "Cannot execute action on a DM channel")
        ask.needs(channel, "manage_messages")
    if message.kind not in (*SPOKEN, 6, 7, 8, 18):
        raise Refused(*SYSTEM_MESSAGE)
    check_open(channel)
    posting.remove(message)


def bulk_delete(ask: Ask) -> None:
    """POST a list of messages to delete."""
    channel = ask.channel
    ask.needs(channel, "manage_messages")
    for number in ask.form.get("messages") or ():
        posting.remove(found(channel.messages, number, "Message"))


def add_reaction(ask: Ask) -> None:
    """PUT a reaction."""
    channel = ask.channel
    message = ask.message(channel)
    emoji = unquote(ask.path["emoji"])
    if not emoji or (emoji.isascii() and ":" not in emoji):
        raise unknown("Emoji")
    check_open(channel)
    if channel.guild is not None:
        ask.needs(channel, "read_message_history")
        if emoji not in message.reactions:
            ask.needs(channel, "add_reactions")
    posting.react(message, ask.bot, emoji)


def remove_reaction(ask: Ask) -> None:
    """DELETE the bot's own reaction."""
    channel = ask.channel
    message = ask.message(channel)
    check_open(channel)
    posting.unreact(message, ask.bot, unquote(ask.path["emoji"]))


def typing(ask: Ask) -> None:
    """POST that the bot types."""
    channel = ask.channel
    check_write(ask, channel)
    posting.types(channel, ask.bot)


def pin(ask: Ask) -> None:
    """PUT a message among the pinned ones."""
    channel = ask.channel
    message = ask.message(channel)
    ask.needs(channel, "manage_messages")
    posting.revise(message, is_pinned=True)


def unpin(ask: Ask) -> None:
    """DELETE a message from the pinned ones."""
    channel = ask.channel
    ask.needs(channel, "manage_messages")
    posting.revise(ask.message(channel), is_pinned=False)


def _nonce(form: Json) -> str | int | None:
    nonce: Any = form.get("nonce")
    if isinstance(nonce, str) and len(nonce) > 25:
        raise invalid("nonce", "NONCE_TYPE_TOO_LONG", "Nonce must be 25 or fewer in length.")
    return nonce if isinstance(nonce, str | int) else None


def _said_before(ask: Ask, nonce: str | int) -> Message | None:
    first = ask.world.nonces.get((ask.bot.id, str(nonce)))
    is_fresh = first is not None and ask.world.now - first.at <= ask.world.switches.nonce_life
    return first if is_fresh else None


def _target(ask: Ask, channel: Channel) -> Message | None:
    reference = ask.form.get("message_reference")
    if not reference:
        return None
    if channel.guild is not None:
        ask.needs(channel, "read_message_history")
    number = str(reference.get("message_id"))
    target = channel.messages.get(int(number)) if number.isdecimal() else None
    if target is not None and not target.is_deleted and target.is_for is None:
        if target.kind not in SPOKEN:
            raise invalid(
                "message_reference", "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", "Cannot reply to a system message"
            )
        return target
    if reference.get("fail_if_not_exists", True):
        raise invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    return None


def _ping_author(ask: Ask, form: Json, target: Message, fields: Json) -> None:
    allowed = form.get("allowed_mentions")
    wanted = True if allowed is None else bool(allowed.get("replied_user"))
    if wanted and target.author is not ask.bot and target.webhook is None:
        for name in ("mentions", "pings"):
            if target.author not in fields[name]:
                fields[name] = [*fields[name], target.author]


def _embeds(form: Json) -> list[Json]:
    return [{"type": "rich"} | embed for embed in form.get("embeds") or ()]


def _numbered(components: list[Json], numbers: Iterator[int] | None = None) -> list[Json]:
    """Give every component the id that Discord adds."""
    counting = count(1) if numbers is None else numbers
    numbered: list[Json] = []
    for one in components:
        own: Json = {"id": next(counting)} | one
        if one.get("components"):
            own["components"] = _numbered(one["components"], counting)
        numbered.append(own)
    return numbered


def _attachments(ask: Ask, channel: Channel, form: Json, present: list[Json]) -> list[Json]:
    """Return the files of a message: the present ones that the form still names, and those that were sent."""
    named = form.get("attachments")
    about = {str(one.get("id")): one for one in named or ()}
    kept = [one for one in present if named is None or one["id"] in about]
    described = {index: about.get(str(index), {}).get("description") for index in ask.files}
    return kept + [posting.attached(channel, file, described[index]) for index, file in ask.files.items()]
