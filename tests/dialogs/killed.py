"""Images of a data directory at every commit and every send, as a process leaves them that is killed just then."""

from __future__ import annotations

from pathlib import Path

from tests.dialogs.bot import Bot
from tests.dialogs.stores import leave_image
from tests.inside.store import after_each_commit


class Killed:
    """Takes an image of the data directory, and of what stood on the terminal, at every step of a conversation."""

    def __init__(self, bot: Bot, directory: Path) -> None:
        self.images: list[tuple[Path, tuple[str, ...]]] = []
        self._bot = bot
        self._directory = directory
        after_each_commit(bot.store, self._take)
        self._send = bot.console.send
        bot.console.send = self._after_send

    async def _after_send(self, message):
        receipt = await self._send(message)
        self._take()
        return receipt

    def _take(self) -> None:
        image = self._directory / f"image-{len(self.images)}"
        leave_image(self._bot.data, image)
        self.images.append((image, tuple(self._bot.lines)))
