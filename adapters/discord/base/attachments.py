"""What came with a message besides words, each with an honest name."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.attachment_kind import attachment_kind
from bot.domain.messages import Attachment, AttachmentKind
from bot.text.text import clean

_MAX_TITLE_CHARS = 100


def attachments_of(message: discord.Message) -> tuple[Attachment, ...]:
    """List what came with a message, and with the one that it forwards.

    What a link unfolds into is left out: its author did not send it.
    """
    found = [_file(one) for one in message.attachments]
    found += [_mention(f"sticker {sticker.name}") for sticker in message.stickers]
    if message.poll is not None:
        found.append(_mention(f"poll {message.poll.question}"))
    if message.webhook_id is not None or message.author.bot:
        found += [_mention(_title(embed)) for embed in _rich_embeds(message.embeds)]
    for snapshot in message.message_snapshots:
        found += [_file(one) for one in snapshot.attachments]
        found += [_mention(f"sticker {sticker.name}") for sticker in snapshot.stickers]
    return tuple(found)


def _file(one: discord.Attachment) -> Attachment:
    # Discord puts the character set behind the type
    name, mimetype = clean(one.filename).text, (one.content_type or "").partition(";")[0].strip().lower()
    if one.is_voice_message():
        name = f"voice message, {round(one.duration or 0)} s"
    return Attachment(
        kind=attachment_kind(name, mimetype), name=name, mimetype=mimetype, reference=one.url, size=one.size
    )


def _mention(name: str) -> Attachment:
    return Attachment(kind=AttachmentKind.OTHER, name=clean(name).text, mimetype="", reference="")


def _rich_embeds(embeds: Sequence[discord.Embed]) -> list[discord.Embed]:
    return [embed for embed in embeds if embed.type == "rich"]


def _title(embed: discord.Embed) -> str:
    title = embed.title or embed.description or (embed.author.name if embed.author else "") or ""
    return f"embed {' '.join(title.split())[:_MAX_TITLE_CHARS]}".rstrip()
