"""Let a file go along with an answer: as it is, packed, or not at all; which of them is always said."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import NamedTuple

import structlog

from bot.cortex.pages.exports import NotWritten, why_not_written
from bot.domain.messages import OutgoingFile
from bot.messaging.delivery.long_reply_file import FOLDER
from bot.ports.platform import PlatformCapabilities
from bot.runtime.files import FileName, write_new
from bot.sentences import say
from bot.text.figures import size

log = structlog.get_logger(__name__)

_MIMETYPES, _ANY = {".json": "application/json", ".md": "text/markdown"}, "application/octet-stream"


class AttachedFile(NamedTuple):
    """The file that goes along (None: none can), and what is to be said of that; empty when all is as usual."""

    file: OutgoingFile | None
    note: str = ""


async def attach(data_dir: Path, path: Path, content: bytes, can: PlatformCapabilities) -> AttachedFile:
    """Return a written file as it can be attached where it goes to; a packed copy lies with what goes out."""
    if not can.files:
        return AttachedFile(None, say("pages.no-file-here"))
    if _fits(len(content), can):
        return AttachedFile(OutgoingFile(name=path.name, path=str(path), mimetype=_MIMETYPES.get(path.suffix, _ANY)))
    large, most = size(len(content)), size(can.max_file)
    packed = await asyncio.to_thread(gzip.compress, content, 6, mtime=0)
    if not _fits(len(packed), can):
        told = say("pages.too-large-even-packed", size=large, most=most, packed=size(len(packed)))
        return AttachedFile(None, told)
    try:
        file = await keep(data_dir, FileName(path.stem, f"{path.suffix}.gz"), packed, "application/gzip")
    except NotWritten:
        return AttachedFile(None, say("pages.too-large", size=large, most=most))
    return AttachedFile(file, say("pages.too-large-packed", size=large, most=most))


async def keep(data_dir: Path, name: FileName, content: bytes, mimetype: str) -> OutgoingFile:
    """Keep what is only attached among what goes out, where it is removed in time; raise NotWritten."""
    try:
        path = await asyncio.to_thread(write_new, data_dir, (FOLDER,), name, content)
    except OSError as error:
        # the words go out without it
        log.warning("not_attached", name=name.stem, error=error.strerror or type(error).__name__)
        raise why_not_written(error, data_dir, (FOLDER,)) from error
    return OutgoingFile(name=path.name, path=str(path), mimetype=mimetype)


def _fits(octets: int, can: PlatformCapabilities) -> bool:
    return not can.max_file or octets <= can.max_file
