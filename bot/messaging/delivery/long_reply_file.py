"""A reply that would flood a channel goes out as a file: its beginning to read at once, and the whole of it beside."""

from __future__ import annotations

import asyncio
from pathlib import Path

import structlog

from bot.domain.handles import HandleKind, handle
from bot.domain.messages import OutgoingFile
from bot.domain.turn import NewOutbox
from bot.errors import ToolError
from bot.runtime.files import FileName, write_new
from bot.sentences import say
from bot.text.links_as_text import as_text
from bot.text.splitter import split
from bot.text.text import utf16_length
from bot.text.times import plain_times

FOLDER = "outgoing"
"""Where these files are kept, in the data directory, for as long as messages are."""
MAX_PARTS = 5

# Telegram's captions end at 1024: one message, which cannot arrive by halves
_MAX_UNITS = 1000
_MIN_EXCERPT_UNITS = 16

log = structlog.get_logger(__name__)


class KeptFiles:
    """Implements `bot.tools.send_file.OutgoingFiles`."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir

    async def keep(self, name: str, data: bytes) -> str:
        """Write a file of our own naming beside the replies that are files; people see the name that was given."""
        new = FileName("sent", ".bin")
        try:
            path = await asyncio.to_thread(write_new, self._data_dir, (FOLDER,), new, data)
        except OSError as error:
            raise ToolError(f"Not sent: {name} could not be kept ({error.strerror or type(error).__name__}).") from None
        return str(path)


async def as_reply_file(data_dir: Path, body: NewOutbox, max_units: int) -> NewOutbox | None:
    """Keep the text of a reply in a file and return the reply with it; None when that cannot be done.

    The text must be redacted already: the file holds exactly what the channel would have read.
    """
    name = _name_of(body)
    rest = "\n\n" + say("messaging.beginning", name=name, count=len(body.text))
    room = min(_MAX_UNITS, max_units) - utf16_length(rest)
    if room < _MIN_EXCERPT_UNITS:
        return None
    new = FileName(name.removesuffix(".md"), ".md")
    (whole,) = as_text(body.text, body.as_text)
    try:
        path = await asyncio.to_thread(write_new, data_dir, (FOLDER,), new, plain_times(whole).encode())
    except OSError as error:
        # it still goes out, in parts
        log.warning("reply_not_filed", name=name, error=error.strerror or type(error).__name__)
        return None
    file = OutgoingFile(name=name, path=str(path), mimetype="text/markdown")
    begins = as_text(body.text, body.as_text, lambda text: split(text, room)[:1])[0]
    return body.model_copy(update={"text": begins + rest, "file": file})


def _name_of(body: NewOutbox) -> str:
    if body.inbound:
        return f"reply-{handle(HandleKind.INBOUND, body.inbound)}.md"
    return f"reply-{handle(HandleKind.TURN, body.turn)}.md" if body.turn else "reply.md"
