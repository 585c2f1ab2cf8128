"""Bring in a file that somebody sent, and never more of it than was asked for."""

from __future__ import annotations

from telegram.error import TelegramError

from adapters.telegram.api import FILES, Connection
from adapters.telegram.request import TooLarge
from bot.domain.messages import Attachment
from bot.errors import FetchError


async def fetch(connection: Connection, attachment: Attachment, most: int) -> bytes:
    """Return the content of a file; raise FetchError. Its size is checked as it is said, and as it comes."""
    if not attachment.reference:
        raise FetchError("it has no content")
    try:
        found = await connection.api.get_file(attachment.reference)
        if (found.file_size or 0) > most:
            raise TooLarge("the file is too large")
        path = (found.file_path or "").removeprefix(FILES)
        if not path or path.startswith("/"):
            raise FetchError("the platform does not say where it is")
        return await connection.carrier.download(path, most)
    except TooLarge:
        raise FetchError(f"it is larger than {-(-most // 1000)} kB") from None
    except TelegramError as error:
        raise FetchError(f"Telegram does not give it: {error.message}") from None
