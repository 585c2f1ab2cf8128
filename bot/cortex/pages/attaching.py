"""Let a file go with an answer: as it is, packed where the platform takes no more, or not at all."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import NamedTuple

import structlog

from bot.domain.messages import File
from bot.messaging.delivery.long_reply_file import FOLDER
from bot.ports.platform import Capabilities
from bot.runtime.files import Name, write_new
from bot.text.figures import size

log = structlog.get_logger(__name__)


class Attached(NamedTuple):
    """The file that goes along (None: none can), and what is to be said of that; empty when all is as usual."""

    file: File | None
    note: str = ""


async def attach(data_dir: Path, path: Path, content: bytes, can: Capabilities) -> Attached:
    """Return a written file as it can be attached where it goes to; a packed copy lies with what goes out."""
    if not can.files:
        return Attached(None, "No file can be attached here: it is at that path alone.")
    if _fits(len(content), can):
        return Attached(File(name=path.name, path=str(path), mimetype="application/json"))
    said = f"It is {size(len(content))} and at most {size(can.max_file)} can be attached here:"
    packed = await asyncio.to_thread(gzip.compress, content, 6, mtime=0)
    if not _fits(len(packed), can):
        return Attached(None, f"{said} it is at that path alone ({size(len(packed))} even when packed).")
    file = await keep(data_dir, Name(path.stem, f"{path.suffix}.gz"), packed, "application/gzip")
    return Attached(file, f"{said} it is packed (gzip)." if file else f"{said} it is at that path alone.")


async def keep(data_dir: Path, name: Name, content: bytes, mimetype: str) -> File | None:
    """Keep what is only attached among what goes out, where it is removed in time; None when that cannot be done."""
    try:
        path = await asyncio.to_thread(write_new, data_dir, (FOLDER,), name, content)
    except OSError as error:
        # the words go out without it
        log.warning("not_attached", name=name.stem, error=error.strerror or type(error).__name__)
        return None
    return File(name=path.name, path=str(path), mimetype=mimetype)


def _fits(octets: int, can: Capabilities) -> bool:
    return not can.max_file or octets <= can.max_file
