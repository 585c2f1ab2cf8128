"""Bring in the files that came with messages: text to be read, pictures to be seen, a word about everything else."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import structlog

from bot.config.schema import AttachmentsConfig
from bot.context.transcript import FetchedAttachment, text_file
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Attachment, AttachmentKind, ImagePart
from bot.errors import FetchError, name_of
from bot.ports.platform import Platform
from bot.text.text import clean, file_name

log = structlog.get_logger(__name__)

_SHOWN = "it stands with the message that it came with"
_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class AttachmentFetcher:
    """Fetches within the configured limits. Nothing is unpacked or decoded, so a small file stays small."""

    platforms: Mapping[str, Platform]
    limits: AttachmentsConfig

    async def bring(self, stored: StoredInbound, shown: Collection[str] = ()) -> tuple[FetchedAttachment, ...]:
        """Return what became of every file of a message, in its order; a file that cannot be had is said to be so.

        Files of what it refers to come last; those of messages whose pictures are `shown` already stay where they are.
        """
        files = stored.inbound.files
        if not files:
            return ()
        again = {f for one in stored.inbound.refers if one.message_id in shown for f in one.attachments}
        files = tuple(file for file in files if file not in again or file in stored.inbound.attachments)
        wanted = files[: self.limits.per_message]
        found = await asyncio.gather(*(self._bring(stored.inbound.adapter, file) for file in wanted))
        over = f"more than {self.limits.per_message} files in one message"
        return (
            *found,
            *(FetchedAttachment(file, None, over) for file in files[self.limits.per_message :]),
            *(FetchedAttachment(file, None, _SHOWN) for file in again.difference(files)),
        )

    async def _bring(self, adapter: str, file: Attachment) -> FetchedAttachment:
        most = self._most(file.kind)
        if not most:
            return FetchedAttachment(file, None, "files of this kind are not read")
        if file.size > most:
            return FetchedAttachment(file, None, f"{_kilobytes(file.size)}, and at most {_kilobytes(most)} are read")
        platform = self.platforms.get(adapter)
        if platform is None:
            return FetchedAttachment(file, None, "the platform is not connected")
        try:
            content = await platform.fetch(file, most)
        except FetchError as error:
            log.info("attachment_not_fetched", platform=adapter, error=name_of(error))
            return FetchedAttachment(file, None, str(error))
        except Exception as error:
            log.error("attachment_broke", platform=adapter, error_type=type(error).__name__, exc_info=error)
            return FetchedAttachment(file, None, "it could not be fetched")
        return _text(file, content) if file.kind is AttachmentKind.TEXT else _picture(file, content)

    def _most(self, kind: AttachmentKind) -> int:
        match kind:
            case AttachmentKind.TEXT:
                return self.limits.text_kb * 1000
            case AttachmentKind.IMAGE:
                return round(self.limits.image_mb * 1_000_000)
            case AttachmentKind.OTHER:
                return 0


def _text(file: Attachment, content: bytes) -> FetchedAttachment:
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return FetchedAttachment(file, None, "it is not UTF-8 text")
    return FetchedAttachment(file, text_file(file, clean(text).text))


def _picture(file: Attachment, content: bytes) -> FetchedAttachment:
    """Believe the first bytes, not the name: a provider refuses a conversation for one picture of another kind."""
    mimetype = next((kind for start, kind in _PICTURES if content.startswith(start)), "")
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        mimetype = "image/webp"
    if not mimetype:
        return FetchedAttachment(file, None, "it is no PNG, JPEG, GIF or WebP picture")
    data = base64.b64encode(content).decode("ascii")
    return FetchedAttachment(file, ImagePart(name=file_name(file.name), mimetype=mimetype, data=data))


def _kilobytes(size: int) -> str:
    return f"{-(-size // 1000)} kB"
